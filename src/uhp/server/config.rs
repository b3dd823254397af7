//! What a server is started with, and every bound it keeps.

use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use subtle::ConstantTimeEq;

/// Every bound the server keeps. All of them are in the help of the command that starts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Largest upload, inline file and artifact, in bytes.
    pub file_bytes: usize,
    /// Largest JSON body, in bytes.
    pub body_bytes: usize,
    /// Longest wait for the headers of a request, the next one on a connection included.
    pub header_wait: Duration,
    /// Longest wait for a reader that takes nothing of its answer.
    pub write_wait: Duration,
    /// Longest wait for a whole body.
    pub body_wait: Duration,
    /// Tasks that run at once; beyond, 503.
    pub tasks: usize,
    /// Streams open at once; beyond, 429.
    pub streams: usize,
    /// Connections open at once; beyond, new ones wait.
    pub connections: usize,
    /// Longest log of a task, in events; a task that reaches it ends incomplete.
    pub log_events: usize,
    /// Longest log of a task, in bytes.
    pub log_bytes: usize,
    /// Longest run of a task, whatever it asks for.
    pub task_time: Duration,
    /// Artifacts of a session.
    pub session_files: usize,
    /// Harnesses of a principal.
    pub harnesses: usize,
    /// Sessions kept; the longest unused go first.
    pub sessions: usize,
    /// Bytes kept of sessions, their tasks and files; the longest unused go first.
    pub kept_bytes: usize,
    /// Bytes kept of uploads of a principal; the oldest go first.
    pub upload_bytes: usize,
    /// Idempotency keys kept.
    pub keys: usize,
    /// How long an idempotency key is kept.
    pub key_age: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Self {
            file_bytes: 16 * MIB,
            body_bytes: 32 * MIB,
            header_wait: Duration::from_secs(30),
            write_wait: Duration::from_secs(60),
            body_wait: Duration::from_secs(120),
            tasks: 256,
            streams: 2_048,
            connections: 4_096,
            log_events: 20_000,
            log_bytes: 16 * MIB,
            task_time: Duration::from_secs(3_600),
            session_files: 1_000,
            harnesses: 1_000,
            sessions: 10_000,
            kept_bytes: 512 * MIB,
            upload_bytes: 256 * MIB,
            keys: 100_000,
            key_age: Duration::from_secs(24 * 3_600),
        }
    }
}

/// Someone with a key. Every object belongs to one principal and does not exist for the others.
#[derive(Clone)]
pub struct Principal {
    /// Its name, which is what stored objects remember.
    pub name: Arc<str>,
    /// Its key.
    pub key: String,
}

impl std::fmt::Debug for Principal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Principal").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who may use it.
    pub principals: Vec<Principal>,
    /// Time between two events of a task.
    pub pace: Duration,
    /// Quiet time after which a stream says that it is alive; at most 30 s by the protocol.
    pub keep_alive: Duration,
    /// Whether an unknown model is replaced by the harness's default, and said so, instead of refused.
    pub substitute: bool,
    /// Address that download addresses begin with; without one, the address that the request came to.
    pub public_url: Option<String>,
    /// Folder that keeps everything across restarts; without one, memory.
    pub state: Option<PathBuf>,
    /// The bounds.
    pub limits: Limits,
}

impl Config {
    /// A server for these principals with everything else as it is by default.
    pub fn new(principals: Vec<Principal>) -> Self {
        Self {
            principals,
            pace: Duration::from_millis(120),
            keep_alive: Duration::from_secs(15),
            substitute: false,
            public_url: None,
            state: None,
            limits: Limits::default(),
        }
    }

    /// The principal with this key. Digests are compared, all of them and each in constant time, so that neither the
    /// length nor the first differing byte of a wrong key shows in the time taken.
    pub fn principal(&self, key: &str) -> Option<Arc<str>> {
        let asked = Sha256::digest(key.as_bytes());
        let mut found = None;
        for principal in &self.principals {
            let known = Sha256::digest(principal.key.as_bytes());
            if bool::from(asked.as_slice().ct_eq(known.as_slice())) {
                found = Some(principal.name.clone());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_finds_its_principal_and_is_never_shown() {
        let principal = |name: &str, key: &str| Principal { name: name.into(), key: key.into() };
        let config = Config::new(vec![principal("a", "key-a"), principal("b", "key-b")]);
        assert_eq!(config.principal("key-b").as_deref(), Some("b"));
        assert_eq!(config.principal("key-"), None);
        assert_eq!(config.principal(""), None);
        assert!(!format!("{config:?}").contains("key-a"));
    }
}
