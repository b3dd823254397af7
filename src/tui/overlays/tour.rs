//! The guided tour: ten short steps on the example, each done by its keys and checked by what the screens then know.
//!
//! It is a band above the status line, not a popup: all keys work as always. It always names the key to press next, as it
//! is bound; every step can be skipped.

use super::Overlay;
use super::pick::Purpose;
use crate::engine::Ending;
use crate::episode::Episode;
use crate::settings::{Flags, example};
use crate::task::Arm;
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::keymap::Keymap;
use crate::tui::model::{FileState, Model, Pane, Screen};
use crate::tui::msg::Effect;
use crate::tui::screens::sides::Who;
use crate::tui::screens::{plan, step};
use crate::tui::update;
use crate::tui::widgets::list::Cursor;
use crate::tui::widgets::row::Row;
use crate::work::{OpenRequest, Origin};

/// The tour being taken.
#[derive(Debug, Clone, Default)]
pub struct Tour {
    /// How many steps are done or skipped.
    pub step: usize,
    /// The arm at play when the step began.
    arm: Option<Arm>,
    /// What was open before, when that was not the example.
    before: Option<Box<OpenRequest>>,
}

/// What a step teaches: in a line or two, and shorter where there is little room.
const STEPS: [(&str, &str); 10] = [
    ("These are the tools of an agent, read from one file. Go down the list.", "An agent's tools. Go down the list."),
    ("The next pane shows the arguments and answer of the selected tool.", "The next pane shows the tool."),
    ("Tasks are planned on these tools. See the dials that make them harder.", "Tasks are planned on these tools."),
    (
        "A dial makes one thing harder. Bad data at level 2 is selected: one read gives a wrong value once. Play that task.",
        "A dial makes one thing harder.",
    ),
    (
        "The request is at the top. Make the first call of the reference solution.",
        "Make the first call of the solution.",
    ),
    (
        "? marks an answer that is wrong on purpose; the middle pane says why. You can always go back a call.",
        "? is a wrong answer. Go back a call.",
    ),
    ("Make the remaining calls, then reply: that gives the verdict.", "All calls, a reply, the verdict."),
    (
        "Turn the dial under the calls made: the same seed at another level. The line below says what changes.",
        "Turn the dial under the calls made.",
    ),
    ("Now both levels at once, call by call.", "Now both levels at once."),
    (
        "The same calls pass on both sides. A player that trusts what it reads fails: let trusting play both.",
        "Let the player trusting play both.",
    ),
];

/// What is said at the end, when the player passed on one side and not on the other, and else.
const PARTED: (&str, &str) = (
    "That was the tour. With correct reads the player passes; with the bad read it changes the wrong record.",
    "That was the tour: B trusted the bad read.",
);
const END: (&str, &str) =
    ("That was the tour. Try other players and arms, or your own tool file.", "That was the tour.");

/// Whether the header says what the program is for: on the example, until a task is played.
pub fn greets(model: &Model) -> bool {
    let shown = model.screen == Screen::Tools && model.request.origin.is_example() && !model.broken();
    shown && model.step.episode.is_none() && model.tour.is_none()
}

/// Begins, on the example as it comes.
pub fn begin(model: &mut Model) -> Vec<Effect> {
    let Ok(resolved) = example::resolved(&Flags::default()) else { return Vec::new() };
    let (read, plan) = (resolved.read_options(), resolved.plan_settings());
    let origin = Origin::Example { name: example::NAME, bytes: example::BYTES };
    let as_it_comes =
        model.request.origin == origin && model.request.read == read && model.request.plan == plan && usable(model);
    let mut tour = Tour::default();
    step::put_away(model);
    let mut effects = Vec::new();
    if !as_it_comes {
        let request = OpenRequest { origin, read, plan };
        tour.before = Some(Box::new(std::mem::replace(&mut model.request, request)));
        model.file = FileState::Opening;
        effects = update::reopen(model);
    }
    model.tour = Some(tour);
    model.straight = None;
    model.overlays.clear();
    model.needle.clear();
    model.screen = Screen::Tools;
    model.focus = [0; Screen::ALL.len()];
    *model.cursor_mut(Pane::Tools) = Cursor::default();
    plan::preselect(model);
    model.sides.who = Who::default();
    effects.extend(update::settled(model, Pane::Tools));
    effects
}

fn usable(model: &Model) -> bool {
    model.file.usable().is_some_and(|opened| opened.sheet.is_ok())
}

