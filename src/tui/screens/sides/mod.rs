//! The Sides screen: the same calls, or the same player, at two levels or two arms of one seed.
//!
//! Above stand the calls of both, a pair a row, below it the selected pair whole, with what differs marked. Going down goes
//! on in both at once. One of the two is the marked side: its arm is what the keys change, its episode what enter opens.

pub(super) mod banner;
mod lines;
mod telling;

use crate::engine::Ending;
use crate::episode::players::{NAMES, PlayerSpec};
use crate::plan::PlanError;
use crate::task::Arm;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane, Running, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::pick::{Copyable, Pick, Purpose};
use crate::tui::panes::Stack;
use crate::tui::screens::{dials, plan, step};
use crate::tui::update;
use crate::tui::widgets::list::{Cursor, Move};
use crate::tui::widgets::row::Row;
use crate::work::{Calls, JobId, Report, Sides, SidesRequest};
use lines::{Entry, Table};
use std::sync::Arc;

/// Whose calls are made on both sides.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Who {
    /// The calls made in the episode at play.
    Again,
    /// The reference solution of the first side.
    #[default]
    Reference,
    /// A player, which on each side acts on the answers there.
    Player(PlayerSpec),
}

/// What is known of the two sides.
#[derive(Debug, Clone, Default)]
pub enum Beside {
    /// Nothing yet.
    #[default]
    None,
    /// They are played.
    Ready(Arc<Sides>),
    /// They cannot be: one line.
    Refused(String),
}

/// What the Sides screen knows.
#[derive(Debug, Clone, Default)]
pub struct SidesScreen {
    /// The arms of the two sides, once they were chosen.
    pub arms: Option<[Arm; 2]>,
    /// The seed of both.
    pub seed: u64,
    /// Whose calls.
    pub who: Who,
    /// Which side is marked.
    pub marked: usize,
    /// The sides.
    pub beside: Beside,
    /// The job that plays them.
    pub job: Option<Running>,
    /// The screen it was opened from.
    from: Option<Screen>,
}

impl SidesScreen {
    /// How many rows the table of calls has.
    pub fn rows(&self) -> usize {
        self.ready().map_or(2, |sides| sides.rows.len() + 2)
    }

    /// Whether both sides are played as they were asked for.
    pub fn is_ready(&self) -> bool {
        self.job.is_none() && self.ready().is_some()
    }

    /// Whether each side passed, once both are played.
    pub fn verdicts(&self) -> Option<[bool; 2]> {
        self.ready().map(|sides| [&sides.a, &sides.b].map(|side| side.episode.verdict().strict))
    }

    /// The screen to go back to.
    pub fn from(&self) -> Screen {
        self.from.unwrap_or(Screen::Dials)
    }

    fn ready(&self) -> Option<&Arc<Sides>> {
        if let Beside::Ready(sides) = &self.beside { Some(sides) } else { None }
    }
}

/// Goes to the screen with what tells most from here: the level at play beside another of its dial, or beside the arm
/// chosen on the Dials screen.
pub fn begin(model: &mut Model) -> Vec<Effect> {
    let (at_play, seed, made) = match &model.step.episode {
        Some(episode) if model.screen != Screen::Plan => {
            (episode.task().arm, episode.task().seed, episode.cursor() > 0)
        }
        _ => match plan::arm(model).zip(plan::seed(model)) {
            Some((arm, seed)) => (arm, seed, false),
            None => {
                model.say(Scope::Notice, "no task yet: choose one on the Plan screen");
                return Vec::new();
            }
        },
    };
    let chosen = (model.screen == Screen::Dials).then(|| dials::chosen_arm(model)).flatten();
    let arms = match chosen.filter(|arm| *arm != at_play) {
        Some(other) => [at_play, other],
        None => pair(model, at_play),
    };
    let sides = &mut model.sides;
    (sides.arms, sides.seed) = (Some(arms), seed);
    if !matches!(sides.who, Who::Player(_)) {
        sides.who = if made { Who::Again } else { Who::Reference };
    }
    sides.marked = usize::from(arms[1] == at_play);
    if model.screen != Screen::Sides {
        model.sides.from = Some(model.screen);
    }
    let mut effects = update::show(model, Screen::Sides);
    effects.extend(ask(model));
    effects
}

