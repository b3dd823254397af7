//! The command line: arguments to calls of the floors below, results to text or JSON on stdout, messages to stderr.
//!
//! Owns flags, printing and exit codes. Owns no rule: everything it prints is worked out below, and the screens show
//! the same. One file a subcommand.
//!
//! ```
//! use clap::Parser;
//! use rehearsal::cli::{Arguments, Command};
//! let arguments = Arguments::try_parse_from(["rehearsal", "hash", "tools.json"]).unwrap();
//! assert!(matches!(arguments.command, Some(Command::Hash(_))));
//! ```

mod args;
mod attach;
mod beside;
mod card;
mod compare;
mod completions;
mod connect;
mod doctor;
mod failure;
mod folder;
mod hash;
#[cfg(unix)]
mod held;
mod keys;
mod live;
mod mcp;
mod named;
mod open;
mod output;
mod plan;
mod plan_file;
mod response;
mod run;
mod serve;
mod set;
mod step;
mod summary;
mod ticker;
mod tools;
mod uhp;

pub use args::{Arguments, Command, ServerArgs, SetArgs, SetFlags};
pub use failure::Failure;
pub use output::Output;

use crate::text;
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with its arguments and gives its exit code: 0 done, 1 refused, 2 usage, 4 a check that was asked for
/// failed, 130 interrupted.
pub fn main(arguments: Vec<OsString>) -> ExitCode {
    // Values nest up to 400 levels and are walked by recursion: the stack is made for it, whatever the shell's limit is.
    let work = std::thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(move || work(arguments));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has been printed.
        Ok(Err(_)) => ExitCode::from(101),
        Err(error) => ExitCode::from(failure::report(Err(Failure::Refused(format!("cannot start: {error}"))))),
    }
}

/// Stack of the thread that does the work, in bytes of address space.
const STACK: usize = 64 << 20;

fn work(arguments: Vec<OsString>) -> ExitCode {
    let mut out = Output::standard();
    let result = match Arguments::try_parse_from(&arguments) {
        Ok(arguments) => dispatch(arguments, &mut out),
        Err(error) => Err(Failure::Clap(Box::new(said_safely(error, &arguments)))),
    };
    let result = result.and_then(|()| out.finish());
    failure::say_given_up();
    ExitCode::from(failure::report(result))
}

/// The error about the same arguments made safe: it repeats what was typed, and a file's name that a shell put there may
/// hold anything.
fn said_safely(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let safe = arguments.iter().map(|argument| text::safe(&argument.to_string_lossy()).into_owned());
    Arguments::try_parse_from(safe).err().unwrap_or(error)
}

fn dispatch(arguments: Arguments, out: &mut Output) -> Result<(), Failure> {
    match arguments.command {
        Some(Command::Hash(args)) => hash::run(&args, out),
        Some(Command::Tools(args)) => tools::run(&args, out),
        Some(Command::Plan(args)) => plan::run(&args, out),
        Some(Command::Step(args)) => step::run(&args, out),
        Some(Command::Run(args)) => run::run(&args, out),
        Some(Command::Card(args)) => card::run(&args, out),
        Some(Command::Compare(args)) => compare::run(&args, out),
        Some(Command::Serve(args)) => serve::run(&args, out),
        Some(Command::Live(args)) => live::run(&args, out),
        Some(Command::Mcp(args)) => mcp::run(&args),
        #[cfg(unix)]
        Some(Command::Held(args)) => held::run(&args, out),
        Some(Command::Connect(args)) => connect::run(&args, out),
        Some(Command::Attach(args)) => attach::run(&args, out),
        Some(Command::Uhp(args)) => uhp::run(&args, out),
        Some(Command::Doctor(args)) => doctor::run(&args, out),
        Some(Command::Keys(args)) => keys::run(&args, out),
        Some(Command::Completions(args)) => completions::completions(&args, out),
        Some(Command::Man(args)) => completions::man(&args, out),
        None => open::run(&arguments.open, out),
    }
}