/// Ends it; what was open before is opened again.
pub fn leave(model: &mut Model) -> Vec<Effect> {
    let Some(tour) = model.tour.take() else { return Vec::new() };
    model.say(Scope::Notice, "tour ended");
    let Some(before) = tour.before else { return Vec::new() };
    step::put_away(model);
    model.request = *before;
    model.file = FileState::Opening;
    model.screen = Screen::Tools;
    update::reopen(model)
}

/// Skips the present step.
pub fn skip(model: &mut Model) -> Vec<Effect> {
    match &mut model.tour {
        Some(tour) if tour.step < STEPS.len() => {
            tour.step += 1;
            enter(model);
            Vec::new()
        }
        Some(_) => leave(model),
        None => {
            let key = press(&model.keymap, Action::Tour);
            model.say(Scope::Notice, format!("no tour is running: {key} on the Tools screen starts it"));
            Vec::new()
        }
    }
}

/// Remembers what a step begins with.
fn enter(model: &mut Model) {
    let arm = model.step.episode.as_ref().map(|episode| episode.task().arm);
    if let Some(tour) = &mut model.tour {
        tour.arm = arm;
    }
}

/// After anything happened: steps that are done are passed. Another file ends the tour.
pub fn follow(model: &mut Model) {
    if model.tour.is_some() && !model.request.origin.is_example() {
        model.tour = None;
    }
    // A step that began before a task was played begins with the first arm.
    if model.tour.as_ref().is_some_and(|tour| tour.arm.is_none()) {
        enter(model);
    }
    while model.tour.as_ref().is_some_and(|tour| tour.step < STEPS.len() && done(model, tour)) {
        if let Some(tour) = &mut model.tour {
            tour.step += 1;
        }
        enter(model);
    }
}

/// Whether the present step is done.
fn done(model: &Model, tour: &Tour) -> bool {
    let episode = model.step.episode.as_ref();
    let holds = |test: fn(&Episode) -> bool| episode.is_some_and(test);
    match tour.step {
        0 => model.screen != Screen::Tools || model.cursor(Pane::Tools).at > 0,
        1 => model.screen != Screen::Tools || model.pane() != Pane::Tools,
        2 => model.screen == Screen::Plan || episode.is_some(),
        3 => model.screen == Screen::Step && episode.is_some(),
        4 => holds(|episode| !episode.calls().is_empty()),
        5 => holds(|episode| episode.cursor() < episode.calls().len()),
        6 => holds(|episode| episode.ending() != Ending::Open),
        7 => tour.arm.is_some() && episode.is_some_and(|episode| Some(episode.task().arm) != tour.arm),
        8 => model.screen == Screen::Sides && model.sides.is_ready(),
        9 => model.screen == Screen::Sides && matches!(model.sides.who, Who::Player(_)) && model.sides.is_ready(),
        _ => false,
    }
}

/// The key of an action as it is bound; without one, how to find it among all.
fn press(keymap: &Keymap, action: Action) -> String {
    match (keymap.key(action), keymap.key(Action::Palette)) {
        (Some(key), _) => key,
        (None, Some(key)) => format!("{key} {}", action.name()),
        (None, None) => action.name().to_owned(),
    }
}

/// The keys to press now, and what they do.
fn now(model: &Model, tour: &Tour) -> (Vec<Action>, &'static str) {
    let one = |action, does| (vec![action], does);
    if let Some(overlay) = model.overlays.last() {
        return match overlay {
            Overlay::Pick(pick) if tour.step == 9 && matches!(pick.purpose, Purpose::Player(_)) => {
                one(Action::Accept, "after typing trust: selects it")
            }
            Overlay::Look(_) => one(Action::Close, "closes this; the tour continues below"),
            _ => one(Action::Cancel, "closes this; the tour continues below"),
        };
    }
    let screen = model.screen;
    match tour.step {
        0 | 1 if screen != Screen::Tools => one(Action::ShowTools, "goes to the tools"),
        0 => one(Action::Down, "goes down"),
        1 => one(Action::NextPane, "goes to the next pane"),
        2 => one(Action::ShowPlan, "goes to the Plan screen"),
        10.. if screen != Screen::Sides => one(Action::Dismiss, "ends the tour"),
        10.. => (vec![Action::BothBack, Action::BothNext], "step back and forth in both"),
        _ => in_the_task(model, tour),
    }
}

