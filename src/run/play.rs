//! One episode of a run: a player against the engine, until it replies or the turn limit stops it.

use crate::align::Stored;
use crate::engine::{Code, Ending, Engine, Outcome, Verdict};
use crate::episode::chain::Chain;
use crate::episode::players::{Act, PlayerSpec, View};
use crate::task::{Call, Task};
use crate::value::Str;

/// Model calls after which an episode is stopped.
pub const MAX_TURNS: usize = 32;

/// One call of an episode, what it did, and why it was made.
#[derive(Debug)]
pub struct Turn {
    /// The call.
    pub call: Call,
    /// What it did.
    pub outcome: Outcome,
    /// Why the player made it.
    pub reason: String,
    /// The chained hash after it.
    pub chain: Chain,
}

impl Turn {
    /// How its write counts, when the store took one.
    pub fn stored(&self) -> Option<Stored> {
        Stored::of(&self.outcome)
    }
}

/// An episode played to its end.
#[derive(Debug)]
pub struct Episode {
    /// The calls, in order.
    pub turns: Vec<Turn>,
    /// How it ended.
    pub ending: Ending,
    /// Model calls: one a call, and the reply; nothing where they cannot be seen.
    pub model_calls: Option<usize>,
    /// The text of the reply.
    pub reply: Option<Str>,
    /// Why the player ended it.
    pub reason: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The chained hash over everything.
    pub chain: Chain,
    /// Who played: of a mix, the one drawn.
    pub player: String,
}

/// Plays one attempt at a task.
pub fn play(engine: &Engine, spec: &PlayerSpec, attempt: u64, max_turns: usize) -> Episode {
    let task = engine.task();
    let mut player = spec.player(task, attempt);
    let mut turns: Vec<Turn> = Vec::with_capacity(task.reference_calls.len());
    let mut state = engine.start();
    let mut chain = Chain::start(&task.task_id);
    let (mut ending, mut reply, mut reason) = (Ending::Limit, None, "The turn limit stopped the episode.".to_owned());
    while turns.len() < max_turns {
        let made = turns.iter().map(|t| (&t.call, &t.outcome.answer)).collect();
        let next = player.next(&View { task, made });
        let call = match next.act {
            Act::Call(call) => call,
            Act::Reply(text) => {
                (ending, reply, reason) = (Ending::Reply, Some(text), next.reason);
                break;
            }
            Act::Limit => {
                reason = next.reason;
                break;
            }
        };
        let outcome = engine.step(&state, &call);
        chain = chain.step(&task.task_id, &call, &outcome.answer.text, &outcome.changes);
        state = outcome.state.clone();
        turns.push(Turn { call, outcome, reason: next.reason, chain });
    }
    let verdict = engine.verdict(&state, ending);
    Episode {
        model_calls: Some(turns.len() + usize::from(reply.is_some())),
        chain: chain.end(ending, verdict.label),
        player: spec.drawn(task, attempt).to_string(),
        turns,
        ending,
        reply,
        reason,
        verdict,
    }
}

/// What went wrong in an episode that a card counts beside its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slips {
    /// Writes that repeated a write already done.
    pub duplicate_writes: u64,
    /// Where a bad read is planned: a write carried the value it told.
    pub bad_read_believed: Option<bool>,
    /// Where a stale read is planned: the write was made again after it.
    pub stale_read_acted_on: Option<bool>,
    /// Where faults are planned: one of them was never followed by a call of its tool.
    pub gave_up_after_fault: Option<bool>,
}

impl Slips {
    /// Reads them off an episode.
    pub fn of(task: &Task, episode: &Episode) -> Self {
        let planned = [&task.fault_plan, &task.timeout_plan, &task.rate_limit_plan].iter().any(|p| !p.is_empty());
        Self {
            duplicate_writes: episode.verdict.duplicates as u64,
            bad_read_believed: task.bad_read.as_ref().map(|_| believed(&episode.turns)),
            stale_read_acted_on: task.lagged_step.map(|_| acted_on(&episode.turns)),
            gave_up_after_fault: planned.then(|| gave_up(&episode.turns)),
        }
    }
}

/// Whether a write stored after the bad read carried the value it told.
fn believed(turns: &[Turn]) -> bool {
    let bad = turns.iter().enumerate().find_map(|(i, t)| Some((i, t.outcome.shaping.bad.as_ref()?)));
    let Some((at, bad)) = bad else { return false };
    turns[at + 1..].iter().any(|turn| {
        let arguments = turn.call.arguments.as_object();
        turn.stored() == Some(Stored::SideEffect)
            && arguments.is_some_and(|m| m.values().any(|v| crate::schema::same(v, &bad.told)))
    })
}

/// Whether the expected write was made again after the stale read.
fn acted_on(turns: &[Turn]) -> bool {
    let Some(at) = turns.iter().position(|t| t.outcome.shaping.stale.is_some()) else { return false };
    turns[at + 1..].iter().any(|turn| turn.stored() == Some(Stored::Duplicate))
}

/// Whether some planned fault, timeout or rate limit was never followed by a call of its tool (not a write that landed
/// behind its timeout).
fn gave_up(turns: &[Turn]) -> bool {
    turns.iter().enumerate().any(|(i, turn)| {
        let code = turn.outcome.answer.code;
        matches!(code, Some(Code::Unavailable | Code::RateLimited | Code::Timeout))
            && turn.stored().is_none()
            && !turns[i + 1..].iter().any(|later| later.call.tool == turn.call.tool)
    })
}
