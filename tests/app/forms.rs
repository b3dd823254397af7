//! The form of a call: what it takes, how it is checked as typed, what it begins with, invalid calls sent on purpose.

use crate::driver::{Driver, at, bytes, example, file};
use rehearsal::engine::Rule;
use rehearsal::tui::model::Model;
use rehearsal::tui::overlays::Overlay;
use rehearsal::tui::overlays::form::{Check, Form};
use rehearsal::tui::screens::step;
use rehearsal::value::Value;

fn form(model: &Model) -> &Form {
    match model.overlays.last() {
        Some(Overlay::Form(form)) => form,
        other => panic!("no form is open but {other:?}"),
    }
}

fn faults() -> Driver {
    Driver::new(at(example(), "faults:f2", 404), (120, 40), "dark")
}

fn bad() -> Driver {
    Driver::new(at(file("examples/warehouse/warehouse.mcp.json"), "baddata:b2", 404), (120, 40), "dark")
}

/// The last call made: its tool, its arguments, the rule.
fn last(driver: &Driver) -> (String, Value, Rule) {
    let made = driver.model.step.episode.as_ref().unwrap().past().last().unwrap();
    (made.call.tool.to_string(), made.call.arguments.clone(), made.outcome.rule.clone())
}

fn json(text: &str) -> Value {
    Value::parse_json(text).unwrap()
}

#[test]
fn stated_values_and_what_an_answer_told_are_there_already() {
    let mut driver = bad();
    driver.keys("n c").type_text("move_item").keys("enter");
    let filled = form(&driver.model).arguments().unwrap();
    let task = driver.model.step.episode.as_ref().unwrap().task().clone();
    for (name, value) in &task.stated {
        assert_eq!(filled.get(name), Some(value), "{name} is stated");
    }
    // The sku as the bad read told it, not as it is.
    let told = task.bad_read.as_ref().unwrap().value.clone();
    assert_eq!(filled.get("sku"), Some(&told));
    driver.keys("esc n c").type_text("move_item").keys("enter");
    let right = task.steps[1].matching.iter().find(|(name, _)| &**name == "sku").unwrap().1.clone();
    assert_eq!(form(&driver.model).arguments().unwrap().get("sku"), Some(&right));
    assert_eq!(form(&driver.model).check, Check::Fits);
    driver.keys("enter");
    assert!(matches!(last(&driver).2, Rule::WriteDone { step: 1, landed: false }));
}

#[test]
fn a_value_of_any_earlier_answer_is_taken_with_one_key() {
    let mut driver = bad();
    driver.keys("n n c").type_text("move_item").keys("enter");
    let at = form(&driver.model).fields.iter().position(|f| &*f.name == "to_bin").unwrap();
    let now = form(&driver.model).at;
    for _ in 0..at.abs_diff(now) {
        driver.keys(if at > now { "tab" } else { "shift-tab" });
    }
    driver.keys("ctrl-o").type_text("call 1").keys("enter");
    let value = form(&driver.model).fields[at].value().unwrap();
    let episode = driver.model.step.episode.as_ref().unwrap();
    let answer = &episode.past()[0].outcome.answer.value;
    let values: Vec<&Value> = answer.as_object().unwrap().named().map(|(_, v)| v).collect();
    assert!(values.contains(&&value), "{value:?} of {answer:?}");
}

const WIDE: &[u8] = br#"[{"type":"function","function":{"name":"set_mode","description":"Set it","parameters":{"type":"object",
  "properties":{"mode":{"type":"string","enum":["alpha","bravo","charlie","delta","echo","foxtrot","golf","hotel","india",
  "juliett","kilo","lima","mike","november"]},"on":{"type":"boolean"},"level":{"type":"integer","minimum":1,"maximum":9},
  "day":{"type":"string","format":"date"}},"required":["mode","level"]}}},
  {"type":"function","function":{"name":"get_mode","description":"Get it","parameters":{"type":"object","properties":{
  "mode":{"type":"string","enum":["alpha","bravo"]}},"required":["mode"]}}}]"#;

fn wide(size: (u16, u16)) -> Driver {
    let mut driver = Driver::new(at(bytes("modes.json", WIDE), "faults:f0", 404), size, "dark");
    assert!(driver.model.step.episode.is_some(), "{}", driver.text());
    driver.keys("c").type_text("set_mode").keys("enter");
    driver
}