fn in_the_task(model: &Model, tour: &Tour) -> (Vec<Action>, &'static str) {
    let one = |action, does| (vec![action], does);
    let screen = model.screen;
    let Some(episode) = &model.step.episode else {
        return if screen == Screen::Plan {
            one(Action::Open, "plays the task")
        } else {
            one(Action::ShowPlan, "goes to the Plan screen to choose a task")
        };
    };
    let elsewhere = screen != Screen::Step;
    match tour.step {
        3..=6 if elsewhere => one(Action::ShowStep, "goes to the Step screen"),
        4 if episode.ending() != Ending::Open => one(Action::Back, "undoes the ending"),
        4 => one(Action::NextCall, "makes the next call"),
        5 if episode.calls().is_empty() => one(Action::NextCall, "makes a call to go back from"),
        5 => one(Action::Back, "goes one step back"),
        6 => one(Action::RunToEnd, "makes the remaining calls and replies"),
        7 if !matches!(screen, Screen::Step | Screen::Dials) => one(Action::ShowStep, "goes to the Step screen"),
        7 => {
            let lowest = plan::levels(model, episode.task().arm.dial).into_iter().min();
            if lowest == Some(episode.task().arm.level) {
                one(Action::TurnUp, "turns it one level up")
            } else {
                one(Action::TurnDown, "turns it one level down")
            }
        }
        8 | 9 if screen != Screen::Sides => match screen {
            Screen::Step | Screen::Dials | Screen::Plan => one(Action::SideBySide, "compares two levels side by side"),
            _ => one(Action::ShowStep, "goes to the Step screen"),
        },
        _ => one(Action::Player, "chooses who plays: type trust, then enter"),
    }
}

/// The number of lines the tour takes of a screen of this size.
pub fn lines((_, height): (u16, u16)) -> u16 {
    match height {
        20.. => 4,
        11.. => 3,
        8.. => 1,
        _ => 0,
    }
}

/// The title of the band.
pub fn title(tour: &Tour) -> String {
    if tour.step < STEPS.len() {
        format!("tour, step {} of {}", tour.step + 1, STEPS.len())
    } else {
        "tour, done".to_owned()
    }
}

/// The keys to skip and leave, the longest that fit.
pub fn ways(model: &Model, tour: &Tour, columns: usize) -> String {
    let (skip, leave) = (press(&model.keymap, Action::SkipStep), press(&model.keymap, Action::Dismiss));
    let all = if tour.step < STEPS.len() {
        [format!("{skip} skips, {leave} leaves"), format!("{skip} skips")]
    } else {
        [format!("{leave} leaves the tour"), format!("{leave} leaves")]
    };
    all.into_iter().find(|words| text::width(words) <= columns).unwrap_or_default()
}

/// What the band says below its title, in at most `lines` lines.
pub fn rows(model: &Model, tour: &Tour, width: usize, lines: usize) -> Vec<Row> {
    let parted = model.sides.verdicts().is_some_and(|[a, b]| a && !b);
    let end = if parted { PARTED } else { END };
    let (long, short) = STEPS.get(tour.step).copied().unwrap_or(end);
    let (actions, does) = now(model, tour);
    let keys: Vec<String> = actions.iter().map(|action| press(&model.keymap, *action)).collect();
    let row = Row::of(Scope::Text, "press ").put(Scope::Key, keys.join(" ")).plain(format!("  {does}"));
    if lines < 2 {
        return vec![row];
    }
    let mut rows = Row::of(Scope::Strong, long).wrap(width);
    if rows.len() + 1 > lines {
        rows = Row::of(Scope::Strong, short).wrap(width);
    }
    rows.truncate(lines - 1);
    rows.push(row);
    rows
}

/// The whole tour as text, for where there is no screen.
pub fn as_text(keymap: &Keymap) -> Vec<String> {
    let keys = [
        Action::Down,
        Action::NextPane,
        Action::ShowPlan,
        Action::Open,
        Action::NextCall,
        Action::Back,
        Action::RunToEnd,
        Action::TurnDown,
        Action::SideBySide,
        Action::Player,
    ];
    let mut lines = vec!["The tour needs a terminal: rehearsal --tour. Its steps:".to_owned()];
    for (i, ((long, _), action)) in STEPS.iter().zip(keys).enumerate() {
        lines.push(format!("{:>2}  {long}  [{}]", i + 1, press(keymap, action)));
    }
    lines
}
