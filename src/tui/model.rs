//! All that the screens show, as one value. Only [`update`](super::update) changes it, only [`view`](super::view) draws it.

use super::keymap::Keymap;
use super::layout::{self, Layout, Wants};
use super::live::Live;
use super::overlays::Overlay;
use super::overlays::tour::{self, Tour};
use super::screens::asks::Asks;
use super::screens::card::CardScreen;
use super::screens::compare::CompareScreen;
use super::screens::dials::DialsScreen;
use super::screens::files::FilesScreen;
use super::screens::hub::HubScreen;
use super::screens::pair::PairScreen;
use super::screens::plan::PlanScreen;
use super::screens::remote::RemoteScreen;
use super::screens::runs::RunsScreen;
use super::screens::served::ServedScreen;
use super::screens::sides::SidesScreen;
use super::screens::step::StepScreen;
use super::screens::tools::ToolsScreen;
use super::widgets::filter::Filter;
use super::widgets::list::Cursor;
use crate::task::Arm;
use crate::theme::{Depth, Scope, Theme, Themes};
use crate::work::{Cancel, JobId, OpenRequest, Opened, Origin, Progress};
use std::collections::VecDeque;

pub use super::start::{Aim, Start};

/// The screens, in the order of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Screen {
    /// The tools of the file.
    Tools,
    /// Dials, seeds and the planned task.
    Plan,
    /// An episode, one call at a time.
    Step,
    /// Every dial and level on the task at play.
    Dials,
    /// The same calls at two levels, side by side.
    Sides,
    /// Run folders, and runs that go on.
    Runs,
    /// The card of a run.
    Card,
    /// Two runs or cards.
    Compare,
    /// Two episodes of one task.
    Pair,
    /// Two tool files.
    Files,
    /// A remote task.
    Remote,
    /// The tasks of our own server.
    Served,
    /// Live episodes that real agents play.
    Live,
}

impl Screen {
    /// All, in order.
    pub const ALL: [Screen; 13] = [
        Screen::Tools,
        Screen::Plan,
        Screen::Step,
        Screen::Dials,
        Screen::Sides,
        Screen::Runs,
        Screen::Card,
        Screen::Compare,
        Screen::Pair,
        Screen::Files,
        Screen::Remote,
        Screen::Served,
        Screen::Live,
    ];

    /// The screens that stand for their tab: those a number key goes to.
    pub const TABS: [Screen; 5] = [Screen::Tools, Screen::Plan, Screen::Step, Screen::Dials, Screen::Runs];

    /// The screen whose tab is lit while this one is shown.
    pub fn tab(self) -> Screen {
        match self {
            Screen::Sides => Screen::Dials,
            Screen::Card | Screen::Compare | Screen::Pair | Screen::Files => Screen::Runs,
            screen => screen,
        }
    }

    /// Its name in the header.
    pub fn title(self) -> &'static str {
        match self {
            Screen::Tools => "Tools",
            Screen::Plan => "Plan",
            Screen::Step => "Step",
            Screen::Dials => "Dials",
            Screen::Sides => "Side by side",
            Screen::Runs => "Runs",
            Screen::Card => "Card",
            Screen::Compare => "Compare",
            Screen::Pair => "Two episodes",
            Screen::Files => "Tool files",
            Screen::Remote => "Remote",
            Screen::Served => "Served",
            Screen::Live => "Live",
        }
    }

    /// Whether it shows nothing without a tool file.
    pub fn needs_file(self) -> bool {
        matches!(self, Screen::Tools | Screen::Plan | Screen::Step | Screen::Dials | Screen::Sides)
    }

    /// Its panes from the left.
    pub fn panes(self) -> &'static [Pane] {
        match self {
            Screen::Tools => &[Pane::Tools, Pane::Tool, Pane::Schema],
            Screen::Plan => &[Pane::Dials, Pane::Seeds, Pane::Task],
            Screen::Step => &[Pane::Calls, Pane::Call, Pane::Store],
            Screen::Dials => &[Pane::Panel, Pane::Turned],
            Screen::Sides => &[Pane::Sides, Pane::Both],
            Screen::Runs => &[Pane::Runs, Pane::Run],
            Screen::Card => &[Pane::Levels, Pane::Tasks, Pane::Episode],
            Screen::Compare => &[Pane::Pairs, Pane::Beside],
            Screen::Pair => &[Pane::Aligned, Pane::SideA, Pane::SideB],
            Screen::Files => &[Pane::Changed, Pane::Change],
            Screen::Remote => &[Pane::Items, Pane::Item, Pane::Local],
            Screen::Served => &[Pane::Served],
            Screen::Live => &[Pane::Arrivals, Pane::Arrival, Pane::Kept],
        }
    }
}

