//! What the paths of `rehearsal PATH...` are: a tool file, a run, a card, two files or runs, a folder.

use super::args::OpenArgs;
use super::output::Output;
use super::{Failure, folder, hash, set};
use crate::card::card_page;
use crate::run::{Compared, RunEntry, RunState, Source, is_source, list_runs, run_folder};
use crate::settings::{example, seeds};
use crate::text;
use crate::toolfile::compare::compare_tools;
use crate::tui::{Aim, Held, Start};
use crate::work::Origin;
use clap::CommandFactory;
use std::path::{Path, PathBuf};

/// What was named.
#[derive(Debug)]
pub(super) enum Named {
    /// Nothing: the example that comes with the program.
    Nothing,
    /// A tool file.
    File(PathBuf),
    /// Two tool files.
    Files([PathBuf; 2]),
    /// A run or a card.
    Card(PathBuf),
    /// Two of them.
    Compare([PathBuf; 2]),
    /// More of them, or folders of them.
    Runs(Vec<PathBuf>),
    /// A folder with tool files or runs in it.
    Folder(PathBuf),
}

/// What one path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Source,
    Folder,
}

fn kind(path: &Path) -> Result<Kind, Failure> {
    if set::is_stdin(path) {
        return Ok(Kind::File);
    }
    if is_source(path) {
        return Ok(Kind::Source);
    }
    if !path.is_dir() {
        return Ok(Kind::File);
    }
    if folder::held(path).is_empty() {
        return Err(Failure::Refused(format!("no tool files or runs in {}", path.display())));
    }
    Ok(Kind::Folder)
}

/// Refuses a word that names no file and is close to a subcommand.
fn not_a_command(path: &Path) -> Result<(), Failure> {
    let command = super::Arguments::command();
    let commands: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    match path.to_str().filter(|_| !path.exists()).and_then(|word| text::nearest(word, commands)) {
        Some(near) => {
            let path = path.display();
            Err(Failure::Usage(format!("no such file or subcommand: {path}; did you mean rehearsal {near}?")))
        }
        None => Ok(()),
    }
}

/// Looks at the paths.
pub(super) fn look(args: &OpenArgs) -> Result<Named, Failure> {
    args.files.first().map_or(Ok(()), |first| not_a_command(first))?;
    // Of several, a missing one would be taken for a tool file and reported only on the screen.
    let several = args.files.len() > 1;
    if let Some(path) = args.files.iter().find(|p| several && !set::is_stdin(p) && !p.exists()) {
        return Err(Failure::Refused(set::missing(path)));
    }
    let kinds = args.files.iter().map(|path| kind(path)).collect::<Result<Vec<_>, _>>()?;
    let named = match (args.files.as_slice(), kinds.as_slice()) {
        ([], _) => Named::Nothing,
        ([file], [Kind::File]) => Named::File(file.clone()),
        ([run], [Kind::Source]) => Named::Card(run.clone()),
        ([folder], [Kind::Folder]) => Named::Folder(folder.clone()),
        ([a, b], [Kind::Source, Kind::Source]) => Named::Compare([a.clone(), b.clone()]),
        ([a, b], [Kind::File, Kind::File]) => {
            if set::is_stdin(a) && set::is_stdin(b) {
                return Err(Failure::Usage("only one of the two files can be standard input".to_owned()));
            }
            Named::Files([a.clone(), b.clone()])
        }
        (paths, kinds) if !kinds.contains(&Kind::File) => Named::Runs(paths.to_vec()),
        (paths, kinds) if kinds.contains(&Kind::Source) || kinds.contains(&Kind::Folder) => {
            let of = |wanted: bool| {
                let at = kinds.iter().position(|k| (*k == Kind::File) == wanted).unwrap_or(0);
                paths[at].display().to_string()
            };
            return Err(Failure::Usage(format!(
                "cannot compare {}, a tool file, with {}, a run or card",
                of(true),
                of(false)
            )));
        }
        _ => return Err(Failure::Usage("cannot compare more than two tool files".to_owned())),
    };
    let runs =
        matches!(named, Named::Card(_) | Named::Compare(_) | Named::Runs(_) | Named::Files(_) | Named::Folder(_));
    if runs && (args.arm.is_some() || args.seed.is_some()) {
        return Err(Failure::Usage("--arm and --seed are for one tool file".to_owned()));
    }
    Ok(named)
}

