//! One sentence for why two episodes of a task parted.

use super::calls::{Ended, Played, Row, RowKind, first_divergence};
use super::values::changes;
use crate::value::{Value, canonical, pointer};

/// A side as the sentence names it.
#[derive(Clone, Copy)]
struct Side<'a> {
    name: &'a str,
    calls: &'a [Played],
    ended: Ended,
}

impl Side<'_> {
    fn tool(&self, i: usize) -> &str {
        &self.calls[i].call.tool
    }

    /// Whether the call repeats the one right before it, or an earlier one.
    fn repeats(&self, i: usize) -> Option<usize> {
        (0..i).rev().find(|&k| self.calls[k].call == self.calls[i].call)
    }
}

/// Why b's episode went another way than a's, as far as the calls and answers tell. `None` when both went the same way.
pub fn cause(a: &[Played], b: &[Played], rows: &[Row], ended: (Ended, Ended)) -> Option<String> {
    let a = Side { name: "A", calls: a, ended: ended.0 };
    let b = Side { name: "B", calls: b, ended: ended.1 };
    let Some(at) = first_divergence(rows) else {
        return (a.ended != b.ended).then(|| match (a.ended, b.ended) {
            (Ended::Reply, _) => "Both made the same calls; A replied and B did not".to_owned(),
            (_, Ended::Reply) => "Both made the same calls; B replied and A did not".to_owned(),
            _ => "Both made the same calls and neither replied".to_owned(),
        });
    };
    let row = rows[at];
    if let (RowKind::Answer, Some(i), Some(j)) = (row.kind, row.a, row.b) {
        return Some(answered_otherwise(a, b, i, j));
    }
    // What each side did next, at or after the row where they diverge.
    let next = |pick: fn(&Row) -> Option<usize>| rows[at..].iter().find_map(pick);
    Some(match (next(|r| r.a), next(|r| r.b)) {
        (Some(i), Some(j)) => parted(a, b, i, j),
        (Some(i), None) => stopped(b, a, i),
        (None, Some(j)) => stopped(a, b, j),
        (None, None) => "The episodes diverge without a call".to_owned(),
    })
}

fn answered_otherwise(a: Side<'_>, b: Side<'_>, i: usize, j: usize) -> String {
    let tool = a.tool(i);
    match (&a.calls[i].code, &b.calls[j].code) {
        (Some(x), Some(y)) if x != y => format!("The same call of {tool} was answered {x} in A and {y} in B"),
        (Some(x), None) => format!("The same call of {tool} was answered {x} in A and went through in B"),
        (None, Some(y)) => format!("The same call of {tool} went through in A and was answered {y} in B"),
        _ => {
            let told = |side: Side<'_>, i: usize| Value::parse_json(&side.calls[i].answer).ok();
            let place = told(a, i).zip(told(b, j)).and_then(|(x, y)| changes(&x, &y).into_iter().next());
            match place {
                Some(place) => {
                    format!("The same call of {tool} got different answers, first at {}", pointer::name(&place.at))
                }
                None => format!("The same call of {tool} got different answers"),
            }
        }
    }
}

/// One side made no further call.
fn stopped(short: Side<'_>, long: Side<'_>, next: usize) -> String {
    let after = match short.calls.last() {
        Some(last) => match &last.code {
            Some(code) => format!("after {} was answered {code}", last.call.tool),
            None => format!("after {}", last.call.tool),
        },
        None => "before any call".to_owned(),
    };
    let stop = match short.ended {
        Ended::Reply => "replied",
        Ended::Limit => "was stopped by the turn limit",
        Ended::Open => "stopped",
    };
    format!("{} {stop} {after}, {} {}", short.name, long.name, did(long, next))
}

/// Both made another call.
fn parted(a: Side<'_>, b: Side<'_>, i: usize, j: usize) -> String {
    // The telling case first: a write repeated after a timeout that the other side read back.
    for (x, xi, y, yi) in [(a, i, b, j), (b, j, a, i)] {
        if let Some(first) = x.repeats(xi)
            && x.calls[xi].read == Some(false)
            && y.calls[yi].read == Some(true)
        {
            let tool = x.tool(xi);
            let code = x.calls[first].code.as_deref();
            return match code {
                Some("timeout") => {
                    format!("{} repeated the write {tool} after a timeout that {} read back first", x.name, y.name)
                }
                Some(code) => {
                    format!("{} repeated {tool} after it got {code}, where {} {}", x.name, y.name, did(y, yi))
                }
                None => format!(
                    "{} repeated the write {tool} although it had gone through, where {} {}",
                    x.name,
                    y.name,
                    did(y, yi)
                ),
            };
        }
    }
    if a.tool(i) == b.tool(j) && a.repeats(i).is_none() && b.repeats(j).is_none() {
        return other_arguments(a, b, i, j);
    }
    format!("{} {}, where {} {}", b.name, did(b, j), a.name, did(a, i))
}

