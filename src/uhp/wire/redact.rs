//! Striking credentials out of text that leaves its owner's scope.

/// What stands in a credential's place.
pub const STRUCK: &str = "[redacted]";

/// Beginnings of well-known kinds of secret keys; what follows must be long enough to be one.
const PREFIXES: [&str; 9] = ["sk-", "sk_live_", "ghp_", "gho_", "github_pat_", "xoxb-", "xoxp-", "AKIA", "glpat-"];

/// Fewest characters after such a beginning for a word to count.
const FEWEST: usize = 12;

/// The text with every one of `keys`, every `Bearer` word's credential and every word shaped like a well-known secret
/// key struck out.
pub fn clean(text: &str, keys: &[String]) -> String {
    let mut out = text.to_owned();
    for key in keys.iter().filter(|k| !k.is_empty()) {
        out = out.replace(key.as_str(), STRUCK);
    }
    let mut clean = String::with_capacity(out.len());
    let mut after_bearer = false;
    let mut rest = out.as_str();
    while !rest.is_empty() {
        let cut = rest.find(in_word).unwrap_or(rest.len());
        let (gap, tail) = rest.split_at(cut);
        clean.push_str(gap);
        if !gap.is_empty() && !gap.chars().all(|c| c == ' ') {
            after_bearer = false;
        }
        let end = tail.find(|c| !in_word(c)).unwrap_or(tail.len());
        let (word, next) = tail.split_at(end);
        let shaped = PREFIXES.iter().any(|p| word.strip_prefix(p).is_some_and(|r| r.len() >= FEWEST));
        let borne = after_bearer && word.len() >= FEWEST;
        clean.push_str(if shaped || borne { STRUCK } else { word });
        after_bearer = word.eq_ignore_ascii_case("bearer");
        rest = next;
    }
    clean
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '+' | '=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_key_shapes_are_struck_out() {
        let keys = ["topsecret1".to_owned(), String::new()];
        assert_eq!(clean("use topsecret1 now", &keys), "use [redacted] now");
        assert_eq!(clean("Authorization: Bearer abcdefghijklmnop", &[]), "Authorization: Bearer [redacted]");
        assert_eq!(clean("bearer of news", &[]), "bearer of news");
        assert_eq!(clean("k=\"sk-abcdefghijklmnop\";", &[]), "k=\"[redacted]\";");
        assert_eq!(clean("sk-short, AKIA", &[]), "sk-short, AKIA");
        assert_eq!(clean("The secret token is uhp-12345678.", &[]), "The secret token is uhp-12345678.");
        assert_eq!(clean("ünïcode → ok", &[]), "ünïcode → ok");
    }
}
