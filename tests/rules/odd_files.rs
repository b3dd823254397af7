//! Files nobody would write by hand: as bad as they can be, and cases with bytes changed at random. Each is answered.
#![expect(clippy::unwrap_used, reason = "a file that should be there and is not fails the test")]

use crate::cases::check_lines;
use crate::toolfile::{auto, error, refusals, summary};
use rehearsal::toolfile::{ReadOptions, Source};
use rehearsal::value::canonical::compact;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A document with these members beside its version.
fn document(members: &str) -> String {
    format!("{{\"openapi\":\"3.0.0\",{members}}}")
}

fn many(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(",")
}

#[test]
fn references_to_one_large_target_are_not_copied() {
    let big = format!("\"big\":{{{},\"get\":{{}}}}", many(50_000, |i| format!("\"k{i}\":1")));
    let paths = many(2_000, |i| format!("\"/p{i}\":{{\"$ref\":\"#/big\",\"x\":1}}"));
    let reading = auto(&document(&format!("\"paths\":{{{paths}}},{big}")));
    assert_eq!(reading.tools.len(), 2_000);
    assert_eq!(reading.tools[1_999].at, "/big/get");
    let paths =
        many(2_000, |i| format!("\"/p{i}\":{{\"get\":{{\"responses\":{{\"200\":{{\"$ref\":\"#/big\",\"x\":1}}}}}}}}"));
    assert_eq!(auto(&document(&format!("\"paths\":{{{paths}}},{big}"))).tools.len(), 2_000);
}

#[test]
fn members_beside_references_cannot_fill_the_memory() {
    let big = format!("\"big\":{{{}}}", many(20_000, |i| format!("\"k{i}\":1")));
    let items = many(5_000, |i| format!("{{\"$ref\":\"#/big\",\"x\":{i}}}"));
    let schema = format!("{{\"items\":[{items}]}}");
    let paths = format!(
        "\"/a\":{{\"get\":{{\"operationId\":\"a\",\"responses\":{{\"200\":{{\"content\":{{\"application/json\":{{\"schema\":{schema}}}}}}}}}}}}}"
    );
    let reading = auto(&document(&format!("\"paths\":{{{paths}}},{big}")));
    assert_eq!(refusals(&reading), [("a", "schema")]);
    assert!(reading.refused[0].reason.contains("MiB"), "{}", reading.refused[0].reason);
}

#[test]
fn aliases_that_unfold_without_end_are_refused_in_one_line() {
    let mut text = "openapi: 3.0.0\na0: &a0 {type: string, description: x}\n".to_owned();
    for i in 1..60 {
        writeln!(text, "a{i}: &a{i} {{properties: {{l: *a{}, r: *a{}}}}}", i - 1, i - 1).unwrap();
    }
    text += "paths:\n  /x:\n    get: {operationId: x, parameters: [{name: q, in: query, schema: *a59}]}\n    post: {operationId: y, responses: {200: {content: {application/json: {schema: *a59}}}}}\n    put: *a59\n";
    let reading = auto(&text);
    assert_eq!(summary(&reading), (vec![("put__x", "write")], vec![("x", "schema"), ("y", "schema")]));

    let mut text = "a0: &a0 [x]\n".to_owned();
    for i in 1..60 {
        writeln!(text, "a{i}: &a{i} [*a{}, *a{}]", i - 1, i - 1).unwrap();
    }
    text +=
        "tools:\n - type: *a59\n - type: function\n   name: *a59\n - {type: function, name: ok, parameters: *a59}\n";
    let reading = auto(&text);
    assert_eq!(
        reading.refused.iter().map(|refused| refused.kind.word()).collect::<Vec<_>>(),
        ["builtin", "name", "schema"]
    );
    assert!(reading.refused.iter().all(|refused| refused.name.len() < 3_000 && refused.reason.len() < 300));
    assert!(reading.contract_refusal().is_some());
}

