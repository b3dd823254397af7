//! The journal: whatever happens in an episode is written down and played again to the same episode, and two sessions never
//! write into one file.
use crate::hand::{GET, PAY, call, shop, task};
use proptest::prelude::*;
use rehearsal::engine::Ending;
use rehearsal::episode::Episode;
use rehearsal::plan::PlanSettings;
use rehearsal::record::journal::{self, Began, Event, From, Journal, Session, Tracker};
use rehearsal::task::{Arm, Call};
use rehearsal::toolfile::{Format, ReadOptions};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

fn calls() -> [Call; 4] {
    [call("get_order", GET), call("pay", PAY), call("nope", "{}"), call("pay", r#"{"order_id":"ulbifi","amount":1.0}"#)]
}

fn begins() -> Episode {
    Episode::new(Arc::new(task(Format::OpenAi, shop(), Vec::new())))
}

fn began(file: &Path) -> Event {
    Event::Began(Box::new(Began {
        from: From::File(file.to_owned()),
        name: "orders.json".into(),
        file_hash: "aa".into(),
        contract_hash: Some("bb".into()),
        read: ReadOptions::default(),
        plan: PlanSettings::default(),
        arm: Arm::parse("faults:f0").unwrap(),
        seed: 7,
        task_id: "cc".into(),
        request: "Pay".into(),
    }))
}

/// Something a person does.
#[derive(Debug, Clone)]
enum Does {
    Makes(usize),
    GoesTo(usize),
    Back,
    Forward,
    Returns(usize),
    Ends(bool),
    Restarts,
}

fn does() -> impl Strategy<Value = Does> {
    prop_oneof![
        6 => (0_usize..4).prop_map(Does::Makes),
        2 => (0_usize..8).prop_map(Does::GoesTo),
        2 => Just(Does::Back),
        2 => Just(Does::Forward),
        2 => (0_usize..6).prop_map(Does::Returns),
        1 => any::<bool>().prop_map(Does::Ends),
        1 => Just(Does::Restarts),
    ]
}

fn act(episode: &mut Episode, does: &Does) {
    match does {
        Does::Makes(i) => drop(episode.make(calls()[*i].clone())),
        Does::GoesTo(n) => episode.go_to(*n),
        Does::Back => drop(episode.back()),
        Does::Forward => drop(episode.forward()),
        Does::Returns(branch) => drop(episode.return_to(*branch)),
        Does::Ends(reply) => episode.end(if *reply { Ending::Reply } else { Ending::Limit }),
        Does::Restarts => *episode = Episode::on(episode.engine().clone()),
    }
}

/// All that can be seen of an episode: branches with their calls, where it stands, the verdict.
fn picture(episode: &Episode) -> (Vec<Vec<Call>>, Vec<(Option<usize>, usize)>, usize, usize, Ending, String) {
    let branches = episode.branches();
    let calls = |b| episode.branch_calls(b).iter().map(|made| made.call.clone()).collect();
    (
        (0..branches.len()).map(calls).collect(),
        branches.iter().map(|b| (b.parent, b.parts_at)).collect(),
        episode.branch(),
        episode.cursor(),
        episode.ending(),
        format!("{:?}", episode.verdict()),
    )
}

#[test]
fn a_branch_that_is_left_before_anybody_looks_is_written_too() {
    let mut episode = begins();
    let mut tracker = Tracker::new(&episode);
    act(&mut episode, &Does::Makes(0));
    act(&mut episode, &Does::Back);
    assert_eq!(tracker.changes(&episode).len(), 2, "the call and the place");
    act(&mut episode, &Does::Makes(1));
    act(&mut episode, &Does::Returns(0));
    assert_eq!(tracker.changes(&episode).len(), 2, "the other branch's call, though one stands where one stood");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_down_plays_again(
        script in prop::collection::vec(prop::collection::vec(does(), 1..4), 0..25),
        torn in 0_usize..60,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::begin(folder.path()).unwrap();
        let mut episode = begins();
        let mut tracker = Tracker::new(&episode);
        let file = folder.path().join("orders.json");
        journal.append(&[began(&file)]).unwrap();
        for at_once in &script {
            // Several things may happen between two looks, as when an episode is run to its end.
            for does in at_once {
                act(&mut episode, does);
            }
            let mut events = Vec::new();
            if !tracker.follows(&episode) {
                events.push(began(&file));
                tracker = Tracker::new(&episode);
            }
            events.extend(tracker.changes(&episode));
            prop_assert!(tracker.follows(&episode) && tracker.changes(&episode).is_empty());
            journal.append(&events).unwrap();
        }
        let path = journal.path().to_owned();
        drop(journal);
        let session = Session::read(&path).unwrap().unwrap();
        let mut again = begins();
        let replayed = session.replay(&mut again);
        prop_assert_eq!(replayed.differs, None);
        prop_assert!(!replayed.cut);
        prop_assert_eq!(picture(&again), picture(&episode));
        prop_assert!(Tracker::written(&again).follows(&again));
        prop_assert_eq!(session.call(), episode.cursor());
        // Going on from there is as going on from before.
        for does in [Does::Forward, Does::Makes(0), Does::Back, Does::Forward] {
            act(&mut again, &does);
            act(&mut episode, &does);
        }
        prop_assert_eq!(picture(&again), picture(&episode));

        // A journal torn at any byte still comes back, as far as it is whole.
        let bytes = std::fs::read(&path).unwrap();
        let first = bytes.iter().position(|b| *b == b'\n').unwrap() + 1;
        let cut = bytes.len().saturating_sub(torn).max(first);
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let (mut journal, session) = Journal::take(&path).unwrap();
        prop_assert!(!session.replay(&mut begins()).cut);
        journal.append(&[Event::Closed]).unwrap();
        prop_assert!(Session::read(&path).unwrap().unwrap().closed);
    }
}

fn made(at: usize) -> Event {
    let answer = "{}".to_owned();
    Event::Made { branch: 0, parent: None, at, call: calls()[0].clone(), answer, code: None }
}

fn place(call: usize) -> Event {
    Event::Place { branch: 0, call, ending: Ending::Open }
}

#[test]
fn two_sessions_have_two_files_and_an_open_one_is_nobody_elses() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("orders.json");
    let mut one = Journal::begin(folder.path()).unwrap();
    let mut two = Journal::begin(folder.path()).unwrap();
    assert_ne!(one.path(), two.path());
    one.append(&[began(&file), made(0), place(1)]).unwrap();
    two.append(&[began(&file), made(0), made(1), place(2)]).unwrap();
    assert!(journal::taken(one.path()) && journal::taken(two.path()));
    assert_eq!(journal::left(folder.path()), None, "both are open");
    assert_eq!(Journal::take(one.path()).unwrap_err().kind(), ErrorKind::WouldBlock);
    drop(two);
    let left = journal::left(folder.path()).unwrap();
    assert_eq!((left.call, left.calls), (2, 2));
    // Whoever takes it over goes on in the same file.
    let (mut two, session) = Journal::take(&left.path).unwrap();
    assert_eq!((session.call(), session.calls().len(), &session.began), (2, 2, &left.began));
    two.append(&[made(2), place(3)]).unwrap();
    drop(two);
    drop(one);
    assert_eq!(journal::left(folder.path()).unwrap().call, 3);
}

#[test]
fn a_closed_session_is_not_left_but_can_be_brought_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("orders.json");
    let mut left = Journal::begin(folder.path()).unwrap();
    left.append(&[began(&file), made(0), place(1)]).unwrap();
    drop(left);
    let mut closed = Journal::begin(folder.path()).unwrap();
    closed.append(&[began(&folder.path().join("other.json")), made(0), place(1), Event::Closed]).unwrap();
    drop(closed);
    // One without a call is not worth a word.
    Journal::begin(folder.path()).unwrap().append(&[began(&file)]).unwrap();
    let found = journal::left(folder.path()).unwrap();
    assert_eq!(found.began.from, From::File(file.clone()));
    assert_eq!(journal::newest(folder.path(), None).unwrap(), found);
    let other = journal::newest(folder.path(), Some(&folder.path().join("other.json"))).unwrap();
    assert!(other.closed);
    assert_eq!(journal::newest(folder.path(), Some(Path::new("nowhere.json"))), None);
}

