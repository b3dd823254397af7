//! `rehearsal [FILE]`: a screen, or without a terminal a summary.

use super::args::OpenArgs;
use super::output::Output;
use super::{Failure, set, summary};

/// Opens what the arguments name.
pub fn run(args: &OpenArgs, out: &mut Output) -> Result<(), Failure> {
    let set = match args.files.as_slice() {
        [] => set::example(&args.set)?,
        [file] => set::load(file, &args.set)?,
        _ => return Err(Failure::Usage("one file at a time".to_owned())),
    };
    summary::print(&set, args.arm.as_deref(), args.seed, out)
}
