//! Reading tool files, clause by clause (rules chapter 1).

use rehearsal::toolfile::{Effect, ReadOptions, Reading, Source, Tool, read};
use rehearsal::value::canonical::compact;

pub(crate) fn auto(text: &str) -> Reading {
    read(text.as_bytes(), &ReadOptions::default())
}

/// Names with their effects, or with the kinds they are refused for.
type Words<'a> = Vec<(&'a str, &'a str)>;

/// The tools and refusals in a form to compare.
pub(crate) fn summary(reading: &Reading) -> (Words<'_>, Words<'_>) {
    (
        reading.tools.iter().map(|tool| (&*tool.name, tool.effect.word())).collect(),
        reading.refused.iter().map(|refused| (&*refused.name, refused.kind.word())).collect(),
    )
}

pub(crate) fn refusals(reading: &Reading) -> Words<'_> {
    summary(reading).1
}

pub(crate) fn error(reading: &Reading) -> Option<&'static str> {
    reading.error.as_ref().map(|error| error.kind.word())
}

pub(crate) fn schema(tool: &Tool) -> String {
    compact(&tool.input_schema, false)
}

// --- 1.1

pub(crate) const TWO: &str = r#"{"tools":[
    {"name":"a","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},"annotations":{"readOnlyHint":true}},
    {"name":"b","inputSchema":{"type":"object","properties":{"n":{"type":"string"}}}}]}"#;

fn with_format(text: &str, format: &str) -> Reading {
    read(text.as_bytes(), &ReadOptions { format: format.into(), ..ReadOptions::default() })
}

