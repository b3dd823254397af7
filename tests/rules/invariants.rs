//! What holds whatever calls are made, on planned tasks of every dial: calls are drawn from the reference solution, the
//! wrong answers and changed copies of both.
use crate::vectors;
use proptest::prelude::*;
use rehearsal::engine::{Change, Ending, Engine, Outcome, Rule, State, Writes, explain};
use rehearsal::episode::{Episode, messages, same_call};
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::schema::same;
use rehearsal::task::{Call, Dial, Script, StepEffect, Task};
use rehearsal::value::{Map, Value};
use std::sync::{Arc, LazyLock};

/// A task of every dial at its highest level, on each of the three files.
static TASKS: LazyLock<Vec<Arc<Task>>> = LazyLock::new(|| {
    let mut tasks = Vec::new();
    for name in ["orders", "warehouse", "clinic"] {
        let vector = std::fs::read(vectors::tests(&format!("vectors/{name}.json"))).unwrap();
        let vector = rehearsal::value::read(&vector).unwrap().root;
        let file = vector.get("file").unwrap().as_str().unwrap();
        let declared = vector.get("declared_read").unwrap().as_array().unwrap();
        let declared = declared.iter().map(|v| v.as_str().unwrap().to_owned()).collect();
        let reading = vectors::read(&vectors::tests("toolfiles").join(file), declared);
        let settings = PlanSettings { flows: vectors::flows(vector.get("flows")), ..PlanSettings::default() };
        let planner = Planner::new(Arc::new(reading), settings).unwrap();
        for dial in Dial::ALL {
            if let Some(level) = planner.levels(dial).unwrap_or_default().last() {
                tasks.push(Arc::new(planner.plan(dial.at(*level), 3).unwrap()));
            }
        }
    }
    assert!(tasks.len() > 30);
    tasks
});

/// How a call is changed before it is made.
#[derive(Debug, Clone)]
pub enum Twist {
    Nothing,
    Drop(usize),
    Set(usize, Value),
    Add(String, Value),
    Arguments(Value),
    Tool(usize),
    Nowhere,
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::array),
            prop::collection::vec((".{0,3}", inner), 0..3)
                .prop_map(|pairs| Value::object(pairs.into_iter().collect::<Map>())),
        ]
    })
}

pub fn any_twist() -> impl Strategy<Value = Twist> {
    prop_oneof![
        6 => Just(Twist::Nothing),
        1 => any::<usize>().prop_map(Twist::Drop),
        2 => (any::<usize>(), any_value()).prop_map(|(i, v)| Twist::Set(i, v)),
        1 => (".{0,4}", any_value()).prop_map(|(n, v)| Twist::Add(n, v)),
        1 => any_value().prop_map(Twist::Arguments),
        1 => any::<usize>().prop_map(Twist::Tool),
        1 => Just(Twist::Nowhere),
    ]
}

pub fn changed(task: &Task, from: usize, change: &Twist) -> Call {
    let wrong = task.wrong_answers.iter().flat_map(|w| &w.calls);
    let all: Vec<&Call> = task.reference_calls.iter().chain(wrong).collect();
    let mut call = all[from % all.len()].clone();
    let mut map = call.arguments.as_object().cloned().unwrap_or_default();
    let name = |i: usize, map: &Map| map.named().nth(i % map.len().max(1)).map(|(name, _)| name.clone());
    match change {
        Twist::Nothing => return call,
        Twist::Drop(i) => {
            if let Some(name) = name(*i, &map) {
                map.remove(&name);
            }
        }
        Twist::Set(i, value) => {
            if let Some(name) = name(*i, &map) {
                map.insert(name, value.clone());
            }
        }
        Twist::Add(name, value) => {
            map.insert(name.as_str(), value.clone());
        }
        Twist::Arguments(value) => {
            call.arguments = value.clone();
            return call;
        }
        Twist::Tool(i) => call.tool = task.block[i % task.block.len()].name.clone(),
        Twist::Nowhere => call.tool = "nowhere".into(),
    }
    call.arguments = Value::object(map);
    call
}

prop_compose! {
    fn any_episode()(task in any::<prop::sample::Index>(), calls in prop::collection::vec((any::<usize>(), any_twist()), 0..14))
        -> (Arc<Task>, Vec<Call>) {
        let task = TASKS[task.index(TASKS.len())].clone();
        let calls = calls.iter().map(|(from, change)| changed(&task, *from, change)).collect();
        (task, calls)
    }
}

