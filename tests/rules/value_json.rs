//! Rules 2.2, 2.3 and 4.8, one by one: JSON from bytes, and the texts that values have.
#![expect(clippy::unwrap_used, reason = "a document that cannot be read is a failed test")]

use proptest::prelude::*;
use rehearsal::value::{
    Document, Map, Syntax, Value, call_text, canonical, contract_hash, float_text, read, read_json,
};

/// The contract text, or what refuses it and where.
fn contract(source: impl AsRef<[u8]>) -> String {
    let doc = read(source.as_ref()).unwrap();
    canonical::contract_text(&doc).unwrap_or_else(|refusal| refusal.to_string())
}

fn encode(text: &str, unit: impl Fn(char) -> Vec<u8>) -> Vec<u8> {
    text.chars().flat_map(unit).collect()
}

fn utf16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    encode(text, |c| c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| bytes(*unit)).collect())
}

fn utf32(text: &str, bytes: impl Fn(u32) -> [u8; 4]) -> Vec<u8> {
    encode(text, |c| bytes(u32::from(c)).to_vec())
}

#[test]
fn every_encoding_gives_the_hash_of_utf8() {
    let text = "[{\"é😀\": \"\u{2028}\", \"b\": 1.50}]";
    let hash = contract_hash(&read(text.as_bytes()).unwrap()).unwrap();
    let marked = format!("\u{feff}{text}");
    let encodings = [
        marked.clone().into_bytes(),
        utf16(text, u16::to_le_bytes),
        utf16(text, u16::to_be_bytes),
        utf16(&marked, u16::to_le_bytes),
        utf16(&marked, u16::to_be_bytes),
        utf32(text, u32::to_le_bytes),
        utf32(text, u32::to_be_bytes),
        utf32(&marked, u32::to_le_bytes),
        utf32(&marked, u32::to_be_bytes),
    ];
    for bytes in encodings {
        let doc = read(&bytes).unwrap();
        assert_eq!(doc.syntax, Syntax::Json, "{bytes:x?}");
        assert_eq!(contract_hash(&doc).unwrap(), hash, "{bytes:x?}");
    }
    // two bytes are enough to tell UTF-16
    assert_eq!(contract(b"1\0"), "1");
    assert_eq!(contract(b"\x001"), "1");
}

#[test]
fn what_is_no_text_is_refused() {
    for bytes in [&b"[\"\xff\"]"[..], b"\"\xe9\"", b"[1]\0\0\0", b"\0\0\0\x31\0", b"\0\x11\0\0", b"[\0\xd8"] {
        let error = read(bytes).unwrap_err();
        assert!(error.message.starts_with("neither JSON ("), "{bytes:x?}: {error}");
        assert!(!error.message.contains('\n'), "{error}");
    }
}

