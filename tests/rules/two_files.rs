//! Two tool files compared: bytes, contracts, tools.
use crate::toolfile::{TWO, auto};
use rehearsal::toolfile::Source;
use rehearsal::toolfile::compare::{compare, compare_tools};

fn source(text: &str) -> Source {
    Source::new(text.as_bytes())
}

#[test]
fn two_files_are_compared_by_bytes_and_contract() {
    let spaced = TWO.replace("},", "} ,");
    let other = TWO.replace("\"integer\"", "\"number\"");
    let same = compare(&source(TWO), &source(TWO));
    assert_eq!((same.same_bytes, same.same_contract, same.differences.len()), (true, Some(true), 0));
    let moved = compare(&source(TWO), &source(&spaced));
    assert_eq!((moved.same_bytes, moved.same_contract, moved.differences.len()), (false, Some(true), 0));
    assert!(moved.sentence().starts_with("same contract, different bytes"));
    let changed = compare(&source(TWO), &source(&other));
    assert_eq!((changed.same_bytes, changed.same_contract), (false, Some(false)));
    let lines: Vec<String> = changed.differences.iter().map(ToString::to_string).collect();
    assert_eq!(lines, [r#"~ /tools/0/inputSchema/properties/n/type: "integer" -> "number""#]);
    assert_eq!(changed.sentence(), "the contracts differ in 1 place");
    let refused = compare(&source(TWO), &source(&TWO.replace("true", "NaN")));
    assert_eq!((refused.same_contract, refused.differences.len(), refused.more), (None, 1, 0));
    let broken = compare(&source(TWO), &source("{"));
    assert_eq!((broken.same_contract, broken.differences.len()), (None, 0));
}

#[test]
fn differences_end_at_fifty() {
    let list = |word: &str| format!("[{}]", vec![format!("{{\"type\":\"{word}\"}}"); 60].join(","));
    let many = compare(&source(&list("a")), &source(&list("b")));
    assert_eq!((many.differences.len(), many.more), (50, 10));
    assert_eq!(many.sentence(), "the contracts differ in 60 places");
}

#[test]
fn tools_of_two_files_are_paired_by_name() {
    let tool = |name: &str, schema: &str, rest: &str| format!(r#"{{"name":"{name}","inputSchema":{schema}{rest}}}"#);
    let file = |tools: &[String]| auto(&format!(r#"{{"tools":[{}]}}"#, tools.join(",")));
    let plain = r#"{"type":"object","properties":{"n":{"type":"integer","maximum":3}}}"#;
    let other = r#"{"type":"object","properties":{"n":{"type":"integer","maximum":4},"m":{"type":"boolean"}}}"#;
    let bad = r#"{"type":"array"}"#;
    let left = file(&[
        tool("same", plain, ""),
        tool("changed", plain, ""),
        tool("gone", plain, ""),
        tool("breaks", plain, ""),
        tool("mends.it", bad, ""),
    ]);
    let right = file(&[
        tool("new", plain, ""),
        tool("changed", other, r#","description":"now","annotations":{"readOnlyHint":true},"outputSchema":{}"#),
        tool("same", plain, ""),
        tool("breaks", bad, ""),
        tool("mends.it", plain, ""),
    ]);
    let changes = compare_tools(&left, &right);
    let names = |list: &[rehearsal::value::Str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(names(&changes.added), ["new"]);
    assert_eq!(names(&changes.removed), ["gone"]);
    assert_eq!((&*changes.now_refused[0].name, &*changes.now_usable[0].name), ("breaks", "mends_it"));
    assert!(changes.now_refused[0].reason.contains("array") && changes.now_usable[0].reason.contains("array"));
    assert_eq!((changes.same, changes.reordered, changes.changed.len()), (1, true, 1));
    let change = &changes.changed[0];
    assert_eq!((change.left_at.as_str(), change.right_at.as_str()), ("/tools/1", "/tools/1"));
    let lines: Vec<String> = change.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            r#"~ /description: "" -> "now""#,
            r#"~ /effect: "unknown" -> "read""#,
            "~ /input_schema/properties/n/maximum: 3 -> 4",
            r#"+ /input_schema/properties/m: {"type":"boolean"}"#,
            "+ /output_schema: {}",
        ]
    );
    assert_eq!(
        changes.sentence(),
        "1 added, 1 removed, 1 changed, 1 now refused, 1 now usable; 1 tool the same, reordered"
    );
    assert!(compare_tools(&left, &left).is_empty());
    assert_eq!(compare_tools(&left, &left).sentence(), "4 tools the same");
}
