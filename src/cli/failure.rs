//! How a command ends when it is not done, and the exit code for it.

use crate::text;
use std::io::Write;

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub enum Failure {
    /// Exit 1: one line that says what is wrong and what to do next.
    Refused(String),
    /// Exit 1, and everything there was to say is on stdout already.
    Said,
    /// Exit 2: the command line is wrong.
    Usage(String),
    /// Exit 4: a check that was asked for failed.
    Check(String),
    /// This exit code, and nothing more to say.
    Code(u8),
    /// Exit 130: Ctrl-C.
    Interrupted,
    /// Exit 130: Ctrl-C, while something else goes on. One line that says what.
    Left(String),
    /// What clap says, with clap's exit code (help and version are 0).
    Clap(Box<clap::Error>),
    /// Writing to stdout failed; a closed pipe is fine.
    Output(std::io::Error),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::Output(error)
    }
}

/// Writes the message, if there is one, to stderr and gives the exit code.
pub fn report(result: Result<(), Failure>) -> u8 {
    let (code, message) = match result {
        Ok(()) => return 0,
        Err(Failure::Said) => return 1,
        Err(Failure::Code(code)) => return code,
        Err(Failure::Interrupted) => (130, "interrupted".to_owned()),
        Err(Failure::Left(message)) => (130, message),
        Err(Failure::Output(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => return 0,
        Err(Failure::Output(error)) => (1, format!("cannot write to stdout: {error}")),
        Err(Failure::Refused(message)) => (1, message),
        Err(Failure::Usage(message)) => (2, message),
        Err(Failure::Check(message)) => (4, message),
        Err(Failure::Clap(error)) => {
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            // A closed pipe under `--help` is no error either.
            let _ = error.print();
            return code;
        }
    };
    let _ = writeln!(std::io::stderr(), "rehearsal: {}", text::safe(&message));
    code
}

/// Says once which patterns were given up: their answers are not what the file says (rules 3.4).
pub fn say_given_up() {
    let given_up = crate::schema::given_up_patterns();
    let Some(first) = given_up.first() else { return };
    let more = if given_up.len() > 1 { format!(" (and {} more)", given_up.len() - 1) } else { String::new() };
    let pattern = text::safe(first);
    let shown = text::cut(&pattern, 60);
    let _ = writeln!(
        std::io::stderr(),
        "! the pattern {shown}{more} takes too long on some text: it was given up there and counts as fitting"
    );
}