#[test]
fn words_for_what_is_not_finite_are_read_and_never_hashed() {
    assert_eq!(contract("[1, NaN]"), "no contract hash: NaN at /1");
    assert_eq!(contract("{\"a/b\": Infinity}"), "no contract hash: an infinity at /a~1b");
    assert_eq!(contract("-Infinity"), "no contract hash: an infinity at the top");
    assert_eq!(contract("[[1e400]]"), "no contract hash: an infinity at /0/0");
    assert_eq!(contract("-1e400"), "no contract hash: an infinity at the top");
    assert_eq!(contract("[nan, inf, NAN]"), r#"["nan","inf","NAN"]"#);
    // the first of the document, not of the sorted keys
    assert_eq!(contract(r#"{"b": NaN, "a": NaN}"#), "no contract hash: NaN at /b");
}

#[test]
fn the_last_of_equal_keys_wins_in_the_place_of_the_first() {
    let doc = read(br#"{"b": 1, "a": 2, "b": 3, "\u0062": 4}"#).unwrap();
    assert_eq!(canonical::compact(&doc.root, false), r#"{"b":4,"a":2}"#);
    let many: String = (0..100).map(|i| format!("\"k{}\": {i},", i % 50)).collect();
    let doc = read(format!("{{{many}\"z\": 0}}").as_bytes()).unwrap();
    let map = doc.root.as_object().unwrap();
    assert_eq!((map.len(), map.position("k7"), map.get("k7")), (51, Some(7), Some(&Value::Int(57))));
}

#[test]
fn a_lone_surrogate_is_read_and_refuses_the_hash_where_it_stands() {
    assert_eq!(contract(r#"["\ud83d\ude00"]"#), "[\"😀\"]");
    let lone = |at: &str| format!("no contract hash: a lone surrogate at {at}");
    assert_eq!(contract(r#""\ud800""#), lone("the top"));
    assert_eq!(contract(r#"{"a": ["x", "\ude00\ud83d"]}"#), lone("/a/1"));
    assert_eq!(contract(r#"{"a": "\ud83d\u0041"}"#), lone("/a"));
    assert_eq!(contract(r#"{"x": {"k\ud800": 1}}"#), lone("/x/k\u{fffd}"));
    assert_eq!(contract(b"[\"\xed\xa0\x80\"]"), lone("/0"));
    // an encoded pair stays two lone ones
    assert_eq!(contract(b"[\"\xed\xa0\xbd\xed\xb8\x80\"]"), lone("/0"));
    assert_eq!(
        contract([b"\xff\xfe".as_slice(), &utf16("\"", u16::to_le_bytes), b"\0\xd8\"\0"].concat()),
        lone("the top")
    );
    // a value that a later one takes the place of is gone
    assert_eq!(contract(r#"{"a": "\ud800", "b": 1, "a": 2}"#), r#"{"a":2,"b":1}"#);
    assert_eq!(contract(r#"{"a": 0, "b": "\ud800", "a": "\ud800"}"#), lone("/a"));
    // JSON's model is made first: what it does not have comes before
    assert_eq!(contract(r#"["\ud800", NaN]"#), "no contract hash: NaN at /1");
    assert_eq!(read(br#"["\ud800"]"#).unwrap().root.at(0), Some(&Value::str("\u{fffd}")));
}

#[test]
fn numbers_keep_their_class_and_are_exact() {
    for (source, text) in [
        ("-0", "0"),
        ("-0.0", "-0.0"),
        ("0.0", "0.0"),
        ("1.0", "1.0"),
        ("1", "1"),
        ("1E+2", "100.0"),
        ("1e5", "100000.0"),
        ("1e16", "1e+16"),
        ("1e15", "1000000000000000.0"),
        ("1e-5", "1e-05"),
        ("1e-4", "0.0001"),
        ("5e-324", "5e-324"),
        ("1e-400", "0.0"),
        ("9007199254740993.0", "9007199254740992.0"),
        ("9007199254740993", "9007199254740993"),
        ("-9223372036854775809", "-9223372036854775809"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("0.1e1", "1.0"),
    ] {
        assert_eq!(contract(source), text, "{source}");
        assert_eq!(read(source.as_bytes()).unwrap().syntax, Syntax::Json);
    }
    let longest = "7".repeat(4_300);
    assert_eq!(contract(&longest), longest);
    assert_eq!(contract(format!("-{longest}")), format!("-{longest}"));
    assert!(read("7".repeat(4_301).as_bytes()).is_err());
    // a float may be as long as it likes
    assert_eq!(contract(format!("{longest}{longest}e-8599")), "7.777777777777778");
    assert_eq!(contract(format!("1.{}", "0".repeat(9_000))), "1.0");
}

#[test]
fn slips_are_read_as_yaml_and_may_change_their_meaning() {
    for (source, text) in [
        ("[1,]", "[1]"),
        ("{'a': 1}", r#"{"a":1}"#),
        ("{a: 1}", r#"{"a":1}"#),
        ("[01]", "[1]"),
        ("[012]", "[10]"),
        ("[+1]", "[1]"),
        ("[.5]", "[0.5]"),
        ("[1.]", "[1.0]"),
        ("[\"a\tb\"]", "[\"a\\tb\"]"),
        ("[\"a\nb\"]", "[\"a b\"]"),
        ("", "null"),
        ("  ", "null"),
        ("# only a comment\n", "null"),
    ] {
        assert_eq!(contract(source), text, "{source:?}");
        assert_eq!(read(source.as_bytes()).unwrap().syntax, Syntax::Yaml, "{source:?}");
    }
    for source in
        ["// c\n{\"a\": 1,}", "[1]\x0c", "[1] [2]", r#"["\q"]"#, r#"["\u12"]"#, "{\"a\" 1}", "[1", "\"a", "{,}"]
    {
        let error = read(source.as_bytes()).unwrap_err();
        assert!(
            error.message.starts_with("neither JSON (") && error.message.contains(") nor YAML ("),
            "{source:?}: {error}"
        );
    }
    for source in ["1", "\"x\"", "true", "null"] {
        assert_eq!(contract(source), source);
    }
    // only four characters are blank
    assert_eq!(contract(" \t\r\n[ \t\r\n1 \t\r\n] \t\r\n"), "[1]");
    assert!(read_json("\u{a0}1".as_bytes()).is_err());
}

#[test]
fn a_refusal_says_where() {
    let error = read_json(b"{\"a\": 1,\n \"\xc3\xa9\": }").unwrap_err();
    assert_eq!(error.message, "expected a value, found `}` at line 2, column 7");
    assert_eq!(error.at, Some((2, 7)));
    assert_eq!(
        read_json(b"[1").unwrap_err().message,
        "expected `,` or `]`, found the end of the file at line 1, column 3"
    );
    assert_eq!(read_json(b"[1] x").unwrap_err().message, "expected the end of the file, found `x` at line 1, column 5");
    assert_eq!(read_json(b"\"a").unwrap_err().message, "unterminated string at line 1, column 1");
    assert_eq!(read_json(b"[\"\xff\"]").unwrap_err().message, "byte 2 is not valid UTF-8");
    let error = Value::parse_json("{\"a\": \"\\ud800\"}").unwrap_err();
    assert_eq!(error.message, "lone surrogate at /a");
}

#[test]
fn a_slip_in_json_is_named_when_the_text_reads_as_yaml() {
    let slip = |source: &str| read(source.as_bytes()).unwrap().not_json;
    assert_eq!(slip("{\n  \"tools\": [{\"type\": \"function\"},]}").unwrap(), "line 2 column 33: trailing comma");
    assert_eq!(slip("{\"a\": 1 , }").unwrap(), "line 1 column 9: trailing comma");
    assert_eq!(slip(" [.5]").unwrap(), "line 1 column 3: expected a value, found `.`");
    for whole in ["[1]", "a: [1,]", "", "- {a: b}"] {
        assert_eq!(slip(whole), None, "{whole:?}");
    }
}

#[test]
fn four_hundred_levels_are_read_and_no_more() {
    let nested = |open: &str, close: &str, depth: usize| format!("{}0{}", open.repeat(depth), close.repeat(depth));
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
        let levels = open.matches(['[', '{']).count();
        let deepest = nested(open, close, 400 / levels);
        assert_eq!(contract(&deepest), deepest);
        let error = read(nested(open, close, 400 / levels + 1).as_bytes()).unwrap_err();
        assert!(error.message.starts_with("nested more than 400 levels deep at line 1"), "{error}");
    }
    for open in ["[", "{\"a\":", "[{\"a\":"] {
        assert!(read(open.repeat(2_000_000).as_bytes()).is_err());
    }
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let error = read(&vec![b' '; (256 << 20) + 1]).unwrap_err();
    assert_eq!(error.message, "the file has 268435457 bytes; the limit is 268435456 (256 MiB)");
}

#[test]
fn keys_are_sorted_by_code_point_and_texts_escaped_as_little_as_can_be() {
    assert_eq!(
        contract("{\"\u{10000}\": 1, \"\u{ffff}\": 2, \"b\": 3, \"B\": 4, \"\": 5}"),
        "{\"\":5,\"B\":4,\"b\":3,\"\u{ffff}\":2,\"\u{10000}\":1}"
    );
    let controls: String = (0..0x20).map(|c| format!("\\u{c:04x}")).collect();
    assert_eq!(
        contract(format!("\"{controls}\\\"\\\\\\/\u{7f}\u{2028}é\"")),
        "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\\u0010\\u0011\\u0012\
         \\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f\\\"\\\\/\u{7f}\u{2028}é\""
    );
}

#[test]
fn call_texts_are_ascii() {
    let value =
        Value::parse_json("{\"é\": \"\u{7f}/😀\\u0001\\n\", \"a\": [1.0, 1e16, -0.0, NaN, -Infinity, null]}").unwrap();
    assert_eq!(
        call_text(&value),
        "{\"a\":[1.0,1e+16,-0.0,NaN,-Infinity,null],\"\\u00e9\":\"\\u007f/\\ud83d\\ude00\\u0001\\n\"}"
    );
    assert_eq!(
        canonical::spaced(&value),
        "{\"\\u00e9\": \"\\u007f/\\ud83d\\ude00\\u0001\\n\", \"a\": [1.0, 1e+16, -0.0, NaN, -Infinity, null]}"
    );
    assert_eq!(canonical::compact(&Value::parse_json("[ \"é\", {} ]").unwrap(), false), "[\"é\",{}]");
    assert_eq!(canonical::compact(&Value::parse_json("[ \"é\", [] ]").unwrap(), true), "[\"\\u00e9\",[]]");
}

#[test]
fn text_for_people_is_indented_and_always_json() {
    let value = Value::parse_json("{\"b\": [], \"a\": [{\"é\": NaN}], \"c\": {}}").unwrap();
    assert_eq!(
        canonical::pretty(&value, false),
        "{\n  \"b\": [],\n  \"a\": [\n    {\n      \"é\": \"NaN\"\n    }\n  ],\n  \"c\": {}\n}"
    );
    assert!(canonical::pretty(&value, true).starts_with("{\n  \"a\": ["));
    let odd = read(b"{a: !!binary aGk=, b: 2026-10-26, 200: !!set {x}, .inf: 1}").unwrap();
    assert_eq!(
        canonical::compact(&odd.root, false),
        r#"{"a":"(binary data)","b":"2026-10-26","200":"(a set)","Infinity":1}"#
    );
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i128>().prop_map(|n| Value::integer(n.into())),
        any::<f64>().prop_filter("finite", |f| f.is_finite()).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::array),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|entries| entries.into_iter().collect::<Map>().into()),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(value in json_value()) {
        for text in [canonical::compact(&value, true), canonical::compact(&value, false), canonical::pretty(&value, false)] {
            let doc = read(text.as_bytes()).unwrap();
            prop_assert_eq!(doc.syntax, Syntax::Json);
            prop_assert_eq!(&doc.root, &value);
        }
        prop_assert_eq!(serde_json::from_str::<Value>(&serde_json::to_string(&value).unwrap()).unwrap(), value);
    }

    #[test]
    fn layout_key_order_and_escapes_do_not_count(value in json_value()) {
        let hash = |text: String| contract_hash(&read(text.as_bytes()).unwrap()).unwrap();
        let expected = contract_hash(&Document { root: value.clone(), syntax: Syntax::Json, surrogate: None, not_json: None }).unwrap();
        prop_assert_eq!(&hash(canonical::pretty(&value, true)), &expected);
        prop_assert_eq!(&hash(canonical::spaced(&value)), &expected);
        prop_assert_eq!(&hash(call_text(&value)), &expected);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(doc) = read(&bytes) {
            let _ = contract_hash(&doc);
        }
    }

    #[test]
    fn floats_are_read_back_from_their_text(f in any::<f64>().prop_filter("finite", |f| f.is_finite())) {
        let text = float_text(f);
        prop_assert!(text.contains(['.', 'e']));
        prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), f.to_bits());
    }
}
