//! A run that was cut off anywhere goes on as if it never had been; a run on anything else is refused.

use crate::sets::Set;
use rehearsal::episode::players::PlayerSpec;
use rehearsal::run::{Finished, Ready, RunFolder, RunRequest, Source, prepare};
use rehearsal::task::{Arm, Dial};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request on a set.
pub(crate) fn request(set: &Set, arms: &[Arm], seeds: &[u64], attempts: u64, player: &str, out: &Path) -> RunRequest {
    RunRequest {
        reading: set.reading.clone(),
        file: set.path.clone(),
        options: set.options.clone(),
        settings: set.settings.clone(),
        arms: arms.to_vec(),
        seeds: seeds.to_vec(),
        attempts,
        player: PlayerSpec::parse(player, &mut |file| Err(file.to_owned())).unwrap(),
        out: out.to_owned(),
        threads: 2,
    }
}

/// A folder for runs; in memory where that is offered, since a run asks the disk to be sure after every commit.
pub(crate) fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory).unwrap() } else { tempfile::tempdir().unwrap() }
}

/// Checks a request and makes it ready.
pub(crate) fn ready(request: RunRequest) -> Result<Ready, String> {
    prepare(request, &mut |_| (), &AtomicBool::new(false)).map(Option::unwrap)
}

/// Runs what is ready to its end.
pub(crate) fn play(ready: &Ready) -> Result<Finished, String> {
    ready.run("2026-10-26T08:30:00Z", &mut |_| (), &AtomicBool::new(false))
}

/// Runs a request to its end.
pub(crate) fn run(request: RunRequest) -> Result<Finished, String> {
    play(&ready(request)?)
}

/// The bytes of a folder's records and traces.
pub(crate) fn files(folder: &RunFolder) -> (Vec<u8>, Vec<u8>) {
    (std::fs::read(folder.episodes()).unwrap(), std::fs::read(folder.traces()).unwrap())
}

const MIX: &str = "mix:reference=3,once=1,blind-retry=2,trusting=2,checking=1";

/// Puts back what a kill at these bytes of records and traces would have left, runs on, and compares.
fn cut_and_go_on(ready: &Ready, folder: &RunFolder, whole: &(Vec<u8>, Vec<u8>), episodes: usize, traces: usize) {
    std::fs::write(folder.episodes(), &whole.0[..episodes]).unwrap();
    std::fs::write(folder.traces(), &whole.1[..traces]).unwrap();
    // The record of the segment is not what is looked at here.
    std::fs::write(folder.produced_by(), b"").unwrap();
    let finished = play(ready).unwrap();
    assert_eq!(finished.recorded, finished.total);
    assert!(files(folder) == *whole, "cut at {episodes} and {traces}");
}

#[test]
fn four_episodes_cut_at_every_byte() {
    let set = Set::example("orders");
    let folder = folder();
    let request =
        request(&set, &[Dial::Landed.at(1), Dial::Lagged.at(1)], &[404, 55], 1, MIX, &folder.path().join("run"));
    let (run_folder, ready) = (RunFolder::at(&request.out), ready(request).unwrap());
    play(&ready).unwrap();
    let whole = files(&run_folder);
    assert_eq!(whole.0.iter().filter(|b| **b == b'\n').count(), 4);
    // A kill leaves whole traces behind a torn record, or a torn trace and no record of it.
    for cut in 0..=whole.0.len() {
        cut_and_go_on(&ready, &run_folder, &whole, cut, whole.1.len());
    }
    for cut in 0..=whole.1.len() {
        let lines = whole.1[..cut].iter().filter(|b| **b == b'\n').count();
        let end =
            whole.0.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1).nth(lines.wrapping_sub(1));
        cut_and_go_on(&ready, &run_folder, &whole, if lines == 0 { 0 } else { end.unwrap() }, cut);
    }
}

#[test]
fn the_record_of_what_produced_it_cut_at_every_byte() {
    let set = Set::example("orders");
    let folder = folder();
    let request = request(&set, &[Dial::Faults.at(1)], &[404], 1, "reference", &folder.path().join("run"));
    let run_folder = RunFolder::at(&request.out);
    run(request.clone()).unwrap();
    let (record, whole) = (std::fs::read(run_folder.produced_by()).unwrap(), files(&run_folder));
    let ready = ready(request).unwrap();
    for cut in 0..=record.len() {
        // Nothing was played before the record was on the disk.
        std::fs::write(run_folder.produced_by(), &record[..cut]).unwrap();
        std::fs::write(run_folder.episodes(), b"").unwrap();
        std::fs::write(run_folder.traces(), b"").unwrap();
        play(&ready).unwrap();
        assert!(files(&run_folder) == whole);
        let segments = run_folder.read_produced().unwrap();
        let kinds: Vec<&str> = segments.iter().map(|s| s.get("segment").unwrap().as_str().unwrap()).collect();
        assert_eq!(kinds[0], "started");
        assert_eq!(kinds.len(), if cut == record.len() { 2 } else { 1 });
    }
}

