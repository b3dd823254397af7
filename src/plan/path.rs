//! Paths into an answer (rules 4.6): names joined by dots, `[]` after a name for the first entry of a list.
use crate::value::Value;

/// The value at a path.
pub(super) fn find<'a>(answer: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(answer, |here, part| match part.strip_suffix("[]") {
        Some(name) => here.get(name)?.at(0),
        None => here.get(part),
    })
}

/// A path read aloud inside out: `slots[].slot_id` is "slot_id of the first entry of slots".
pub(super) fn aloud(path: &str) -> String {
    let mut words = String::new();
    for part in path.rsplit('.') {
        if !words.is_empty() {
            words.push_str(" of ");
        }
        match part.strip_suffix("[]") {
            Some(name) => {
                let the = if words.is_empty() { "" } else { "the " };
                words.push_str(&format!("{the}first entry of {name}"));
            }
            None => words.push_str(part),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{aloud, find};
    use crate::value::{Map, Value};

    #[test]
    fn paths_are_read_inside_out() {
        assert_eq!(aloud("id"), "id");
        assert_eq!(aloud("label.code"), "code of label");
        assert_eq!(aloud("slots[].slot_id"), "slot_id of the first entry of slots");
        assert_eq!(aloud("tags[]"), "first entry of tags");
        assert_eq!(aloud("a.b[].c"), "c of the first entry of b of a");
    }

    #[test]
    fn values_are_found_by_path() {
        let entry = Value::object(Map::from([("c", Value::Int(3))]));
        let answer = Value::object(Map::from([("a", Value::object(Map::from([("b", Value::array(vec![entry]))])))]));
        assert_eq!(find(&answer, "a.b[].c"), Some(&Value::Int(3)));
        assert_eq!(find(&answer, "a.c"), None);
        assert_eq!(find(&answer, "a[]"), None);
    }
}