#[test]
fn whole_refusals_come_in_their_order() {
    // an unknown format word comes before anything the file could be wrong in
    assert_eq!(error(&with_format("{", "opena")), Some("format"));
    assert!(with_format("{", "opena").error.unwrap().message.contains("did you mean openai"));
    assert_eq!(error(&with_format("{", "mcp")), Some("shape"));
    assert_eq!(error(&with_format("{}", "mcp")), Some("shape"));
    let other = with_format(TWO, "openai");
    assert_eq!(error(&other), Some("format"));
    assert!(other.error.as_ref().unwrap().message.contains("an MCP tool list"), "{:?}", other.error);
    assert!(other.contract_hash().is_some());
    for format in ["", "auto", "mcp"] {
        assert_eq!(error(&with_format(TWO, format)), None);
    }
    assert_eq!(error(&with_format(r#"{"tools":[{"inputSchema":1},"x"]}"#, "openai")), Some("format"));
    // too few comes after an item that is no mapping, before declared effects
    let item = auto(r#"{"tools":["x",{"inputSchema":1},5]}"#);
    assert_eq!(error(&item), Some("shape"));
    assert!(item.error.as_ref().unwrap().message.starts_with("/tools/0 is text"), "{:?}", item.error);
    assert_eq!(refusals(&item), [("", "name")]);
    let options = ReadOptions { read: vec!["nobody".into()], ..ReadOptions::default() };
    assert_eq!(error(&read(b"[]", &options)), Some("too_few"));
}

#[test]
fn limits_of_a_set() {
    let tools = |n: usize, kind: &str| {
        let tools: Vec<String> = (0..n)
            .map(|i| format!(r#"{{"type":"function","name":"t{i}","parameters":{{"type":"object","properties":{{"x":{{"type":"{kind}"}}}}}}}}"#))
            .collect();
        format!("[{}]", tools.join(","))
    };
    for (n, expected) in [(0, Some("too_few")), (1, Some("too_few")), (2, None), (256, None), (257, Some("too_many"))] {
        let reading = auto(&tools(n, "integer"));
        assert_eq!((error(&reading), reading.tools.len()), (expected, n));
        assert!(reading.contract_hash().is_some());
    }
    assert_eq!(error(&auto(&tools(2, "string"))), Some("no_target"));
    assert_eq!(error(&auto(&tools(257, "string"))), Some("too_many"));
    let many = auto(&tools(1200, "integer")).error.unwrap();
    assert!(many.message.starts_with("too many tools (1,200; limit 256): keep some"), "{}", many.message);
}

#[test]
fn an_empty_file_is_null_and_of_no_shape() {
    for empty in ["", "  \n", "# only a comment\n"] {
        let reading = auto(empty);
        assert_eq!(error(&reading), Some("shape"), "{empty:?}");
        assert_eq!(reading.format, None);
    }
    let broken = auto("{\"a\": [}");
    assert_eq!(error(&broken), Some("shape"));
    assert!(broken.error.unwrap().place.is_some());
    assert!(broken.contract.is_none() && broken.syntax.is_none());
}

// --- 1.4

#[test]
fn openai_tools_in_both_forms() {
    let reading = auto(
        r#"{"tools":[
        {"type":"function","function":{"name":"a","description":"A","parameters":{"type":"object","properties":{"n":{"type":"integer"}}},"strict":true}},
        {"type":"function","name":"b","description":7},
        {"type":"function","function":5,"name":"c","parameters":null},
        {"type":"function","function":{}},
        {"type":"web_search","name":"w"},
        {"type":null,"name":"x"},
        {"type":["function"],"name":"y"},
        {"type":"function","function":{"name":null}},
        {"type":"function","name":"d","parameters":{}},
        {"type":"function","name":"e","parameters":"object"}]}"#,
    );
    let (usable, refused) = summary(&reading);
    assert_eq!(usable, [("a", "unknown"), ("b", "unknown"), ("c", "unknown")]);
    assert_eq!(
        refused,
        [
            ("", "name"),
            ("web_search", "builtin"),
            ("None", "builtin"),
            ("['function']", "builtin"),
            ("", "name"),
            ("d", "not_object"),
            ("e", "not_object")
        ]
    );
    assert_eq!(&*reading.tools[0].description, "A");
    assert_eq!(&*reading.tools[1].description, "");
    assert_eq!(schema(&reading.tools[1]), r#"{"type":"object","properties":{}}"#);
    assert_eq!(schema(&reading.tools[2]), r#"{"type":"object","properties":{}}"#);
    let places: Vec<&str> = reading.tools.iter().map(|tool| tool.at.as_str()).collect();
    assert_eq!(places, ["/tools/0/function", "/tools/1", "/tools/2"]);
    assert!(reading.tools.iter().all(|tool| tool.output_schema.is_none() && tool.title.is_none()));
    assert_eq!(reading.refused[5].reason.matches("/tools/8/parameters").count(), 1, "{}", reading.refused[5].reason);
}

// --- 1.5

#[test]
fn mcp_effects_titles_and_outputs() {
    let tool = |name: &str, rest: &str| {
        format!(r#"{{"name":"{name}","inputSchema":{{"properties":{{"n":{{"enum":[1]}}}}}}{rest}}}"#)
    };
    let tools = [
        tool("none", ""),
        tool("null", r#","annotations":null,"title":5"#),
        tool("empty", r#","annotations":{},"title":"T""#),
        tool("read", r#","annotations":{"readOnlyHint":true,"destructiveHint":true}"#),
        tool("one", r#","annotations":{"readOnlyHint":1}"#),
        tool("no", r#","annotations":{"readOnlyHint":false}"#),
        tool("list", r#","annotations":[]"#),
        tool("text", r#","annotations":"readOnlyHint","outputSchema":true"#),
        tool("out null", r#","outputSchema":null,"title":"lost""#),
        tool("out", r##","outputSchema":{"$ref":"#/$defs/x","$defs":{"x":{"type":"object"}}}"##),
        tool("bad", r##","outputSchema":{"properties":{"x":{"$ref":"#/$defs/y"}}}"##),
    ];
    let reading = auto(&format!(
        r#"{{"result":{{"tools":[{},{{"name":"k"}},{{"name":"l","inputSchema":null}}]}}}}"#,
        tools.join(",")
    ));
    let (usable, refused) = summary(&reading);
    assert_eq!(
        usable,
        [
            ("none", "unknown"),
            ("null", "unknown"),
            ("empty", "write"),
            ("read", "read"),
            ("one", "write"),
            ("no", "write"),
            ("list", "write"),
            ("text", "write"),
            ("out_null", "unknown"),
            ("out", "unknown")
        ]
    );
    assert_eq!(refused, [("bad", "schema"), ("k", "not_object"), ("l", "not_object")]);
    let titles: Vec<Option<&str>> = reading.tools.iter().map(|tool| tool.title.as_deref()).collect();
    assert_eq!(titles, [None, None, Some("T"), None, None, None, None, None, Some("out null"), None]);
    let outputs: Vec<String> =
        reading.tools.iter().filter_map(|tool| tool.output_schema.as_ref()).map(|o| compact(o, false)).collect();
    assert_eq!(outputs, ["true", r#"{"type":"object"}"#]);
    assert_eq!(reading.refused[1].at, "/result/tools/11");
}

// --- 1.8

#[test]
fn checks_of_one_tool_come_in_their_order() {
    let reading = auto(
        r#"{"tools":[
        {"name":"x","inputSchema":{"type":"array"}},
        {"name":"x","inputSchema":{"type":"object","properties":{"a":{"anyOf":[]}}}},
        {"name":"x","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}},
        {"name":"x"},
        {"name":"é","inputSchema":{"type":"object"}},
        {"name":"ü"},
        {"name":"","inputSchema":{}},
        {"name":["x"],"inputSchema":{}},
        {"name":{"a":1.0,"b":-0.5},"inputSchema":{}},
        {"name":12345678901234567890123,"inputSchema":{}},
        {"inputSchema":{}}]}"#,
    );
    let (usable, refused) = summary(&reading);
    assert_eq!(usable, [("x", "unknown"), ("_", "unknown")]);
    assert_eq!(
        refused,
        [
            ("x", "not_object"),
            ("x", "schema"),
            ("x", "duplicate"),
            ("ü", "duplicate"),
            ("", "name"),
            ("['x']", "name"),
            ("{'a': 1.0, 'b': -0.5}", "name"),
            ("12345678901234567890123", "name"),
            ("", "name")
        ]
    );
    assert_eq!(reading.refused[2].at, "/tools/3");
    assert!(reading.refused[2].reason.contains("/tools/2"), "{}", reading.refused[2].reason);
}

#[test]
fn reasons_are_one_line_whatever_the_names_hold() {
    let reading = auto(
        "{\"tools\":[{\"type\":\"a\\nb\\r\\nc\\u2028d\"},{\"type\":\"function\",\"name\":\"x\\ny\"},{\"type\":\"function\",\"name\":\"x y\"}]}",
    );
    assert_eq!(reading.refused[0].reason, "its type is a b c d: only functions can be rehearsed");
    assert_eq!(&*reading.refused[0].name, "a\nb\r\nc\u{2028}d");
    assert_eq!(&*reading.refused[1].name, "x y");
}

// --- 1.9

fn declared(read_names: &[&str], write_names: &[&str]) -> Reading {
    let list = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    read(TWO.as_bytes(), &ReadOptions { read: list(read_names), write: list(write_names), ..ReadOptions::default() })
}

#[test]
fn declared_effects_replace_the_files() {
    let plain = auto(TWO);
    assert_eq!(summary(&plain).0, [("a", "read"), ("b", "unknown")]);
    let changed = declared(&["b", "b"], &["a"]);
    assert_eq!(summary(&changed).0, [("a", "write"), ("b", "read")]);
    assert_eq!(changed.contract, plain.contract);
    assert_eq!(changed.effects().read, 1);
    for (wrong, part) in [
        (declared(&["c"], &[]), "no usable tool has that name"),
        (declared(&["a"], &["a"]), "both a read and a write"),
        (declared(&[], &["bb"]), "did you mean b?"),
    ] {
        assert_eq!(error(&wrong), Some("effects"));
        assert!(wrong.error.as_ref().unwrap().message.contains(part), "{:?}", wrong.error);
        assert_eq!(summary(&wrong).0, summary(&plain).0, "nothing is declared by halves");
    }
    let refused = read(
        br#"{"tools":[{"name":"a.b","inputSchema":{"properties":{"n":{"const":1}}}},{"name":"b","inputSchema":{"type":"object"}},{"name":"c"}]}"#,
        &ReadOptions { read: vec!["c".into()], ..ReadOptions::default() },
    );
    assert!(refused.error.unwrap().message.contains("that tool is refused: it has no inputSchema"));
}

#[test]
fn a_target_has_an_argument_that_is_not_free_text() {
    let targets = |properties: &str| {
        auto(&format!(
            r#"[{{"type":"function","name":"a","parameters":{{"type":"object","properties":{properties}}}}}]"#
        ))
        .can_target()
    };
    for free in [
        "null",
        "{}",
        "[]",
        r#"{"a":{}}"#,
        r#"{"a":true}"#,
        r#"{"a":{"type":["string","null"],"pattern":"x"}}"#,
        r#"{"a":{"type":[]}}"#,
    ] {
        assert_eq!(targets(free), 0, "{free}");
    }
    for bound in [
        r#"{"a":{"type":"integer"}}"#,
        r#"{"a":{"enum":null}}"#,
        r#"{"a":{"type":["string","integer"]}}"#,
        r#"{"x":{},"a":{"minLength":0}}"#,
    ] {
        assert_eq!(targets(bound), 1, "{bound}");
    }
}

// --- subsets

fn only(text: &str, globs: &[&str]) -> Reading {
    let only = globs.iter().map(ToString::to_string).collect();
    read(text.as_bytes(), &ReadOptions { only, ..ReadOptions::default() })
}

#[test]
fn only_keeps_a_subset_and_says_so() {
    let tools: Vec<String> = (0..300)
        .map(|i| {
            format!(r#"{{"name":"group/{}.t{i}","inputSchema":{{"properties":{{"n":{{"type":"integer"}}}}}}}}"#, i % 3)
        })
        .collect();
    let many = format!(r#"{{"tools":[{}]}}"#, tools.join(","));
    assert_eq!(error(&auto(&many)), Some("too_many"));
    for globs in [&["group/1.*"][..], &["group_1_*"], &["*1?t*", "nothing"], &["group_{1,7}_*"]] {
        let reading = only(&many, globs);
        assert_eq!((error(&reading), reading.tools.len(), reading.left_out), (None, 100, 200), "{globs:?}");
        assert_eq!(reading.extensions.len(), 1);
        assert!(reading.extensions[0].starts_with("--only keeps 100 of 300 usable tools"), "{:?}", reading.extensions);
        assert_eq!(reading.extensions[0].contains("no usable tool matches nothing"), globs.len() == 2);
    }
    let none = only(&many, &["x"]);
    assert_eq!((error(&none), none.left_out), (Some("too_few"), 300));
    let bad = only(&many, &["[a"]);
    assert_eq!(error(&bad), Some("only"));
    assert!(bad.error.unwrap().message.contains("[a"));
    // an effect may be declared of a tool that is left out
    let options =
        ReadOptions { only: vec!["group_1_*".into()], read: vec!["group_0_t0".into()], ..ReadOptions::default() };
    assert_eq!(error(&read(many.as_bytes(), &options)), None);
}

// --- sources

#[test]
fn a_source_reads_again_with_other_options() {
    let source = Source::new(TWO.as_bytes());
    let plain = source.read(&ReadOptions::default());
    let other = source.read(&ReadOptions { write: vec!["a".into()], name: "mine".into(), ..ReadOptions::default() });
    assert_eq!((plain.tools[0].effect, other.tools[0].effect), (Effect::Read, Effect::Write));
    assert_eq!((&*other.name, other.size), ("mine", TWO.len() as u64));
    assert_eq!(plain.file_hash, other.file_hash);
    assert_eq!(source.contract().unwrap().as_ref().unwrap(), other.contract_hash().unwrap());
    assert!(source.document().is_ok());
    assert!(Source::new(b"{").document().is_err());
}

#[test]
fn a_refused_tool_says_where_and_what_to_write_instead() {
    let reading = auto(
        r##"{"tools": [
        {"name":"a","inputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/y"}},"$defs":{"y":{"items":{"oneOf":[]}}}}},
        {"name":"b","inputSchema":{"type":"string"}},
        {"name":"c"}]}"##,
    );
    let all: Vec<_> = reading.refused.iter().map(|r| (r.place.as_str(), r.reason.as_str())).collect();
    let schema = "/tools/0/inputSchema";
    assert_eq!(
        all,
        [
            (
                &*format!("{schema}/$defs/y/items"),
                &*format!("argument schema ({schema}/properties/x/items): `oneOf` is not supported in arguments")
            ),
            ("/tools/1/inputSchema", "argument schema (/tools/1/inputSchema) describes string, not an object"),
            ("/tools/2", "it has no inputSchema (/tools/2)"),
        ]
    );
    assert!(reading.refused.iter().all(|r| r.fix.ends_with('.')));
    let document = r##"{"openapi": "3.0.0", "paths": {"/a": {"post": {
        "parameters": [{"name": "q", "in": "query", "schema": {"anyOf": []}}]}, "put": {
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/B"}}}}}}},
        "components": {"B": {"type": "object", "properties": {"f": {"format": "binary"}}}}}"##;
    let places: Vec<String> = auto(document).refused.into_iter().map(|r| r.place).collect();
    assert_eq!(places, ["/paths/~1a/post/parameters/0/schema", "/components/B/properties/f"]);
}
