//! Whatever holds on the example files holds on files that are made up: proptest draws a file, an arm, a seed and calls.
use crate::invariants::{any_twist, changed, check};
use crate::odd::odd;
use crate::plan::holds;
use proptest::prelude::*;
use rehearsal::engine::{Ending, Engine};
use rehearsal::episode::Episode;
use rehearsal::plan::Planner;
use rehearsal::task::{Arm, Dial, Script};
use rehearsal::toolfile;
use rehearsal::value::{Map, Value, canonical};
use std::sync::Arc;

fn arms(planner: &Planner) -> Vec<Arm> {
    let levels = |dial: Dial| planner.levels(dial).unwrap_or_default().into_iter().map(move |level| dial.at(level));
    Dial::ALL.into_iter().flat_map(levels).collect()
}

/// The same document, the keys of every object the other way round.
fn turned(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::array(items.iter().map(turned).collect()),
        Value::Object(map) => {
            let members: Vec<_> = map.named().map(|(name, value)| (name.clone(), turned(value))).collect();
            Value::object(members.into_iter().rev().collect::<Map>())
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_step_on_a_made_up_file_keeps_the_rules(
        number in 1..1_000_000_u64,
        arm in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        twists in prop::collection::vec((any::<usize>(), any_twist()), 0..12),
    ) {
        let odd = odd(number);
        let Ok(planner) = odd.planner() else { return Ok(()) };
        let arms = arms(&planner);
        if arms.is_empty() {
            return Ok(());
        }
        let arm = arms[arm.index(arms.len())];
        let Ok(task) = planner.plan(arm, seed) else { return Ok(()) };
        // Names no tool, passes with its reference solution, fails with its wrong answers, and so on.
        holds(&planner, task.clone());
        // Read and planned from the start again it is the same.
        let again = odd.planner().map_err(|e| TestCaseError::fail(e.0))?;
        prop_assert_eq!(&again.plan(arm, seed).map_err(|e| TestCaseError::fail(e.0))?, &task);

        let task = Arc::new(task);
        let (engine, fresh) = (Engine::new(task.clone()), Engine::new(task.clone()));
        let mut episode = Episode::new(task.clone());
        let mut state = engine.start();
        let mut texts = Vec::new();
        for (from, twist) in &twists {
            let call = changed(&task, *from, twist);
            let outcome = engine.step(&state, &call);
            // Also that a refused call changes nothing but its counts.
            check(&task, &state, &call, &outcome);
            prop_assert_eq!(&fresh.step(&state, &call).answer.text, &outcome.answer.text);
            texts.push(outcome.answer.text.clone());
            episode.make(call);
            state = outcome.state;
        }
        episode.end(Ending::Reply);

        // Replayed from its own script it gives the same answers and the same verdict.
        let script = Script::read(episode.script().to_yaml().as_bytes()).map_err(TestCaseError::fail)?;
        let mut replay = Episode::new(task);
        for call in script.calls {
            replay.make(call);
        }
        replay.end(script.ending);
        let replayed: Vec<_> = replay.calls().iter().map(|made| made.outcome.answer.text.clone()).collect();
        prop_assert_eq!(replayed, texts);
        prop_assert_eq!(replay.verdict(), episode.verdict());
    }

    #[test]
    fn the_contract_hash_of_a_made_up_file_ignores_layout_and_key_order(number in 1..1_000_000_u64) {
        let odd = odd(number);
        let reading = odd.reading();
        let root = rehearsal::value::read(odd.text.as_bytes()).map_err(|e| TestCaseError::fail(e.message))?.root;
        let turned = turned(&root);
        for text in [
            canonical::pretty(&root, false),
            canonical::pretty(&turned, false),
            canonical::compact(&turned, true),
            format!("\u{feff}{}\r\n", odd.text),
        ] {
            let other = toolfile::read(text.as_bytes(), &odd.options);
            prop_assert_eq!(&other.contract, &reading.contract);
            prop_assert!(other.file_hash != reading.file_hash || text == odd.text);
        }
    }
}
