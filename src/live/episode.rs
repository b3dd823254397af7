//! A live episode: the one place where its calls are made, in the order they come.

use super::event::{Event, What};
use super::wire::{self, Way};
use crate::engine::{Answer, Ending, Rule};
use crate::mcp::{Announce, Dialog, Headers, Problem, Reaction, Reactions, Reply, ToolList};
use crate::run::{LiveRequest, LiveRun, utc};
use crate::task::{Call, Task};
use crate::value::{Document, Str, Value};
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
    tools: ToolList,
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
        let tools = ToolList::new(&opening.bytes, &opening.document, run.engine(), opening.announce);
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

    /// The tools announced.
    pub fn tools(&self) -> &ToolList {
        &self.tools
    }

    fn tell(&self, what: What) {
        (self.watch)(Event { episode: self.name.clone(), what });
    }

    /// Takes a frame of a connection, writes it down with its answer, and gives the answer.
    pub(super) fn frame(
        &mut self,
        dialog: &mut Dialog,
        connection: &str,
        bytes: &[u8],
        headers: Option<&Headers>,
    ) -> Option<Reply> {
        let reactions = dialog.take(bytes, headers);
        self.reactions(dialog, connection, bytes, reactions, headers)
    }

    /// The same of a frame that was read already.
    pub(super) fn reactions(
        &mut self,
        dialog: &Dialog,
        connection: &str,
        bytes: &[u8],
        reactions: Reactions,
        headers: Option<&Headers>,
    ) -> Option<Reply> {
        let mut lines = Vec::new();
        wire::push(&mut lines, connection, Way::In, headers.map(|_| "POST"), bytes);
        if let Err(why) = self.run.wire(&lines) {
            return self.unrecorded(reactions, &why);
        }
        if let Some(client) = dialog.client() {
            let caller = client.to_string();
            if self.joined.as_ref() != Some(&caller) {
                self.joined = Some(caller.clone());
                self.tell(What::Joined { connection: connection.to_owned(), caller });
            }
        }
        let caller = dialog.client().map(ToString::to_string);
        let batch = reactions.batch;
        let answers = reactions.all.into_iter().filter_map(|reaction| {
            let reaction = match headers {
                Some(headers) => reaction.with_headers(&self.task, headers),
                None => reaction,
            };
            self.react(reaction, caller.as_deref())
        });
        let answer = Reactions::together(batch, answers.collect());
        if let Some(answer) = &answer {
            lines.clear();
            wire::push(&mut lines, connection, Way::Out, None, answer.text.as_bytes());
            if let Err(why) = self.run.wire(&lines) {
                self.tell(What::Refused { why });
            }
        }
        answer
    }

    /// The answer when a frame could not be written down: no call is made that leaves no trace.
    fn unrecorded(&mut self, reactions: Reactions, why: &str) -> Option<Reply> {
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
                if answer.text.contains(r#","error":{"code":"#) {
                    self.tell(What::Refused { why: answer.text.clone() });
                }
                Some(answer)
            }
            Reaction::List(asked) => Some(asked.list(self.tools.json())),
            Reaction::Call { asked, tool, arguments, .. } => Some(match self.call(&tool, arguments, caller) {
                Ok(Some(answer)) => asked.answered(&answer, self.tools.announces(&tool)),
                Ok(None) => asked.unknown_tool(&tool),
                Err(why) => asked.refused(&Problem::unreachable(why)),
            }),
            // Nothing waits: a call given up was answered before the word of it came.
            Reaction::Cancel(_) | Reaction::Nothing => None,
        }
    }

    /// Makes a call; nothing for a tool the task does not show. The error says why it was not made.
    pub(super) fn call(
        &mut self,
        tool: &str,
        arguments: Value,
        caller: Option<&str>,
    ) -> Result<Option<Answer>, String> {
        if let (false, Some(now), Some(before)) = (self.share, caller, self.run.caller())
            && now != before
        {
            let why = format!("{before} plays this episode: open it with --share to let several callers in");
            self.tell(What::Refused { why: why.clone() });
            return Err(why);
        }
        let call = Call { tool: tool.into(), arguments };
        let outcome = self.run.call(&call, caller).inspect_err(|why| self.tell(What::Refused { why: why.clone() }))?;
        self.tell(What::Call {
            number: self.run.made(),
            tool: tool.to_owned(),
            arguments: call.arguments,
            code: outcome.answer.code.map(|code| code.word()),
            answer: outcome.answer.text.to_string(),
        });
        let unknown = matches!(outcome.rule, Rule::OutsideBlock)
            || (matches!(outcome.rule, Rule::NotAnObject) && self.task.shown(tool).is_none());
        let mut answer = outcome.answer;
        // What the harness says of arguments that are no object is an error in MCP, whatever the file's format.
        answer.is_error |= matches!(outcome.rule, Rule::NotAnObject);
        Ok((!unknown).then_some(answer))
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
