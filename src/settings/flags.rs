//! What the command line says, and the two flags that have a form of their own.
use crate::plan::Flow;

/// The flags that win over `tasks.toml`; `None` or empty where a flag was not given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flags {
    /// `--format`
    pub format: Option<String>,
    /// `--name`
    pub name: Option<String>,
    /// `--only`
    pub only: Vec<String>,
    /// `--read`
    pub read: Vec<String>,
    /// `--write`
    pub write: Vec<String>,
    /// `--intent`
    pub intents: Vec<(String, String)>,
    /// `--flow`
    pub flows: Vec<Flow>,
    /// `--seed` or `--seeds`
    pub seeds: Option<Vec<u64>>,
}

/// Reads `TOOL=TEXT`. The error is one line.
pub fn parse_intent(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((tool, intent)) if !tool.trim().is_empty() && !intent.trim().is_empty() => {
            Ok((tool.trim().to_owned(), intent.trim().to_owned()))
        }
        _ => Err(format!("{text} is not an intent: write TOOL=TEXT, such as refund_order=\"Pay a customer back\"")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intents_split_at_the_first_sign() {
        assert_eq!(parse_intent("t=a=b").unwrap(), ("t".to_owned(), "a=b".to_owned()));
        for bad in ["t", "=x", "t=", "t= "] {
            assert!(parse_intent(bad).is_err(), "{bad}");
        }
    }
}
