//! Where `rehearsal step` stops, and what it prints beside the calls: messages, blame, a difference.

use crate::cli::Failure;
use crate::cli::output::Output;
use crate::engine::Made;
use crate::episode::{
    Blame, Breakpoint, Difference, Episode, Until, Watch, blame_answer, blame_sent, difference, messages, stop,
};
use crate::task::{StepEffect, Task};
use crate::text;
use crate::value::{Map, Value, canonical};
use clap::Args;

/// The flags.
#[derive(Debug, Args)]
pub(super) struct Looking {
    /// Stop at the next error or change of the store, not at the end.
    #[arg(long, value_name = "error|change|end")]
    until: Option<String>,
    /// Stop at a call or an answer (repeatable): tool:NAME, an error code as in not_found, side-effect, bad-read or
    /// stale-read.
    #[arg(long = "break", value_name = "WHAT")]
    breaks: Vec<String>,
    /// Stop when the record of a write step changes, or one field of it (repeatable), as in 1 or 1.amount.
    #[arg(long, value_name = "STEP[.FIELD]")]
    watch: Vec<String>,
    /// Print the messages a model would get up to there, in the tool file's format.
    #[arg(long)]
    messages: bool,
    /// Say which call wrote a value (repeatable), as in 2/answer/id or 3/arguments/order_id.
    #[arg(long, value_name = "CALL/PLACE")]
    blame: Vec<String>,
    /// Print what changed in the store between two calls, as in 0..3 (0 is the start; without the second, the end).
    #[arg(long, value_name = "A..B")]
    diff: Option<String>,
}

/// The flags, read and checked.
#[derive(Debug, Default)]
pub(super) struct Look {
    until: Option<Until>,
    breaks: Vec<Breakpoint>,
    watches: Vec<Watch>,
    messages: bool,
    blame: Vec<Wanted>,
    diff: Option<(usize, Option<usize>)>,
}

/// A value whose writer is asked for.
#[derive(Debug)]
struct Wanted {
    written: String,
    call: usize,
    sent: bool,
    at: String,
}

/// The call that stopped the others.
#[derive(Debug)]
pub(super) struct Stopped {
    /// Its number.
    pub(super) call: usize,
    /// Why.
    pub(super) why: String,
}

impl Looking {
    /// Reads what was asked for on a task.
    pub(super) fn ready(&self, task: &Task) -> Result<Look, Failure> {
        let until = match self.until.as_deref() {
            None => None,
            Some("error") => Some(Until::Error),
            Some("change") => Some(Until::StoreChange),
            Some("end") => Some(Until::End),
            Some(other) => return Err(Failure::Usage(format!("--until takes error, change or end, not {other}"))),
        };
        let mut breaks = Vec::new();
        for word in &self.breaks {
            let all = "tool:NAME, not_found, invalid_arguments, not_ready, unavailable, timeout, rate_limited, \
                       side-effect, bad-read or stale-read";
            let one = Breakpoint::parse(word)
                .ok_or_else(|| Failure::Usage(format!("--break takes {all}, not {}", text::safe(word))))?;
            breaks.push(one);
        }
        let mut watches = Vec::new();
        for word in &self.watch {
            let watch = Watch::parse(word).ok_or_else(|| {
                Failure::Usage(format!("--watch takes a step's number, or STEP.FIELD, not {}", text::safe(word)))
            })?;
            if task.steps.get(watch.step()).is_none_or(|step| step.effect != StepEffect::Write) {
                let writes = task.steps.iter().enumerate().filter(|(_, step)| step.effect == StepEffect::Write);
                let writes: Vec<String> = writes.map(|(i, _)| i.to_string()).collect();
                return Err(Failure::Refused(format!(
                    "step {} is not a write of this task; its writes are {}",
                    watch.step(),
                    writes.join(", ")
                )));
            }
            watches.push(watch);
        }
        let blame = self.blame.iter().map(|word| wanted(word)).collect::<Result<_, _>>()?;
        let diff = self.diff.as_deref().map(span).transpose()?;
        Ok(Look { until, breaks, watches, messages: self.messages, blame, diff })
    }
}

fn wanted(word: &str) -> Result<Wanted, Failure> {
    let read = || {
        let (call, place) = word.split_once('/')?;
        let (part, rest) = place.split_once('/').map_or((place, ""), |(part, rest)| (part, rest));
        let sent = match part {
            "answer" => false,
            "arguments" => true,
            _ => return None,
        };
        let at = if place.contains('/') { format!("/{rest}") } else { String::new() };
        let call = call.parse::<usize>().ok()?.checked_sub(1)?;
        Some(Wanted { written: word.to_owned(), call, sent, at })
    };
    read().ok_or_else(|| {
        let says = format!("--blame takes a place as in 2/answer/id or 3/arguments/order_id, not {}", text::safe(word));
        Failure::Usage(says)
    })
}

fn span(word: &str) -> Result<(usize, Option<usize>), Failure> {
    let read = || {
        let (from, to) = word.split_once("..")?;
        let from = if from.is_empty() { 0 } else { from.parse().ok()? };
        let to = if to.is_empty() { None } else { Some(to.parse().ok()?) };
        Some((from, to))
    };
    read().ok_or_else(|| {
        Failure::Usage(format!("--diff takes two numbers of calls, as in 0..3, not {}", text::safe(word)))
    })
}

