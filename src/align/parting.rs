//! How the two answers to one call part, in one sentence that needs no names of the sides.

use super::calls::Played;
use super::values::changes;
use crate::text;
use crate::value::{Str, Value, canonical};

/// Most that is shown of one value.
const SHORT: usize = 40;

/// How a call was answered before and how it is answered now; `None` when both answers are the same.
pub fn parting(before: &Played, now: &Played) -> Option<String> {
    let (a, b, more) = facts(before, now)?;
    let tool = text::safe(&before.call.tool);
    Some(format!("{tool} {} before and {} now{more}", a.past(), b.present(a.names(&b))))
}

/// The same of two sides called A and B.
pub fn apart(a: &Played, b: &Played) -> Option<String> {
    let tool = text::safe(&a.call.tool);
    let (a, b, more) = facts(a, b)?;
    Some(format!("{tool} {} in A and {} in B{more}", a.present(false), b.present(a.names(&b))))
}

/// What one of two answers says that the other does not.
enum Fact {
    /// Not an error.
    Through,
    /// It is this error.
    Code(Str),
    /// It says this value under this name.
    Says(String, String),
    /// It says nothing under this name.
    Silent(String),
    /// It says other words.
    Words,
}

impl Fact {
    fn past(&self) -> String {
        match self {
            Fact::Through => "went through".to_owned(),
            Fact::Code(code) => format!("was answered {code}"),
            Fact::Says(name, value) => format!("said {name} {value}"),
            Fact::Silent(name) => format!("did not say {name}"),
            Fact::Words => "said other words".to_owned(),
        }
    }

    /// `named`: the name was said just before.
    fn present(&self, named: bool) -> String {
        match self {
            Fact::Through => "goes through".to_owned(),
            Fact::Code(code) => format!("is answered {code}"),
            Fact::Says(_, value) if named => format!("says {value}"),
            Fact::Says(name, value) => format!("says {name} {value}"),
            Fact::Silent(_) if named => "does not say it".to_owned(),
            Fact::Silent(name) => format!("does not say {name}"),
            Fact::Words => "says others".to_owned(),
        }
    }

    fn names(&self, other: &Fact) -> bool {
        let name = |fact: &Fact| match fact {
            Fact::Says(name, _) | Fact::Silent(name) => Some(name.clone()),
            _ => None,
        };
        name(self).is_some() && name(self) == name(other)
    }
}

fn facts(a: &Played, b: &Played) -> Option<(Fact, Fact, String)> {
    let of = |code: &Option<Str>| code.clone().map_or(Fact::Through, Fact::Code);
    match (&a.code, &b.code) {
        (Some(a), Some(b)) if a == b => return None,
        (None, None) if a.answer == b.answer => return None,
        (None, None) => {}
        (a, b) => return Some((of(a), of(b), String::new())),
    }
    let values = Value::parse_json(&a.answer).ok().zip(Value::parse_json(&b.answer).ok());
    let found = values.map(|(a, b)| changes(&a, &b)).unwrap_or_default();
    let Some(first) = found.first() else { return Some((Fact::Words, Fact::Words, String::new())) };
    let name = text::safe(first.at.strip_prefix('/').unwrap_or("the whole")).into_owned();
    let fact = |value: &Option<Value>| match value {
        Some(value) => Fact::Says(name.clone(), short(value)),
        None => Fact::Silent(name.clone()),
    };
    let more = match found.len() {
        1 => String::new(),
        n => format!(", and {} more", text::count(n - 1, "change")),
    };
    Some((fact(&first.a), fact(&first.b), more))
}

fn short(value: &Value) -> String {
    text::cut(&text::safe(&canonical::compact(value, false)), SHORT).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::calls::tests::played;
    use super::*;

    fn says(a: &str, b: &str) -> Option<String> {
        parting(&played(a)[0], &played(b)[0])
    }

    #[test]
    fn one_sentence_a_case() {
        for (a, b, sentence) in [
            ("r:1", "r:1!timeout", "r went through before and is answered timeout now"),
            ("r:1!timeout", "r:1", "r was answered timeout before and goes through now"),
            ("r:1!timeout", "r:1!not_found", "r was answered timeout before and is answered not_found now"),
            (r#"r:1={"v":"2"}"#, r#"r:1={"v":"4"}"#, r#"r said v "2" before and says "4" now"#),
            (r#"r:1={"v":2,"w":1}"#, r#"r:1={"v":3}"#, "r said v 2 before and says 3 now, and 1 change more"),
            (r#"r:1={"v":2}"#, "r:1={}", "r said v 2 before and does not say it now"),
            ("r:1={}", r#"r:1={"v":2}"#, "r did not say v before and says 2 now"),
            ("r:1=a", "r:1=b", "r said other words before and says others now"),
        ] {
            assert_eq!(says(a, b).as_deref(), Some(sentence), "{a} | {b}");
        }
        let sides = |a: &str, b: &str| apart(&played(a)[0], &played(b)[0]);
        let both = r#"r says v "2" in A and says "4" in B"#;
        assert_eq!(sides(r#"r:1={"v":"2"}"#, r#"r:1={"v":"4"}"#).as_deref(), Some(both));
        assert_eq!(sides("r:1", "r:1!timeout").as_deref(), Some("r goes through in A and is answered timeout in B"));
        assert_eq!(says("r:1=a", "r:1=a"), None);
        assert_eq!(says("r:1=a!timeout", "r:1=b!timeout"), None);
    }
}