/// The state without what counts calls: what a refused call may not touch, the clause aside.
fn held(task: &Task, state: &State) -> impl PartialEq + std::fmt::Debug + use<> {
    let passed: Vec<_> = (0..task.steps.len()).map(|i| state.passed(i)).collect();
    let calls = (state.landed_call(), state.bad_call(), state.lagged_call());
    (passed, state.writes().clone(), state.open_writes(), state.side_effects(), state.duplicates(), calls)
}

/// The write a call reflects, by a plain search.
fn reflected(task: &Task, call: &Call, writes: &Writes) -> Option<usize> {
    let asked: Vec<_> = (task.shown(&call.tool)?.tool.checkable().iter())
        .filter_map(|name| Some((call.arguments.get(name)?.clone(), name)))
        .collect();
    let carries = |w: &rehearsal::engine::Write| {
        asked.iter().all(|(value, name)| w.arguments.get(name).is_some_and(|written| same(written, value)))
    };
    let found = writes.iter().enumerate().filter(|(_, w)| carries(w)).last();
    found.filter(|_| !asked.is_empty()).map(|(i, _)| i)
}

pub fn check(task: &Task, before: &State, call: &Call, outcome: &Outcome) {
    let after = &outcome.state;
    let reached = !outcome.reached_no_tool();
    assert_eq!(after.calls(), before.calls() + usize::from(reached));
    let counted: Vec<_> = (0..task.block.len()).filter(|i| after.count(*i) != before.count(*i)).collect();
    let index = task.block.iter().position(|t| t.name == call.tool).filter(|_| reached);
    assert_eq!(counted, index.into_iter().collect::<Vec<_>>());
    let landed = matches!(outcome.rule, Rule::WriteDone { landed: true, .. });
    if outcome.is_failure() && !landed && !outcome.changes.contains(&Change::LaggedUsed) {
        assert_eq!(held(task, before), held(task, after), "a refused call changes nothing but its counts");
    }
    let read = index.is_some_and(|i| task.block[i].tool.effect.is_read());
    if read {
        assert_eq!(before.writes(), after.writes(), "a read stores nothing");
        if !outcome.is_failure() && outcome.shaping.stale.is_none() && outcome.shaping.bad.is_none() {
            assert_eq!(outcome.shaping.reflects, reflected(task, call, before.writes()));
        }
    }
    assert_eq!(
        after.goal(),
        (0..task.steps.len()).all(|i| task.steps[i].effect == StepEffect::Read || after.passed(i))
    );
    assert_eq!(after.side_effects(), after.writes().iter().filter(|w| w.kind.word() == "side_effect").count());
    assert!(!after.defective());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_step_keeps_the_rules((task, calls) in any_episode()) {
        let engine = Engine::new(task.clone());
        let fresh = Engine::new(task.clone());
        let mut state = engine.start();
        for call in &calls {
            let outcome = engine.step(&state, call);
            check(&task, &state, call, &outcome);
            let again = fresh.step(&state, call);
            prop_assert_eq!(&outcome.state, &again.state);
            prop_assert_eq!(&outcome.answer.text, &again.answer.text);
            prop_assert_eq!(&outcome.rule, &again.rule);
            // for the verdict alone: the same but for what the answer says beside the served values
            let served = fresh.step_served(&state, call);
            prop_assert_eq!(&outcome.state, &served.state);
            prop_assert_eq!(&outcome.rule, &served.rule);
            prop_assert_eq!(&outcome.changes, &served.changes);
            prop_assert_eq!(outcome.shaping.bad.is_some(), served.shaping.bad.is_some());
            for (path, value) in &outcome.shaping.served {
                if !path.contains(['.', '[']) {
                    prop_assert_eq!(served.answer.value.get(path), Some(value));
                }
            }
            let made = rehearsal::engine::Made { call: call.clone(), outcome };
            let words = explain::sentence(&task, &made);
            prop_assert!(!words.is_empty() && words.chars().all(|c| !c.is_control()), "{:?}", words);
            for change in &made.outcome.changes {
                prop_assert!(!explain::change(&made, change).is_empty());
            }
            state = made.outcome.state;
        }
        for ending in [Ending::Reply, Ending::Limit, Ending::Open] {
            let verdict = engine.verdict(&state, ending);
            prop_assert_eq!(verdict.label == "verifier_error", ending == Ending::Open);
            prop_assert_eq!(verdict.strict, ending == Ending::Reply && state.goal() && state.side_effects() == 0);
            prop_assert_eq!(verdict.leaky, ending != Ending::Open && state.goal());
        }
    }

    #[test]
    fn an_episode_leaves_and_comes_back_whole((task, calls) in any_episode()) {
        let mut episode = Episode::new(task.clone());
        for call in &calls {
            episode.make(call.clone());
        }
        episode.end(Ending::Reply);
        let script = episode.script();
        // NaN is equal to nothing; the calls are compared by their text.
        for text in [script.to_json(), script.to_yaml()] {
            let read = Script::read(text.as_bytes()).map_err(TestCaseError::fail)?;
            prop_assert_eq!(read.calls.len(), calls.len(), "{}", text);
            for (a, b) in read.calls.iter().zip(&calls) {
                prop_assert!(same_call(a, b), "{:?} {:?}", a, b);
            }
        }
        prop_assert!(episode.to_markdown().chars().all(|c| c == '\n' || !c.is_control()));
        let all = messages::messages(&task, episode.calls().iter().map(|m| &**m));
        prop_assert_eq!(all.len(), messages::opening(&task).len() + 2 * calls.len());
    }

    #[test]
    fn wandering_through_an_episode_loses_nothing(
        (task, calls) in any_episode(),
        moves in prop::collection::vec((0..6u8, any::<usize>()), 0..40),
    ) {
        let mut episode = Episode::new(task.clone());
        let mut lines: Vec<Vec<Call>> = Vec::new();
        for (kind, at) in moves {
            match kind {
                0 if !calls.is_empty() => {
                    episode.make(calls[at % calls.len()].clone());
                }
                1 => { episode.back(); }
                2 => { episode.forward(); }
                3 => episode.go_to(at % (episode.calls().len() + 1)),
                4 => { episode.return_to(at % episode.branches().len()); }
                _ => { episode.advance(); }
            }
            prop_assert!(episode.cursor() <= episode.calls().len());
            prop_assert_eq!(episode.branches()[episode.branch()].length, episode.calls().len());
            // What was once made is still a branch or its beginning.
            lines.push(episode.past().iter().map(|m| m.call.clone()).collect());
        }
        let branches: Vec<Vec<_>> = (0..episode.branches().len()).map(|b| episode.branch_calls(b)).collect();
        for line in &lines {
            let kept = branches.iter().any(|branch| {
                branch.len() >= line.len() && branch.iter().zip(line).all(|(made, call)| same_call(&made.call, call))
            });
            prop_assert!(kept);
        }
        for branch in &branches {
            let mut state = episode.engine().start();
            for made in branch {
                let outcome = episode.engine().step(&state, &made.call);
                prop_assert_eq!(&outcome.state, &made.outcome.state);
                state = outcome.state;
            }
        }
    }
}

