//! Arguments to dispatch to exit code, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    rehearsal::cli::main(std::env::args_os().collect())
}
