//! A run played for the screens: started, or resumed from what its folder says.

use super::ask::{Told, ToolFile};
use super::job::Speed;
use super::{Control, Origin, Progress};
use crate::episode::players::PlayerSpec;
use crate::plan::PlanSettings;
use crate::run::{Finished, Progress as Came, RunFolder, RunRequest, default_folder, prepare, utc};
use crate::settings::example;
use crate::task::{Arm, Script};
use crate::text;
use crate::toolfile::{ReadOptions, Reading};
use crate::value::canonical::file_hash;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// What to play.
#[derive(Debug, Clone)]
pub enum Play {
    /// A run on the file that is open.
    New(NewRun),
    /// What a folder lacks.
    Resume(PathBuf, ToolFile),
}

/// A run on a tool file.
#[derive(Debug, Clone)]
pub struct NewRun {
    /// The tool file, read.
    pub reading: Arc<Reading>,
    /// Where it lies.
    pub file: PathBuf,
    /// How it was read.
    pub options: ReadOptions,
    /// Declared intents and flows.
    pub settings: PlanSettings,
    /// The arms.
    pub arms: Vec<Arm>,
    /// The seeds.
    pub seeds: Vec<u64>,
    /// Attempts at every task.
    pub attempts: u64,
    /// Who plays, as written.
    pub player: String,
    /// The run folder; without one it is named after the set and the player.
    pub out: Option<PathBuf>,
}

/// How it ended.
#[derive(Debug, Clone)]
pub struct Played {
    /// The run folder.
    pub folder: PathBuf,
    /// How far it came.
    pub finished: Finished,
    /// Things to know, one line each.
    pub notes: Vec<String>,
}

/// The calls of a script. The error is one line.
pub fn load_script(file: &str) -> Result<Script, String> {
    let bytes = super::load(&Origin::File(PathBuf::from(file)), &Control::quiet()).map_err(|e| e.to_string())?;
    Script::read(&bytes).map_err(|why| format!("{file}: {why}"))
}

/// Plays until all is recorded or it is cancelled. The error is one line.
pub(super) fn play(what: Play, control: &Control) -> Result<Told, String> {
    let (request, out) = match what {
        Play::New(new) => {
            let player = PlayerSpec::parse(&new.player, &mut load_script)?;
            let request = RunRequest {
                reading: new.reading,
                file: new.file,
                options: new.options,
                settings: new.settings,
                arms: new.arms,
                seeds: new.seeds,
                attempts: new.attempts,
                player,
                out: new.out.clone().unwrap_or_default(),
                threads: 0,
            };
            (request, new.out)
        }
        Play::Resume(folder, file) => match resume_request(&folder, &file, control)? {
            Ok(request) => (request, Some(folder)),
            Err(why) => return Ok(Told::NoFile(why)),
        },
    };
    let (name, word) = (request.options.name.clone(), request.player.to_string());
    let mut tell = |came: Came| control.tell(told(came));
    let ready = prepare(request, &mut tell, control.flag())?;
    let Some(ready) = ready else { return Err("cancelled before the first episode".to_owned()) };
    let ready = match out {
        Some(_) => ready,
        None => {
            let folder = default_folder(Path::new("runs"), &name, &word, |folder| ready.is_in(folder));
            ready.at(folder)
        }
    };
    let mut tell = |came: Came| control.tell(Progress { folder: Some(ready.out().to_owned()), ..told(came) });
    let finished = ready.run(&utc(SystemTime::now()), &mut tell, control.flag())?;
    Ok(Told::Play(Box::new(Played { folder: ready.out().to_owned(), finished, notes: ready.notes.clone() })))
}

fn told(came: Came) -> Progress {
    match came {
        Came::Planning(done, total) => {
            Progress { what: "planning", done, total: Some(total), speed: None, folder: None }
        }
        Came::Playing { done, total, rate, left } => {
            let speed = Some(Speed { a_second: rate.round() as u64, left });
            Progress { what: "playing", done, total: Some(total), speed, folder: None }
        }
    }
}

/// The request a run folder was started with, to resume it; the inner error says why its tool file is not found.
pub fn resume_request(folder: &Path, file: &ToolFile, control: &Control) -> Result<Result<RunRequest, String>, String> {
    let run = RunFolder::at(folder);
    let plan = run.read_plan()?;
    let recorded = plan.own.file.clone();
    let shown = |path: &Path| text::safe(&path.display().to_string()).into_owned();
    let is_it = |hash: &str| hash == plan.own.file_digest;
    let reading = if let Some(open) = file.open.as_ref().filter(|open| file.named.is_none() && is_it(open.file_hash()))
    {
        open.read(&plan.own.options)
    } else if file.named.is_none() && is_it(&file_hash(example::BYTES)) {
        crate::toolfile::read(example::BYTES, &plan.own.options)
    } else {
        let path = file.named.as_deref().unwrap_or(&recorded);
        let bytes = match super::load(&Origin::File(path.to_owned()), control) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(error.to_string())),
        };
        if !is_it(&file_hash(&bytes)) {
            return Ok(Err(format!("{} changed since the run was started", shown(path))));
        }
        crate::toolfile::read(&bytes, &plan.own.options)
    };
    Ok(Ok(RunRequest {
        reading: Arc::new(reading),
        file: recorded,
        options: plan.own.options.clone(),
        settings: plan.own.settings.clone(),
        arms: plan.arms.clone(),
        seeds: plan.seeds.clone(),
        attempts: plan.attempts,
        player: PlayerSpec::parse(&plan.player, &mut load_script)?,
        out: folder.to_owned(),
        threads: 0,
    }))
}
