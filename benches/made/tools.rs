//! Tool sets of any size that the benchmarks put together themselves, and the small one of the tests.

/// A list of `n` MCP tools, every other one a read.
pub fn tools(n: usize) -> Vec<u8> {
    let tools: Vec<String> = (0..n)
        .map(|i| {
            let (verb, reads) = if i % 2 == 0 { ("get", true) } else { ("update", false) };
            format!(
                r#"{{"name":"{verb}_record_{i}","description":"{verb} one record of kind {i}. More is said here.",
                "inputSchema":{{"type":"object","required":["record_id","owner"],"properties":{{
                "record_id":{{"type":"string","minLength":6,"maxLength":12,"description":"The id of the record."}},
                "owner":{{"type":"string","description":"Whose it is."}},
                "state":{{"type":"string","enum":["open","closed","held"]}},
                "amount":{{"type":"number","minimum":0,"maximum":500}},
                "page":{{"type":"integer","minimum":1,"maximum":99}}}}}},
                "annotations":{{"readOnlyHint":{reads}}}}}"#
            )
        })
        .collect();
    format!(r#"{{"tools":[{}]}}"#, tools.join(",")).into_bytes()
}

/// The warehouse example of seven tools, as its tests have it.
pub const WAREHOUSE: &[u8] = include_bytes!("../../tests/toolfiles/warehouse.mcp.json");
