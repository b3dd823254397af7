//! The built program, run with arguments: the test profile's, or the one `REHEARSAL_BIN` names (the release binary).

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the program gave.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code.
    pub code: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

impl Ran {
    /// Its standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("no JSON ({e}): {self:?}"))
    }
}

/// The program under test.
pub fn program() -> PathBuf {
    std::env::var_os("REHEARSAL_BIN").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_rehearsal")), PathBuf::from)
}

/// The project's folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program in the project's folder, standard input closed.
pub fn run<S: Into<OsString> + Clone>(args: &[S]) -> Ran {
    run_with(args, b"")
}

/// Runs the program with bytes on its standard input.
pub fn run_with<S: Into<OsString> + Clone>(args: &[S], input: &[u8]) -> Ran {
    let mut child = Command::new(program())
        .args(args.iter().cloned().map(Into::into))
        .current_dir(root())
        .env_remove("XDG_CONFIG_HOME")
        .env("HOME", std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A program that does not read its input closes the pipe; that is no error here.
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}
