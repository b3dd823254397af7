//! What a call was answered, and the error codes.
use crate::value::{Str, Value};

/// Error codes of answers (rules 7.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// 404
    NotFound,
    /// 422
    InvalidArguments,
    /// 409
    NotReady,
    /// 503
    Unavailable,
    /// 504
    Timeout,
    /// 429
    RateLimited,
}

impl Code {
    /// All of them.
    pub const ALL: [Code; 6] =
        [Code::NotFound, Code::InvalidArguments, Code::NotReady, Code::Unavailable, Code::Timeout, Code::RateLimited];

    /// The word: `not_found`, ...
    pub fn word(self) -> &'static str {
        match self {
            Code::NotFound => "not_found",
            Code::InvalidArguments => "invalid_arguments",
            Code::NotReady => "not_ready",
            Code::Unavailable => "unavailable",
            Code::Timeout => "timeout",
            Code::RateLimited => "rate_limited",
        }
    }
    /// The status in the OpenAPI idiom.
    pub fn status(self) -> u16 {
        match self {
            Code::NotFound => 404,
            Code::InvalidArguments => 422,
            Code::NotReady => 409,
            Code::Unavailable => 503,
            Code::Timeout => 504,
            Code::RateLimited => 429,
        }
    }
}

/// What a call was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The text the agent sees.
    pub text: Str,
    /// The answer's value (errors: the value the text holds, or the message as text in MCP).
    pub value: Value,
    /// MCP structured content.
    pub structured: Option<Value>,
    /// MCP's isError (true only for MCP errors).
    pub is_error: bool,
    /// The error code, when it is an error.
    pub code: Option<Code>,
}
