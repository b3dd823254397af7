//! Episodes: moving through their calls, branches, endings, the reference solution, running on, watching.
use crate::hand::{GET, PAY, bad_read, call, pay_step, shop, step, task};
use rehearsal::engine::{Code, Ending, Rule};
use rehearsal::episode::{Breakpoint, Difference, Episode, Ran, Stop, Until, Watch, difference, records, transfer};
use rehearsal::task::{Call, StepEffect, Task};
use rehearsal::toolfile::Format;
use std::sync::Arc;

fn get() -> Call {
    call("get_order", GET)
}

fn pay() -> Call {
    call("pay", PAY)
}

fn tell(channel: &str) -> Call {
    call("tell", &format!(r#"{{"order_id":"ulbifi","channel":"{channel}"}}"#))
}

/// Two reads and a write, in that order.
fn flow() -> Task {
    let read = |id: &str| step("get_order", StepEffect::Read, &format!(r#"{{"order_id":"{id}"}}"#), &[], "{}");
    let mut write = pay_step();
    write.needs = vec![0, 1];
    Task {
        reference_calls: vec![one(), two(), pay()],
        ..task(Format::OpenAi, shop(), vec![read("aaaaaa"), read("bbbbbb"), write])
    }
}

fn one() -> Call {
    call("get_order", r#"{"order_id":"aaaaaa"}"#)
}

fn two() -> Call {
    call("get_order", r#"{"order_id":"bbbbbb"}"#)
}

fn episode(task: Task) -> Episode {
    Episode::new(Arc::new(task))
}

fn with(task: Task, calls: &[Call]) -> Episode {
    let mut episode = episode(task);
    for call in calls {
        episode.make(call.clone());
    }
    episode
}

fn tools(episode: &Episode) -> Vec<&str> {
    episode.calls().iter().map(|made| &*made.call.tool).collect()
}

#[test]
fn going_back_and_forward_is_identity() {
    let mut episode = with(flow(), &[one(), call("nope", "{}"), two(), pay(), pay()]);
    episode.end(Ending::Reply);
    let picture = |e: &Episode| (e.cursor(), e.state(), e.verdict(), e.next_reference(), e.calls().len());
    let mut seen = vec![picture(&episode)];
    while episode.back() {
        seen.push(picture(&episode));
    }
    assert_eq!((seen.len(), episode.cursor()), (7, 0), "five calls and an ending");
    assert_eq!(episode.state(), episode.engine().start());
    seen.reverse();
    for (i, before) in seen.iter().enumerate() {
        assert_eq!(&picture(&episode), before);
        assert_eq!(episode.forward(), i + 1 < seen.len());
    }
    assert_eq!(episode.ending(), Ending::Reply);
}

#[test]
fn states_at_any_point_are_those_seen_when_the_calls_were_made() {
    let calls = [one(), two(), pay(), pay(), get()];
    let mut states = Vec::new();
    let mut episode = episode(flow());
    for call in &calls {
        states.push(episode.state());
        episode.make(call.clone());
    }
    for (n, state) in states.iter().enumerate() {
        assert_eq!(&episode.state_at(n), state);
        episode.go_to(n);
        assert_eq!((&episode.state(), episode.cursor()), (state, n));
    }
    episode.go_to(100);
    assert_eq!(episode.cursor(), 5);
    assert_eq!(episode.state_at(100), episode.state());
}

#[test]
fn the_same_call_moves_forward_and_another_starts_a_branch() {
    let mut episode = with(flow(), &[one(), two(), pay()]);
    episode.go_to(1);
    let again = call("get_order", r#"{  "order_id" : "bbbbbb" }"#);
    assert!(matches!(episode.make(again).outcome.rule, Rule::ReadServed { step: 1, again: false }));
    assert_eq!((episode.cursor(), episode.calls().len(), episode.branches().len()), (2, 3, 1));
    episode.go_to(1);
    episode.make(tell("sms"));
    assert_eq!(tools(&episode), ["get_order", "tell"]);
    assert_eq!((episode.branch(), episode.cursor()), (1, 2));
    let branches = episode.branches();
    assert_eq!((branches[0].length, branches[0].parent), (3, None));
    assert_eq!((branches[1].length, branches[1].parent, branches[1].parts_at), (2, Some(0), 1));
    assert_eq!(episode.branch_calls(0).len(), 3);
    assert!(episode.return_to(0));
    assert_eq!((episode.cursor(), tools(&episode)), (1, vec!["get_order", "get_order", "pay"]));
    assert!(!episode.return_to(7));
    assert!(episode.branch_calls(7).is_empty());
    episode.go_to(3);
    assert!(episode.state().goal());
}

#[test]
fn a_call_that_begins_another_branch_returns_to_it() {
    let mut episode = with(flow(), &[one(), two(), pay()]);
    episode.go_to(1);
    episode.make(tell("sms"));
    episode.make(tell("email"));
    episode.go_to(1);
    episode.make(two());
    assert_eq!((episode.branch(), episode.cursor(), episode.branches().len()), (0, 2, 2));
    episode.go_to(1);
    episode.make(tell("sms"));
    assert_eq!((episode.branch(), episode.cursor(), episode.calls().len()), (1, 2, 3));
}

#[test]
fn branches_of_branches_keep_their_calls() {
    let mut episode = with(flow(), &[one(), two(), pay(), get()]);
    episode.go_to(2);
    for channel in ["sms", "email", "sms"] {
        episode.make(tell(channel));
    }
    episode.go_to(3);
    episode.make(pay());
    // Before the second branch parted: a branch of the first.
    episode.go_to(1);
    episode.make(pay());
    let branches = episode.branches();
    let shape: Vec<_> = branches.iter().map(|b| (b.parent, b.parts_at, b.length)).collect();
    assert_eq!(shape, [(None, 0, 4), (Some(0), 2, 5), (Some(1), 3, 4), (Some(0), 1, 2)]);
    let names = |e: &Episode, b: usize| -> String {
        e.branch_calls(b).iter().map(|m| m.call.tool.chars().next().unwrap()).collect()
    };
    for _ in 0..2 {
        for (branch, line) in ["ggpg", "ggttt", "ggtp", "gp"].into_iter().enumerate() {
            assert_eq!(names(&episode, branch), line);
        }
        for branch in [1, 3, 2, 0] {
            assert!(episode.return_to(branch));
            assert_eq!(episode.calls().len(), branches[branch].length);
            // Every call's state follows from the one before it.
            for (n, made) in episode.calls().iter().enumerate() {
                let outcome = episode.engine().step(&episode.state_at(n), &made.call);
                assert_eq!(outcome.state, made.outcome.state);
            }
        }
    }
}

#[test]
fn an_ending_gives_the_verdict_and_can_be_undone() {
    let mut episode = with(flow(), &[one(), two(), pay()]);
    assert_eq!((episode.ending(), episode.verdict().label), (Ending::Open, "verifier_error"));
    episode.end(Ending::Reply);
    assert_eq!(episode.verdict().label, "passed");
    episode.end(Ending::Limit);
    assert_eq!(episode.verdict().label, "turn_limit");
    assert!(episode.back());
    assert_eq!((episode.ending(), episode.cursor()), (Ending::Open, 3));
    assert!(episode.forward());
    assert_eq!(episode.ending(), Ending::Limit);
    episode.end(Ending::Open);
    assert!(!episode.forward());
    episode.go_to(1);
    episode.end(Ending::Reply);
    assert_eq!(episode.verdict().label, "wrong_state");
    assert!(episode.forward(), "undone in the middle, it goes on with the calls");
    assert_eq!((episode.cursor(), episode.ending()), (2, Ending::Open));
    episode.go_to(3);
    episode.end(Ending::Reply);
    episode.make(get());
    assert_eq!((episode.ending(), episode.calls().len()), (Ending::Open, 4), "another call goes on");
}

#[test]
fn an_ending_that_was_undone_is_kept_as_calls_are() {
    let mut episode = with(flow(), &[one(), two(), pay()]);
    episode.end(Ending::Limit);
    assert_eq!(episode.undone(), Ending::Open, "it stands there");
    episode.back();
    assert_eq!(episode.undone(), Ending::Limit);
    // Another one in the middle, undone again: it is not that of the end.
    episode.go_to(1);
    episode.end(Ending::Reply);
    assert_eq!((episode.ending(), episode.undone()), (Ending::Reply, Ending::Limit));
    assert!(episode.back());
    while episode.forward() {}
    assert_eq!((episode.cursor(), episode.ending()), (3, Ending::Limit));
    // A branch starts in the middle and is left: each of the two has its own.
    episode.go_to(1);
    episode.make(get());
    episode.end(Ending::Reply);
    assert_eq!(episode.branches().iter().map(|b| b.ending).collect::<Vec<_>>(), [Ending::Limit, Ending::Reply]);
    assert!(episode.return_to(0));
    assert_eq!((episode.ending(), episode.undone()), (Ending::Open, Ending::Limit));
    assert!(episode.return_to(1));
    while episode.forward() {}
    assert_eq!((episode.calls().len(), episode.ending()), (2, Ending::Reply));
    // Another call behind the last one takes the place of the ending.
    episode.back();
    episode.make(one());
    assert_eq!(episode.undone(), Ending::Open);
}

#[test]
fn a_copy_of_an_episode_shares_its_calls_until_one_of_them_goes_on() {
    let mut episode = with(flow(), &[one(), two()]);
    let before = episode.clone();
    episode.go_to(1);
    assert!(std::ptr::eq(before.calls(), episode.calls()), "moving copies nothing");
    episode.make(get());
    assert_eq!((before.calls().len(), before.branch_count(), before.cursor()), (2, 1, 2));
    assert_eq!((episode.calls().len(), episode.branch_count()), (2, 2));
    assert!(Arc::ptr_eq(&before.calls()[0], &episode.calls()[0]));
}

#[test]
fn the_reference_goes_on_from_wherever_the_calls_led() {
    assert_eq!(with(flow(), &[]).reference_left(), [one(), two(), pay()]);
    assert_eq!(with(flow(), &[one()]).next_reference(), Some(two()));
    assert_eq!(with(flow(), &[tell("sms"), one(), get()]).next_reference(), Some(two()));
    assert_eq!(with(flow(), &[two()]).reference_left(), [one(), pay()], "served out of order, not asked for again");
    assert_eq!(with(flow(), &[pay(), two(), one()]).reference_left(), [pay()], "a write refused is still to come");
    assert_eq!(with(flow(), &[one(), two(), pay()]).next_reference(), None);
    let mut episode = with(flow(), &[one(), two(), pay()]);
    episode.go_to(1);
    assert_eq!(episode.reference_left(), [two(), pay()]);
}

#[test]
fn the_reference_repeats_what_a_dial_makes_it_repeat_and_no_more() {
    let faults = Task { fault_plan: vec![("pay".into(), 1)], reference_calls: vec![pay(), pay()], ..pay_task() };
    assert_eq!(with(faults.clone(), &[pay()]).reference_left(), [pay()]);
    assert_eq!(
        with(faults.clone(), &[call("pay", "{}"), pay()]).next_reference(),
        None,
        "the fault went to another call"
    );
    assert_eq!(with(faults, &[call("pay", "{}")]).reference_left(), [pay(), pay()]);
    let read = step("get_order", StepEffect::Read, GET, &[], r#"{"id":"sms"}"#);
    let write = step("tell", StepEffect::Write, r#"{"channel":"sms"}"#, &[0], "{}");
    let bad = Task {
        bad_read: Some(bad_read(0, 2, "id", None, r#""email""#)),
        reference_calls: vec![get(), get(), tell("sms")],
        ..task(Format::OpenAi, shop(), vec![read, write])
    };
    assert_eq!(with(bad.clone(), &[get()]).reference_left(), [get(), tell("sms")], "the bad read is made again");
    assert_eq!(with(bad, &[get(), get()]).reference_left(), [tell("sms")]);
    let landed = Task { landed_step: Some(0), reference_calls: vec![pay(), get()], ..pay_task() };
    let noted = call("pay", r#"{"order_id":"ulbifi","amount":49.5,"note":"not in the reference"}"#);
    assert_eq!(with(landed.clone(), std::slice::from_ref(&noted)).reference_left(), [get()]);
    assert_eq!(with(landed, &[noted, get()]).next_reference(), None);
}

fn pay_task() -> Task {
    Task { reference_calls: vec![pay()], ..task(Format::OpenAi, shop(), vec![pay_step()]) }
}

#[test]
fn running_on_stops_where_it_was_told() {
    let mut faulty = flow();
    faulty.fault_plan = vec![("pay".into(), 1)];
    faulty.reference_calls.push(pay());
    let fresh = || episode(faulty.clone());
    let run = |until, breakpoints: &[Breakpoint], watches: &[Watch]| {
        let mut episode = fresh();
        let ran = episode.run(until, breakpoints, watches);
        assert_eq!(ran.calls, episode.cursor());
        ran
    };
    assert_eq!(run(Until::End, &[], &[]), Ran { calls: 4, stop: Stop::End });
    assert_eq!(run(Until::Error, &[], &[]), Ran { calls: 3, stop: Stop::Error });
    assert_eq!(run(Until::StoreChange, &[], &[]), Ran { calls: 1, stop: Stop::StoreChange });
    let at = |breakpoint: Breakpoint| run(Until::End, &[Breakpoint::SideEffect, breakpoint], &[]);
    assert_eq!(at(Breakpoint::Tool("pay".into())), Ran { calls: 3, stop: Stop::Breakpoint(1) });
    assert_eq!(at(Breakpoint::Code(Code::Unavailable)), Ran { calls: 3, stop: Stop::Breakpoint(1) });
    assert_eq!(at(Breakpoint::Code(Code::Timeout)), Ran { calls: 4, stop: Stop::End });
    assert_eq!(run(Until::End, &[], &[Watch::Record(2)]), Ran { calls: 4, stop: Stop::Watch(0) });
    assert_eq!(
        run(Until::End, &[], &[Watch::Field(2, "note".into()), Watch::Field(2, "amount".into())]).stop,
        Stop::Watch(1)
    );
    // From a breakpoint it goes on; the future that is there is followed before the reference.
    let mut episode = fresh();
    episode.make(tell("sms"));
    episode.make(one());
    episode.go_to(0);
    assert_eq!(episode.run(Until::End, &[Breakpoint::SideEffect], &[]), Ran { calls: 1, stop: Stop::Breakpoint(0) });
    assert_eq!(episode.run(Until::End, &[Breakpoint::SideEffect], &[]), Ran { calls: 4, stop: Stop::End });
    assert_eq!(tools(&episode), ["tell", "get_order", "get_order", "pay", "pay"]);
    episode.end(Ending::Reply);
    assert_eq!(episode.run(Until::End, &[], &[]), Ran { calls: 0, stop: Stop::End });
    assert_eq!(episode.ending(), Ending::Reply);
}

#[test]
fn bad_and_stale_reads_are_breakpoints() {
    let lagged =
        Task { lagged_step: Some(0), echo_reads: true, reference_calls: vec![pay(), get(), get()], ..pay_task() };
    let mut episode = episode(lagged);
    let ran = episode.run(Until::End, &[Breakpoint::BadRead, Breakpoint::StaleRead], &[]);
    assert_eq!(ran, Ran { calls: 2, stop: Stop::Breakpoint(1) });
}

#[test]
fn records_and_differences_say_what_moved() {
    let mut episode = with(flow(), &[one(), two(), pay(), pay(), tell("sms")]);
    let task = episode.task().clone();
    let record = &records(&task, &episode.state())[0];
    assert_eq!((record.step, record.write, record.holds.as_ref()), (2, Some(0), Some(&pay().arguments)));
    assert_eq!(records(&task, &episode.state_at(2))[0].holds, None);
    let (start, end) = (episode.state_at(1), episode.state_at(5));
    let forward = difference(&task, &start, &end);
    assert_eq!(forward.added.iter().map(|(i, w)| (*i, w.call)).collect::<Vec<_>>(), [(0, 3), (1, 4), (2, 5)]);
    assert_eq!((forward.passed.as_slice(), forward.records.len()), (&[1, 2][..], 1));
    let backward = difference(&task, &end, &start);
    assert_eq!((&backward.removed, &backward.reopened), (&forward.added, &forward.passed));
    assert!(difference(&task, &end, &end).is_empty());
    // Across branches: the common writes are not listed.
    episode.go_to(3);
    episode.make(tell("email"));
    let Difference { added, removed, records, .. } = difference(&task, &end, &episode.state());
    assert_eq!((added.len(), removed.len(), records.len()), (1, 2, 0));
}

#[test]
fn calls_are_sent_again_on_another_task() {
    let level = |n| Task { fault_plan: vec![("pay".into(), n)], ..flow() };
    let from = with(level(0), &[one(), call("nope", "{}"), two(), pay()]);
    let to = transfer(&from, Arc::new(level(1)));
    assert_eq!((to.sent, to.parts, to.stopped.clone()), (4, Some(3), None));
    assert_eq!(to.words(), "4 calls replayed; the two differ from call 4 on.");
    assert_eq!(to.episode.calls()[3].outcome.answer.code, Some(Code::Unavailable));
    let alike = transfer(&from, Arc::new(level(0)));
    assert_eq!((alike.parts, alike.words().as_str()), (None, "4 calls replayed, all with the same answers."));
    let mut smaller = flow();
    smaller.block = Arc::new(shop().into_iter().filter(|t| &*t.name != "get_order").collect());
    let stopped = transfer(&from, Arc::new(smaller));
    assert_eq!((stopped.sent, stopped.stopped.as_ref().map(|s| s.0)), (0, Some(0)));
    assert_eq!(
        stopped.words(),
        "No call was replayed. Call 1 was not replayed: get_order is not one of this task's tools."
    );
    let mut renamed = flow();
    let mut tools = shop();
    tools[2].name = "pay_6713".into();
    renamed.block = Arc::new(tools);
    renamed.target = "pay_6713".into();
    renamed.steps[2].tool = "pay_6713".into();
    let mut ended = from.clone();
    ended.end(Ending::Reply);
    let similar = transfer(&ended, Arc::new(renamed));
    assert_eq!(&*similar.episode.calls()[3].call.tool, "pay_6713");
    assert_eq!((similar.sent, similar.parts), (4, Some(3)), "another tool name, another id");
    assert_eq!((similar.episode.ending(), similar.episode.verdict().label), (Ending::Reply, "passed"));
}

#[test]
fn a_long_episode_keeps_every_state() {
    let mut episode = episode(pay_task());
    for i in 0..10_000u32 {
        let order = format!(r#"{{"order_id":"o{:05}","amount":{}}}"#, i % 70, i % 11);
        episode.make(if i % 2 == 0 {
            call("pay", &order)
        } else {
            call("get_order", &format!(r#"{{"order_id":"o{:05}"}}"#, i % 70))
        });
    }
    assert_eq!(episode.state().writes().len(), 5000);
    for n in [0, 1, 63, 4097, 9999, 10_000] {
        assert_eq!(episode.state_at(n).writes().len(), n.div_ceil(2));
        assert_eq!(episode.state_at(n).calls(), n);
    }
    // A read finds the latest write of its order, whichever of the thousands that is.
    let read = call("get_order", r#"{"order_id":"o00002"}"#);
    let last = (0..10_000u32).rev().find(|i| i % 2 == 0 && i % 70 == 2).unwrap();
    assert_eq!(episode.make(read).outcome.shaping.reflects, Some(last as usize / 2));
}

#[test]
fn the_same_call_before_is_known_on_every_branch() {
    let mut episode = with(flow(), &[one(), two(), one(), pay(), one()]);
    let all = |e: &Episode| (0..e.calls().len()).map(|i| e.same_before(i)).collect::<Vec<_>>();
    assert_eq!(all(&episode), [None, None, Some(0), None, Some(2)]);
    episode.go_to(2);
    episode.make(two());
    episode.make(one());
    assert_eq!(all(&episode), [None, None, Some(1), Some(0)]);
    assert!(episode.return_to(0));
    assert_eq!(all(&episode), [None, None, Some(0), None, Some(2)]);
    assert_eq!(episode.same_before(5), None);
    // The order of arguments makes no other call; a number of another spelling does.
    let mut episode = with(flow(), &[call("pay", r#"{"a":1,"b":2}"#), call("pay", r#"{"b":2,"a":1}"#)]);
    episode.make(call("pay", r#"{"a":1.0,"b":2}"#));
    episode.make(call("get_order", r#"{"a":1,"b":2}"#));
    assert_eq!(all(&episode), [None, Some(0), None, None]);
}