/// An arm and the level of its dial that it is best seen beside: the lowest, or from there the third.
fn pair(model: &Model, arm: Arm) -> [Arm; 2] {
    let levels = plan::levels(model, arm.dial);
    match levels.first() {
        Some(lowest) if *lowest != arm.level => [arm.dial.at(*lowest), arm],
        _ => [arm, arm.dial.at(levels.get(levels.len().saturating_sub(1).min(2)).copied().unwrap_or(arm.level))],
    }
}

/// Plays both sides as they are chosen now.
fn ask(model: &mut Model) -> Vec<Effect> {
    if let Some(cancel) = model.sides.job.take().and_then(|running| running.cancel) {
        cancel.cancel();
    }
    let Some((planner, arms)) = plan::planner(model).zip(model.sides.arms) else { return Vec::new() };
    let calls = match (&model.sides.who, &model.step.episode) {
        (Who::Again, Some(episode)) => Calls::Again(Box::new(episode.clone())),
        (Who::Again | Who::Reference, _) => Calls::Reference,
        (Who::Player(spec), _) => Calls::Player(spec.clone()),
    };
    let id = model.next_job();
    model.sides.job = Some(Running { id, progress: None, cancel: None });
    let request = SidesRequest { planner, arms, seed: model.sides.seed, calls };
    vec![Effect::Sides { id, request: Box::new(request) }]
}

/// A report of the job that plays them.
pub fn played(model: &mut Model, id: JobId, report: Report<Result<Arc<Sides>, PlanError>>) {
    if model.sides.job.as_ref().is_none_or(|running| running.id != id) {
        return;
    }
    model.sides.beside = match report {
        Report::Progress(progress) => {
            if let Some(running) = &mut model.sides.job {
                running.progress = Some(progress);
            }
            return;
        }
        Report::Done(Ok(sides)) => Beside::Ready(sides),
        Report::Done(Err(error)) => Beside::Refused(error.0),
        Report::Failed(line) => Beside::Refused(line),
    };
    model.sides.job = None;
    let at = model.sides.ready().map_or(0, |sides| first_seen(sides));
    *model.cursor_mut(Pane::Sides) = Cursor { at, ..Cursor::default() };
    *model.cursor_mut(Pane::Both) = Cursor::default();
}

/// The row that tells most: the verdicts when they differ, else where the two diverge.
fn first_seen(sides: &Sides) -> usize {
    let end = sides.rows.len() + 1;
    let label = |side: &crate::work::Side| side.episode.verdict().label;
    match sides.parts {
        Some(parts) if label(&sides.a) == label(&sides.b) => parts + 1,
        _ => end,
    }
}

/// The rows of a pane of this screen.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let at = model.cursor(Pane::Sides).at;
    match (&model.sides.beside, pane) {
        (Beside::Ready(sides), Pane::Sides) => stack.add(Table { sides, width, at, marked: model.sides.marked }),
        (Beside::Ready(sides), _) => {
            let (_, height) = model.layout().inside(Pane::Both);
            stack.add(lines::detail(sides, Entry::of(sides, at), (width, usize::from(height))));
            if Entry::of(sides, at) == Entry::End && !matches!(model.sides.who, Who::Player(_)) {
                let key = model.keymap.key(Action::Player).unwrap_or_default();
                let says = format!("{key} lets a player play both sides, reacting to each answer.");
                stack.add(Row::of(Scope::Dim, says).wrap(width));
            }
        }
        (Beside::Refused(why), Pane::Sides) => {
            stack.add(Row::of(Scope::Error, format!("! {why}")).hanging(2).wrap(width));
            let key = |action| model.keymap.key(action).unwrap_or_default();
            let says = format!("{} chooses another arm, {} another player.", key(Action::SideArm), key(Action::Player));
            stack.add(Row::of(Scope::Dim, says).wrap(width));
        }
        (Beside::None, Pane::Sides) if model.sides.job.is_none() => {
            let key = model.keymap.key(Action::SideBySide).unwrap_or_default();
            let says = format!("Press {key} on the Step or Dials screen to put two levels of a dial side by side.");
            stack.add(Row::of(Scope::Dim, says).wrap(width));
        }
        (Beside::None, Pane::Sides) => stack.add(vec![Row::of(Scope::Dim, "playing both")]),
        _ => {}
    }
    stack
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    let Some(sides) = model.sides.ready() else { return "side by side".to_owned() };
    if pane == Pane::Sides {
        return who_words(&model.sides.who);
    }
    match Entry::of(sides, model.cursor(Pane::Sides).at) {
        Entry::Start => "before the first call".to_owned(),
        Entry::Pair(i) => format!("call {}", i + 1),
        Entry::End => "verdicts".to_owned(),
    }
}

