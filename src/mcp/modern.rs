//! What a request of version 2026-07-28 must carry: version, capabilities and client in `_meta`, and over HTTP headers that
//! say the same as the body.

use super::Version;
use super::dialog::Client;
use super::error::Problem;
use crate::value::Value;
use base64::Engine as _;

/// Key of the version in `_meta`.
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// Key of the server in the `_meta` of results.
pub(super) const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// The headers of an HTTP request, names in any case.
#[derive(Debug, Clone, Default)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// Headers of names and values.
    pub fn new(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    /// The first header of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Every header of a name.
    pub(super) fn all(&self, name: &str) -> Vec<String> {
        self.0.iter().filter(|(given, _)| given.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone()).collect()
    }
}

/// The version header.
pub(super) const VERSION_HEADER: &str = "mcp-protocol-version";

/// Whether a request is of the modern era: by its method, by its `_meta`, or by a header that names no version of the
/// other era.
pub(super) fn is_modern(method: &str, params: &Value, headers: Option<&Headers>) -> bool {
    let header = headers.and_then(|h| h.get(VERSION_HEADER));
    let legacy = header.and_then(Version::parse).is_some_and(|v| !v.is_modern());
    method == "server/discover" || meta(params, VERSION).is_some() || (header.is_some() && !legacy)
}

fn meta<'a>(params: &'a Value, key: &str) -> Option<&'a Value> {
    params.get("_meta")?.get(key)
}

/// The client a request names.
pub(super) fn client(params: &Value) -> Option<Client> {
    meta(params, CLIENT).and_then(Client::of)
}

/// Checks a request in the order the protocol gives: what is missing, what differs from the headers, the version.
pub(super) fn check(method: &str, params: &Value, headers: Option<&Headers>) -> Result<(), Problem> {
    let missing: Vec<&str> = [VERSION, CAPABILITIES].into_iter().filter(|key| meta(params, key).is_none()).collect();
    if !missing.is_empty() {
        return Err(Problem::params(format!("params._meta lacks {}", missing.join(" and "))));
    }
    let version = meta(params, VERSION).and_then(Value::as_str);
    if let Some(headers) = headers {
        for name in [VERSION_HEADER, "mcp-method", "mcp-name"] {
            if headers.all(name).len() > 1 {
                return Err(Problem::header(format!("{name} header appears more than once")));
            }
        }
        if headers.get(VERSION_HEADER).is_none() || headers.get(VERSION_HEADER) != version {
            return Err(Problem::header(format!("{VERSION_HEADER} header is not the version in params._meta")));
        }
        if headers.get("mcp-method") != Some(method) {
            return Err(Problem::header("mcp-method header is not the method of the request"));
        }
        let named = match method {
            "tools/call" | "prompts/get" => params.get("name"),
            "resources/read" => params.get("uri"),
            _ => None,
        };
        if let Some(named) = named {
            let sent = headers.get("mcp-name").and_then(decoded);
            if sent.is_none() || sent.as_deref() != named.as_str() {
                return Err(Problem::header("mcp-name header is not the name in params"));
            }
        }
    }
    match version {
        None => Err(Problem::params(format!("{VERSION} in params._meta must be text"))),
        Some(version) if Version::parse(version).is_some_and(Version::is_modern) => Ok(()),
        Some(version) => Err(Problem::version(version)),
    }
}

/// A header's value, out of base64 where it says so; nothing when that is broken.
pub(super) fn decoded(value: &str) -> Option<String> {
    let Some(payload) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.to_owned());
    };
    let engine = base64::engine::general_purpose::STANDARD;
    let bytes = engine.decode(payload).ok().filter(|bytes| engine.encode(bytes) == payload)?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_values_come_out_of_base64() {
        assert_eq!(decoded("plain").as_deref(), Some("plain"));
        assert_eq!(decoded("=?base64?w6k=?=").as_deref(), Some("\u{e9}"));
        assert_eq!(decoded("=?base64?w6l=?="), None, "bits that are not used must be 0");
        assert_eq!(decoded("=?base64?***?="), None);
    }
}
