//! What can go wrong between a client and a server, each told apart because each is acted on differently.

use crate::uhp::wire::error::ErrorBody;

/// Why a request was not answered as asked.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// The server could not be reached; nothing was sent.
    Connect(String),
    /// The connection broke after something was sent: what became of it is not known.
    Broken(String),
    /// The server refused.
    Refused {
        /// The HTTP status.
        status: u16,
        /// What it said.
        error: Box<ErrorBody>,
        /// Seconds it asked to wait.
        retry_after: Option<u64>,
    },
    /// The answer is not what the protocol says.
    Protocol(String),
    /// Nothing came for too long.
    Silent(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Connect(why) => write!(f, "cannot reach the server: {why}"),
            Error::Broken(why) => write!(f, "the connection broke: {why}"),
            Error::Protocol(why) => write!(f, "the server's answer cannot be understood: {why}"),
            Error::Silent(why) => write!(f, "the server says nothing: {why}"),
            Error::Refused { status, error, .. } => {
                let code = if error.code.is_empty() { "no code" } else { &error.code };
                write!(f, "refused ({status} {code}): {}", error.message)?;
                if let Some(param) = &error.param {
                    write!(f, " [{param}]")?;
                }
                if let Some(supported) = error.detail.as_ref().and_then(|d| d.get("supported")) {
                    write!(f, " Supported: {supported}.")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// The refusal's code, when it is one.
    pub fn code(&self) -> Option<&str> {
        match self {
            Error::Refused { error, .. } => Some(&error.code),
            _ => None,
        }
    }
}

/// A transport error in words, without the address (it may hold what a person pasted).
pub(super) fn of_transport(error: reqwest::Error) -> Error {
    let error = error.without_url();
    let mut why = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        why = inner.to_string();
        source = inner.source();
    }
    if error.is_timeout() {
        Error::Silent(why)
    } else if error.is_connect() || error.is_builder() {
        Error::Connect(why)
    } else {
        Error::Broken(why)
    }
}
