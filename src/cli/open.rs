//! `rehearsal [FILE]`: a screen, or without a terminal a summary.

use super::args::OpenArgs;
use super::named::{self, Named};
use super::output::Output;
use super::{Failure, SetFlags, folder, response, set, summary};
use crate::record::journal;
use crate::settings::{self, Environment, Resolved, UserSettings};
use crate::task::{Arm, Dial};
use crate::text;
use crate::tui::{self, Aim};
use crate::work::{OpenRequest, Origin};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Opens what the arguments name.
pub fn run(args: &OpenArgs, out: &mut Output) -> Result<(), Failure> {
    let terminal = has_terminal();
    if args.resume {
        let file = match args.files.as_slice() {
            [] => None,
            [file] => Some(file.as_path()),
            _ => return Err(Failure::Usage("--resume takes one file".to_owned())),
        };
        return resume(file, terminal, out);
    }
    if let [path] = args.files.as_slice()
        && let Some(transcript) = response::read(path)
    {
        return response::run(args, path, transcript, out);
    }
    if let [a, b] = args.files.as_slice()
        && !set::is_stdin(a)
        && !set::is_stdin(b)
        && let Some(pair) = response::pair(a, b)?
    {
        return response::open_pair(args, pair, out);
    }
    if args.tools.is_some() {
        return Err(Failure::Usage(
            "--tools needs a saved response; to open a tool file, name it without --tools".to_owned(),
        ));
    }
    if args.tour {
        return if terminal { tour() } else { tui::tour_text().into_iter().try_for_each(|line| out.line(line)) };
    }
    let named = named::look(args)?;
    if terminal {
        let (arm, seed) = (args.arm.as_deref(), args.seed);
        return match named {
            Named::Nothing => {
                let held = if arm.or(seed.map(|_| "")).is_some() { Vec::new() } else { folder::held(Path::new(".")) };
                let aim = if held.is_empty() { Aim::File } else { Aim::Choose(held) };
                screens_at(None, &args.set, (arm, seed), tui::Link::None, aim)
            }
            Named::Folder(path) => {
                screens_at(None, &args.set, (arm, seed), tui::Link::None, Aim::Choose(folder::held(&path)))
            }
            Named::File(file) => screens(Some(&file), &args.set, arm, seed, tui::Link::None),
            Named::Files([file, other]) => {
                let aim = Aim::Files(Box::new(request(&other, args)?));
                screens_at(Some(&file), &args.set, (arm, seed), tui::Link::None, aim)
            }
            Named::Card(path) => show_runs(Aim::Card(path.clone()), vec![path]),
            Named::Compare(paths) => show_runs(Aim::Compare(paths.clone()), paths.to_vec()),
            Named::Runs(paths) => show_runs(Aim::Runs, paths),
        };
    }
    let set = match &named {
        Named::Nothing => set::example(&args.set)?,
        Named::File(file) => set::load(file, &args.set)?,
        _ => return named::print(&named, args, out),
    };
    summary::print(&set, args.arm.as_deref(), args.seed, out)
}

/// Opens the example with the guided tour.
fn tour() -> Result<(), Failure> {
    let example = Origin::Example { name: settings::example::NAME, bytes: settings::example::BYTES };
    let flags = settings::Flags::default();
    let resolved = settings::example::resolved(&flags).map_err(|e| Failure::Refused(e.to_string()))?;
    let start = tui::Start { tour: true, ..start(example, &resolved, None, None) };
    show(start, &resolved.warnings, Environment::read(), tui::Link::None)
}

/// Whether there is a terminal to draw on.
pub(super) fn has_terminal() -> bool {
    std::io::stdout().is_terminal() && std::io::stderr().is_terminal()
}

/// Opens the screens. Only settings are read before: the file is opened by a job of theirs.
pub(super) fn screens(
    file: Option<&Path>,
    given: &SetFlags,
    arm: Option<&str>,
    seed: Option<u64>,
    link: tui::Link,
) -> Result<(), Failure> {
    screens_at(file, given, (arm, seed), link, Aim::File)
}

/// The same, with something else shown first.
fn screens_at(
    file: Option<&Path>,
    given: &SetFlags,
    (arm, seed): (Option<&str>, Option<u64>),
    link: tui::Link,
    aim: Aim,
) -> Result<(), Failure> {
    let arm = arm.map(parse_arm).transpose()?;
    let (origin, resolved) = match file {
        None => {
            let example = Origin::Example { name: settings::example::NAME, bytes: settings::example::BYTES };
            let flags = set::flags(given)?;
            (example, settings::example::resolved(&flags).map_err(|e| Failure::Refused(e.to_string()))?)
        }
        Some(path) => (origin(path)?, set::resolve(path, given)?),
    };
    let start = tui::Start { aim, ..start(origin, &resolved, arm, seed) };
    show(start, &resolved.warnings, Environment::read(), link)
}

