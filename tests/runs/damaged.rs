//! Run folders and cards that are damaged or meant to hurt: each is one line, soon, and nothing breaks.

use crate::resume::{folder, request, run};
use crate::sets::Set;
use rehearsal::run::{RunEntry, RunState, Source, check_card, write_card};
use rehearsal::task::Dial;
use std::path::{Path, PathBuf};

/// A run of two episodes with its card, in a folder of its own.
fn sound(folder: &Path) -> PathBuf {
    let set = Set::example("orders");
    let out = folder.join("sound");
    run(request(&set, &[Dial::Faults.at(1)], &[404, 55], 1, "once", &out)).unwrap();
    write_card(&Source::open(&out).unwrap()).unwrap();
    out
}

fn copied(from: &Path, to: &Path) -> PathBuf {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        if entry.path().is_dir() {
            copied(&entry.path(), &to.join(entry.file_name()));
        } else {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
    to.to_owned()
}

/// What is done to a copy of a sound run.
type Damage = fn(&Path);

fn edit(file: PathBuf, from: &str, to: &str) {
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from} is not in {}", file.display());
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn what_is_damaged_is_one_line_that_names_the_file() {
    let folder = folder();
    let sound = sound(folder.path());
    let cases: [(&str, Damage, &str); 14] = [
        (
            "no-records",
            |run| std::fs::remove_file(run.join("episodes.jsonl")).unwrap(),
            "episodes.jsonl: it is not there",
        ),
        (
            "a-folder",
            |run| {
                std::fs::remove_file(run.join("episodes.jsonl")).unwrap();
                std::fs::create_dir(run.join("episodes.jsonl")).unwrap();
            },
            "it is not a file",
        ),
        (
            "garbage",
            |run| edit(run.join("episodes.jsonl"), "{", "garbage {"),
            "episodes.jsonl: line 1: not an episode record",
        ),
        (
            "huge-count",
            |run| edit(run.join("episodes.jsonl"), "\"turns\": 2", "\"turns\": 18446744073709551615"),
            "line 1: a count over",
        ),
        (
            "huge-tokens",
            |run| {
                edit(run.join("episodes.jsonl"), "\"prompt_tokens\": null", "\"prompt_tokens\": 18446744073709551615");
            },
            "line 1: a count over",
        ),
        (
            "lies",
            |run| edit(run.join("episodes.jsonl"), "\"strict\": false", "\"strict\": true"),
            "line 1: strict is true and the label is wrong_state",
        ),
        ("empty-plan", |run| std::fs::write(run.join("plan.json"), b"").unwrap(), "plan.json: "),
        (
            "other-plan",
            |run| std::fs::write(run.join("plan.json"), b"{\"plan\": 3}").unwrap(),
            "not one of this program's",
        ),
        (
            "many-attempts",
            |run| edit(run.join("plan.json"), "\"attempts\": 1", "\"attempts\": 18446744073709551615"),
            "not one of this program's",
        ),
        (
            "card-of-nothing",
            |run| {
                std::fs::remove_file(run.join("plan.json")).unwrap();
                std::fs::write(run.join("card/artifact.json"), b"[]").unwrap();
            },
            "artifact.json: it has no provenance",
        ),
        (
            "card-of-words",
            |run| {
                std::fs::remove_file(run.join("plan.json")).unwrap();
                edit(run.join("card/artifact.json"), "\"S\": 2", "\"S\": \"many\"");
            },
            "artifact.json: provenance has no count \"S\"",
        ),
        (
            "deep-card",
            |run| {
                std::fs::remove_file(run.join("plan.json")).unwrap();
                let deep = format!("{{\"provenance\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
                std::fs::write(run.join("card/artifact.json"), deep).unwrap();
            },
            "artifact.json: nested more than 400 levels deep",
        ),
        (
            "negative-tally",
            |run| {
                std::fs::remove_file(run.join("plan.json")).unwrap();
                std::fs::write(run.join("card/tallies.json"), b"{\"faults:f1\": {\"api_error\": -1}}").unwrap();
            },
            "tallies.json: ",
        ),
        ("nothing", |run| std::fs::remove_dir_all(run).unwrap(), "is not there"),
    ];
    for (name, damage, says) in cases {
        let run = copied(&sound, &folder.path().join(name));
        damage(&run);
        let error = Source::open(&run).unwrap_err();
        assert!(error.contains(says) && !error.contains('\n'), "{name}: {error}");
        // The list has it too, and does not break on it.
        if let Some(entry) = RunEntry::of(&run) {
            let broken = matches!(&entry.state, RunState::Broken(_));
            assert!(broken || entry.figures(&mut |_, _, _| true).is_err(), "{name}: {entry:?}");
        }
    }
}

#[test]
fn a_card_that_declares_anything_is_shown_or_refused_in_one_line() {
    let folder = folder();
    let card = sound(folder.path()).join("card");
    let good = std::fs::read_to_string(card.join("artifact.json")).unwrap();
    let huge = "1000000000000000";
    let more = "more than 100000 resamples";
    for (keys, value, refused) in [
        (&["S"][..], huge, None),
        (&["S", "n"][..], huge, None),
        (&["n"][..], "0", None),
        (&["S"][..], "-1", Some("no count \"S\"")),
        (&["bootstrap_resamples"][..], huge, Some(more)),
        (&["bootstrap_resamples"][..], "0", None),
        (&["bootstrap_seed"][..], "18446744073709551616", Some("no count \"bootstrap_seed\"")),
        (&["delta_star"][..], "\"x\"", Some("no number \"delta_star\"")),
        (&["delta_star"][..], "-1", None),
    ] {
        let mut artifact: serde_json::Value = serde_json::from_str(&good).unwrap();
        for key in keys {
            artifact["provenance"][*key] = serde_json::from_str(value).unwrap();
        }
        // Arms that were never run are owed whole.
        artifact["provenance"]["arms"] = serde_json::json!(["faults:f1", "a", "b", "\u{1b}[31m"]);
        std::fs::write(card.join("artifact.json"), artifact.to_string()).unwrap();
        match (Source::open(&card), refused) {
            (Ok(source), None) => {
                let lines = rehearsal::card::card_page(&source.artifact, &source.about()).lines();
                assert!(lines.len() > 10 && !lines.concat().contains('\u{1b}'), "{keys:?}");
                assert!(value != huge || source.artifact.owed() > 1_000_000_000_000);
            }
            (Err(why), Some(says)) => assert!(why.contains(says) && why.contains("artifact.json: "), "{why}"),
            (opened, _) => panic!("{keys:?} {value}: {:?}", opened.map(|s| s.label)),
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_not_waited_for() {
    let folder = folder();
    let sound = sound(folder.path());
    for file in ["episodes.jsonl", "traces.jsonl", "produced_by.jsonl"] {
        for (name, device) in [("pipe", None), ("zero", Some("/dev/zero"))] {
            let run = copied(&sound, &folder.path().join(format!("{name}-{file}")));
            std::fs::remove_file(run.join(file)).unwrap();
            match device {
                Some(device) => std::os::unix::fs::symlink(device, run.join(file)).unwrap(),
                None => assert!(std::process::Command::new("mkfifo").arg(run.join(file)).status().unwrap().success()),
            }
            let error = Source::open(&run).unwrap_err();
            assert!(error.contains("it is not a file") && !error.contains('\n'), "{error}");
            let entry = RunEntry::of(&run).unwrap();
            assert!(matches!(entry.state, RunState::Broken(_)) || entry.figures(&mut |_, _, _| true).is_err());
            assert!(check_card(&run).is_err() || file == "produced_by.jsonl");
        }
    }
}

#[test]
fn a_run_without_an_episode_has_no_card_and_says_who_was_to_play() {
    let folder = folder();
    let run = sound(folder.path());
    std::fs::remove_dir_all(run.join("card")).unwrap();
    for file in ["traces.jsonl", "episodes.jsonl"] {
        // Records without their traces count for nothing either.
        std::fs::write(run.join(file), b"").unwrap();
        let source = Source::open(&run).unwrap();
        assert_eq!((source.artifact.gates(), source.artifact.owed()), (vec!["no episode was recorded".to_owned()], 2));
        let lines = rehearsal::card::card_page(&source.artifact, &source.about()).lines();
        assert_eq!(lines[0], "Card of once on orders");
        assert!(write_card(&source).unwrap_err().contains("no episode was recorded"));
        assert!(!run.join("card").exists());
    }
}

#[test]
fn reading_stops_when_it_is_told_to() {
    let folder = folder();
    let run = sound(folder.path());
    let mut heard = Vec::new();
    let opened = Source::open_telling(&run, &mut |what, done, of| {
        heard.push((what, done, of));
        what == "reading episodes"
    });
    assert_eq!(opened.unwrap_err(), "stopped");
    let bytes = std::fs::metadata(run.join("episodes.jsonl")).unwrap().len();
    // Two tasks, two thousand resamples of each.
    assert_eq!(heard, [("reading episodes", 0, bytes), ("working out intervals", 0, 4000)]);
    assert_eq!(Source::open_telling(&run, &mut |_, _, _| false).unwrap_err(), "stopped");
}
