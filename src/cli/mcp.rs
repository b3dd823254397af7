//! `rehearsal mcp`: an MCP server on standard input and output.

use super::live::{open_in, opening};
use super::set;
use super::{Failure, SetFlags};
use crate::live;
use crate::text;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

/// Serves a planned task to the MCP client that starts it: alone, where one process is one episode, or for a live episode.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal mcp examples/hotel/hotel.mcp.json --arm landed:l1 --seed 20\n  \
        rehearsal mcp --join\n  \
        rehearsal mcp --join q7h2kd9wz3mxn4pa")]
pub struct McpArgs {
    /// The tool file.
    #[arg(value_name = "FILE", required_unless_present = "join", conflicts_with = "join")]
    file: Option<PathBuf>,
    /// How it is read.
    #[command(flatten)]
    flags: SetFlags,
    /// Join the open live episode of this name; without a name, the only one.
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    join: Option<String>,
    /// After how long this client gives up on a call, as in 300s; a held call is let go shortly before.
    #[arg(long, value_name = "TIME", requires = "join", value_parser = crate::live::parse_time)]
    deadline: Option<Duration>,
    /// The arm of the task, as in landed:l1 (default: the first offered).
    #[arg(long, value_name = "ARM", conflicts_with = "join")]
    arm: Option<String>,
    /// The seed (default: the first of the set's seeds).
    #[arg(long, value_name = "N", conflicts_with = "join")]
    seed: Option<u64>,
    /// Announce no output schemas.
    #[arg(long, conflicts_with = "join")]
    no_output_schema: bool,
    /// The run folder (default: the next free runs/<set>-live).
    #[arg(long, value_name = "DIR", conflicts_with = "join")]
    out: Option<PathBuf>,
}

/// Runs the command. Nothing but frames goes to standard output.
pub fn run(args: &McpArgs) -> Result<(), Failure> {
    let mut output = std::io::stdout();
    if let Some(name) = &args.join {
        return join(name, args.deadline, &mut output);
    }
    let (file, flags) = (args.file.clone().unwrap_or_default(), args.flags.clone());
    if set::is_stdin(&file) {
        return Err(Failure::Usage("standard input is the client's: give the path of the tool file".to_owned()));
    }
    let (arm, seed, silent, out) = (args.arm.clone(), args.seed, args.no_output_schema, args.out.clone());
    let open = move || {
        let open = || -> Result<live::LiveEpisode, Failure> {
            let set = set::load(&file, &flags)?;
            let planner = set.planner()?;
            let arm = match &arm {
                Some(word) => super::plan::arm(&planner, word)?,
                None => {
                    let first = set.arms(&planner)?.into_iter().next();
                    first.ok_or_else(|| Failure::Refused("the set offers no arm".to_owned()))?
                }
            };
            let seed = seed.or_else(|| set.seeds.first().copied()).unwrap_or_default();
            let task = Arc::new(super::plan::task(&planner, arm, seed)?);
            open_in(&opening(&set, task, silent, true)?, out.as_deref(), false, |_| ())
        };
        open().map_err(|failure| match failure {
            Failure::Refused(why) | Failure::Usage(why) => say(why),
            _ => say("the episode cannot be opened".to_owned()),
        })
    };
    let episode = live::alone(std::io::stdin(), &mut output, stops()?, open).map_err(|_| Failure::Code(1))?;
    let folder = episode.folder().display().to_string();
    let label = episode.end().map_err(Failure::Refused)?;
    say(format!("{label}: {folder}"));
    Ok(())
}

/// Says a line on stderr, where a client keeps a server's log, and gives it back.
fn say(line: String) -> String {
    // A log that cannot be written is no reason to stop.
    let _ = writeln!(std::io::stderr(), "rehearsal: {}", text::safe(&line));
    line
}

#[cfg(unix)]
fn join(name: &str, deadline: Option<Duration>, output: &mut dyn Write) -> Result<(), Failure> {
    let name = Some(name).filter(|name| !name.is_empty());
    live::join(name, deadline, std::io::stdin(), output).map_err(Failure::Output)
}

#[cfg(not(unix))]
fn join(_: &str, _: Option<Duration>, _: &mut dyn Write) -> Result<(), Failure> {
    Err(Failure::Refused("--join needs sockets of this user, which only Unix has: use the MCP URL".to_owned()))
}

/// Told when the process is asked to end.
#[cfg(unix)]
fn stops() -> Result<Receiver<()>, Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let (stop, stopped) = sync_channel(1);
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            // The server may have ended by itself.
            let _ = stop.send(());
        }
    });
    Ok(stopped)
}

#[cfg(not(unix))]
fn stops() -> Result<Receiver<()>, Failure> {
    Ok(sync_channel(1).1)
}
