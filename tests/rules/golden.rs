//! The published hash of the generator is that of what it does.

use crate::vectors::{planner, tests};
use rehearsal::plan::golden;
use rehearsal::value::read_json;

#[test]
fn the_published_hash_is_that_of_the_transcript() {
    // The vectors of the older dials name the flows and the reads that were declared.
    let planners = ["clinic", "orders", "warehouse"].map(|name| {
        let vector = std::fs::read(tests("vectors").join(format!("{name}.json"))).unwrap();
        planner(&tests("toolfiles"), &read_json(&vector).unwrap().root)
    });
    assert_eq!(golden::transcript_hash(&planners).unwrap(), golden::HASH);
}