/// Every arm of the thirteen dials of an example, on few seeds.
pub(crate) fn thirteen_dials(out: &Path) -> RunRequest {
    let set = Set::hotel();
    let arms = set.arms();
    let dials: std::collections::BTreeSet<Dial> = arms.iter().map(|a| a.dial).collect();
    assert_eq!(dials.len(), 13);
    request(&set, &arms, &[404, 55], 2, MIX, out)
}

/// Where lines end.
fn ends(bytes: &[u8]) -> Vec<usize> {
    bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1).collect()
}

/// The card's artifact of a run, and the same without the record of a resume.
fn artifact(folder: &RunFolder) -> (String, String) {
    let text = Source::open(folder.path()).unwrap().artifact.text();
    let without = text.replace("    \"resumed\": true,\n", "");
    (text, without)
}

#[test]
fn thirteen_dials_cut_at_line_ends_beside_them_and_at_seeded_places() {
    let folder = folder();
    let request = RunRequest { seeds: vec![404], ..thirteen_dials(&folder.path().join("run")) };
    let (run_folder, ready) = (RunFolder::at(&request.out), ready(request).unwrap());
    play(&ready).unwrap();
    let whole = files(&run_folder);
    let (records, traces) = (ends(&whole.0), ends(&whole.1));
    assert_eq!((records.len(), traces.len()), (90, 90));
    // At every line end, a byte before and a byte after.
    for line in 0..records.len() {
        for beside in [-1_isize, 0, 1] {
            let at = |ends: &[usize], all: usize| ends[line].saturating_add_signed(beside).min(all);
            cut_and_go_on(&ready, &run_folder, &whole, at(&records, whole.0.len()), whole.1.len());
            cut_and_go_on(&ready, &run_folder, &whole, records[line], at(&traces, whole.1.len()).max(traces[line]));
        }
    }
    let mut places = rehearsal::card::Mt19937::new(13);
    for _ in 0..200 {
        let (cut, trace) = seeded(&mut places, &whole, (&records, &traces));
        cut_and_go_on(&ready, &run_folder, &whole, cut, trace);
    }
}

/// Where a kill might have left both files: a record is torn anywhere, its traces end anywhere after those of whole records.
fn seeded(
    places: &mut rehearsal::card::Mt19937,
    whole: &(Vec<u8>, Vec<u8>),
    (records, traces): (&[usize], &[usize]),
) -> (usize, usize) {
    let cut = places.below(whole.0.len() as u32) as usize;
    let torn = records.iter().filter(|end| **end <= cut).count();
    let from = if torn == 0 { 0 } else { traces[torn - 1] };
    (cut, from + places.below((whole.1.len() - from + 1) as u32) as usize)
}

#[test]
fn a_resumed_run_gives_the_same_card_but_for_the_record_of_the_resume() {
    let folder = folder();
    let request = thirteen_dials(&folder.path().join("run"));
    let (run_folder, ready) = (RunFolder::at(&request.out), ready(request).unwrap());
    play(&ready).unwrap();
    let (whole, started) = (files(&run_folder), std::fs::read(run_folder.produced_by()).unwrap());
    let (card, without) = artifact(&run_folder);
    assert_eq!(card, without, "it was never resumed");
    let lines = (ends(&whole.0), ends(&whole.1));
    let mut places = rehearsal::card::Mt19937::new(31);
    for _ in 0..8 {
        let (cut, trace) = seeded(&mut places, &whole, (&lines.0, &lines.1));
        std::fs::write(run_folder.episodes(), &whole.0[..cut]).unwrap();
        std::fs::write(run_folder.traces(), &whole.1[..trace]).unwrap();
        std::fs::write(run_folder.produced_by(), &started).unwrap();
        play(&ready).unwrap();
        assert!(files(&run_folder) == whole, "cut at {cut} and {trace}");
        let (resumed, but_for_it) = artifact(&run_folder);
        assert_ne!(resumed, card, "it does not say that it was resumed");
        assert_eq!(but_for_it, card, "cut at {cut} and {trace}");
    }
}

