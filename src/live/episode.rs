//! A live episode: the one place where its calls are made, in the order they come.

use super::event::{Event, What};
use super::turn::Origin;
use super::wire::{self, Way};
use crate::engine::{Ending, Outcome, Rule};
use crate::mcp::{Announce, Problem, Reaction, Reactions, Reply, ToolList};
use crate::run::{LiveRequest, LiveRun, utc};
use crate::task::{Call, Task};
use crate::value::{Document, Str};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// What is told to whoever watches.
pub(super) type Watch = Arc<dyn Fn(Event) + Send + Sync>;

/// How an episode is opened.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The task and its file.
    pub request: LiveRequest,
    /// Bytes of the file.
    pub bytes: Arc<[u8]>,
    /// The file, parsed.
    pub document: Document,
    /// Which output schemas are announced.
    pub announce: Announce,
    /// Whether several callers may play it.
    pub share: bool,
}

/// An episode that callers join.
pub struct LiveEpisode {
    name: String,
    task: Arc<Task>,
    tools: Arc<ToolList>,
    run: LiveRun,
    share: bool,
    joined: Option<String>,
    watch: Watch,
}

impl LiveEpisode {
    /// Opens an episode recorded in `out`. The error is one line.
    pub fn open(
        opening: &Opening,
        out: &Path,
        name: &str,
        watch: impl Fn(Event) + Send + Sync + 'static,
    ) -> Result<Self, String> {
        let run = LiveRun::open(&opening.request, out, name, &utc(SystemTime::now()))?;
        let tools = Arc::new(ToolList::new(&opening.bytes, &opening.document, run.engine(), opening.announce));
        let task = opening.request.task.clone();
        let watch = Arc::new(watch);
        Ok(Self { name: name.to_owned(), task, tools, run, share: opening.share, joined: None, watch })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The task.
    pub fn task(&self) -> &Arc<Task> {
        &self.task
    }

    /// The run folder.
    pub fn folder(&self) -> &Path {
        self.run.folder()
    }

    /// How many calls were made.
    pub fn made(&self) -> usize {
        self.run.made()
    }

    /// The calls made so far. The error is one line.
    pub fn recorded(&self) -> Result<Vec<Call>, String> {
        self.run.recorded()
    }

    /// The tools announced.
    pub fn tools(&self) -> &Arc<ToolList> {
        &self.tools
    }

    fn tell(&self, what: What) {
        (self.watch)(Event { episode: self.name.clone(), what });
    }

    /// What watches the episode.
    pub(super) fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// Writes down a frame that arrived, and notes who sent it.
    pub(super) fn arrived(&mut self, origin: &Origin, frame: &[u8]) -> Result<(), String> {
        let mut lines = Vec::new();
        wire::push(&mut lines, &origin.connection, Way::In, origin.http.then_some("POST"), frame);
        self.run.wire(&lines)?;
        if let Some(caller) = &origin.client
            && self.joined.as_ref() != Some(caller)
        {
            self.joined = Some(caller.clone());
            self.tell(What::Joined { connection: origin.connection.to_string(), caller: caller.clone() });
        }
        Ok(())
    }

    /// Writes down an answer that is about to leave.
    pub(super) fn left(&mut self, connection: &str, answer: &Reply) {
        let mut lines = Vec::new();
        wire::push(&mut lines, connection, Way::Out, None, answer.text.as_bytes());
        if let Err(why) = self.run.wire(&lines) {
            self.tell(What::Refused { why });
        }
    }

    /// Takes a frame that was read, where nobody holds calls and one caller is all there is.
    pub(super) fn reactions(&mut self, origin: &Origin, frame: &[u8], reactions: Reactions) -> Option<Reply> {
        if let Err(why) = self.arrived(origin, frame) {
            return self.unrecorded(reactions, &why);
        }
        let batch = reactions.batch;
        let answers = reactions.all.into_iter().filter_map(|reaction| self.react(reaction, origin.client.as_deref()));
        let answer = Reactions::together(batch, answers.collect());
        if let Some(answer) = &answer {
            self.left(&origin.connection, answer);
        }
        answer
    }

    /// The answer when a frame could not be written down: no call is made that leaves no trace.
    pub(super) fn unrecorded(&mut self, reactions: Reactions, why: &str) -> Option<Reply> {
        self.tell(What::Refused { why: why.to_owned() });
        let problem = Problem::internal(why);
        let answers = reactions.all.into_iter().filter_map(|reaction| match reaction {
            Reaction::Answer(answer) => Some(answer),
            Reaction::List(asked) | Reaction::Call { asked, .. } => Some(asked.refused(&problem)),
            Reaction::Cancel(_) | Reaction::Nothing => None,
        });
        Reactions::together(reactions.batch, answers.collect())
    }

    fn react(&mut self, reaction: Reaction, caller: Option<&str>) -> Option<Reply> {
        match reaction {
            Reaction::Answer(answer) => {
                if answer.tells_error() {
                    self.tell(What::Refused { why: answer.text.clone() });
                }
                Some(answer)
            }
            Reaction::List(asked) => Some(asked.list(self.tools.json())),
            Reaction::Call { asked, tool, arguments, .. } => {
                let call = Call { tool: tool.as_str().into(), arguments };
                Some(match self.call(&call, caller) {
                    Ok(Some(outcome)) => asked.answered(&outcome.answer, self.tools.announces(&tool)),
                    Ok(None) => asked.unknown_tool(&tool),
                    Err(why) => asked.refused(&Problem::unreachable(why)),
                })
            }
            // Nothing waits: a call given up was answered before the word of it came.
            Reaction::Cancel(_) | Reaction::Nothing => None,
        }
    }

    /// Whether a caller may play. The error says why not.
    fn admits(&self, caller: Option<&str>) -> Result<(), String> {
        match (caller, self.run.caller()) {
            (Some(now), Some(before)) if !self.share && now != before => {
                Err(format!("{before} plays this episode: open it with --share to let several callers in"))
            }
            _ => Ok(()),
        }
    }

    /// The number a call would have, and what it would do. The error says why it is not made.
    pub(super) fn preview(&self, call: &Call, caller: Option<&str>) -> Result<(usize, Outcome), String> {
        self.admits(caller).inspect_err(|why| self.refused(why))?;
        Ok((self.run.made() + 1, self.run.preview(call)))
    }

    /// Makes a call; nothing for a tool the task does not show. The error says why it was not made.
    pub(super) fn call(&mut self, call: &Call, caller: Option<&str>) -> Result<Option<Outcome>, String> {
        self.admits(caller).inspect_err(|why| self.refused(why))?;
        let mut outcome = self.run.call(call, caller).inspect_err(|why| self.refused(why))?;
        self.tell(What::Call {
            number: self.run.made(),
            tool: call.tool.to_string(),
            arguments: call.arguments.clone(),
            code: outcome.answer.code.map(|code| code.word()),
            answer: outcome.answer.text.to_string(),
        });
        let unknown = matches!(outcome.rule, Rule::OutsideBlock)
            || (matches!(outcome.rule, Rule::NotAnObject) && self.task.shown(&call.tool).is_none());
        // What the harness says of arguments that are no object is an error in MCP, whatever the file's format.
        outcome.answer.is_error |= matches!(outcome.rule, Rule::NotAnObject);
        Ok((!unknown).then_some(outcome))
    }

    /// Writes down what did not come through [`LiveEpisode::frame`]: an HTTP request or its answer.
    pub(super) fn note(&mut self, connection: &str, way: Way, about: &str, frame: &[u8]) -> Result<(), String> {
        let mut lines = Vec::new();
        wire::push(&mut lines, connection, way, Some(about), frame);
        self.run.wire(&lines)
    }

    /// Appends lines that were made before the folder was open.
    pub(super) fn note_lines(&mut self, lines: &[u8]) -> Result<(), String> {
        if lines.is_empty() { Ok(()) } else { self.run.wire(lines) }
    }

    /// Tells of a request that was refused before any call.
    pub(super) fn refused(&self, why: &str) {
        self.tell(What::Refused { why: why.to_owned() });
    }

    /// Ends the episode and gives the verdict's label. The error is one line.
    pub fn end(self) -> Result<Str, String> {
        let (name, watch, folder) = (self.name.clone(), self.watch.clone(), self.run.folder().display().to_string());
        let (label, no_card) = self.run.end(Ending::Reply, "The caller left or the episode was closed.")?;
        watch(Event { episode: name, what: What::Ended { label: label.to_string(), folder, no_card } });
        Ok(label)
    }
}