fn who_words(who: &Who) -> String {
    match who {
        Who::Again => "the calls made, sent to both".to_owned(),
        Who::Reference => "the reference solution of A, sent to both".to_owned(),
        Who::Player(spec) => format!("{spec} plays both"),
    }
}

/// What the header says of it.
pub fn facts(model: &Model) -> Option<Row> {
    let [a, b] = model.sides.arms?;
    let scope = |side| if model.sides.marked == side { Scope::TabOn } else { Scope::Strong };
    let row = Row::new().dim("A ").put(scope(0), a.to_string()).dim("  B ").put(scope(1), b.to_string());
    let row = row.dim("  seed ").plain(model.sides.seed.to_string()).plain("  ");
    Some(match model.sides.ready() {
        Some(sides) => row.plain(&*sides.a.episode.task().request),
        None => row,
    })
}

/// How both stand where one is, for the status line.
pub fn status(model: &Model) -> Option<(Scope, String)> {
    let sides = model.sides.ready()?;
    let entry = Entry::of(sides, model.cursor(Pane::Sides).at);
    let behind = sides.behind(entry.behind(sides));
    let word = |side: &crate::work::Side, n: usize| {
        let ending = if entry == Entry::End { side.episode.ending() } else { Ending::Open };
        let (_, sign, word) = lines::verdict_word(side, n, ending);
        format!("{} {sign} {word}", side.arm())
    };
    Some((Scope::Strong, format!("{}   {}", word(&sides.a, behind[0]), word(&sides.b, behind[1]))))
}