/// Where the screens start on runs or cards: on the tool file of the first, read as it was, when it is there.
pub(super) fn start(aim: Aim, runs: Vec<PathBuf>) -> Start {
    let first = match &aim {
        Aim::Card(path) | Aim::Compare([path, _]) => Some(path),
        _ => None,
    };
    let plan = first.and_then(|path| {
        let folder = run_folder(path)?;
        let plan = folder.read_plan().ok()?;
        let file = plan.own.file.clone();
        let origin = if crate::value::canonical::file_hash(example::BYTES) == plan.own.file_digest {
            Origin::Example { name: example::NAME, bytes: example::BYTES }
        } else if file.is_file() {
            // A path that begins in the run folder and goes up would be shown in every heading.
            let turns_back = file.components().any(|part| part == std::path::Component::ParentDir);
            Origin::File(file.canonicalize().ok().filter(|_| turns_back).unwrap_or(file))
        } else {
            return None;
        };
        Some((origin, plan))
    });
    match plan {
        Some((origin, plan)) => Start {
            origin,
            read: plan.own.options,
            plan: plan.own.settings,
            seeds: plan.seeds,
            arm: None,
            seed: None,
            resume: None,
            tour: false,
            config: None,
            aim,
            runs,
        },
        None => Start {
            origin: Origin::Nothing,
            read: crate::toolfile::ReadOptions::default(),
            plan: crate::plan::PlanSettings::default(),
            seeds: seeds::default_seeds(),
            arm: None,
            seed: None,
            resume: None,
            tour: false,
            config: None,
            aim,
            runs,
        },
    }
}

/// What a screen would show first, as text.
pub(super) fn print(named: &Named, args: &OpenArgs, out: &mut Output) -> Result<(), Failure> {
    let open = |path: &Path| Source::open(path).map_err(Failure::Refused);
    match named {
        Named::Card(path) => {
            let source = open(path)?;
            for line in card_page(&source.artifact, &source.about()).lines() {
                out.line(line)?;
            }
            Ok(())
        }
        Named::Compare([a, b]) => {
            let page = Compared::of(open(a)?, open(b)?).page(EPISODES).map_err(Failure::Refused)?;
            for line in page.lines() {
                out.line(line)?;
            }
            Ok(())
        }
        Named::Files([a, b]) => {
            let (left, right) = (set::load(a, &args.set)?, set::load(b, &args.set)?);
            hash::print_two(&left, &right, out)?;
            out.line(format!("tools: {}", compare_tools(&left.reading, &right.reading).sentence()))
        }
        Named::Runs(paths) => {
            for entry in paths.iter().flat_map(|path| list_runs(path)) {
                out.line(line(&entry))?;
            }
            Ok(())
        }
        Named::Folder(path) => {
            for held in folder::held(path) {
                if let Held::File(file) = held {
                    out.line(format!("{}  tool file", file.display()))?;
                }
            }
            list_runs(path).iter().try_for_each(|entry| out.line(line(entry)))
        }
        Named::Nothing | Named::File(_) => Ok(()),
    }
}

/// The two episodes are printed call by call for at most this many changed attempts.
const EPISODES: usize = 10;

fn line(entry: &RunEntry) -> String {
    let of = |n: &u64, all: &u64| format!("{} of {}", text::group(*n), text::group(*all));
    let state = match &entry.state {
        RunState::Held => "* whole, held by a person: in no card".to_owned(),
        RunState::Finished => format!("+ whole, {} episodes", text::group(entry.size.iter().product::<u64>())),
        RunState::Unfinished(n, all) => format!("~ unfinished, {} episodes", of(n, all)),
        RunState::Torn(n, all) => format!("? torn, {} episodes", of(n, all)),
        RunState::CardOnly => "= a card".to_owned(),
        RunState::Broken(why) => format!("! {why}"),
    };
    format!("{}  {state}  {}", entry.path.display(), entry.player)
}