impl Look {
    /// Why a call stops the others, if it does.
    pub(super) fn stops(&self, made: &Made) -> Option<String> {
        let until = self.until.unwrap_or(Until::End);
        stop(made, until, &self.breaks, &self.watches).map(|stop| stop.words(&self.breaks, &self.watches))
    }

    fn difference(&self, episode: &Episode) -> Result<Option<(usize, usize, Difference)>, Failure> {
        let Some((from, to)) = self.diff else { return Ok(None) };
        let made = episode.calls().len();
        let to = to.unwrap_or(made);
        if from > made || to > made {
            return Err(Failure::Refused(format!(
                "--diff: no call {1}: only {0} made",
                text::count(made, "call"),
                from.max(to)
            )));
        }
        Ok(Some((from, to, difference(episode.task(), &episode.state_at(from), &episode.state_at(to)))))
    }

    fn blamed(&self, episode: &Episode) -> Result<Vec<(&Wanted, Blame)>, Failure> {
        let blame = |wanted: &Wanted| {
            if wanted.sent {
                blame_sent(episode.calls(), wanted.call, &wanted.at)
            } else {
                blame_answer(episode.task(), episode.calls(), wanted.call, &wanted.at)
            }
        };
        let mut all = Vec::new();
        for wanted in &self.blame {
            let found = blame(wanted).ok_or_else(|| {
                Failure::Refused(format!("--blame {}: no such call or place", text::safe(&wanted.written)))
            })?;
            all.push((wanted, found));
        }
        Ok(all)
    }

    /// Prints what was asked for below the calls.
    pub(super) fn print(&self, episode: &Episode, out: &mut Output) -> Result<(), Failure> {
        for (wanted, blame) in self.blamed(episode)? {
            out.line("")?;
            out.line(format!("where {} comes from: {}", wanted.written, blame.words().text()))?;
        }
        if let Some((from, to, found)) = self.difference(episode)? {
            out.line("")?;
            out.line(format!("the store from call {from} to call {to}"))?;
            print_difference(&found, out)?;
        }
        if self.messages {
            out.line("")?;
            out.line("messages")?;
            for message in messages::messages(episode.task(), episode.calls().iter().map(|made| &**made)) {
                let call = message.call.map_or_else(String::new, |call| format!(" of call {}", call + 1));
                out.line("")?;
                out.line(format!("-- {}{call}", message.role.word()))?;
                out.lines(&message.text())?;
            }
        }
        Ok(())
    }

    /// Adds what was asked for to the JSON.
    pub(super) fn add(&self, episode: &Episode, stopped: Option<&Stopped>, value: &mut Value) -> Result<(), Failure> {
        let Value::Object(map) = value else { return Ok(()) };
        let mut more = Map::new();
        if self.until.is_some() || !self.breaks.is_empty() || !self.watches.is_empty() {
            let stopped = stopped.map(|s| Map::from([("call", Value::from(s.call)), ("why", s.why.as_str().into())]));
            more.insert("stopped", Value::from(stopped));
        }
        if !self.blame.is_empty() {
            let all = self.blamed(episode)?.into_iter().map(|(wanted, blame)| {
                Value::from(Map::from([("of", Value::from(wanted.written.as_str())), ("blame", blame.to_value())]))
            });
            more.insert("blame", Value::array(all.collect()));
        }
        if let Some((from, to, found)) = self.difference(episode)? {
            let found = Map::from([("from", Value::from(from)), ("to", to.into()), ("difference", found.to_value())]);
            more.insert("diff", Value::from(found));
        }
        if self.messages {
            let all = messages::messages(episode.task(), episode.calls().iter().map(|made| &**made));
            more.insert("messages", Value::array(all.iter().map(messages::Message::to_value).collect()));
        }
        let map = std::sync::Arc::make_mut(map);
        for (name, member) in more.named() {
            map.insert(name.clone(), member.clone());
        }
        Ok(())
    }
}

fn print_difference(found: &Difference, out: &mut Output) -> Result<(), Failure> {
    if found.is_empty() {
        return out.line("  no changes: the store is the same at both points");
    }
    for (steps, sign, word) in [(&found.passed, '+', "passed"), (&found.reopened, '-', "open again")] {
        for step in steps {
            out.line(format!("  {sign} step {step} {word}"))?;
        }
    }
    for (before, after) in &found.records {
        let line = format!("  ~ record of step {} ({}): ", before.step, before.tool);
        out.line(match (&before.holds, &after.holds) {
            (Some(was), Some(is)) => format!("{line}{} -> {}", canonical::spaced(was), canonical::spaced(is)),
            (None, Some(is)) => format!("{line}new {}", canonical::spaced(is)),
            (was, None) => format!("{line}gone {}", was.as_ref().map(canonical::spaced).unwrap_or_default()),
        })?;
    }
    for (writes, sign) in [(&found.added, '+'), (&found.removed, '-')] {
        for (index, write) in writes {
            let kind = match write.kind {
                crate::engine::WriteKind::Expected(step) => format!("step {step}"),
                crate::engine::WriteKind::SideEffect => "side effect".to_owned(),
                crate::engine::WriteKind::Duplicate(step) => format!("duplicate of step {step}"),
            };
            let arguments = canonical::spaced(&write.arguments);
            out.line(format!("  {sign} write {}: {} {arguments}, {kind}, call {}", index + 1, write.tool, write.call))?;
        }
    }
    Ok(())
}
