//! Errors: their codes, types and statuses, whether a retry is allowed, and the envelope they travel in.

use super::{Fields, Json};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Whose fault an error is; every code has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request is wrong.
    InvalidRequest,
    /// No credential, or not a known one.
    Authentication,
    /// A known credential that may not do this.
    Permission,
    /// Too much, too fast.
    RateLimit,
    /// The work failed; only inside a failed response.
    Harness,
    /// The server failed.
    Server,
}

impl Kind {
    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Kind::InvalidRequest => "invalid_request_error",
            Kind::Authentication => "authentication_error",
            Kind::Permission => "permission_error",
            Kind::RateLimit => "rate_limit_error",
            Kind::Harness => "harness_error",
            Kind::Server => "server_error",
        }
    }
}

/// When a client may send the request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// Never: it would fail the same way.
    No,
    /// After the time the server names, or after a growing wait.
    Backoff,
    /// When the task that keeps the session busy has ended.
    WhenIdle,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $kind:ident, $status:literal, $retry:ident;)*) => {
        /// Error codes. Those that begin with `rehearsal_` are this server's own.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// All of them.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];
            /// The word on the wire.
            pub fn word(self) -> &'static str { match self { $(Code::$name => $word,)* } }
            /// Its type.
            pub fn kind(self) -> Kind { match self { $(Code::$name => Kind::$kind,)* } }
            /// Its HTTP status (200 for codes that only stand inside a response).
            pub fn status(self) -> u16 { match self { $(Code::$name => $status,)* } }
            /// When a client may try again.
            pub fn retry(self) -> Retry { match self { $(Code::$name => Retry::$retry,)* } }
        }
    };
}

codes! {
    /// The version asked for is not spoken.
    UnsupportedProtocolVersion = "unsupported_protocol_version", InvalidRequest, 400, No;
    /// A body that cannot be read, or a field of the wrong type.
    InvalidInput = "invalid_input", InvalidRequest, 400, No;
    /// No such harness in the caller's scope.
    HarnessNotFound = "harness_not_found", InvalidRequest, 404, No;
    /// No such response in the caller's scope.
    ResponseNotFound = "response_not_found", InvalidRequest, 404, No;
    /// No such session in the caller's scope.
    SessionNotFound = "session_not_found", InvalidRequest, 404, No;
    /// No such plugin on the harness.
    PluginNotFound = "plugin_not_found", InvalidRequest, 404, No;
    /// No such file in the caller's scope.
    FileNotFound = "file_not_found", InvalidRequest, 404, No;
    /// The session was known and is no longer kept.
    SessionExpired = "session_expired", InvalidRequest, 404, No;
    /// The harness named is not the session's.
    HarnessMismatch = "harness_mismatch", InvalidRequest, 409, No;
    /// The session runs another task.
    SessionBusy = "session_busy", InvalidRequest, 409, WhenIdle;
    /// Two components of one name.
    PluginConflict = "plugin_conflict", InvalidRequest, 409, No;
    /// An upload or a body beyond the limit.
    FileTooLarge = "file_too_large", InvalidRequest, 413, No;
    /// The model cannot be served for this harness.
    ModelUnavailable = "model_unavailable", InvalidRequest, 422, No;
    /// The base is not one of this server's.
    UnsupportedBase = "unsupported_base", InvalidRequest, 422, No;
    /// A plugin package that cannot be taken.
    PluginInvalid = "plugin_invalid", InvalidRequest, 422, No;
    /// A plugin manifest of a version not installed here.
    UnsupportedPluginSchema = "unsupported_plugin_schema", InvalidRequest, 422, No;
    /// A tool server transport the base cannot run.
    UnsupportedTransport = "unsupported_transport", InvalidRequest, 422, No;
    /// No credential.
    MissingCredential = "missing_credential", Authentication, 401, No;
    /// A credential nobody has.
    InvalidCredential = "invalid_credential", Authentication, 401, No;
    /// A credential that may not do this.
    InsufficientScope = "insufficient_scope", Permission, 403, No;
    /// Too many requests, streams or tasks at once.
    RateLimited = "rate_limited", RateLimit, 429, Backoff;
    /// An allowance that waiting does not renew.
    QuotaExhausted = "quota_exhausted", RateLimit, 429, No;
    /// The work failed.
    HarnessError = "harness_error", Harness, 200, No;
    /// No capacity for another task now.
    HarnessUnavailable = "harness_unavailable", Server, 503, Backoff;
    /// What the harness relies on failed.
    ProviderError = "provider_error", Harness, 200, No;
    /// The work took too long.
    Timeout = "timeout", Harness, 200, No;
    /// The client stopped the work.
    Cancelled = "cancelled", Harness, 200, No;
    /// Previews are not made here.
    PreviewUnavailable = "preview_unavailable", Server, 501, No;
    /// A preview could not be made.
    PreviewFailed = "preview_failed", Server, 502, Backoff;
    /// No such path.
    NoSuchRoute = "rehearsal_no_such_route", InvalidRequest, 404, No;
    /// The path is there and does not take this method.
    MethodNotAllowed = "rehearsal_method_not_allowed", InvalidRequest, 405, No;
    /// A fault of the server.
    Internal = "rehearsal_internal", Server, 500, Backoff;
}