/// The screens on runs or cards.
fn show_runs(aim: Aim, runs: Vec<PathBuf>) -> Result<(), Failure> {
    show(named::start(aim, runs), &[], Environment::read(), tui::Link::None)
}

/// Where a tool file comes from.
fn origin(path: &Path) -> Result<Origin, Failure> {
    if !set::is_stdin(path) {
        return Ok(Origin::File(path.to_owned()));
    }
    let bytes = set::read_bytes(path)?.into();
    Ok(Origin::Bytes { name: "standard input".to_owned(), bytes })
}

/// A second tool file, read with the settings beside it.
fn request(path: &Path, args: &OpenArgs) -> Result<OpenRequest, Failure> {
    let resolved = set::resolve(path, &args.set)?;
    Ok(OpenRequest { origin: origin(path)?, read: resolved.read_options(), plan: resolved.plan_settings() })
}

/// Shows the screens until the program quits.
fn show(start: tui::Start, warnings: &[String], environment: Environment, link: tui::Link) -> Result<(), Failure> {
    let mut user = UserSettings::read(&environment);
    user.warnings.splice(0..0, warnings.iter().cloned());
    match tui::open(tui::Options { start, user, environment, link }) {
        Ok(0) => Ok(()),
        Ok(code) => Err(Failure::Code(code)),
        Err(error) => Err(Failure::Refused(error.to_string())),
    }
}

/// Resumes the last session, of one file when it is given; without a terminal prints which one that is.
fn resume(file: Option<&Path>, terminal: bool, out: &mut Output) -> Result<(), Failure> {
    let environment = Environment::read();
    let refused = |line: &str| Failure::Refused(line.to_owned());
    let state = environment
        .state_folder()
        .ok_or_else(|| refused("cannot look for sessions: neither XDG_STATE_HOME nor HOME is set"))?;
    let folder = tui::runtime::Keeper::journals(&state.value);
    let left = journal::newest(&folder, file).ok_or_else(|| match file {
        Some(file) => Failure::Refused(format!("no session on {} to resume", file.display())),
        None if journal::any_taken(&folder) => refused("no session to resume; one is open in another rehearsal"),
        None => refused("no session to resume"),
    })?;
    let began = &left.began;
    if !terminal {
        out.line(format!("{}  {} seed {}", began.name, began.arm, began.seed))?;
        out.line(format!("  left at call {} of {}", left.call, text::count_of(left.calls, "call", "calls")))?;
        out.line(format!("  file hash {}", began.file_hash))?;
        out.line(format!("  journal   {}", left.path.display()))?;
        return Ok(());
    }
    // The session brings its own file and settings.
    let start = tui::Start {
        origin: match &began.from {
            journal::From::File(path) => Origin::File(path.clone()),
            _ => Origin::Example { name: settings::example::NAME, bytes: settings::example::BYTES },
        },
        read: began.read.clone(),
        plan: began.plan.clone(),
        seeds: settings::seeds::default_seeds(),
        arm: None,
        seed: None,
        config: None,
        resume: Some(left.path),
        aim: Aim::File,
        runs: Vec::new(),
        tour: false,
    };
    show(start, &[], environment, tui::Link::None)
}

/// An arm by its spelling alone: the screen says whether the file offers it.
fn parse_arm(word: &str) -> Result<Arm, Failure> {
    Arm::parse(word).ok_or_else(|| {
        let dials = Dial::ALL.map(Dial::word);
        let dial = word.split(':').next().unwrap_or_default();
        let near = text::nearest(dial, dials).map(|near| format!("did you mean {near}?"));
        let hint = near.unwrap_or_else(|| {
            format!("an arm is a dial and a level, as in faults:f2; the dials are {}", dials.join(", "))
        });
        Failure::Usage(format!("no arm {word}: {hint}"))
    })
}

fn start(origin: Origin, resolved: &Resolved, arm: Option<Arm>, seed: Option<u64>) -> tui::Start {
    tui::Start {
        origin,
        read: resolved.read_options(),
        plan: resolved.plan_settings(),
        seeds: resolved.seeds.value.clone(),
        arm,
        seed,
        config: resolved.config.clone(),
        resume: None,
        aim: Aim::File,
        runs: Vec::new(),
        tour: false,
    }
}
