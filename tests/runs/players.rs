//! Players on every dial and level of the examples.

use crate::sets::Set;
use rehearsal::engine::Engine;
use rehearsal::episode::players::PlayerSpec;
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::run::{MAX_TURNS, Slips, play};
use rehearsal::task::{Arm, Dial, Script, Task};
use rehearsal::toolfile::{ReadOptions, read};
use std::collections::BTreeMap;
use std::sync::Arc;

fn spec(word: &str) -> PlayerSpec {
    PlayerSpec::parse(word, &mut |file| Err(format!("no script {file}"))).unwrap()
}

fn no_scripts(_: &str) -> Result<Script, String> {
    Err("none".to_owned())
}

/// The label an agent of that policy earns on an arm.
fn label(player: &str, task: &Task) -> &'static str {
    let Arm { dial, level } = task.arm;
    let writes = task.reference_calls.iter().filter(|c| !task.shown(&c.tool).unwrap().tool.effect.is_read());
    let faults: BTreeMap<&str, u32> = [&task.fault_plan, &task.timeout_plan, &task.rate_limit_plan]
        .into_iter()
        .flatten()
        .map(|(t, n)| (&**t, *n))
        .collect();
    let most = faults.values().copied().max().unwrap_or(0);
    match (player, dial) {
        ("reference", _) => "passed",
        ("once", Dial::Faults | Dial::Timeouts | Dial::RateLimits) if most > 0 => "wrong_state",
        ("blind-retry", Dial::Faults | Dial::Timeouts | Dial::RateLimits) if most > 3 => "wrong_state",
        ("blind-retry", Dial::Landed) if level > 0 => "collateral_mutation",
        ("once" | "blind-retry" | "trusting", Dial::BadData) if level > 0 => "wrong_state",
        ("checking", Dial::BadData) if level > 1 => "wrong_state",
        ("trusting", Dial::Lagged) if level > 0 => "collateral_mutation",
        _ if writes.count() > 0 => "passed",
        _ => unreachable!("every task writes"),
    }
}

#[test]
fn every_player_on_every_arm_gets_what_its_policy_earns() {
    let mut seen: BTreeMap<Dial, usize> = BTreeMap::new();
    for name in ["orders", "warehouse", "clinic", "wide"] {
        let set = if name == "wide" { Set::wide() } else { Set::example(name) };
        for arm in set.arms() {
            *seen.entry(arm.dial).or_default() += 1;
            for seed in 0..25 {
                let Ok(task) = set.planner.plan(arm, seed) else { continue };
                let engine = Engine::new(Arc::new(task));
                let task = engine.task();
                for player in ["reference", "once", "blind-retry", "trusting", "checking"] {
                    let episode = play(&engine, &spec(player), 0, MAX_TURNS);
                    assert_eq!(
                        episode.verdict.label,
                        label(player, task),
                        "{name} {arm} seed {seed} {player}: {:#?}",
                        episode.turns.iter().map(|t| (&t.call, &t.outcome.answer.text, &t.reason)).collect::<Vec<_>>()
                    );
                    let slips = Slips::of(task, &episode);
                    let believed = episode.verdict.label == "wrong_state" && arm.dial == Dial::BadData;
                    assert_eq!(
                        slips.bad_read_believed,
                        (arm.dial == Dial::BadData && arm.level > 0).then_some(believed)
                    );
                    let acted = player == "trusting" && arm.dial == Dial::Lagged && arm.level > 0;
                    assert_eq!(slips.stale_read_acted_on, (arm.dial == Dial::Lagged && arm.level > 0).then_some(acted));
                    let again = acted || (player == "blind-retry" && arm.dial == Dial::Landed && arm.level > 0);
                    assert_eq!(slips.duplicate_writes, u64::from(again), "{arm} {player}");
                    for (i, turn) in episode.turns.iter().enumerate() {
                        assert!(turn.reason.ends_with('.'), "{}", turn.reason);
                        if player == "once" {
                            assert!(!episode.turns[..i].iter().any(|t| t.call == turn.call), "once repeated a call");
                        }
                    }
                }
                for wrong in &task.wrong_answers {
                    let episode = play(&engine, &spec(&format!("wrong:{}", wrong.name)), 0, MAX_TURNS);
                    assert_eq!(episode.verdict.label, wrong.label, "{name} {arm} seed {seed} {}", wrong.name);
                }
            }
        }
    }
    assert_eq!(seen.len(), 13, "all dials are there: {seen:?}");
}

#[test]
fn checking_reads_back_before_it_repeats_a_write_that_timed_out() {
    let set = Set::example("orders");
    let mut backs = 0;
    for seed in 0..25 {
        for dial in [Dial::Landed, Dial::Timeouts] {
            let engine = Engine::new(Arc::new(set.planner.plan(dial.at(1), seed).unwrap()));
            let episode = play(&engine, &spec("checking"), 0, MAX_TURNS);
            let tools: Vec<&str> = episode.turns.iter().map(|t| &*t.call.tool).collect();
            if episode.turns.len() > 1 && tools[0] != tools[1] {
                backs += 1;
                assert!(engine.task().shown(tools[1]).unwrap().tool.effect.is_read());
            }
        }
    }
    assert!(backs > 10, "read back {backs} times");
}