#[test]
fn many_tools_and_many_arguments_take_their_time_and_no_more() {
    let tools = many(20_000, |i| {
        format!("{{\"type\":\"function\",\"name\":\"t{}\",\"parameters\":{{\"type\":\"object\"}}}}", i / 2)
    });
    let reading = auto(&format!("[{tools}]"));
    assert_eq!((reading.tools.len(), reading.refused.len()), (10_000, 10_000));
    assert_eq!(error(&reading), Some("too_many"));
    let list = many(20_000, |i| format!("{{\"name\":\"n{}\",\"in\":\"query\"}}", i / 2));
    let reading = auto(&document(&format!("\"paths\":{{\"/a\":{{\"get\":{{\"parameters\":[{list}]}}}}}}")));
    assert_eq!(reading.tools[0].properties().len(), 10_000);
    let long = "x".repeat(5_000_000);
    let reading = auto(&format!("[{{\"type\":\"{long}\"}},{{\"type\":\"function\",\"name\":\"{long}\"}}]"));
    assert_eq!((reading.tools[0].name.len(), reading.tools[0].title.as_ref().unwrap().len()), (64, 5_000_000));
    assert!(reading.refused[0].reason.len() < 500);
}

#[test]
fn chains_and_circles_of_references_end() {
    let chain = |n: usize| {
        let links = many(n, |i| format!("{{\"$ref\":\"#/c/{}\"}}", i + 1));
        document(&format!(
            "\"paths\":{{\"/a\":{{\"$ref\":\"#/c/0\"}}}},\"c\":[{links},{{\"get\":{{\"operationId\":\"a\"}}}}]"
        ))
    };
    assert_eq!(auto(&chain(300)).tools[0].at, "/c/300/get");
    assert_eq!(refusals(&auto(&chain(5_000))), [("/a", "schema")]);
    let doubling = many(80, |i| {
        format!("{{\"properties\":{{\"a\":{{\"$ref\":\"#/d/{0}\"}},\"b\":{{\"$ref\":\"#/d/{0}\",\"z\":1}}}}}}", i + 1)
    });
    let body = "{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/d/0\"}}}}";
    let reading = auto(&document(&format!(
        "\"paths\":{{\"/a\":{{\"post\":{{\"operationId\":\"a\",\"requestBody\":{body}}}}}}},\"d\":[{doubling},{{\"type\":\"integer\"}}]"
    )));
    assert_eq!(refusals(&reading), [("a", "schema")]);
}

/// Every tool file of the tests.
fn samples() -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let folders = ["cases", "toolfiles", "random"].map(|name| tests.join(name));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths
}

/// A small generator of numbers, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n.max(1) as u64).unwrap()
    }

    /// Changes a few bytes: one replaced, a stretch taken out, doubled or moved.
    fn change(&mut self, bytes: &mut Vec<u8>) {
        const PIECES: [&str; 24] = [
            "null",
            "true",
            "[]",
            "{}",
            "\"\"",
            "\"$ref\": \"#\"",
            "\"$ref\":\"#/paths\"",
            "1e999",
            "-0.0",
            "\"type\"",
            "\\ud800",
            "&a ",
            "*a",
            "<<: ",
            "\n",
            "\t",
            "2026-02-30",
            "!!set ",
            "? ",
            "\u{feff}",
            "\"\u{7f}\"",
            "99999999999999999999",
            "'",
            "# ",
        ];
        let at = self.below(bytes.len());
        let end = (at + self.below(40)).min(bytes.len());
        match self.below(5) {
            0 => bytes[at] = u8::try_from(self.below(256)).unwrap(),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
            3 => drop(bytes.splice(at..end, PIECES[self.below(PIECES.len())].bytes())),
            _ => {
                let piece: Vec<u8> = bytes.drain(at..end).collect();
                let to = self.below(bytes.len() + 1);
                drop(bytes.splice(to..to, piece));
            }
        }
    }
}

#[test]
fn files_changed_at_random_are_answered() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut read, mut usable) = (0, 0);
    for path in samples() {
        let original = fs::read(&path).unwrap();
        for _ in 0..40 {
            let mut bytes = original.clone();
            for _ in 0..=numbers.below(3) {
                numbers.change(&mut bytes);
                if bytes.is_empty() {
                    bytes.push(b'0');
                }
            }
            let source = Source::new(&bytes);
            let reading = source.read(&ReadOptions::default());
            check_lines(&reading, &source);
            read += usize::from(reading.format.is_some());
            usable += usize::from(reading.error.is_none());
            let Ok(document) = source.document() else { continue };
            // written anew, in JSON and without a space, it is the same contract and the same tools
            if reading.contract_hash().is_some() && document.syntax == rehearsal::value::Syntax::Json {
                let again = auto(&compact(&document.root, true));
                assert_eq!(again.contract, reading.contract, "{}", path.display());
                assert_eq!(summary(&again), summary(&reading), "{}", path.display());
            }
        }
    }
    assert!(read > 200 && usable > 150, "the changes leave enough to read: {read}, {usable}");
}
