use super::verdict::{Cause, Evidence, verdict};
use crate::value::{Map, Value};
use std::collections::BTreeMap;

/// A side with a record of these rows, a design, and one task.
fn side(record: &[(&str, &str)], design: &[(&str, &str)], task: (&str, u64, &str)) -> Evidence {
    let object = |rows: &[(&str, &str)]| -> Value { rows.iter().map(|(k, v)| (*k, *v)).collect::<Map>().into() };
    Evidence {
        produced: (!record.is_empty()).then(|| object(record)),
        provenance: object(design),
        tasks: BTreeMap::from([((task.0.into(), task.1), task.2.into())]),
    }
}

const OWN: [(&str, &str); 4] =
    [("own_generator_hash", "g"), ("tool_spec_hash", "c"), ("tool_file_sha256", "f"), ("poisson_tasks_version", "1")];

fn with(key: &str, value: &str) -> Vec<(&'static str, String)> {
    OWN.iter().map(|(k, v)| (*k, if *k == key { value.to_owned() } else { (*v).to_owned() })).collect()
}

fn own(key: &str, value: &str, design: &[(&str, &str)], task: (&str, u64, &str)) -> Evidence {
    let rows = with(key, value);
    let rows: Vec<(&str, &str)> = rows.iter().map(|(k, v)| (*k, v.as_str())).collect();
    side(&rows, design, task)
}

#[test]
fn the_first_rule_that_applies_decides() {
    let task = ("faults:f1", 7, "t");
    let a = own("", "", &[], task);
    let builtin = |hash| side(&[("builtin_generator_hash", hash)], &[], task);
    let cases = [
        (builtin("x"), builtin("y"), 1, Some(Cause::BuiltinGenerator)),
        (a.clone(), builtin("x"), 1, Some(Cause::BuiltinGenerator)),
        (a.clone(), side(&[("poisson_tasks_version", "1")], &[], task), 1, Some(Cause::OwnAndBuiltin)),
        (a.clone(), own("own_generator_hash", "h", &[], task), 1, Some(Cause::Generator)),
        (a.clone(), own("tool_spec_hash", "d", &[], task), 1, Some(Cause::Contract)),
        (a.clone(), own("tool_file_sha256", "e", &[], ("faults:f1", 7, "u")), 1, Some(Cause::Reformatted)),
        (a.clone(), own("", "", &[], ("faults:f2", 7, "t")), 2, Some(Cause::NoSharedArm)),
        (a.clone(), side(&[], &[], ("faults:f1", 7, "u")), 3, Some(Cause::Unknown)),
        (a.clone(), side(&[], &[], ("faults:f1", 8, "u")), 3, Some(Cause::Unknown)),
        (a.clone(), own("", "", &[("n", "3")], task), 4, Some(Cause::Design)),
        (a.clone(), own("", "", &[], ("faults:f1", 7, "u")), 5, Some(Cause::Settings)),
        (a.clone(), a.clone(), 6, None),
        (a.clone(), side(&[], &[], task), 6, None),
        (a.clone(), own("poisson_tasks_version", "2", &[], task), 6, None),
    ];
    for (i, (a, b, rule, cause)) in cases.into_iter().enumerate() {
        for (x, y) in [(&a, &b), (&b, &a)] {
            let found = verdict(x, y);
            assert_eq!((found.rule, found.cause), (rule, cause), "case {i}: {}", found.sentence);
            assert!(!found.sentence.contains('\n') && found.sentence.ends_with('.'));
        }
    }
}

#[test]
fn the_design_names_its_first_difference_and_passes_over_tools_of_two_own_cards() {
    let task = ("faults:f1", 7, "t");
    let a = own("", "", &[("S", "60"), ("n", "5"), ("split", "eval")], task);
    let b = own("", "", &[("S", "60"), ("n", "4"), ("split", "other")], task);
    let found = verdict(&a, &b);
    assert!(found.sentence.contains(" differ in n,"), "{}", found.sentence);
    let mut c = a.clone();
    let tools = |name: &str| Value::from(Map::from([("kind", "own"), ("name", name)]));
    let put = |side: &mut Evidence, tools: Value| {
        let mut map = side.provenance.as_object().unwrap().clone();
        map.insert("tools", tools);
        side.provenance = map.into();
    };
    let mut d = a.clone();
    put(&mut c, tools("one"));
    put(&mut d, tools("two"));
    assert!(verdict(&c, &d).is_ok());
    assert_eq!(verdict(&a, &d).cause, Some(Cause::Design));
}

#[test]
fn notes_and_changed_rows() {
    let task = ("faults:f1", 7, "t");
    let a = own("", "", &[], task);
    let newer = verdict(&a, &own("poisson_tasks_version", "2", &[], task));
    assert!(newer.note.unwrap().contains("versions"));
    assert_eq!(newer.rows.iter().filter(|r| r.differs()).count(), 1);
    assert_eq!(verdict(&a, &a).note, None);
    assert!(verdict(&a, &side(&[], &[], task)).note.unwrap().contains("did not record"));
    let contract = verdict(&a, &own("tool_spec_hash", "d", &[], task));
    assert_eq!(contract.changed(), ["contract hash"]);
}

#[test]
fn an_unfinished_run_of_the_same_tasks_is_comparable() {
    let mut a = own("", "", &[], ("faults:f1", 7, "t"));
    let b = a.clone();
    a.tasks.insert(("faults:f1".into(), 8), "u".into());
    a.tasks.insert(("faults:f2".into(), 8), "v".into());
    assert!(verdict(&a, &b).is_ok());
}