/// The panes of all screens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    /// Tools, refused tools, flows.
    Tools,
    /// What the selected one is.
    Tool,
    /// Its schema.
    Schema,
    /// The dials and their levels.
    Dials,
    /// The seeds.
    Seeds,
    /// The planned task.
    Task,
    /// Calls made and to come.
    Calls,
    /// The selected call.
    Call,
    /// Steps, store, dial and verdict after it.
    Store,
    /// Every dial on the task at play.
    Panel,
    /// The selected dial, and what turning it would do.
    Turned,
    /// Two episodes side by side.
    Sides,
    /// One call of both, whole.
    Both,
    /// Run folders.
    Runs,
    /// What is known of the selected one.
    Run,
    /// The levels of a card.
    Levels,
    /// The tasks and episodes of the selected one.
    Tasks,
    /// The calls of the selected episode.
    Episode,
    /// What two cards are compared by.
    Pairs,
    /// The selected part of the comparison.
    Beside,
    /// The calls of two episodes, paired.
    Aligned,
    /// The first episode's side of the selected pair.
    SideA,
    /// The second's.
    SideB,
    /// Where two tool files differ.
    Changed,
    /// Both sides of the selected place.
    Change,
    /// The items of a remote task.
    Items,
    /// The selected one.
    Item,
    /// Its calls replayed on the tool file here.
    Local,
    /// The tasks of our server.
    Served,
    /// The calls of a live episode.
    Arrivals,
    /// The selected one, or the one that is held.
    Arrival,
    /// Its steps and its store.
    Kept,
}

impl Pane {
    /// How many there are.
    pub const COUNT: usize = Pane::Kept as usize + 1;
}

/// What is known of the tool file.
#[derive(Debug, Clone)]
pub enum FileState {
    /// There is none: a run or card is looked at.
    Nothing,
    /// It is being opened.
    Opening,
    /// It is open.
    Open(Box<Opened>),
    /// It cannot be opened: one line.
    Failed(String),
}

impl FileState {
    /// The file, when it is open and has a shape.
    pub fn usable(&self) -> Option<&Opened> {
        match self {
            FileState::Open(opened) if opened.reading.format.is_some() => Some(opened),
            _ => None,
        }
    }
}

/// A message about what was just done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// How it is meant.
    pub scope: Scope,
    /// One line.
    pub text: String,
}

/// A job that runs, as the screens know it.
#[derive(Debug, Clone)]
pub struct Running {
    /// Its number: reports of other jobs of its kind are stale.
    pub id: JobId,
    /// How far it has come.
    pub progress: Option<Progress>,
    /// To stop it; known once the runtime has started it.
    pub cancel: Option<Cancel>,
}

/// Colors in use.
#[derive(Debug, Clone)]
pub struct Look {
    /// The theme.
    pub theme: Theme,
    /// All there are.
    pub themes: Themes,
    /// What the terminal can show.
    pub depth: Depth,
}

/// Everything.
#[derive(Debug, Clone)]
pub struct Model {
    /// Columns and lines of the terminal.
    pub size: (u16, u16),
    /// Colours.
    pub look: Look,
    /// Keys.
    pub keymap: Keymap,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    /// Whether the Step screen is shown to a room: larger spacing, fewer panes.
    pub presenting: bool,
    /// The screen shown.
    pub screen: Screen,
    /// The focused pane, by screen.
    pub focus: [usize; Screen::ALL.len()],
    /// Where one stands in each pane.
    pub cursors: [Cursor; Pane::COUNT],
    /// Which rows of each pane are shown.
    pub filters: [Filter; Pane::COUNT],
    /// The cursor of the error screen.
    pub error_at: Cursor,
    /// The popups, the topmost last.
    pub overlays: Vec<Overlay>,
    /// What was just done.
    pub notice: Option<Notice>,
    /// What is searched for in the panes of the present screen, in small letters.
    pub needle: String,
    /// How to read the file: changed here, then read again.
    pub request: OpenRequest,
    /// The file.
    pub file: FileState,
    /// The job that opens it.
    pub opening: Option<Running>,
    /// The job that plans the selected task.
    pub planning: Option<Running>,
    /// The number of the last job started.
    pub last_job: JobId,
    /// The Tools screen.
    pub tools: ToolsScreen,
    /// The Plan screen.
    pub plan: PlanScreen,
    /// The Step screen.
    pub step: StepScreen,
    /// The Dials screen.
    pub dials: DialsScreen,
    /// The Sides screen.
    pub sides: SidesScreen,
    /// The Runs screen.
    pub runs: RunsScreen,
    /// The Card screen.
    pub card: CardScreen,
    /// The Compare screen.
    pub compare: CompareScreen,
    /// Two episodes side by side.
    pub pair: PairScreen,
    /// The Files screen.
    pub files: FilesScreen,
    /// What the screens about runs and files asked for and wait for.
    pub asks: Asks,
    /// The Remote screen.
    pub remote: RemoteScreen,
    /// The Served screen.
    pub served: ServedScreen,
    /// The Live screen.
    pub hub: HubScreen,
    /// What to do once the file is open: straight into the stepper.
    pub straight: Option<(Arm, VecDeque<u64>)>,
    /// The session as it is written down, and the file on disk.
    pub live: Live,
    /// The guided tour, while it is taken.
    pub tour: Option<Tour>,
}

