//! Patterns against the vectors, against worked examples, and against Python 3.11 itself where it is installed.

use super::{Match, Pattern, python_integer};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A small generator of numbers, so that a run can be repeated.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    fn of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

const LETTERS: &[&str] = &[
    "a", "b", "c", "A", "B", "0", "1", "_", " ", "-", "\n", "é", "É", "ß", "ẞ", "ſ", "s", "S", "K", "k", "K", "σ", "ς",
    "Σ", "İ", "ı", "i", "I", "٣", "²", "\u{300}", "‿", "µ", "μ", "𐐀", "𐐨", "\u{85}", "\u{1c}", "😀", "ǅ", "Ⅷ", "ⅷ",
    "\u{345}", "ι",
];
const ESCAPES: &[&str] = &[
    "\\d",
    "\\D",
    "\\s",
    "\\S",
    "\\w",
    "\\W",
    "\\b",
    "\\B",
    "\\A",
    "\\Z",
    "\\n",
    "\\t",
    "\\.",
    "\\\\",
    "\\x41",
    "\\u00e9",
    "\\U0001F600",
    "\\N{DIGIT ONE}",
    "\\N{LATIN SMALL LETTER A}",
    "\\N{line feed}",
    "\\0",
    "\\01",
    "\\101",
    "\\400",
    "\\1",
    "\\2",
    "\\3",
    "\\9",
    "\\10",
    "\\z",
    "\\h",
    "\\p{L}",
    "\\ ",
    "\\-",
    "\\a",
    "\\e",
    "\\x4",
    "\\u12",
    "\\ud800",
    "\\[",
    "\\U00110000",
    "\\N{NO SUCH}",
    "\\N",
    "\\é",
];
const QUANTIFIERS: &[&str] = &[
    "*",
    "+",
    "?",
    "{2}",
    "{1,2}",
    "{,2}",
    "{1,}",
    "{0}",
    "{0,1}",
    "{3,1}",
    "{,}",
    "{}",
    "{a}",
    "{1",
    "{ 1}",
    "{2,3}",
    "{4294967295}",
    "{4294967294}",
];
const OPENERS: &[&str] = &[
    "(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?P<n>", "(?P<m>", "(?i:", "(?s:", "(?m:", "(?x:", "(?a:",
    "(?u:", "(?-i:", "(?i-s:", "(?a-i:", "(?(1)", "(?(n)", "(?(2)", "(?ai:", "(?au:", "(?L:", "(?t:", "(?-a:",
    "(?i-i:", "(?P<1>", "(?<n>", "(?|",
];
const FLAGS: &[&str] = &[
    "(?i)", "(?m)", "(?s)", "(?x)", "(?a)", "(?u)", "(?im)", "(?ia)", "(?ui)", "(?L)", "(?t)", "(?i-s)", "(?x)(?i)",
    "(?au)",
];

fn set(dice: &mut Dice, out: &mut String) {
    out.push('[');
    if dice.one_in(3) {
        out.push('^');
    }
    if dice.one_in(10) {
        out.push(']');
    }
    for _ in 0..dice.below(4) {
        match dice.below(6) {
            0 | 1 => out.push_str(dice.of(LETTERS)),
            2 => {
                let _ = write!(out, "{}-{}", dice.of(LETTERS), dice.of(LETTERS));
            }
            3 => out.push_str(dice.of(ESCAPES)),
            4 => {
                out.push_str(dice.of(&["a-z", "A-Z", "0-9", "-", "à-ÿ", "𐐀-𐐧", "a-\u{10ffff}", "&&", "[", "Α-ω", "^"]));
            }
            _ => {
                let _ = write!(out, "{}-{}", dice.of(ESCAPES), dice.of(ESCAPES));
            }
        }
    }
    out.push(']');
}

fn sequence(dice: &mut Dice, depth: usize, out: &mut String) {
    for _ in 0..=dice.below(3) {
        match dice.below(14) {
            0..=4 => out.push_str(dice.of(LETTERS)),
            5 | 6 => set(dice, out),
            7 => out.push_str(dice.of(ESCAPES)),
            8 => out.push_str(dice.of(&[".", "^", "$", "\\1", "\\b", "(?P=n)", "(?#c)", "\\2", "#", "]", "}"])),
            _ if depth > 0 => {
                out.push_str(dice.of(OPENERS));
                sequence(dice, depth - 1, out);
                while dice.one_in(3) {
                    out.push('|');
                    sequence(dice, depth - 1, out);
                }
                out.push(')');
            }
            _ => out.push_str(dice.of(&["a", "b", "ab", "\\w", "."])),
        }
        if dice.one_in(3) {
            out.push_str(dice.of(QUANTIFIERS));
            if dice.one_in(3) {
                out.push_str(dice.of(&["?", "+", "*", "?"]));
            }
        }
    }
}

