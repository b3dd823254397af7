//! The Live screen: reports of a hub in, cells and wishes out.

use crate::driver::{Driver, event, example};
use crate::screens::snapshot;
use crate::untrusted::FAMILIES;
use rehearsal::engine::{Code, Engine, Made};
use rehearsal::live::{Deadline, Decision, Event, Held, HoldRule, HoldSettings, Holding, Seen, Stage, What, Wish};
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::task::{Arm, Call, Task};
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::msg::{Effect, Msg};
use rehearsal::tui::screens::hub::{self, HubScreen, Opened};
use rehearsal::tui::update::update;
use rehearsal::value::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};

const NAME: &str = "q7h2kd9wz3mxn4pa";

fn task(seed: u64) -> Arc<Task> {
    let bytes = std::fs::read("examples/hotel/hotel.mcp.json").unwrap();
    let reading = Arc::new(read(&bytes, &ReadOptions { name: "hotel".into(), ..ReadOptions::default() }));
    let planner = Planner::new(reading, PlanSettings::default()).unwrap();
    Arc::new(planner.plan(Arm::parse("landed:l1").unwrap(), seed).unwrap())
}

fn opened(name: &str, seed: u64) -> Opened {
    Opened {
        name: name.to_owned(),
        task: task(seed),
        mcp: format!("http://127.0.0.1:8791/mcp/{name}"),
        routes: None,
        folder: "runs/hotel-live".to_owned(),
        calls: Vec::new(),
    }
}

fn opens(d: &mut Driver) {
    d.model.hub = HubScreen::new(vec![opened(NAME, 20)], vec!["codex"]);
    d.model.screen = Screen::Live;
    assert!(matches!(hub::start(&mut d.model)[..], [Effect::FollowHub { .. }]));
    d.send(Msg::Hub(Seen { events: vec![], holding: vec![nothing()] }));
}

fn nothing() -> Holding {
    Holding { held: None, waiting: 0, settings: HoldSettings::default() }
}

fn call() -> Call {
    task(20).reference_calls[0].clone()
}

fn held(stage: Stage) -> Holding {
    let engine = Engine::new(task(20));
    let read = Call { tool: "get_stay".into(), arguments: Value::parse_json(r#"{"stay_id": "abcdefghijk"}"#).unwrap() };
    let call = if stage == Stage::Call { call() } else { read };
    let outcome = engine.step(&engine.start(), &call);
    let (now, after) = (Instant::now(), Duration::from_secs(50));
    let held = Held {
        number: 1,
        stage,
        made: Made { call, outcome },
        rule: "writes".to_owned(),
        caller: Some("codex 0.171".to_owned()),
        since: now,
        arrived: now,
        lets_go: now + Duration::from_secs(45),
        deadline: Deadline { after, resets: false, source: "set by you" },
    };
    let rules = vec![HoldRule::parse("writes").unwrap()];
    let settings = HoldSettings { rules, everything: false, deadline: Some(after) };
    Holding { held: Some((held, Duration::from_secs(30))), waiting: 2, settings }
}

fn joined(caller: &str) -> Event {
    what(What::Joined { connection: "shim-1".to_owned(), caller: caller.to_owned() })
}

fn what(what: What) -> Event {
    Event { episode: NAME.to_owned(), what }
}

fn holds(d: &mut Driver, stage: Stage) {
    opens(d);
    d.send(Msg::Hub(Seen { events: vec![joined("codex 0.171")], holding: vec![held(stage)] }));
}

fn wish(d: &mut Driver, key: &str) -> Wish {
    match update(&mut d.model, Msg::Key(event(key))).pop() {
        Some(Effect::Wish { episode: 0, wish }) => wish,
        other => panic!("{key} gives {other:?}"),
    }
}

#[test]
fn the_live_screen_draws_at_every_size() {
    snapshot("live-nobody", &example, &opens);
    snapshot("live-held", &example, &|d| holds(d, Stage::Call));
}

#[test]
fn each_key_wishes_what_it_says() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    opens(&mut d);
    assert!(update(&mut d.model, Msg::Key(event("space"))).is_empty());
    assert!(d.text().contains("no call is held"), "{}", d.text());
    d.send(Msg::Hub(Seen { events: vec![joined("codex 0.171")], holding: vec![held(Stage::Call)] }));
    let text = d.text();
    for says in
        ["codex 0.171  stdio", "HELD at the call", "lets go in 30 s", "would answer", "2 calls waiting", "+ valid"]
    {
        assert!(text.contains(says), "{says}: {text}");
    }
    assert!(matches!(wish(&mut d, "space"), Wish::Decide(Decision::Release)));
    assert!(matches!(wish(&mut d, "x"), Wish::Decide(Decision::Drop)));
    assert!(matches!(wish(&mut d, "A"), Wish::ReleaseAll));
    assert!(matches!(wish(&mut d, "r"), Wish::End));
    assert!(matches!(wish(&mut d, "i"), Wish::Settings(settings) if settings.everything));
    d.keys("u");
    assert!(matches!(wish(&mut d, "enter"), Wish::Decide(Decision::Fail(Code::NotFound))));
    d.keys("D ctrl-u 7 s");
    let Wish::Settings(settings) = wish(&mut d, "enter") else { panic!("a deadline is a setting") };
    assert_eq!(settings.deadline, Some(Duration::from_secs(7)));
    d.keys("B ctrl-u n o enter");
    assert!(d.text().contains("the task has no such tool"), "{}", d.text());
    d.keys("ctrl-u a l l");
    assert!(matches!(wish(&mut d, "enter"), Wish::Settings(settings) if settings.rules.len() == 1));
}

#[test]
fn an_edit_outlives_the_call_that_was_let_go() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    holds(&mut d, Stage::Call);
    d.keys("e");
    let Wish::Decide(Decision::Edit(same)) = wish(&mut d, "enter") else { panic!("the form sends an edit") };
    assert_eq!(same, call().arguments);
    d.keys("e");
    d.send(Msg::Hub(Seen { events: vec![], holding: vec![nothing()] }));
    d.keys("enter");
    assert!(d.text().contains("your arguments are kept"), "{}", d.text());
}