#[test]
fn files_do_not_depend_on_how_many_threads_play() {
    let set = Set::example("warehouse");
    let folder = folder();
    let mut all = Vec::new();
    for threads in [1, 2, 7] {
        let mut request = request(&set, &set.arms(), &[1, 2, 3], 3, MIX, &folder.path().join(threads.to_string()));
        request.threads = threads;
        run(request.clone()).unwrap();
        let run_folder = RunFolder::at(&request.out);
        all.push((files(&run_folder), std::fs::read(run_folder.plan()).unwrap()));
    }
    assert!(all[0] == all[1] && all[0] == all[2]);
}

#[test]
fn a_stopped_run_commits_whole_episodes_and_goes_on() {
    let set = Set::example("orders");
    let folder = folder();
    let request = request(&set, &set.arms(), &(0..20).collect::<Vec<_>>(), 20, MIX, &folder.path().join("run"));
    let stop = AtomicBool::new(false);
    let ready = prepare(request.clone(), &mut |_| (), &stop).unwrap().unwrap();
    let first = ready.run("2026-10-26T08:30:00Z", &mut |_| stop.store(true, Ordering::Relaxed), &stop).unwrap();
    assert!(first.cancelled && first.recorded < first.total, "{first:?}");
    assert_eq!(RunFolder::at(&request.out).recorded().unwrap(), first.recorded);
    let second = run(request.clone()).unwrap();
    assert_eq!((second.resumed_from, second.recorded), (first.recorded, first.total));
    let stopped = files(&RunFolder::at(&request.out));
    let mut whole = request.clone();
    whole.out = folder.path().join("whole");
    run(whole.clone()).unwrap();
    assert!(stopped == files(&RunFolder::at(&whole.out)));
}

#[test]
fn a_finished_run_is_left_alone() {
    let set = Set::example("orders");
    let folder = folder();
    let request = request(&set, &[Dial::Faults.at(1)], &[404], 2, "reference", &folder.path().join("run"));
    run(request.clone()).unwrap();
    let before = std::fs::read(RunFolder::at(&request.out).produced_by()).unwrap();
    let again = run(request.clone()).unwrap();
    assert_eq!((again.resumed_from, again.recorded, again.cancelled), (2, 2, false));
    assert_eq!(std::fs::read(RunFolder::at(&request.out).produced_by()).unwrap(), before);
}

/// Every file of a folder with its bytes.
fn snapshot(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|e| (e.file_name().to_string_lossy().into_owned(), std::fs::read(e.path()).unwrap_or_default()))
        .collect();
    all.sort();
    all
}

#[test]
fn what_is_not_the_same_run_is_refused_and_nothing_is_written() {
    let set = Set::example("orders");
    let bytes = std::fs::read(&set.path).unwrap();
    let folder = folder();
    let out = folder.path().join("run");
    let arms = [Dial::Faults.at(1)];
    run(request(&set, &arms, &[404, 55], 1, "reference", &out)).unwrap();
    // Cut, so that there would be something to do.
    let traces = std::fs::read(RunFolder::at(&out).traces()).unwrap();
    std::fs::write(RunFolder::at(&out).traces(), &traces[..traces.len() - 9]).unwrap();
    let before = snapshot(&out);

    let reformatted = Set::of("orders", &[&bytes[..], b"\n"].concat());
    let text = String::from_utf8(bytes.clone()).unwrap();
    let changed = Set::of("orders", text.replacen("description\": \"", "description\": \"Now: ", 1).as_bytes());
    assert_ne!(changed.reading.contract_hash(), set.reading.contract_hash());
    let mut other_settings = request(&set, &arms, &[404, 55], 1, "reference", &out);
    other_settings.settings.intents = vec![("refund_order".to_owned(), "Pay it back".to_owned())];
    let refused = [
        (request(&changed, &arms, &[404, 55], 1, "reference", &out), "another tool contract"),
        (request(&reformatted, &arms, &[404, 55], 1, "reference", &out), "a tool file of other bytes"),
        (request(&set, &arms, &[404, 56], 1, "reference", &out), "seeds"),
        (request(&set, &[Dial::Faults.at(2)], &[404, 55], 1, "reference", &out), "arms"),
        (request(&set, &arms, &[404, 55], 2, "reference", &out), "attempts"),
        (request(&set, &arms, &[404, 55], 1, "once", &out), "player"),
        (other_settings, "settings of the tool file"),
    ];
    for (request, why) in refused {
        let error = run(request).unwrap_err();
        assert!(error.contains(why) && !error.contains('\n'), "{why}: {error}");
        assert!(snapshot(&out) == before, "{why}: something was written");
    }
    // Another generator: what the record says it was started with.
    let record = std::fs::read_to_string(RunFolder::at(&out).produced_by()).unwrap();
    let older = record.replace(rehearsal::run::generator_hash(), &"0".repeat(64));
    std::fs::write(RunFolder::at(&out).produced_by(), older).unwrap();
    let before = snapshot(&out);
    let error = run(request(&set, &arms, &[404, 55], 1, "reference", &out)).unwrap_err();
    assert!(error.contains("another generator"), "{error}");
    assert!(snapshot(&out) == before);
}