fn pattern(dice: &mut Dice) -> String {
    let mut out = String::new();
    if dice.one_in(2) {
        knotted(dice, 3, &mut 0, &mut out);
        return out;
    }
    if dice.one_in(4) {
        out.push_str(dice.of(FLAGS));
    }
    sequence(dice, 3, &mut out);
    while dice.one_in(5) {
        out.push('|');
        sequence(dice, 2, &mut out);
    }
    if dice.one_in(4) {
        // a slip of the hand
        let mut letters: Vec<char> = out.chars().collect();
        let at = dice.below(letters.len() + 1);
        if dice.one_in(2) && at < letters.len() {
            letters.remove(at);
        } else {
            letters.insert(
                at,
                dice.of(&["(", ")", "[", "]", "{", "}", "*", "?", "\\", "|", "-", "^", "x"]).chars().next().unwrap(),
            );
        }
        out = letters.into_iter().collect();
    }
    out
}

/// A pattern of few letters that nearly always compiles: loops in loops, groups asked about, look-around, lazy and
/// possessive repeats.
fn knotted(dice: &mut Dice, depth: usize, groups: &mut usize, out: &mut String) {
    for _ in 0..=dice.below(3) {
        let repeatable = match dice.below(12) {
            0..=2 => {
                out.push_str(dice.of(&["a", "b", "ab", "[ab]", "[^a]", ".", "\\w", "a?", "b*", "(?:)", "()", "\n"]));
                // what already has a repeat may not have another
                !out.ends_with(['?', '*'])
            }
            3 => {
                out.push_str(dice.of(&["^", "$", "\\b", "\\B", "\\Z", "\\A"]));
                false
            }
            4 | 5 if *groups > 0 => {
                let _ = write!(out, "(?:\\{})", 1 + dice.below(*groups));
                true
            }
            6 if *groups > 0 && depth > 0 => {
                let _ = write!(out, "(?({})", 1 + dice.below(*groups));
                knotted(dice, depth - 1, groups, out);
                if dice.one_in(2) {
                    out.push('|');
                    knotted(dice, depth - 1, groups, out);
                }
                out.push(')');
                true
            }
            _ if depth > 0 => {
                let capturing = dice.one_in(2);
                out.push_str(if capturing { "(" } else { dice.of(&["(?:", "(?:", "(?=", "(?!", "(?>", "(?i:"]) });
                knotted(dice, depth - 1, groups, out);
                while dice.one_in(2) {
                    out.push('|');
                    if !dice.one_in(5) {
                        knotted(dice, depth - 1, groups, out);
                    }
                }
                out.push(')');
                *groups += usize::from(capturing);
                true
            }
            _ => {
                out.push_str(dice.of(&["a", "b"]));
                true
            }
        };
        if repeatable && dice.one_in(2) {
            out.push_str(dice.of(&["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "{1,3}", "{0}"]));
            out.push_str(dice.of(&["", "", "?", "+"]));
        }
    }
}

fn text(dice: &mut Dice) -> String {
    let simple = !dice.one_in(3);
    let length = dice.below(9);
    (0..length)
        .map(|_| if simple { dice.of(&["a", "b", "a", "b", "a", "b", "c", "\n"]) } else { dice.of(LETTERS) })
        .collect()
}

/// Compiles and searches with Python: for every line of JSON in, `-` or one digit a text, or `t` where it took too long.
const ORACLE: &str = r"
import json, re, signal, sys, warnings
warnings.simplefilter('ignore')
class Late(Exception): pass
def late(*_): raise Late
signal.signal(signal.SIGALRM, late)
if sys.version_info[:2] != (3, 11): sys.exit(3)
for line in sys.stdin:
    source, texts = json.loads(line)
    try:
        compiled = re.compile(source)
    except Exception:
        print('-')
        continue
    answer = ''
    for text in texts:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try: answer += '1' if compiled.search(text) else '0'
        except Late: answer += 't'
        except SystemError: answer += 't'  # a group that ends before it begins, which Python itself calls a bug
        signal.setitimer(signal.ITIMER_REAL, 0)
    print('+' + answer)
";

/// What Python says, a line a case; `None` when there is no Python 3.11.
fn oracle(cases: &[(String, Vec<String>)]) -> Option<Vec<String>> {
    let mut python = Command::new("python3")
        .args(["-c", ORACLE])
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = python.stdin.take()?;
    let lines: String = cases.iter().map(|case| format!("{}\n", json!(case))).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = python.wait_with_output().ok()?;
    let _ = writer.join();
    if output.status.code() == Some(3) {
        return None;
    }
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).ok()?.lines().map(str::to_owned).collect())
}

fn ours(source: &str, texts: &[String]) -> String {
    let Some(pattern) = Pattern::compile(source) else { return "-".to_owned() };
    let answer = texts.iter().map(|text| match pattern.find(text) {
        Match::Yes => '1',
        Match::No => '0',
        Match::GaveUp => 't',
    });
    std::iter::once('+').chain(answer).collect()
}

/// Whether two lines say the same wherever neither ran out of time.
fn agree(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.chars().zip(other.chars()).all(|(a, b)| a == b || a == 't' || b == 't')
}

#[test]
fn python_agrees_on_random_patterns() {
    let count = std::env::var("REHEARSAL_PATTERNS").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let seed = std::env::var("REHEARSAL_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(20_260_101);
    let mut dice = Dice(seed);
    let cases: Vec<(String, Vec<String>)> =
        (0..count).map(|_| (pattern(&mut dice), (0..12).map(|_| text(&mut dice)).collect())).collect();
    let Some(wanted) = oracle(&cases) else {
        println!("skipped: no Python 3.11 here");
        return;
    };
    assert_eq!(wanted.len(), cases.len());
    let mut different = Vec::new();
    for ((source, texts), wanted) in cases.iter().zip(&wanted) {
        let got = ours(source, texts);
        if !agree(&got, wanted) {
            different.push(format!("{} on {}\n  python {wanted}\n  ours   {got}", json!(source), json!(texts)));
        }
    }
    let compiled = wanted.iter().filter(|line| line.starts_with('+')).count();
    println!("{count} patterns, {compiled} of them compile, {} differ", different.len());
    assert!(
        different.is_empty(),
        "{} of {count} differ:\n{}",
        different.len(),
        different[..different.len().min(25)].join("\n")
    );
}

#[test]
fn names_of_characters_are_pythons() {
    let names = [
        "DIGIT ONE",
        "digit one",
        "Digit One",
        "DIGIT  ONE",
        "DIGITONE",
        " DIGIT ONE",
        "EM DASH",
        "EM-DASH",
        "LINE FEED",
        "lf",
        "BEL",
        "ALERT",
        "NULL",
        "BYTE ORDER MARK",
        "KEYCAP DIGIT ONE",
        "HANGUL SYLLABLE GA",
        "hangul syllable ga",
        "HANGUL SYLLABLE",
        "HANGUL SYLLABLE ",
        "HANGUL SYLLABLE QQ",
        "CJK UNIFIED IDEOGRAPH-4E00",
        "cjk unified ideograph-4e00",
        "CJK UNIFIED IDEOGRAPH-4e00",
        "CJK UNIFIED IDEOGRAPH-04E00",
        "CJK UNIFIED IDEOGRAPH-004E00",
        "CJK UNIFIED IDEOGRAPH-9FFF",
        "CJK UNIFIED IDEOGRAPH-A000",
        "CJK UNIFIED IDEOGRAPH-+4E0",
        "CJK UNIFIED IDEOGRAPH-",
        "WIRELESS",
        "SHAKING FACE",
        "GRINNING FACE",
        "VS1",
        "é",
        "(",
        "-",
        "LATIN SMALL LETTER GHA",
        "LATIN SMALL LETTER OI",
        "WEIERSTRASS ELLIPTIC FUNCTION",
        "SCRIPT CAPITAL P",
        "NO SUCH NAME",
        "TIBETAN LETTER -A",
        "TIBETAN LETTER A",
        "HANGUL JUNGSEONG O-E",
        "HANGUL JUNGSEONG OE",
        "CJK COMPATIBILITY IDEOGRAPH-F900",
        "NUSHU CHARACTER-1B170",
        "TANGUT IDEOGRAPH-17000",
        "CUNEIFORM SIGN A",
        "GREEK SMALL LETTER FINAL SIGMA",
        "A",
    ];
    let cases: Vec<(String, Vec<String>)> = names
        .iter()
        .map(|name| {
            (
                format!("\\N{{{name}}}"),
                ["1", "—", "\n", "\u{7}", "가", "一", "ƣ", "℘", "😀", "ᆀ"].map(str::to_owned).to_vec(),
            )
        })
        .collect();
    let Some(wanted) = oracle(&cases) else { return };
    for ((source, texts), wanted) in cases.iter().zip(&wanted) {
        assert_eq!(&ours(source, texts), wanted, "{source}");
    }
}

#[test]
fn the_vectors_agree() {
    let vectors: Vec<Json> = serde_json::from_str(include_str!("../../../tests/vectors/unit/patterns.json")).unwrap();
    // the texts are those that some pattern finds; what no pattern finds is not among them
    let mut texts: Vec<&str> =
        vectors.iter().filter_map(|v| v["matches"].as_array()).flatten().filter_map(Json::as_str).collect();
    texts.sort_unstable();
    texts.dedup();
    assert!(texts.len() > 20);
    for vector in &vectors {
        let source = vector["pattern"].as_str().unwrap();
        let compiled = Pattern::compile(source);
        assert_eq!(compiled.is_some(), vector["compiles"], "{source}");
        let Some(compiled) = compiled else { continue };
        for text in &texts {
            let wanted = vector["matches"].as_array().unwrap().iter().any(|found| found == text);
            assert_eq!(compiled.find(text) == Match::Yes, wanted, "{source} in {text:?}");
        }
    }
}

#[test]
fn integers_are_read_as_python_reads_them() {
    for (text, wanted) in [
        ("0", Some((false, 0))),
        (" 12\n", Some((false, 12))),
        ("-0_1", Some((true, 1))),
        ("+٣", Some((false, 3))),
        ("", None),
        ("1__0", None),
        ("_1", None),
        ("1_", None),
        ("- 1", None),
        ("0x1", None),
    ] {
        assert_eq!(python_integer(text), wanted, "{text:?}");
    }
}
