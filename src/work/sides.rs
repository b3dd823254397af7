//! Turning a dial under the calls made, and two arms of one seed side by side.

use super::Control;
use crate::align::{self, Ended, Played, Row, RowKind, align, apart, first_divergence, parting};
use crate::engine::{Ending, Engine, State};
use crate::episode::players::PlayerSpec;
use crate::episode::{Episode, Transfer, shown_name, transfer};
use crate::plan::{PlanError, Planner};
use crate::run::{MAX_TURNS, play};
use crate::task::{Arm, Task};
use crate::text;
use crate::value::Str;
use std::sync::Arc;

/// An arm to plan on a seed, and the episode whose calls are sent again on it.
#[derive(Debug, Clone)]
pub struct TurnRequest {
    /// The set.
    pub planner: Arc<Planner>,
    /// The arm.
    pub arm: Arm,
    /// The seed.
    pub seed: u64,
    /// The calls before this episode's cursor are sent again; without one the episode starts over.
    pub from: Option<Box<Episode>>,
}

/// What became of the calls on the other arm.
#[derive(Debug, Clone)]
pub struct Turned {
    /// The arm turned away from, when calls were sent again.
    pub from: Option<Arm>,
    /// The episode on the other arm, and where the two diverge.
    pub transfer: Transfer,
    /// How the first call that was answered differently was answered, in one sentence.
    pub how: Option<String>,
}

impl Turned {
    /// Where the two part and how, in a sentence or two.
    pub fn words(&self) -> String {
        match (&self.from, &self.how) {
            (None, _) => "The episode starts over: the two diverge at the start.".to_owned(),
            (_, Some(how)) => format!("{} There {how}.", self.transfer.words()),
            (_, None) => self.transfer.words(),
        }
    }

    /// The same in a few words, the telling ones first.
    pub fn brief(&self) -> String {
        match (self.transfer.parts, &self.how) {
            _ if self.from.is_none() => "the episode starts over; the two diverge at the start".to_owned(),
            (Some(index), Some(how)) => format!("they diverge at call {}: {how}", index + 1),
            _ => self.transfer.words(),
        }
    }
}

/// Plans the arm and sends the calls again.
pub fn turn(request: &TurnRequest, control: &Control) -> Result<Turned, PlanError> {
    control.progress("planning", 0, None);
    let task = Arc::new(request.planner.plan(request.arm, request.seed)?);
    let Some(from) = &request.from else {
        let transfer = Transfer { episode: Episode::new(task), sent: 0, stopped: None, parts: None };
        return Ok(Turned { from: None, transfer, how: None });
    };
    let transfer = transfer(from, task);
    let how = transfer.parts.and_then(|i| {
        let (before, now) = (from.past().get(i)?, transfer.episode.calls().get(i)?);
        parting(&Played::of(from.task(), before), &Played::of(transfer.episode.task(), now))
    });
    Ok(Turned { from: Some(from.task().arm), transfer, how })
}

/// Whose calls are made on both sides.
#[derive(Debug, Clone)]
pub enum Calls {
    /// The calls before the cursor of an episode, sent to both, and its ending.
    Again(Box<Episode>),
    /// The reference solution of the first side, sent to both.
    Reference,
    /// Each side is played by a player, who acts on the answers there.
    Player(PlayerSpec),
}

/// Two arms of one seed.
#[derive(Debug, Clone)]
pub struct SidesRequest {
    /// The set.
    pub planner: Arc<Planner>,
    /// The arms of the two sides.
    pub arms: [Arm; 2],
    /// The seed of both.
    pub seed: u64,
    /// Whose calls.
    pub calls: Calls,
}

/// One of the two sides.
#[derive(Debug, Clone)]
pub struct Side {
    /// Its episode, played.
    pub episode: Episode,
    /// Its calls as they are aligned: a tool that the other side shows under another name has the name of the first side.
    pub played: Vec<Played>,
    /// Why a player made each call; empty when the calls were given.
    pub reasons: Vec<String>,
    /// Why a player ended it.
    pub ended_because: Option<String>,
    /// The first call that could not be made here, by index, and its tool: it is not shown.
    pub stopped: Option<(usize, Str)>,
}

impl Side {
    /// The arm.
    pub fn arm(&self) -> Arm {
        self.episode.task().arm
    }

    /// The state after `n` of its calls.
    pub fn state_at(&self, n: usize) -> State {
        self.episode.state_at(n)
    }

    fn given(transfer: Transfer) -> Self {
        let stopped = transfer.stopped;
        Self { episode: transfer.episode, played: Vec::new(), reasons: Vec::new(), ended_because: None, stopped }
    }

    fn of_player(spec: &PlayerSpec, task: Arc<Task>) -> Self {
        let engine = Arc::new(Engine::new(task));
        let played = play(&engine, spec, 0, MAX_TURNS);
        let mut episode = Episode::on(engine);
        let mut reasons = Vec::with_capacity(played.turns.len());
        for turn in played.turns {
            episode.make(turn.call);
            reasons.push(turn.reason);
        }
        episode.end(played.ending);
        Self { episode, played: Vec::new(), reasons, ended_because: Some(played.reason), stopped: None }
    }
}

