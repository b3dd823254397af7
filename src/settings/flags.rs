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
        _ => Err(format!("{text} is no intent: write TOOL=TEXT, such as refund_order=\"Pay a customer back\"")),
    }
}

/// Reads `FROM.FIELD:TO.PARAM`. Tool names hold neither dots nor colons, so the first dot ends FROM; FIELD ends at the
/// last colon after which a tool name and a dot follow. The error is one line.
pub fn parse_flow(text: &str) -> Result<Flow, String> {
    let name =
        |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    let split = |(from, rest): (&str, &str)| {
        let ends = rest.rmatch_indices(':').map(|(i, _)| (&rest[..i], &rest[i + 1..]));
        ends.into_iter().find_map(|(field, target)| {
            let (to, param) = target.split_once('.')?;
            (!field.is_empty() && name(to) && !param.is_empty()).then(|| Flow {
                from: from.to_owned(),
                field: field.to_owned(),
                to: to.to_owned(),
                param: param.to_owned(),
            })
        })
    };
    text.split_once('.').filter(|(from, _)| name(from)).and_then(split).ok_or_else(|| {
        format!(
            "{text} is no flow: write FROM.FIELD:TO.PARAM, such as listSlots.slots[].slot_id:bookAppointment.slot_id"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(from: &str, field: &str, to: &str, param: &str) -> Flow {
        Flow { from: from.into(), field: field.into(), to: to.into(), param: param.into() }
    }

    #[test]
    fn flows_split_where_names_end() {
        assert_eq!(parse_flow("a.id:b.x").unwrap(), flow("a", "id", "b", "x"));
        assert_eq!(parse_flow("list.rows[].it.id:b-2.x.y").unwrap(), flow("list", "rows[].it.id", "b-2", "x.y"));
        assert_eq!(parse_flow("a.x:y:b.p").unwrap(), flow("a", "x:y", "b", "p"));
        assert_eq!(parse_flow("a.id:b.x:y").unwrap(), flow("a", "id", "b", "x:y"));
        for bad in ["", "a", "a.b", "a.b:c", "a.b:c.", "a.:b.c", ".b:c.d", "a b.c:d.e", "a:b.c"] {
            assert!(parse_flow(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn intents_split_at_the_first_sign() {
        assert_eq!(parse_intent("t=a=b").unwrap(), ("t".to_owned(), "a=b".to_owned()));
        for bad in ["t", "=x", "t=", "t= "] {
            assert!(parse_intent(bad).is_err(), "{bad}");
        }
    }
}