fn other_arguments(a: Side<'_>, b: Side<'_>, i: usize, j: usize) -> String {
    let tool = a.tool(i);
    let (x, y) = (&a.calls[i].call.arguments, &b.calls[j].call.arguments);
    let Some(change) = changes(x, y).into_iter().next() else {
        return format!("Both called {tool} with differently written arguments");
    };
    let place = change.at.trim_start_matches('/');
    match (change.a, change.b) {
        (Some(x), Some(y)) => {
            let source = |side: Side<'_>, i: usize, value: &Value| {
                let told = (0..i).find(|&k| {
                    side.calls[k].code.is_none()
                        && Value::parse_json(&side.calls[k].answer).is_ok_and(|answer| holds(&answer, value))
                });
                told.map_or_else(String::new, |k| format!(", as call {} of {} had answered", k + 1, side.tool(k)))
            };
            format!(
                "B called {tool} with {place} {}{}, where A sent {}{}",
                canonical::spaced(&y),
                source(b, j, &y),
                canonical::spaced(&x),
                source(a, i, &x)
            )
        }
        (Some(x), None) => format!("A called {tool} with {place} {}, which B left out", canonical::spaced(&x)),
        (None, Some(y)) => format!("B called {tool} with {place} {}, which A left out", canonical::spaced(&y)),
        (None, None) => format!("Both called {tool} with differently written arguments"),
    }
}

/// Whether a value stands at the top of an answer under some name.
fn holds(answer: &Value, value: &Value) -> bool {
    answer.as_object().is_some_and(|m| m.values().any(|v| crate::schema::same(v, value)))
}

/// What a side did with a call, in the past tense.
fn did(side: Side<'_>, i: usize) -> String {
    let played = &side.calls[i];
    let tool = &played.call.tool;
    let again = side.repeats(i).map(|k| side.calls[k].code.clone());
    match (again, played.read) {
        (Some(Some(code)), _) => format!("repeated {tool} after it got {code}"),
        (Some(None), Some(true)) => format!("read {tool} again"),
        (Some(None), _) => format!("repeated {tool} although it had gone through"),
        (None, Some(true)) => format!("read {tool}"),
        (None, _) => format!("went on to {tool}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::calls::{align, tests::played};
    use super::*;

    fn why(a: &str, b: &str) -> Option<String> {
        let (a, b) = (played(a), played(b));
        cause(&a, &b, &align(&a, &b), (Ended::Reply, Ended::Reply))
    }

    #[test]
    fn one_sentence_a_case() {
        for (a, b, sentence) in [
            ("w:1!timeout r:1", "w:1!timeout w:1", "B repeated the write w after a timeout that A read back first"),
            ("w:1!timeout w:1", "w:1!timeout r:1", "A repeated the write w after a timeout that B read back first"),
            ("r:1 r:1 w:2", "r:1 w:2", "B went on to w, where A read r again"),
            ("w:1 r:1 r:1", "w:1 r:1 w:1", "B repeated the write w although it had gone through, where A read r again"),
            ("r:1 w:2", "r:1", "B replied after r, A went on to w"),
            (
                "w:1!unavailable",
                "w:1!unavailable w:1",
                "A replied after w was answered unavailable, B repeated w after it got unavailable",
            ),
            ("", "w:1", "A replied before any call, B went on to w"),
            ("r:1 w:2", "r:1 w:3", r#"B called w with v "3", where A sent "2""#),
            (
                r#"r:1={"v":"2"} w:2"#,
                r#"r:1={"v":"2"} w:3"#,
                r#"B called w with v "3", where A sent "2", as call 1 of r had answered"#,
            ),
            (r#"r:1={"v":"2"}"#, r#"r:1={"v":"4"}"#, "The same call of r got different answers, first at /v"),
            ("r:1!timeout", "r:1", "The same call of r was answered timeout in A and went through in B"),
        ] {
            assert_eq!(why(a, b).as_deref(), Some(sentence), "{a} | {b}");
        }
        assert_eq!(why("r:1 w:2", "r:1 w:2"), None);
    }

    #[test]
    fn equal_calls_may_end_otherwise() {
        let a = played("w:1");
        let rows = align(&a, &a);
        let why = cause(&a, &a, &rows, (Ended::Reply, Ended::Limit));
        assert_eq!(why.as_deref(), Some("Both made the same calls; A replied and B did not"));
    }
}