#[test]
fn bounds_choices_and_what_must_be_there_are_shown_and_checked_as_typed() {
    let mut driver = wide((80, 24));
    while form(&driver.model).at > 0 {
        driver.keys("shift-tab");
    }
    // Many choices: the chosen one and which it is.
    driver.type_text("m");
    let text = driver.text();
    assert!(text.contains("mode*  [\"mike\"]") || text.contains("mode * [\"mike\"]"), "{text}");
    assert!(text.contains("13 of 14"), "{text}");
    driver.keys("tab");
    driver.type_text("t");
    assert_eq!(form(&driver.model).fields[1].value(), Ok(Value::Bool(true)));
    driver.keys("tab ctrl-u").type_text("12");
    assert_eq!(form(&driver.model).check, Check::Breaks { at: "/level".into(), expected: "must be at most 9".into() });
    let text = driver.text();
    assert!(text.contains("! level"), "{text}");
    assert!(text.contains("integer, at least 1, at most 9"), "{text}");
    driver.keys("backspace backspace").type_text("7").keys("tab").type_text("2026-13-01");
    assert!(
        matches!(&form(&driver.model).check, Check::Breaks { at, .. } if at == "/day"),
        "{:?}",
        form(&driver.model).check
    );
    let wrong = |at: usize| form(&driver.model).fields[at].wrong.is_some();
    assert!(wrong(3) && !wrong(2));
    driver.keys("enter");
    assert!(!driver.model.overlays.is_empty(), "a call that does not fit asks for another key");
    driver.keys("ctrl-s");
    assert!(driver.model.overlays.is_empty());
    assert!(matches!(last(&driver).2, Rule::Invalid(_)));
}