/// After the selection in a pane may have moved: what follows it follows.
pub fn settle(model: &mut Model, pane: Pane) {
    if pane == Pane::Sides {
        *model.cursor_mut(Pane::Both) = Cursor::default();
    }
}

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    match action {
        Action::BothNext => update::move_in(model, Pane::Sides, Move::Down(1)),
        Action::BothBack => update::move_in(model, Pane::Sides, Move::Up(1)),
        Action::BothStart => update::move_in(model, Pane::Sides, Move::First),
        Action::BothEnd => update::move_in(model, Pane::Sides, Move::Last),
        Action::Left | Action::Right => {
            model.sides.marked = usize::from(action == Action::Right);
            Vec::new()
        }
        Action::TurnUp | Action::TurnDown => turn(model, action == Action::TurnUp),
        Action::SideArm => {
            choose_arm(model);
            Vec::new()
        }
        Action::Player => {
            choose_player(model);
            Vec::new()
        }
        Action::Open => {
            open(model);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// The marked side one level up or down.
fn turn(model: &mut Model, up: bool) -> Vec<Effect> {
    let marked = model.sides.marked;
    let Some(arm) = model.sides.arms.and_then(|arms| arms.get(marked).copied()) else { return Vec::new() };
    let levels = plan::levels(model, arm.dial);
    let Some(next) = dials::next_level(&levels, arm.level, up) else {
        model.say(Scope::Notice, format!("{arm} is the {} level of its dial", if up { "highest" } else { "lowest" }));
        return Vec::new();
    };
    set_arm(model, arm.dial.at(next))
}

/// Puts an arm on the marked side.
pub fn set_arm(model: &mut Model, arm: Arm) -> Vec<Effect> {
    let marked = model.sides.marked;
    let Some(at) = model.sides.arms.as_mut().and_then(|arms| arms.get_mut(marked)) else { return Vec::new() };
    *at = arm;
    ask(model)
}

/// Lets somebody else make the calls.
pub fn set_who(model: &mut Model, who: Who) -> Vec<Effect> {
    model.sides.who = who;
    ask(model)
}

fn choose_arm(model: &mut Model) {
    let arms = plan::arms(model);
    let items = arms.iter().map(|arm| (arm.to_string(), dials::about(arm.dial).to_owned())).collect();
    let side = if model.sides.marked == 0 { "A" } else { "B" };
    model.overlays.push(Overlay::Pick(Pick::new(format!("the arm of {side}"), Purpose::SideArm(arms), items)));
}

fn choose_player(model: &mut Model) {
    let mut items = Vec::new();
    let mut whos = Vec::new();
    if model.step.episode.as_ref().is_some_and(|episode| episode.cursor() > 0) {
        items.push(("the calls made".to_owned(), "from the Step screen, sent to both".to_owned()));
        whos.push(Who::Again);
    }
    items.push(("the reference solution of A".to_owned(), "sent to both".to_owned()));
    whos.push(Who::Reference);
    let mut refuse = |_: &str| Err(String::new());
    for (name, about) in NAMES {
        if let Ok(spec) = PlayerSpec::parse(name, &mut refuse) {
            items.push((name.to_owned(), about.to_owned()));
            whos.push(Who::Player(spec));
        }
    }
    if let Some(sides) = model.sides.ready() {
        let theirs = |side: &crate::work::Side| side.episode.task().wrong_answers.clone();
        let other = theirs(&sides.b);
        for wrong in theirs(&sides.a).iter().filter(|w| other.iter().any(|o| o.name == w.name)) {
            items.push((format!("wrong:{}", wrong.name), "a wrong answer that both tasks have".to_owned()));
            whos.push(Who::Player(PlayerSpec::Wrong(wrong.name.to_owned())));
        }
    }
    model.overlays.push(Overlay::Pick(Pick::new("who makes the calls", Purpose::Player(whos), items)));
}

/// Opens the marked side in the stepper, where one stands.
fn open(model: &mut Model) {
    let Some(sides) = model.sides.ready().cloned() else { return };
    let entry = Entry::of(&sides, model.cursor(Pane::Sides).at);
    let marked = model.sides.marked;
    let at = sides.behind(entry.behind(&sides))[marked.min(1)];
    let side = if marked == 0 { &sides.a } else { &sides.b };
    let mut episode = side.episode.clone();
    if entry != Entry::End && episode.ending() != Ending::Open {
        // The call one stands on, not how the episode ended after it: that is kept.
        episode.back();
    }
    step::open_episode(model, episode, at);
    model.say(Scope::Notice, format!("{} in the stepper", side.arm()));
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(sides) = model.sides.ready() else { return Vec::new() };
    let mut copies = vec![Copyable::new("both sides as text", page(sides, PAGE).join("\n"))];
    if let Some([a, b]) = model.sides.arms {
        let player = match &model.sides.who {
            Who::Player(spec) => format!(" --player {spec}"),
            _ => String::new(),
        };
        let flags = format!("--arm {a} --against {b} --seed {}{player}", model.sides.seed);
        copies.push(Copyable::new("flags of rehearsal step", flags));
    }
    copies.push(Copyable::new("where they diverge", sides.words()));
    copies
}

/// Columns of both sides as text.
pub const PAGE: usize = 118;

/// Both sides whole as lines of text: what the command line prints.
pub fn page(sides: &Sides, width: usize) -> Vec<String> {
    let size = (width, 0);
    let mut rows = lines::detail(sides, Entry::Start, size);
    for i in 0..sides.rows.len() {
        let kind = sides.rows[i].kind;
        rows.push(Row::new());
        rows.push(Row::of(Scope::Text, format!("{} call {}  {}", kind.sign(), i + 1, kind.word().replace('_', " "))));
        rows.extend(lines::detail(sides, Entry::Pair(i), size));
    }
    rows.push(Row::new());
    rows.extend(lines::detail(sides, Entry::End, size));
    rows.iter().map(|row| row.text().trim_end().to_owned()).collect()
}