#[test]
fn an_answer_that_breaks_the_output_schema_is_confirmed() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    holds(&mut d, Stage::Answer);
    assert!(d.text().contains("HELD at the answer"), "{}", d.text());
    d.keys("e ctrl-u 5 enter");
    assert!(d.text().contains("breaks the output schema"), "{}", d.text());
    assert!(matches!(wish(&mut d, "enter"), Wish::Decide(Decision::Edit(Value::Str(text))) if &*text == "5"));
}

#[test]
fn calls_that_were_made_open_in_the_stepper_and_the_caller_goes_on() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    opens(&mut d);
    let made = |number| {
        what(What::Call {
            number,
            tool: call().tool.to_string(),
            arguments: call().arguments,
            code: None,
            answer: String::new(),
        })
    };
    d.send(Msg::Hub(Seen { events: vec![made(1), made(2)], holding: vec![nothing()] }));
    assert!(d.text().contains("calls (2)"), "{}", d.text());
    d.keys("t");
    assert_eq!(d.model.screen, Screen::Step);
    assert_eq!(d.model.step.episode.as_ref().unwrap().calls().len(), 2);
    d.send(Msg::Hub(Seen { events: vec![made(3)], holding: vec![held(Stage::Call)] }));
    assert!(d.text().contains("1 call held"), "the header tells on every screen: {}", d.text());
    d.keys("8");
    assert!(d.text().contains("calls (3)"), "{}", d.text());
}

#[test]
fn ten_thousand_calls_and_hostile_names_are_shown() {
    let mut d = Driver::new(example(), (80, 24), "dark");
    opens(&mut d);
    let hostile: String = FAMILIES.map(|(_, text)| text).join("-");
    let events = (1..=10_000).map(|number| {
        what(What::Call { number, tool: hostile.clone(), arguments: Value::Null, code: None, answer: hostile.clone() })
    });
    let mut events: Vec<Event> = events.collect();
    events.push(joined(&hostile));
    events.push(what(What::Refused { why: hostile.clone() }));
    d.send(Msg::Hub(Seen { events, holding: vec![nothing()] }));
    let text = d.text();
    assert!(text.contains("calls (10000)"), "{text}");
    assert!(!text.contains(|c: char| c != '\n' && rehearsal::text::is_hidden(c)), "{text:?}");
    d.keys("g");
    assert_eq!(d.model.cursor(Pane::Arrivals).at, 0);
}
