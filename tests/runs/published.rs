//! The two cards the reference publishes recompute to the last digit.

use rehearsal::card::{Artifact, Comparison, Episodes, Tallies, read_records};
use rehearsal::value::{Value, read};
use std::path::PathBuf;
use std::time::Instant;

/// The folders of the published cards, or none where they are not at hand.
pub(crate) fn folders() -> Vec<PathBuf> {
    let cards = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/cards");
    let Ok(entries) = std::fs::read_dir(&cards) else {
        println!("skipped: {} is not there", cards.display());
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

#[test]
fn every_figure_recomputes() {
    for folder in folders() {
        let bytes = std::fs::read(folder.join("artifact.json")).unwrap();
        let published = read::read_json(&bytes).unwrap().root;
        let tallies = tallies(&folder);
        let started = Instant::now();
        let records = read_records(&std::fs::read(folder.join("episodes.jsonl")).unwrap()).unwrap();
        assert_eq!(records.len(), 4200);
        let artifact = Artifact::build(&records, published.get("provenance").unwrap().clone(), &tallies).unwrap();
        let value = artifact.to_value();
        println!("{}: recomputed in {:?}", folder.display(), started.elapsed());
        for key in ["cells", "pairs", "reach_pairs", "orderings"] {
            let (want, got) = (published.get(key).unwrap(), value.get(key).unwrap());
            assert_eq!(got.as_array().unwrap().len(), want.as_array().unwrap().len(), "{key}");
            let rows = want.as_array().unwrap().iter().zip(got.as_array().unwrap());
            for (i, (want, got)) in rows.enumerate() {
                assert_same_members(want, got, &format!("{}: {key} {i}", folder.display()));
            }
        }
        assert_eq!(artifact.text(), String::from_utf8(bytes).unwrap(), "byte for byte");
        assert_eq!(artifact.gates(), Vec::<String>::new());
        assert_eq!(artifact.owed(), 0);
    }
}

#[test]
fn the_two_of_them_may_be_compared_and_each_with_itself() {
    let cards: Vec<_> = folders()
        .iter()
        .map(|folder| {
            let published = read::read_json(&std::fs::read(folder.join("artifact.json")).unwrap()).unwrap().root;
            let records = read_records(&std::fs::read(folder.join("episodes.jsonl")).unwrap()).unwrap();
            let provenance = published.get("provenance").unwrap().clone();
            (Artifact::build(&records, provenance, &tallies(folder)).unwrap(), Episodes::of(&records))
        })
        .collect();
    let [a, b] = cards.as_slice() else { return };
    let both = Comparison::of((&a.0, &a.1), (&b.0, &b.1));
    assert_eq!((both.verdict.rule, both.verdict.cause), (6, None));
    assert!(both.verdict.note.as_deref().unwrap().contains("did not record"));
    assert_eq!(both.levels.len(), 14);
    let first = &both.levels[0];
    assert_eq!((&*first.arm_id, first.delta), ("depth:d1", Some(0.0 - 0.5466666666666666)));
    assert!(first.is_worse() && both.is_worse() && both.is_changed());
    // Records lie as their episodes ended; what changed is told task by task all the same.
    let mut tasks: Vec<(&str, u64)> = both.changed.iter().map(|c| (&*c.arm_id, c.seed)).collect();
    tasks.dedup();
    assert_eq!(tasks.len(), both.changed_tasks().len());
    assert!(both.changed.len() > tasks.len());
    let own = Comparison::of((&a.0, &a.1), (&a.0, &a.1));
    assert!(own.verdict.is_ok() && !own.is_worse() && !own.is_changed());
    assert!(own.levels.iter().all(|l| l.interval == Some([0.0, 0.0])));
}

fn tallies(folder: &std::path::Path) -> Tallies {
    std::fs::read(folder.join("tallies.json")).map_or_else(|_| Tallies::new(), |b| serde_json::from_slice(&b).unwrap())
}

fn assert_same_members(want: &Value, got: &Value, at: &str) {
    let (want, got) = (want.as_object().unwrap(), got.as_object().unwrap());
    for (key, value) in want.named() {
        assert_eq!(got.get(key), Some(value), "{at}: {key}");
    }
    for (key, _) in got.named() {
        assert!(want.contains(key), "{at}: {key} is not in the published card");
    }
}
