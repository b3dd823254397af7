//! Rules 2.4 and 2.5, one by one: YAML 1.1 as PyYAML's safe loader reads it, and JSON's model of it.

use rehearsal::value::{Syntax, canonical, contract_hash, read};
use std::fmt::Write as _;

/// The value in its own key order as JSON, `shape` when it is not read, or what refuses the hash and where.
fn yaml(source: impl AsRef<[u8]>) -> String {
    let Ok(doc) = read(source.as_ref()) else { return "shape".to_owned() };
    assert_eq!(doc.syntax, Syntax::Yaml, "{:?}", String::from_utf8_lossy(source.as_ref()));
    match canonical::contract_text(&doc) {
        Ok(_) => canonical::compact(&doc.root, false),
        Err(refusal) => refusal.to_string(),
    }
}

/// Checks each source's value.
fn all(table: &[(&str, &str)]) {
    for (source, expected) in table {
        assert_eq!(yaml(source), *expected, "{source:?}");
    }
}

/// Checks each plain scalar's value, alone in a list of the flow kind, in a list of the block kind and in a mapping.
fn scalars(table: &[(&str, &str)]) {
    for (scalar, expected) in table {
        let within = |open: &str, close: &str| match *expected {
            "shape" => "shape".to_owned(),
            value => format!("{open}{value}{close}"),
        };
        assert_eq!(yaml(format!("- {scalar}\n")), within("[", "]"), "{scalar:?}");
        assert_eq!(yaml(format!("k: {scalar}\n")), within("{\"k\":", "}"), "{scalar:?}");
        // the comma keeps it from being JSON
        assert_eq!(yaml(format!("[ {scalar} ,]\n")), within("[", "]"), "{scalar:?}");
    }
}

fn text(words: &[&str]) {
    for word in words {
        scalars(&[(word, &canonical::compact(&(*word).into(), false))]);
    }
}

#[test]
fn nulls_and_booleans() {
    for word in ["~", "null", "Null", "NULL"] {
        scalars(&[(word, "null")]);
    }
    for word in ["yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"] {
        scalars(&[(word, "true")]);
    }
    for word in ["no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"] {
        scalars(&[(word, "false")]);
    }
    text(&["y", "n", "Y", "N", "tRUE", "yEs", "nUll", "NUll", "oN", "t", "None"]);
    all(&[("k:\n", "{\"k\":null}"), ("-\n", "[null]"), ("k: ''\n", "{\"k\":\"\"}"), ("'yes'\n", "\"yes\"")]);
}