#[test]
fn the_reference_can_be_followed_from_anywhere_and_then_nothing_is_left() {
    for task in TASKS.iter() {
        let mut episode = Episode::new(task.clone());
        let ran = episode.run(rehearsal::episode::Until::End, &[], &[]);
        assert_eq!(ran.calls, task.reference_calls.len(), "{}", task.arm);
        episode.end(Ending::Reply);
        assert!(episode.verdict().strict, "{}", task.arm);
        for wrong in &task.wrong_answers {
            let mut episode = Episode::new(task.clone());
            for call in &wrong.calls {
                episode.make(call.clone());
            }
            let ran = episode.run(rehearsal::episode::Until::End, &[], &[]);
            assert!(ran.calls <= task.reference_calls.len());
            assert!(episode.reference_left().is_empty());
            assert!(episode.state().goal(), "{} after {}", task.arm, wrong.name);
        }
    }
}

#[test]
fn engines_and_episodes_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Engine>();
    shared::<Episode>();
    shared::<State>();
    let task = TASKS[0].clone();
    let engine = Arc::new(Engine::new(task.clone()));
    let texts: Vec<_> = std::thread::scope(|scope| {
        let play = || engine.step(&engine.start(), &task.reference_calls[0]).answer.text;
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(play)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]));
}
