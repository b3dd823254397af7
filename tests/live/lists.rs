//! The list of tools, to the byte.

use crate::support::opening;
use rehearsal::engine::Engine;
use rehearsal::mcp::{Announce, ToolList};

/// One line an item, blanks only between tokens where `{BLANK}` stands.
const TOOLS: [&str; 2] = [
    r#"{"inputSchema":{{BLANK}"required":["count"],"type":"object","properties":{"z":{"type":"string"},"count":{"maximum":123456789012345678901234567890,"type":"integer","minimum":1.0,"default":1e0,"x-odd":[0.10,-0.0]}},"x-key":{"b":1,"a":2}},"name":"get_thing","x-unknown":{"k":[1.50]},"description":"Get \u00e9 \/ é.","annotations":{"title":"T","readOnlyHint":true,"x-more":null},"title":"A title","_meta":{"v":1}}"#,
    r#"{"name":"set_thing",{BLANK}"description":"Set.","inputSchema":{"type":"object","properties":{"count":{"type":"integer","minimum":1,"maximum":50},"state":{"enum":["on","off"]}},"required":["count","state"]},"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]},"annotations":{"readOnlyHint":false}}"#,
];

fn list(announce: Announce) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd.mcp.json");
    let text = format!("{{ \"tools\" :\n [ {} ] }}\n", TOOLS.map(|t| t.replace("{BLANK}", " \n\t ")).join(" ,\n "));
    std::fs::write(&file, text).unwrap();
    let opening = opening(&file, "faults:f0", 0).unwrap();
    let engine = Engine::new(opening.request.task.clone());
    let list = ToolList::new(&opening.bytes, &opening.document, &engine, announce);
    assert_eq!(list.announces("set_thing"), announce == Announce::Fitting);
    list.json().to_owned()
}

#[test]
fn tools_are_listed_as_the_file_has_them() {
    let [get, set] = TOOLS.map(|tool| tool.replace("{BLANK}", ""));
    assert_eq!(list(Announce::Fitting), format!("[{get},{set}]"));
    let schema = r#""outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]},"#;
    assert_eq!(list(Announce::Nothing), format!("[{get},{}]", set.replace(schema, "")));
}