#[test]
fn a_request_that_cannot_be_whole_is_refused_before_a_folder_is_made() {
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    let no_hash =
        Set::of("orders", std::fs::read_to_string(&set.path).unwrap().replacen('{', "{\"x\": NaN, ", 1).as_bytes());
    let arm = Dial::Faults.at(1);
    for (request, why) in [
        (request(&no_hash, &[arm], &[1], 1, "reference", &out), "no contract hash (NaN at /0/x)"),
        (request(&set, &[], &[1], 1, "reference", &out), "nothing to run"),
        (request(&set, &[arm], &[], 1, "reference", &out), "nothing to run"),
        (request(&set, &[arm], &[1], 0, "reference", &out), "attempts"),
        (request(&set, &[arm], &[1], 1001, "reference", &out), "attempts"),
        (request(&set, &[Dial::Block.at(64)], &[1], 1, "reference", &out), "block:k64, seed 1"),
        (request(&set, &[arm], &[1], 1, "wrong:believed", &out), "no wrong answer"),
    ] {
        let error = run(request).unwrap_err();
        assert!(error.contains(why) && !error.contains('\n'), "{why}: {error}");
        assert!(!out.exists());
    }
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("mine.txt"), "keep").unwrap();
    let error = run(request(&set, &[arm], &[1], 1, "reference", &out)).unwrap_err();
    assert!(error.contains("is not a run folder"), "{error}");
    assert_eq!(snapshot(&out).len(), 1);
}

#[test]
fn records_of_another_run_are_not_taken_for_this_one_s() {
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    let request = request(&set, &[Dial::Faults.at(1)], &[404, 55], 1, "reference", &out);
    run(request.clone()).unwrap();
    let records = std::fs::read_to_string(RunFolder::at(&out).episodes()).unwrap();
    std::fs::write(RunFolder::at(&out).episodes(), records.replace("\"seed\": 404", "\"seed\": 405")).unwrap();
    let error = run(request).unwrap_err();
    assert!(error.contains("line 1") && error.contains("not a record of this run"), "{error}");
}

#[test]
fn two_runs_do_not_write_in_one_folder() {
    let set = Set::example("orders");
    let folder = folder();
    let out = folder.path().join("run");
    let request = request(&set, &[Dial::Faults.at(1)], &[404], 1, "reference", &out);
    run(request.clone()).unwrap();
    let held = rehearsal::record::Lines::open(&RunFolder::at(&out).produced_by()).unwrap();
    let error = run(request.clone()).unwrap_err();
    assert!(error.contains("another run"), "{error}");
    drop(held);
    run(request).unwrap();
}

#[test]
fn one_line_an_episode_and_one_a_run_prove_two_runs_the_same() {
    let set = Set::example("orders");
    let folder = folder();
    let one = request(&set, &set.arms(), &[1], 2, MIX, &folder.path().join("one"));
    let two = RunRequest { out: folder.path().join("two"), ..one.clone() };
    let other = request(&set, &set.arms(), &[1], 2, "reference", &folder.path().join("other"));
    for request in [&one, &two, &other] {
        run(request.clone()).unwrap();
    }
    let chain = |request: &RunRequest| {
        let records =
            rehearsal::card::read_records(&std::fs::read(RunFolder::at(&request.out).episodes()).unwrap()).unwrap();
        rehearsal::card::run_chain(&records).unwrap()
    };
    assert_eq!(chain(&one), chain(&two));
    assert_ne!(chain(&one), chain(&other));
}