#[test]
fn old_sessions_go_and_open_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let first = Journal::begin(folder.path()).unwrap();
    for _ in 0..40 {
        drop(Journal::begin(folder.path()).unwrap());
    }
    assert!(first.path().exists());
    assert!(std::fs::read_dir(folder.path()).unwrap().count() <= 31);
}

#[test]
fn what_does_not_fit_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("orders.json");
    for wrong in [
        Event::Made { branch: 5, parent: Some(4), at: 0, call: calls()[0].clone(), answer: String::new(), code: None },
        made(9),
        place(12),
        Event::Place { branch: 3, call: 0, ending: Ending::Open },
    ] {
        let mut journal = Journal::begin(folder.path()).unwrap();
        journal.append(&[began(&file), made(0), wrong, made(1)]).unwrap();
        let session = Session::read(journal.path()).unwrap().unwrap();
        let replayed = session.replay(&mut begins());
        assert!(replayed.cut);
        assert_eq!((replayed.calls, replayed.differs), (1, Some(1)));
    }
    let path = folder.path().join("odd.jsonl");
    std::fs::write(&path, "not a line of ours\n").unwrap();
    assert_eq!(Journal::take(&path).unwrap_err().kind(), ErrorKind::InvalidData);
    assert_eq!(Journal::take(&folder.path().join("none.jsonl")).unwrap_err().kind(), ErrorKind::NotFound);
}
