//! Which version of the protocol serves a request.

use super::error::{Code, Problem};
use serde_json::json;

/// Header that asks for a version and says which one was used.
pub const HEADER: &str = "uhp-version";

/// The version spoken unless a request asks for another.
pub const DEFAULT: &str = "2026-09-12";

/// Every version spoken, newest first.
pub const SUPPORTED: [&str; 2] = [DEFAULT, "2026-08-11"];

/// The version for a request: the one its header asks for, or the default. An unknown one is refused with the list of
/// those spoken in `detail.supported`.
pub fn negotiate(asked: Option<&str>) -> Result<&'static str, Problem> {
    let Some(asked) = asked.map(str::trim) else { return Ok(DEFAULT) };
    SUPPORTED.into_iter().find(|v| *v == asked).ok_or_else(|| {
        Problem::new(Code::UnsupportedProtocolVersion, "This server does not speak the protocol version asked for.")
            .param("UHP-Version")
            .detail("supported", json!(SUPPORTED))
    })
}

/// The version to fall back to when a server refused ours: the newest of its list that this program speaks too.
pub fn downgrade(offered: &[String]) -> Option<&'static str> {
    SUPPORTED.into_iter().find(|v| offered.iter().any(|o| o == v))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absent_header_is_the_default_and_a_known_one_is_honoured() {
        assert_eq!(negotiate(None), Ok(DEFAULT));
        assert_eq!(negotiate(Some(" 2026-08-11 ")), Ok("2026-08-11"));
        assert_eq!(negotiate(Some("2026-09-12")), Ok("2026-09-12"));
    }

    #[test]
    fn an_unknown_one_is_refused_with_the_list() {
        let problem = negotiate(Some("1999-01-01")).unwrap_err();
        assert_eq!(problem.code, Code::UnsupportedProtocolVersion);
        assert_eq!(problem.detail.unwrap()["supported"], json!(["2026-09-12", "2026-08-11"]));
        assert!(negotiate(Some("")).is_err());
    }

    #[test]
    fn downgrading_takes_the_newest_shared_one() {
        let offered = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(downgrade(&offered(&["2026-08-11", "2025-01-01"])), Some("2026-08-11"));
        assert_eq!(downgrade(&offered(&["2025-01-01"])), None);
    }
}
