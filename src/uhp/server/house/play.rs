//! An episode as a play: each move told as reasoning, call and answer, then the verdict and the papers.

use super::super::stage::{Play, Scene};
use super::choose::Chosen;
use super::papers::{self, Turn};
use crate::engine::{Engine, State, explain};
use crate::episode::chain::Chain;
use crate::episode::players::{Act, Player, PlayerSpec, View};
use crate::task::{Call, Ending, Task};
use crate::toolfile::Reading;
use crate::uhp::wire::error::Problem;
use crate::uhp::wire::event::Step;
use crate::uhp::wire::path::numbered;
use crate::value::canonical;
use std::collections::VecDeque;
use std::sync::Arc;

/// Calls after which an episode is stopped, as in a run.
const MOST_CALLS: usize = 32;

/// An episode being played.
pub(super) struct Episode {
    task: Arc<Task>,
    reading: Arc<Reading>,
    engine: Engine,
    state: State,
    chain: Chain,
    player: Box<dyn Player>,
    spec: PlayerSpec,
    chosen: Chosen,
    disabled: Vec<String>,
    /// Which turn of its session this is, from 1: it numbers the papers, so that each turn keeps its own.
    turn: usize,
    turns: Vec<Turn>,
    scenes: VecDeque<Scene>,
    over: bool,
}

impl Episode {
    pub(super) fn new(
        task: Arc<Task>,
        reading: Arc<Reading>,
        spec: PlayerSpec,
        chosen: Chosen,
        disabled: Vec<String>,
        turn: usize,
    ) -> Self {
        let engine = Engine::new(task.clone());
        let request = format!("The request of {} seed {}: {}", chosen.arm, chosen.seed, task.request);
        Self {
            state: engine.start(),
            chain: Chain::start(&task.task_id),
            player: spec.player(&task, 0),
            scenes: VecDeque::from([Scene::Tell(Step::Reasoning(request))]),
            turns: Vec::new(),
            over: false,
            task,
            reading,
            engine,
            spec,
            chosen,
            disabled,
            turn,
        }
    }

    /// Asks the player for its next move and lines up what it tells.
    fn move_on(&mut self) {
        if self.turns.len() >= MOST_CALLS {
            let reason = format!("{MOST_CALLS} calls are made: the turn limit stops the episode.");
            return self.end(Ending::Limit, None, &reason);
        }
        let made = self.turns.iter().map(|t| (&t.made.call, &t.made.outcome.answer)).collect();
        let next = self.player.next(&View { task: &self.task, made });
        match next.act {
            Act::Reply(text) => self.end(Ending::Reply, Some(&text), &next.reason),
            Act::Limit => self.end(Ending::Limit, None, &next.reason),
            Act::Call(call) => self.make(call, next.reason),
        }
    }

    fn make(&mut self, call: Call, reason: String) {
        self.tell(Step::Reasoning(reason.clone()));
        let arguments = canonical::compact(&call.arguments, false);
        self.tell(Step::Call { name: call.tool.to_string(), arguments });
        if self.is_disabled(&call.tool) {
            self.tell(Step::Answer(format!("The tool {} is disabled on this harness.", call.tool)));
            let reason = "A tool that the task needs is disabled on this harness, so the episode ends here.";
            return self.end(Ending::Reply, Some("Stopped: a tool is disabled."), reason);
        }
        let outcome = self.engine.step(&self.state, &call);
        self.chain = self.chain.step(&self.task.task_id, &call, &outcome.answer.text, &outcome.changes);
        self.state = outcome.state.clone();
        self.tell(Step::Answer(outcome.answer.text.to_string()));
        self.turns.push(Turn::new(&self.task, call, outcome, reason, self.chain));
    }

    /// Whether the harness disables a tool, by the name shown or the file's own.
    fn is_disabled(&self, shown: &str) -> bool {
        let behind = self.task.shown(shown).map(|t| (&*t.tool.name, &*t.tool.original));
        let is = |name: &str| self.disabled.iter().any(|d| d == name);
        is(shown) || behind.is_some_and(|(name, original)| is(name) || is(original))
    }

    fn end(&mut self, ending: Ending, reply: Option<&str>, reason: &str) {
        self.over = true;
        self.tell(Step::Reasoning(reason.to_owned()));
        let verdict = self.engine.verdict(&self.state, ending);
        let played = papers::Played {
            task: &self.task,
            reading: &self.reading,
            turns: &self.turns,
            player: self.spec.to_string(),
            ending,
            reply,
            reason,
            words: explain::verdict(&self.task, &self.state, &verdict, ending),
            chain: self.chain.end(ending, verdict.label),
            verdict,
        };
        let (episode, card) = (played.episode(), played.card());
        let mut text = String::new();
        if let Some(reply) = reply {
            text.push_str(&format!("{reply}\n\n"));
        }
        let names = ["episode.json", "card.md"].map(|name| numbered(name, self.turn));
        text.push_str(&format!(
            "Verdict: {}.\nPlayed {} seed {} with the player {}. {}\nWritten: {}",
            played.words.trim_end_matches('.'),
            self.chosen.arm,
            self.chosen.seed,
            played.player,
            self.chosen.how.sentence(),
            names.join(", "),
        ));
        self.tell(Step::Say(text));
        for (name, text) in names.into_iter().zip([episode, card]) {
            self.scenes.push_back(Scene::Write { name, bytes: text.into_bytes() });
        }
    }

    fn tell(&mut self, step: Step) {
        self.scenes.push_back(Scene::Tell(step));
    }
}

impl Play for Episode {
    fn next(&mut self) -> Result<Option<Scene>, Problem> {
        if self.scenes.is_empty() && !self.over {
            self.move_on();
        }
        Ok(self.scenes.pop_front())
    }
}
