//! What the screens begin with.

use super::live::held::Held;
use crate::plan::PlanSettings;
use crate::task::Arm;
use crate::toolfile::ReadOptions;
use crate::work::{OpenRequest, Origin};
use std::path::PathBuf;

/// What to open, how, and where to start.
#[derive(Debug, Clone)]
pub struct Start {
    /// The tool file.
    pub origin: Origin,
    /// How it is read.
    pub read: ReadOptions,
    /// What is declared beside it.
    pub plan: PlanSettings,
    /// The seeds to plan on.
    pub seeds: Vec<u64>,
    /// Straight into the stepper on this arm.
    pub arm: Option<Arm>,
    /// On this seed (default: the first of the seeds that is not refused).
    pub seed: Option<u64>,
    /// The settings file in use beside the tool file.
    pub config: Option<PathBuf>,
    /// The journal of a session to bring back instead.
    pub resume: Option<PathBuf>,
    /// With the guided tour; the file is the example then.
    pub tour: bool,
    /// What is shown first.
    pub aim: Aim,
    /// Run folders, cards and folders of them that the Runs screen lists.
    pub runs: Vec<PathBuf>,
}

/// What is shown first.
#[derive(Debug, Clone, Default)]
pub enum Aim {
    /// The tool file.
    #[default]
    File,
    /// The list of runs.
    Runs,
    /// A run's or card's figures.
    Card(PathBuf),
    /// Two runs or cards.
    Compare([PathBuf; 2]),
    /// The tool file beside another.
    Files(Box<OpenRequest>),
    /// What a folder holds, in a picker.
    Choose(Vec<Held>),
}

impl Start {
    /// A file read as it is, and nothing more.
    pub fn new(origin: Origin) -> Self {
        Self {
            origin,
            read: ReadOptions::default(),
            plan: PlanSettings::default(),
            seeds: Vec::new(),
            arm: None,
            seed: None,
            config: None,
            resume: None,
            tour: false,
            aim: Aim::File,
            runs: Vec::new(),
        }
    }
}