/// Two sides, aligned call by call.
#[derive(Debug, Clone)]
pub struct Sides {
    /// The first.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// The calls beside each other.
    pub rows: Vec<Row>,
    /// The first row at which they part.
    pub parts: Option<usize>,
    /// Why they part, in one sentence; nothing when both went the same way.
    pub cause: Option<String>,
}

impl Sides {
    fn new(mut a: Side, mut b: Side) -> Self {
        let (task_a, task_b) = (a.episode.task().clone(), b.episode.task().clone());
        a.played = a.episode.calls().iter().map(|made| Played::of(&task_a, made)).collect();
        b.played = b.episode.calls().iter().map(|made| Played::of(&task_b, made)).collect();
        for played in &mut b.played {
            if let Some(name) = shown_name(&task_b, &task_a, &played.call.tool) {
                played.call.tool = name.clone();
            }
        }
        let mut rows = align(&a.played, &b.played);
        for row in &mut rows {
            // An error may tell of a tool by its name, which can be another on each side.
            if let (RowKind::Answer, Some(i), Some(j)) = (row.kind, row.a, row.b)
                && a.played[i].code.is_some()
                && a.played[i].code == b.played[j].code
            {
                row.kind = RowKind::Same;
            }
        }
        let ended = |side: &Side| match side.episode.ending() {
            Ending::Reply => Ended::Reply,
            Ending::Limit => Ended::Limit,
            Ending::Open => Ended::Open,
        };
        let cause = align::cause(&a.played, &b.played, &rows, (ended(&a), ended(&b)));
        Self { parts: first_divergence(&rows), cause, rows, a, b }
    }

    /// How many calls of each side lie in the first `rows` rows.
    pub fn behind(&self, rows: usize) -> [usize; 2] {
        let rows = &self.rows[..rows.min(self.rows.len())];
        [rows.iter().filter(|row| row.a.is_some()).count(), rows.iter().filter(|row| row.b.is_some()).count()]
    }

    /// Where they part and how, in one sentence.
    pub fn words(&self) -> String {
        let mut words = match (self.parts, &self.cause) {
            (Some(at), cause) => {
                let pair = self.rows.get(at).filter(|row| row.kind == RowKind::Answer);
                let answers = pair.and_then(|row| apart(self.a.played.get(row.a?)?, self.b.played.get(row.b?)?));
                match answers.as_ref().or(cause.as_ref()) {
                    Some(how) => format!("They diverge at call {}. {how}.", at + 1),
                    None => format!("They diverge at call {}.", at + 1),
                }
            }
            (None, Some(cause)) => format!("{cause}."),
            _ if self.rows.is_empty() => "No call was made.".to_owned(),
            _ => "They do not part: both are answered alike.".to_owned(),
        };
        for (name, side) in [("A", &self.a), ("B", &self.b)] {
            if let Some((index, tool)) = &side.stopped {
                let tool = text::safe(tool);
                words.push_str(&format!(" {name} stops before call {}: {tool} is not shown there.", index + 1));
            }
        }
        words
    }
}

/// Plans both arms and plays them.
pub fn sides(request: &SidesRequest, control: &Control) -> Result<Sides, PlanError> {
    let mut tasks = Vec::with_capacity(2);
    for (done, arm) in request.arms.into_iter().enumerate() {
        if control.is_cancelled() {
            return Err(PlanError("cancelled".to_owned()));
        }
        control.progress("planning", done as u64, Some(2));
        let named = |error: PlanError| PlanError(format!("{arm}: {}", error.0));
        tasks.push(Arc::new(request.planner.plan(arm, request.seed).map_err(named)?));
    }
    let (Some(second), Some(first)) = (tasks.pop(), tasks.pop()) else {
        return Err(PlanError("two arms are needed".to_owned()));
    };
    control.progress("playing", 0, None);
    let (a, b) = match &request.calls {
        Calls::Again(from) => (Side::given(transfer(from, first)), Side::given(transfer(from, second))),
        Calls::Reference => {
            let mut from = Episode::new(first.clone());
            for call in first.reference_calls.iter().cloned() {
                from.make(call);
            }
            from.end(Ending::Reply);
            (Side::given(transfer(&from, first)), Side::given(transfer(&from, second)))
        }
        Calls::Player(spec) => {
            if matches!(spec, PlayerSpec::Mix(_)) {
                let says = "a mix may draw another player on each side: name one player";
                return Err(PlanError(says.to_owned()));
            }
            spec.check(&first).and_then(|()| spec.check(&second)).map_err(PlanError)?;
            (Side::of_player(spec, first), Side::of_player(spec, second))
        }
    };
    Ok(Sides::new(a, b))
}