impl Code {
    /// The code of that word.
    pub fn parse(word: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|c| c.word() == word)
    }
}

/// One error, ready for its envelope or for a failed response.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// What went wrong.
    pub code: Code,
    /// One sentence, safe to show: no path, host, key or trace.
    pub message: String,
    /// Dotted path to the field at fault.
    pub param: Option<String>,
    /// What a program can act on.
    pub detail: Option<Fields>,
}

impl Problem {
    /// An error with its sentence.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), param: None, detail: None }
    }

    /// A request whose field `param` is wrong.
    pub fn invalid(param: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Code::InvalidInput, message).param(param)
    }

    /// Names the field at fault.
    #[must_use]
    pub fn param(mut self, param: impl Into<String>) -> Self {
        self.param = Some(param.into());
        self
    }

    /// Adds to the detail.
    #[must_use]
    pub fn detail(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.detail.get_or_insert_default().insert(key.to_owned(), value.into());
        self
    }

    /// The error object, `param` and `detail` always there.
    pub fn body(&self) -> ErrorBody {
        ErrorBody {
            kind: self.code.kind().word().to_owned(),
            code: self.code.word().to_owned(),
            message: self.message.clone(),
            param: self.param.clone(),
            detail: self.detail.clone(),
        }
    }

    /// The envelope of an error answer.
    pub fn envelope(&self) -> Json {
        json!({ "error": self.body() })
    }
}

/// The error object on the wire, as it stands in an envelope and in a failed response.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorBody {
    /// Its type.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Its code.
    #[serde(default)]
    pub code: String,
    /// One sentence.
    #[serde(default)]
    pub message: String,
    /// Dotted path to the field at fault.
    #[serde(default)]
    pub param: Option<String>,
    /// What a program can act on.
    #[serde(default)]
    pub detail: Option<Fields>,
}

impl ErrorBody {
    /// Reads an error answer of any server: the envelope, the bare error object, or the older top-level `detail`.
    pub fn read(body: &Json) -> Option<ErrorBody> {
        let text = |v: &Json, key: &str| v.get(key).and_then(Json::as_str).map(str::to_owned);
        let error = body.get("error").unwrap_or(body);
        let message = text(error, "message").or_else(|| text(body, "detail"));
        let code = text(error, "code");
        if message.is_none() && code.is_none() {
            return None;
        }
        Some(ErrorBody {
            kind: text(error, "type").unwrap_or_default(),
            code: code.unwrap_or_default(),
            message: message.unwrap_or_default(),
            param: text(error, "param"),
            detail: error.get("detail").and_then(Json::as_object).cloned(),
        })
    }

    /// When the request may be sent again: by its code, or for an unknown code by its type and the status.
    pub fn retry(&self, status: u16) -> Retry {
        if let Some(code) = Code::parse(&self.code) {
            return code.retry();
        }
        match (self.kind.as_str(), status) {
            ("rate_limit_error", _) | (_, 429 | 500..=599) => Retry::Backoff,
            _ => Retry::No,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_parse_back() {
        for code in Code::ALL {
            assert_eq!(Code::parse(code.word()), Some(*code));
        }
        let words: std::collections::BTreeSet<_> = Code::ALL.iter().map(|c| c.word()).collect();
        assert_eq!(words.len(), Code::ALL.len());
        assert_eq!(Code::parse("no_such_code"), None);
    }

    #[test]
    fn the_envelope_always_has_param_and_detail() {
        let body = Problem::new(Code::HarnessNotFound, "No such harness.").envelope();
        assert_eq!(body["error"]["type"], "invalid_request_error");
        assert_eq!(body["error"]["param"], Json::Null);
        assert_eq!(body["error"]["detail"], Json::Null);
        let full = Problem::invalid("metadata.seed", "x").detail("max", 3).envelope();
        assert_eq!(full["error"]["param"], "metadata.seed");
        assert_eq!(full["error"]["detail"], json!({"max": 3}));
    }

    #[test]
    fn other_servers_errors_are_read_leniently() {
        let read = |v: Json| ErrorBody::read(&v);
        assert_eq!(read(json!({"detail": "old way"})).unwrap().message, "old way");
        let unknown =
            read(json!({"error": {"type": "rate_limit_error", "code": "acme_slow", "message": "x"}})).unwrap();
        assert_eq!(unknown.retry(429), Retry::Backoff);
        assert_eq!(read(json!({"error": {"code": "quota_exhausted"}})).unwrap().retry(429), Retry::No);
        assert_eq!(read(json!({"error": {"code": "acme_x"}})).unwrap().retry(404), Retry::No);
        assert_eq!(read(json!({"error": {"code": "acme_x"}})).unwrap().retry(502), Retry::Backoff);
        assert!(read(json!([])).is_none());
    }
}