#[test]
fn checking_does_not_go_by_a_read_that_cannot_show_the_write() {
    // The one read is asked with free text alone: no record is found by it, and its answer says nothing of the write.
    let tools = r#"[{"type": "function", "function": {"name": "set_note", "description": "Set a note.", "parameters": {"type": "object",
        "required": ["title", "grade"], "properties": {"title": {"type": "string"}, "grade": {"type": "integer", "minimum": 1, "maximum": 9}}}}},
        {"type": "function", "function": {"name": "get_note", "description": "Get a note.", "parameters": {"type": "object",
        "required": ["title"], "properties": {"title": {"type": "string"}}}}}]"#;
    let options = ReadOptions { name: "notes".to_owned(), read: vec!["get_note".to_owned()], ..ReadOptions::default() };
    let planner = Planner::new(Arc::new(read(tools.as_bytes(), &options)), PlanSettings::default()).unwrap();
    for seed in 0..8 {
        for (arm, calls) in [(Dial::Landed.at(1), 1), (Dial::Timeouts.at(1), 2)] {
            let engine = Engine::new(Arc::new(planner.plan(arm, seed).unwrap()));
            let episode = play(&engine, &spec("checking"), 0, MAX_TURNS);
            let tools: Vec<&str> = episode.turns.iter().map(|t| &*t.call.tool).collect();
            assert_eq!((tools, episode.verdict.label), (vec!["set_note"; calls], "passed"), "{arm}, seed {seed}");
        }
    }
}

#[test]
fn a_mix_draws_by_task_and_attempt_and_by_nothing_else() {
    let set = Set::example("orders");
    let mix = spec("mix:reference=3,once=1");
    let mut drawn: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..40 {
        let task = set.planner.plan(Dial::Faults.at(1), seed).unwrap();
        for attempt in 0..10 {
            let who = mix.drawn(&task, attempt).to_string();
            assert_eq!(who, mix.drawn(&task, attempt).to_string());
            let engine = Engine::new(Arc::new(task.clone()));
            assert_eq!(play(&engine, &mix, attempt, MAX_TURNS).player, who);
            *drawn.entry(who).or_default() += 1;
        }
    }
    let once = drawn["once"];
    assert!((70..=130).contains(&once), "once 1 time in 4 of 400: {once}");
}

#[test]
fn player_names_parse_and_are_written_as_they_parse() {
    for word in [
        "reference",
        "once",
        "blind-retry",
        "trusting",
        "checking",
        "wrong:believed",
        "mix:reference=3,wrong:wrong_state=1",
    ] {
        assert_eq!(PlayerSpec::parse(word, &mut no_scripts).unwrap().to_string(), word);
    }
    for (word, why) in [
        ("refrence", "did you mean reference?"),
        ("zzz", "mix:NAME=weight"),
        ("mix:reference", "has no weight"),
        ("mix:reference=0", "add up to 0"),
        ("mix:reference=x", "is not a weight"),
        ("mix:reference=1.5", "use a whole number up to"),
        ("mix:reference=-1", "use a whole number up to"),
        ("mix:", "the mix has an empty player"),
        ("mix:once=1,,trusting=1", "the mix has an empty player"),
        ("mix:zzz=1", "no player \"zzz\""),
        ("mix:mix:a=1=2", "a mix cannot hold another mix"),
        ("mix:once=1,mix:trusting=2", "a mix cannot hold another mix"),
        ("mix:reference=18446744073709551615,once=1", "use a whole number up to"),
        ("mix:reference=1000000000,once=1", "more than"),
        ("script:nowhere", "none"),
        ("wrong:", "no player"),
    ] {
        let error = PlayerSpec::parse(word, &mut no_scripts).unwrap_err();
        assert!(error.contains(why), "{word}: {error}");
        assert!(!error.contains('\n'));
    }
}

#[test]
fn the_turn_limit_stops_an_episode_and_a_reply_counts_as_a_turn() {
    let set = Set::example("orders");
    let engine = Engine::new(Arc::new(set.planner.plan(Dial::Faults.at(4), 0).unwrap()));
    let calls = engine.task().reference_calls.len();
    let whole = play(&engine, &spec("reference"), 0, calls + 1);
    assert_eq!((whole.model_calls, whole.verdict.label), (Some(calls + 1), "passed"));
    let cut = play(&engine, &spec("reference"), 0, calls);
    assert_eq!((cut.model_calls, cut.verdict.label, cut.verdict.leaky), (Some(calls), "turn_limit", true));
}

#[test]
fn a_wrong_answer_that_a_task_lacks_is_refused_by_name() {
    let set = Set::example("orders");
    let task = set.planner.plan(Dial::Faults.at(1), 0).unwrap();
    let error = spec("mix:reference=1,wrong:believed=1").check(&task).unwrap_err();
    assert!(error.starts_with("faults:f1, seed 0") && error.contains("wrong_state"), "{error}");
    spec("wrong:wrong_state").check(&task).unwrap();
}