#[test]
fn integers() {
    scalars(&[
        ("012", "10"),
        ("0_1", "1"),
        ("1_000", "1000"),
        ("0x_ff", "255"),
        ("0x1F", "31"),
        ("-0x1f", "-31"),
        ("0b101", "5"),
        ("+0b1_1", "3"),
        ("1_", "1"),
        ("0_", "0"),
        ("0b_", "shape"),
        ("0x_", "shape"),
        ("1:30", "90"),
        ("190:20:30", "685230"),
        ("-1:30", "-90"),
        ("1:6", "66"),
        ("+12", "12"),
        ("-0", "0"),
        ("-012", "-10"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0xffffffffffffffffffffffff", "79228162514264337593543950335"),
    ]);
    text(&["08", "09", "0o14", "0X1F", "0B101", "_1", "1:60", "0:30", "01:30", "1:3_0", "+", "0x", "0b2", "１２"]);
    let digits = "9".repeat(4_300);
    assert_eq!(yaml(format!("k: {digits}\n")), format!("{{\"k\":{digits}}}"));
    assert_eq!(yaml(format!("k: {digits}9\n")), "shape");
    // in other bases decimal digits count too, and long ones are refused without a calculation
    assert_eq!(yaml(format!("k: 0x1{}\n", "0".repeat(3_600))), "shape");
    assert_eq!(yaml(format!("k: 0b1{}\n", "0".repeat(5_000_000))), "shape");
    assert_eq!(yaml(format!("k: 1{}\n", ":59".repeat(1_000_000))), "shape");
}

#[test]
fn floats() {
    scalars(&[
        ("1.0e+5", "100000.0"),
        (".5", "0.5"),
        (".5e+1", "5.0"),
        ("1.", "1.0"),
        ("1_0.5", "10.5"),
        ("685.230_15e+03", "685230.15"),
        ("12:30:45.5", "45045.5"),
        ("-1:30.5", "-90.5"),
        ("1:30.", "90.0"),
        ("-0.0", "-0.0"),
        ("3.0", "3.0"),
        ("1.5E-2", "0.015"),
        ("+1.5", "1.5"),
    ]);
    text(&[
        "1e5", "1.0e5", "12e03", "-.5", "+.5", "3.0.3", ".", "1.5e", "1.5e+", "._5", ".inf5", "-.nan", ".NAn", "1e400",
        "1:60.5",
    ]);
    for (infinite, what) in [
        ("1.0e+400", "an infinity"),
        (".inf", "an infinity"),
        ("-.Inf", "an infinity"),
        ("+.INF", "an infinity"),
        (".nan", "NaN"),
        (".NaN", "NaN"),
        (".NAN", "NaN"),
    ] {
        assert_eq!(yaml(format!("a:\n- {infinite}\n")), format!("no contract hash: {what} at /a/0"));
    }
}

#[test]
fn dates() {
    scalars(&[
        ("2026-10-26", "\"2026-10-26\""),
        ("2026-10-26T10:00:00Z", "\"2026-10-26T10:00:00+00:00\""),
        ("2026-10-26 10:00:00", "\"2026-10-26T10:00:00\""),
        ("2026-10-26  10:00:00 Z", "\"2026-10-26T10:00:00+00:00\""),
        ("2026-10-26T10:00:00.5", "\"2026-10-26T10:00:00.500000\""),
        ("2026-10-26T10:00:00.123456789", "\"2026-10-26T10:00:00.123456\""),
        ("2026-10-26T10:00:00.0000009", "\"2026-10-26T10:00:00\""),
        ("2026-10-26T10:00:00.", "\"2026-10-26T10:00:00\""),
        ("2026-10-26t1:00:00+2", "\"2026-10-26T01:00:00+02:00\""),
        ("2026-10-26T10:00:00 -05:30", "\"2026-10-26T10:00:00-05:30\""),
        ("2026-10-26T10:00:00-00:00", "\"2026-10-26T10:00:00+00:00\""),
        ("2026-1-2 3:04:05", "\"2026-01-02T03:04:05\""),
        ("2024-02-29", "\"2024-02-29\""),
        ("2026-02-29", "shape"),
        ("1900-02-29", "shape"),
        ("2026-13-01", "shape"),
        ("2026-00-01", "shape"),
        ("2026-04-31", "shape"),
        ("0000-01-01", "shape"),
        ("2026-10-26T25:00:00", "shape"),
        ("2026-10-26T23:59:60", "shape"),
        ("2026-10-26T23:60:00", "shape"),
        ("2026-10-26T10:00:00+25:00", "shape"),
        ("2026-10-26T10:00:00+24:00", "shape"),
        ("2026-10-26T10:00:00+23:59", "\"2026-10-26T10:00:00+23:59\""),
    ]);
    text(&[
        "2026-1-2",
        "2026-10-26T10:00:00z",
        "2026-10-26T10:00:00-0530",
        "2026-10-26T10:00",
        "2026-10",
        "2026-10-26x",
    ]);
}

#[test]
fn keys_have_their_json_text() {
    all(&[
        (
            "{200: a, 1.5: b, true: c, ~: d, 2026-10-26: e, x: f}",
            r#"{"200":"a","1.5":"b","true":"c","null":"d","2026-10-26":"e","x":"f"}"#,
        ),
        ("{0x10: a, 1e5: b, .5: c}", r#"{"16":"a","1e5":"b","0.5":"c"}"#),
        ("a: {200: a, '200': b}", "no contract hash: two keys that become one at /a/200"),
        ("a: {2026-10-26: 1, '2026-10-26': 2}", "no contract hash: two keys that become one at /a/2026-10-26"),
        ("a: [{.nan: 1}]", "no contract hash: a key that is NaN at /a/0"),
        ("{-.inf: 1}", "no contract hash: a key that is an infinity at the top"),
        ("{a: {!!binary aGk= : 1}}", "no contract hash: a key that is binary data at /a"),
        ("? [a]\n: b\n", "shape"),
        ("{{a: 1}: b}", "shape"),
        ("? !!set {a}\n: b\n", "shape"),
    ]);
}

#[test]
fn keys_that_python_counts_equal_are_one() {
    all(&[
        ("{a: 1, b: 2, a: 3}", r#"{"a":3,"b":2}"#),
        ("{1: a, 1.0: b, true: c}", r#"{"1":"c"}"#),
        ("{true: a, 1: b}", r#"{"true":"b"}"#),
        ("{0: a, false: b, -0.0: c, x: d}", r#"{"0":"c","x":"d"}"#),
        ("{1.5: a, 1.50: b}", r#"{"1.5":"b"}"#),
        ("{~: a, null: b}", r#"{"null":"b"}"#),
        ("{1e+0: a, '1': b}", r#"{"1e+0":"a","1":"b"}"#),
        ("{2026-01-01T10:00:00Z: a, 2026-01-01T12:00:00+02:00: b}", r#"{"2026-01-01T10:00:00+00:00":"b"}"#),
        (
            "{2026-01-01T10:00:00: a, 2026-01-01T10:00:00Z: b}",
            r#"{"2026-01-01T10:00:00":"a","2026-01-01T10:00:00+00:00":"b"}"#,
        ),
        ("{2026-01-01: a, 2026-01-01 00:00:00: b}", r#"{"2026-01-01":"a","2026-01-01T00:00:00":"b"}"#),
        ("{1152921504606846976: a, 1152921504606846976.0: b}", r#"{"1152921504606846976":"b"}"#),
        ("{100000000000000000000: a, 1.0e+20: b}", r#"{"100000000000000000000":"b"}"#),
    ]);
}

#[test]
fn merges() {
    all(&[
        ("{q: 3, <<: {p: 1, q: 2}}", r#"{"p":1,"q":3}"#),
        ("{<<: {p: 1, q: 2}, q: 3}", r#"{"p":1,"q":3}"#),
        ("{<<: [{ab: 1, cd: 2}, {ab: 3, ef: 4}], gh: 5}", r#"{"ab":1,"cd":2,"ef":4,"gh":5}"#),
        ("{<<: {ab: 1}, x: 0, <<: {cd: 2}}", r#"{"ab":1,"cd":2,"x":0}"#),
        ("a: &a {p: 1}\nb: &b {<<: *a, q: 2}\nc: {<<: *b}\n", r#"{"a":{"p":1},"b":{"p":1,"q":2},"c":{"p":1,"q":2}}"#),
        ("{'<<': {p: 1}}", r#"{"<<":{"p":1}}"#),
        ("{<<: {1: a}, true: b}", r#"{"1":"b"}"#),
        ("&a {x: 1, <<: *a}", r#"{"x":1}"#),
        ("{<<: 1}", "shape"),
        ("{<<: [1]}", "shape"),
        ("{<<: }", "shape"),
        ("[<<]", "shape"),
        ("{a: <<}", "shape"),
        // a value that is merged away must be one all the same
        ("{<<: {a: !foo 1}, a: 2}", "shape"),
        ("{=: a}", r#"{"=":"a"}"#),
        ("{a: =}", "shape"),
    ]);
}

#[test]
fn anchors() {
    all(&[
        ("[&a {p: [1]}, *a]", r#"[{"p":[1]},{"p":[1]}]"#),
        ("{a: &x 1, *x : 2}", r#"{"a":1,"1":2}"#),
        ("[*a]", "shape"),
        ("[&a 1, &a 2]", "shape"),
        ("&a", "null"),
        ("[&a , *a]", "[null,null]"),
        ("[&ä 1]", "shape"),
        ("[&a[1]]", "shape"),
        ("x: {p: &s {q: *s}}", "no contract hash: a value inside itself at /x/p/q"),
        ("&a [1, *a]", "no contract hash: a value inside itself at /1"),
        ("&a {*a : 1}", "shape"),
    ]);
}

#[test]
fn tags() {
    all(&[
        ("!!str 1", "\"1\""),
        ("!!str", "\"\""),
        ("!<tag:yaml.org,2002:str> 1", "\"1\""),
        ("%TAG !y! tag:yaml.org,2002:\n--- !y!int '7'\n", "7"),
        ("!!int 0o17", "15"),
        ("!!int '12'", "12"),
        ("!!float 3", "3.0"),
        ("!!float '1e5'", "100000.0"),
        ("!!bool yes", "true"),
        ("!!bool 1", "shape"),
        ("!!int x", "shape"),
        ("!!int", "shape"),
        ("!!null x", "null"),
        ("!!timestamp 2026-1-2", "\"2026-01-02\""),
        ("!!timestamp x", "shape"),
        ("!!seq {a: 1}", "shape"),
        ("!!map [a]", "shape"),
        ("!!seq [a]", "[\"a\"]"),
        ("!!map {a: 1}", "{\"a\":1}"),
        ("!!str [a]", "shape"),
        ("! 12", "12"),
        ("! '12'", "12"),
        ("! [a]", "[\"a\"]"),
        ("!x 1", "shape"),
        ("!!python/none", "shape"),
        ("a: !!binary aGk=", "no contract hash: binary data at /a"),
        ("a: !!binary '*aGk=*'", "no contract hash: binary data at /a"),
        ("a: !!binary é", "shape"),
        ("a: !!set {b, c}", "no contract hash: a set at /a"),
        ("a: !!set [b]", "shape"),
        ("a: !!omap [b: 1]", "no contract hash: a list of pairs at /a"),
        ("a: !!pairs [{[b]: 1}]", "no contract hash: a list of pairs at /a"),
        ("a: !!omap [{b: 1, c: 2}]", "shape"),
    ]);
}

#[test]
fn streams() {
    all(&[
        ("---\na: 1\n...\n", r#"{"a":1}"#),
        ("%YAML 1.1\n---\na: 1\n", r#"{"a":1}"#),
        ("%YAML 1.2\n--- yes\n", "true"),
        ("%YAML 2.0\n---\na: 1\n", "shape"),
        ("a: 1\n---\nb: 2\n", "shape"),
        ("a: 1\n---\n", "shape"),
        ("...\n", "shape"),
        ("a: 1\n...\n...\n", r#"{"a":1}"#),
        ("\u{feff}a: 1\n", r#"{"a":1}"#),
        ("# c\n", "null"),
        ("a: \u{7}\n", "shape"),
        ("a: \u{7f}\n", "shape"),
        ("a: \u{0}\n", "shape"),
        ("a: \u{fffe}\n", "shape"),
        ("a: \u{80}\n", "shape"),
        ("# \u{1b}\na: 1\n", "shape"),
        ("a: \u{fffd}\u{10ffff}\u{a0}\n", "{\"a\":\"\u{fffd}\u{10ffff}\u{a0}\"}"),
    ]);
    let utf16 = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
        let text = "a: é\n".encode_utf16().flat_map(bytes);
        mark.into_iter().chain(text).collect::<Vec<u8>>()
    };
    assert_eq!(yaml(utf16([0xff, 0xfe], u16::to_le_bytes)), "{\"a\":\"é\"}");
    assert_eq!(yaml(utf16([0xfe, 0xff], u16::to_be_bytes)), "{\"a\":\"é\"}");
    assert_eq!(yaml(&utf16([0, 0], u16::to_le_bytes)[2..]), "shape");
    assert_eq!(yaml(b"a: \xe9\n"), "shape");
    assert_eq!(yaml(b"a: \xed\xa0\x80\n"), "shape");
}

#[test]
fn tabs_and_line_breaks() {
    all(&[
        ("a:\tb\n", "shape"),
        ("a: b\tc\n", "shape"),
        ("a: b\t# c\n", "shape"),
        ("a:\n\tb: 1\n", "shape"),
        ("a: 1\n\t\n", "shape"),
        ("-\ta\n", "shape"),
        ("[a,\tb]", "shape"),
        ("a: 1 # with\ttab\n", r#"{"a":1}"#),
        ("a: \"b\tc\"\n", r#"{"a":"b\tc"}"#),
        ("a: 'b\tc'\n", r#"{"a":"b\tc"}"#),
        ("a: |\n  b\tc\n", r#"{"a":"b\tc\n"}"#),
        ("a: |\t\n  b\n", "shape"),
        ("a: b\r\nc: d\r\n", r#"{"a":"b","c":"d"}"#),
        ("a: b\rc: d\r", r#"{"a":"b","c":"d"}"#),
        ("a: b\u{85}c: d\u{85}", r#"{"a":"b","c":"d"}"#),
        ("a: b\u{2028}c: d\u{2029}", r#"{"a":"b","c":"d"}"#),
        ("a: \u{85}b\n", "shape"),
        ("a: \u{2028}b\n", "shape"),
        // the two separators stay what they are inside a scalar, a next line becomes a space
        ("- \"x\u{2028}y\"", "[\"x\u{2028}y\"]"),
        ("'x \u{2029}  y ''\u{2028}'\n", "\"x\u{2029}y '\u{2028}\""),
        ("- \"x\u{85}y\"", "[\"x y\"]"),
        ("x\u{2028}y", "\"x\u{2028}y\""),
        ("x\r\u{85}y", "\"x\\ny\""),
        ("- |\n  a\u{2028}  b\u{85}  c\n- d\n", "[\"a\u{2028}b\\nc\\n\",\"d\"]"),
        ("- >-\n  a\u{2028}  b\n  c\n\n  d\n", "[\"a\u{2028}b c\\nd\"]"),
    ]);
}

#[test]
fn scalars_of_every_style() {
    all(&[
        (
            r#""\0\a\b\t\n\v\f\r\e\"\/\\\N\_\L\P\x41\u00e9\U0001F600""#,
            "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001b\\\"/\\\\\u{85}\u{a0}\u{2028}\u{2029}Aé😀\"",
        ),
        ("\"a \\\n   b\"", "\"a b\""),
        ("\"\\q\"", "shape"),
        ("\"\\x4\"", "shape"),
        ("\"\\U00110000\"", "shape"),
        ("'it''s'", "\"it's\""),
        ("\"a\n\n b\n c\"", "\"a\\nb c\""),
        ("a: b\n  c\n\n  d\n", "{\"a\":\"b c\\nd\"}"),
        ("- |\n a\n  b\n\n c\n\n- x\n", "[\"a\\n b\\n\\nc\\n\",\"x\"]"),
        ("- |+\n a\n\n- x\n", "[\"a\\n\\n\",\"x\"]"),
        ("- >-\n a\n b\n\n c\n   d\n e\n", "[\"a b\\nc\\n  d\\ne\"]"),
        ("- |2\n   a\n  b\n", "[\" a\\nb\\n\"]"),
        ("a: |\n  b", "{\"a\":\"b\"}"),
        ("|\na\n", "shape"),
        ("a:\u{a0}b", "\"a:\u{a0}b\""),
        ("[%a]", "shape"),
        ("@a", "shape"),
        ("`a", "shape"),
        ("{b:2}", "{\"b:2\":null}"),
        ("{b: 2}", "{\"b\":2}"),
        ("{b:[2]}", "{\"b\":[2]}"),
        ("[?a]", "[{\"a\":null}]"),
        ("{? a : b, ?c: d}", "{\"a\":\"b\",\"c\":\"d\"}"),
        ("[a?b]", "shape"),
        ("[?, a]", "[{\"null\":null},\"a\"]"),
        ("\"a\"#c", "\"a\""),
        (": v\n", "shape"),
        ("{: v}", "shape"),
        ("{? : v}", "{\"null\":\"v\"}"),
    ]);
}

#[test]
fn lone_surrogates_of_escapes() {
    let lone = |at: &str| format!("no contract hash: a lone surrogate at {at}");
    assert_eq!(yaml("a: [\"\\ud800\"]"), lone("/a/0"));
    // two escapes are two surrogates, unlike in JSON
    assert_eq!(yaml("a: \"\\ud83d\\ude00\""), lone("/a"));
    assert_eq!(yaml("a: \"\\U0000d83d\""), lone("/a"));
    assert_eq!(yaml("\"k\\uDFFF\": 1"), lone("/k\u{fffd}"));
    assert_eq!(
        yaml("a: \"\\\\ud800\"\nb: '\\ud800'\nc: \\ud800 # \\ud800\nd: |\n  \\uD800\n"),
        "{\"a\":\"\\\\ud800\",\"b\":\"\\\\ud800\",\"c\":\"\\\\ud800\",\"d\":\"\\\\uD800\\n\"}"
    );
    assert_eq!(yaml("a: \"\\ufffd\""), "{\"a\":\"\u{fffd}\"}");
}

#[test]
fn implicit_keys_are_short_and_on_one_line() {
    let key = "k".repeat(1_024);
    assert_eq!(yaml(format!("{key}: 1\n")), format!("{{\"{key}\":1}}"));
    assert_eq!(yaml(format!("k{key}: 1\n")), "shape");
    assert_eq!(yaml(format!("{{k{key}: 1}}\n")), "shape");
    assert_eq!(yaml(format!("? k{key}\n: 1\n")), format!("{{\"k{key}\":1}}"));
    all(&[
        ("{\"a\nb\": 1}", "shape"),
        ("{a\n b: 1}", "shape"),
        ("{\"a\"\n: 1,}", "shape"),
        ("{a\n b}", r#"{"a b":null}"#),
        ("{? a\n b : 1}", r#"{"a b":1}"#),
        ("? a\n  b\n: 1\n", r#"{"a b":1}"#),
    ]);
}

#[test]
fn four_hundred_levels_are_read_and_no_more() {
    let flow = |depth: usize| format!("a: {}x{}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let block = |depth: usize| format!("{}x\n", "- ".repeat(depth));
    let mappings = |depth: usize| {
        (0..depth).fold(String::new(), |mut text, i| {
            let _ = writeln!(text, "{}a:", " ".repeat(i));
            text
        })
    };
    // a value of 200 levels inside 199, then inside 200 and itself
    let alias = |depth: usize| {
        format!(
            "- &a {}{}\n- {}*a{}\n",
            "[".repeat(200),
            "]".repeat(200),
            "[".repeat(depth - 201),
            "]".repeat(depth - 201)
        )
    };
    for nested in [&flow as &dyn Fn(usize) -> String, &block, &mappings, &alias] {
        assert!(contract_hash(&read(nested(400).as_bytes()).unwrap()).is_ok());
        let error = read(nested(401).as_bytes()).unwrap_err();
        assert!(error.message.starts_with("nested more than 400 levels deep"), "{error}");
    }
    for source in
        ["[".repeat(1_000_000), "- ".repeat(100_000), "? ".repeat(100_000), "{a: ".repeat(300_000), "a: [".repeat(3)]
    {
        assert!(read(format!("k: {source}").as_bytes()).is_err() && read(source.as_bytes()).is_err());
    }
}

#[test]
fn aliases_and_merges_cost_no_more_than_their_text() {
    // each line ten times the one before
    let mut bomb = String::from("a0: &a0 [x, x]\n");
    for i in 1..300 {
        let _ = writeln!(bomb, "a{i}: &a{i} [{}]", vec![format!("*a{}", i - 1); 10].join(", "));
    }
    let doc = read(bomb.as_bytes()).unwrap();
    assert_eq!(contract_hash(&doc).unwrap_err().to_string(), "no contract hash: a contract text over 1 GiB at the top");
    // entries merged again and again
    let mut merges = String::from("- &a0 {k0: 1}\n");
    for i in 1..1_500 {
        let _ = writeln!(merges, "- &a{i} {{<<: *a{}, k{i}: 1}}", i - 1);
    }
    assert_eq!(yaml(&merges), "shape");
    let mut doubled = String::from("- &a0 {k0: 1}\n");
    for i in 1..300 {
        let _ = writeln!(doubled, "- &a{i} {{<<: [*a{0}, *a{0}], <<: *a{0}}}", i - 1);
    }
    assert!(yaml(&doubled).ends_with("{\"k0\":1}]"));
    // merges inside merges that are not made yet
    let mut chain = String::from("a:\n- &a0 {k: 1}\n");
    for i in 1..5_000 {
        let _ = writeln!(chain, "- &a{i} {{<<: *a{}}}", i - 1);
    }
    assert_eq!(yaml(format!("{chain}<<: *a4999\n")), "shape");
    assert!(yaml(&chain).starts_with("{\"a\":[{\"k\":1},{\"k\":1}"));
    // a file of keys that are no text is compared in no more than its own time
    let keys = (0..30_000).fold(String::new(), |mut text, i| {
        let _ = writeln!(text, "{i}: {i}.5");
        text
    });
    assert!(yaml(&keys).ends_with("\"29999\":29999.5}"));
}