#[test]
fn the_raw_json_has_the_schema_beside_it() {
    let mut driver = wide((120, 40));
    driver.keys("ctrl-r");
    let text = driver.text();
    assert!(text.contains("set_mode, as JSON") && text.contains("schema, 1-27 of 40: pgup, pgdn scroll"), "{text}");
    assert!(text.contains("\"properties\": {"), "{text}");
    driver.keys("pgdn pgdn");
    assert!(!driver.text().contains("\"properties\": {"));
    // What breaks the schema brings its place into view.
    while !form(&driver.model).raw.as_ref().unwrap().text().is_empty() {
        driver.keys("ctrl-k delete");
    }
    driver.send(rehearsal::tui::msg::Msg::Paste(r#"{"mode":"mike","level":12}"#.into()));
    assert!(driver.text().contains("\"maximum\": 9"), "{}", driver.text());
    driver.keys("ctrl-s");
    assert_eq!(last(&driver).1, json(r#"{"mode":"mike","level":12}"#));
}

#[test]
fn members_of_an_object_are_fields_below_it() {
    let begin = || at(bytes("trips.mcp.json", crate::above::NESTED.as_bytes()), "faults:f0", 3);
    let mut driver = Driver::new(begin(), (120, 40), "dark");
    driver.keys("c enter");
    let at = |driver: &Driver, path: &str| {
        form(&driver.model).fields.iter().position(|f| f.path() == path).unwrap_or_else(|| panic!("no {path}"))
    };
    let go = |driver: &mut Driver, path: &str| {
        let to = at(driver, path);
        driver.keys("shift-tab ".repeat(20).as_str()).keys("tab ".repeat(to).as_str());
        assert_eq!(form(&driver.model).at, to);
    };
    // What the task states is in them.
    let stated = form(&driver.model).arguments().unwrap();
    assert_eq!(stated.get("who"), Some(&json(r#"{"name":"hvpigjfyhr","age":624}"#)));
    assert!(driver.text().contains("+   age   624"), "{}", driver.text());
    // One member that does not fit is marked, and so is the object; the place is told.
    go(&mut driver, "who.age");
    driver.keys("ctrl-u").type_text("old");
    let wrong = |driver: &Driver, path: &str| form(&driver.model).fields[at(driver, path)].wrong.clone();
    assert!(wrong(&driver, "who.age").is_some() && wrong(&driver, "who").is_some());
    assert!(wrong(&driver, "who.name").is_none());
    driver.keys("ctrl-u").type_text("1.5");
    assert_eq!(wrong(&driver, "who").as_deref(), Some("/age must be an integer"));
    assert!(driver.text().contains("! must be an integer") && driver.text().contains("who.age  integer"));
    // Left out, the object takes its members with it; typing in one of them brings it back.
    go(&mut driver, "who");
    driver.keys("ctrl-x");
    assert_eq!(form(&driver.model).arguments().unwrap().get("who"), None);
    assert_eq!(form(&driver.model).check, Check::Fits);
    go(&mut driver, "who.name");
    driver.type_text("x");
    assert_eq!(form(&driver.model).arguments().unwrap().get("who"), Some(&json(r#"{"name":"hvpigjfyhrx","age":1.5}"#)));
    // To JSON and back; an object with a member the schema does not name is written as JSON.
    driver.keys("ctrl-r ctrl-r");
    assert_eq!(form(&driver.model).arguments().unwrap().get("who"), Some(&json(r#"{"name":"hvpigjfyhrx","age":1.5}"#)));
    for odd in [r#"{"name":"a","more":[1]}"#, "[]", "null", r#""text""#] {
        driver.keys("ctrl-r");
        while !form(&driver.model).raw.as_ref().unwrap().text().is_empty() {
            driver.keys("ctrl-k delete");
        }
        let whole = format!(r#"{{"day":"2026-01-01","class":"first","bags":1,"who":{odd},"code":"ABC"}}"#);
        driver.send(rehearsal::tui::msg::Msg::Paste(whole.clone()));
        driver.keys("ctrl-r");
        assert!(form(&driver.model).raw.is_none());
        assert_eq!(form(&driver.model).arguments().unwrap(), json(&whole), "{odd}");
        assert!(!form(&driver.model).fields.iter().any(|f| f.path() == "who.age"), "{odd}");
    }
    driver.keys("ctrl-s");
    assert_eq!(last(&driver).1.get("who"), Some(&json(r#""text""#)));
    // The call made is changed in the same fields.
    let mut driver = Driver::new(begin(), (120, 40), "dark");
    driver.keys("n C");
    go(&mut driver, "who.age");
    driver.keys("ctrl-u").type_text("7").keys("enter");
    assert_eq!(last(&driver).1.get("who"), Some(&json(r#"{"name":"hvpigjfyhr","age":7}"#)));
}

#[test]
fn text_that_is_no_json_is_sent_as_the_text_it_is() {
    let mut driver = faults();
    driver.keys("c enter ctrl-r ctrl-k").type_text("oops").keys("ctrl-s");
    let (_, arguments, rule) = last(&driver);
    assert!(arguments.as_str().is_some_and(|text| text.starts_with("oops")), "{arguments:?}");
    assert_eq!(rule, Rule::NotAnObject);
}

#[test]
fn a_name_that_no_tool_has_can_be_called() {
    let mut driver = faults();
    driver.keys("c").type_text("refund_ordr");
    // A tool that nearly has the name stands first.
    assert!(driver.text().contains("refund_ordr  (not a tool of this task)"), "{}", driver.text());
    driver.keys("down enter");
    assert!(!form(&driver.model).listed);
    assert!(driver.text().contains("! not a tool of this task"), "{}", driver.text());
    driver.keys("ctrl-s");
    let (tool, arguments, rule) = last(&driver);
    assert_eq!((tool.as_str(), arguments, rule), ("refund_ordr", json("{}"), Rule::OutsideBlock));
    // Such a call can be changed too.
    driver.keys("C ctrl-s");
    assert_eq!(driver.model.step.episode.as_ref().unwrap().past().len(), 2);
}

#[test]
fn a_call_is_made_again_with_one_value_changed() {
    let mut driver = bad();
    driver.keys("n n n C");
    let before = last(&driver).1;
    assert_eq!(form(&driver.model).arguments().unwrap(), before);
    let at = form(&driver.model).fields.iter().position(|f| &*f.name == "stack").unwrap();
    while form(&driver.model).at < at {
        driver.keys("tab");
    }
    driver.keys("ctrl-u").type_text("2").keys("enter");
    let (tool, after, rule) = last(&driver);
    assert_eq!(tool, "move_item");
    assert_eq!(after.get("stack"), Some(&json("2")));
    assert_eq!(after.get("sku"), before.get("sku"));
    assert!(matches!(rule, Rule::SideEffect { .. }), "{rule:?}");
    let text = driver.text();
    assert!(text.contains("already done: stack") && text.contains("2, expected"), "{text}");
    // As it is, it repeats the step.
    step::make(&mut driver.model, rehearsal::task::Call { tool: "move_item".into(), arguments: before });
    assert!(matches!(last(&driver).2, Rule::Duplicate { step: 1 }));
    assert!(driver.text().contains("2 side effects, 1 duplicate"), "{}", driver.text());
}