impl Model {
    /// A model with nothing open yet.
    pub fn new(start: Start, look: Look, keymap: Keymap, mouse: bool) -> Self {
        let seeds: VecDeque<u64> = start.seed.map_or_else(|| start.seeds.iter().copied().collect(), |s| [s].into());
        let mut plan = PlanScreen::new(start.seeds);
        if let Some(seed) = start.seed {
            plan.add_seed(seed);
        }
        let file = if matches!(start.origin, Origin::Nothing) { FileState::Nothing } else { FileState::Opening };
        Self {
            size: (0, 0),
            look,
            keymap,
            mouse,
            presenting: false,
            screen: Screen::Tools,
            focus: [0; Screen::ALL.len()],
            cursors: [Cursor::default(); Pane::COUNT],
            filters: std::array::from_fn(|_| Filter::default()),
            error_at: Cursor::default(),
            overlays: Vec::new(),
            notice: None,
            needle: String::new(),
            request: OpenRequest { origin: start.origin, read: start.read, plan: start.plan },
            file,
            opening: None,
            planning: None,
            last_job: JobId(0),
            tools: ToolsScreen::default(),
            plan,
            step: StepScreen::default(),
            dials: DialsScreen::default(),
            sides: SidesScreen::default(),
            runs: RunsScreen::new(start.runs, start.aim),
            card: CardScreen::default(),
            compare: CompareScreen::default(),
            pair: PairScreen::default(),
            files: FilesScreen::default(),
            asks: Asks::default(),
            remote: RemoteScreen::default(),
            served: ServedScreen::default(),
            hub: HubScreen::default(),
            straight: start.arm.map(|arm| (arm, seeds)),
            live: Live::new(start.resume, start.config),
            tour: start.tour.then(Tour::default),
        }
    }

    /// Where everything is.
    pub fn layout(&self) -> Layout {
        let rows = if self.screen == Screen::Sides { self.sides.rows() } else { usize::MAX };
        let band = self.tour.as_ref().map_or(0, |_| tour::lines(self.size));
        let wants =
            Wants { rows, band, third: tour::greets(self), presenting: self.presenting && self.screen == Screen::Step };
        layout::layout_for(self.size, self.screen, self.focus[self.screen as usize], wants)
    }

    /// The focused pane.
    pub fn pane(&self) -> Pane {
        let panes = self.screen.panes();
        panes[self.focus[self.screen as usize].min(panes.len() - 1)]
    }

    /// The cursor of a pane.
    pub fn cursor(&self, pane: Pane) -> Cursor {
        self.cursors[pane as usize]
    }

    /// The same, to change.
    pub fn cursor_mut(&mut self, pane: Pane) -> &mut Cursor {
        &mut self.cursors[pane as usize]
    }

    /// Which rows of a pane are shown.
    pub fn filter(&self, pane: Pane) -> &Filter {
        &self.filters[pane as usize]
    }

    /// A number for a new job.
    pub fn next_job(&mut self) -> JobId {
        self.last_job = JobId(self.last_job.0 + 1);
        self.last_job
    }

    /// Says something.
    pub fn say(&mut self, scope: Scope, text: impl Into<String>) {
        self.notice = Some(Notice { scope, text: text.into() });
    }

    /// Whether the error screen stands in for the screens: the file has no shape, or cannot be read at all.
    pub fn broken(&self) -> bool {
        self.needs_file()
            && match &self.file {
                FileState::Opening => false,
                FileState::Nothing | FileState::Failed(_) => true,
                FileState::Open(opened) => opened.reading.format.is_none(),
            }
    }

    /// Whether the present screen waits for the file to be opened.
    pub fn waits(&self) -> bool {
        self.needs_file() && matches!(self.file, FileState::Opening)
    }

    /// Whether the present screen shows nothing without a tool file: an episode brings its own.
    fn needs_file(&self) -> bool {
        let episode =
            matches!(self.screen, Screen::Step | Screen::Dials | Screen::Sides) && self.step.episode.is_some();
        self.screen.needs_file() && !episode
    }
}
