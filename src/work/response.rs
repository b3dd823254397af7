//! Saved responses of the Unified Harness Protocol: whether a file holds one, and two of them, or one and an episode that a
//! run recorded, beside each other as two episodes are.

use crate::align::Ended;
use crate::card::page::{Block, Page, Table};
use crate::run::{Browse, EpisodePair, Source, Trace, TraceStep};
use crate::text;
use crate::uhp::client::replay::played;
use crate::uhp::client::transcript::{LARGEST, Transcript};
use crate::uhp::wire::Json;
use crate::value::{Map, Value};
use std::path::Path;
use std::sync::Arc;

/// The response that a file holds, when it holds one. A file that cannot be one is not read as JSON.
pub fn read(path: &Path) -> Option<Transcript> {
    let about = std::fs::metadata(path).ok().filter(|about| about.is_file() && about.len() <= LARGEST as u64)?;
    if about.len() == 0 {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let begins = bytes.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
    let names = bytes.windows(NAME.len()).any(|w| w == NAME);
    if begins && names { Transcript::read(&bytes).ok() } else { None }
}

/// Every response says what object it is.
const NAME: &[u8] = b"\"response\"";

/// A response as an episode that was recorded: its calls and answers; nothing is known of rules and stores on the server.
pub fn trace(transcript: &Transcript) -> Trace {
    let about = |key: &str| transcript.metadata("rehearsal").and_then(|r| r.get(key));
    let step = |played| TraceStep { played, rule: "".into(), reason: "".into(), chain: None };
    Trace {
        task_id: "".into(),
        arm_id: about("arm").and_then(Json::as_str).unwrap_or_default().into(),
        seed: about("seed").and_then(Json::as_u64).unwrap_or_default(),
        attempt: 0,
        player: transcript.head_text("model").unwrap_or_default().into(),
        steps: played(transcript).into_iter().map(step).collect(),
        ended: match transcript.status() {
            "completed" => Ended::Reply,
            "incomplete" => Ended::Limit,
            _ => Ended::Open,
        },
        label: transcript.status().into(),
        chain: None,
        broken: None,
    }
}

/// One of two that are compared.
#[derive(Debug, Clone)]
pub enum Half {
    /// A response.
    Response(Box<Transcript>),
    /// An episode that a run recorded.
    Recorded {
        /// The run.
        run: Arc<Browse>,
        /// Its place among the run's records.
        index: usize,
        /// The player, as the run calls it.
        model: String,
        /// Its calls.
        trace: Box<Trace>,
    },
}

impl Half {
    /// The episode of a run that a response stands beside: of the planned task that the response says it played, by the same
    /// player where the run has it. The error is one line.
    pub fn recorded(path: &Path, response: &Transcript) -> Result<Self, String> {
        let source = Source::open(path)?;
        let about = |key: &str| response.metadata("rehearsal").and_then(|r| r.get(key));
        let words = |key: &str| about(key).and_then(Json::as_str);
        let (Some(arm), Some(seed)) = (words("arm"), about("seed").and_then(Json::as_u64)) else {
            return Err(
                "the response does not say which planned task it played, so no recorded episode is its own".into()
            );
        };
        let named = format!("{arm} seed {seed}");
        let of_task = source.episodes.marks().iter().enumerate().filter_map(|(index, mark)| {
            let task = source.episodes.task(mark);
            let cell = source.artifact.cells.get(task.cell)?;
            (*task.arm_id == *arm && task.seed == seed).then_some((index, task, &cell.model))
        });
        let player = words("player").unwrap_or_default();
        let Some((index, task, model)) = of_task.min_by_key(|(_, _, model)| &***model != player) else {
            return Err(format!("{} has no episode of {named}, which the response played", source.label));
        };
        if words("task_id").is_some_and(|id| id != &*task.task_id) {
            return Err(format!("{}: its {named} is another task than the response's", source.label));
        }
        let model = model.to_string();
        let trace = source.trace(index)?.ok_or_else(|| format!("{}: its calls were not recorded", source.label))?;
        Ok(Half::Recorded { run: Arc::new(Browse::of(source)), index, model, trace: Box::new(trace) })
    }

    fn trace(&self) -> Trace {
        match self {
            Half::Response(transcript) => trace(transcript),
            Half::Recorded { trace, .. } => (**trace).clone(),
        }
    }

    /// What it was said at last: the status of a response, the outcome of an episode.
    fn end(&self) -> String {
        match self {
            Half::Response(transcript) => transcript.status().to_owned(),
            Half::Recorded { trace, .. } => trace.label.to_string(),
        }
    }

    fn fact(&self, key: &str) -> Option<String> {
        match self {
            Half::Response(t) => match t.metadata("rehearsal").and_then(|r| r.get(key))? {
                Json::String(text) => Some(text.clone()),
                other => Some(other.to_string()),
            },
            Half::Recorded { run, trace, .. } => match key {
                "arm" => Some(trace.arm_id.to_string()),
                "seed" => Some(trace.seed.to_string()),
                "file_hash" => run.plan().map(|plan| plan.own.file_digest.clone()),
                _ => None,
            },
        }
    }

    fn model(&self) -> String {
        match self {
            Half::Response(t) => t.head_text("model").unwrap_or("-").to_owned(),
            Half::Recorded { model, .. } => model.clone(),
        }
    }

    /// The last message.
    pub fn said(&self) -> Option<String> {
        let Half::Response(transcript) = self else { return None };
        transcript.items.iter().rev().find(|i| i.kind() == "message").map(|i| i.text())
    }
}

/// Two beside each other, one of them a response at least.
#[derive(Debug, Clone)]
pub struct Pair {
    /// What each is called.
    pub names: [String; 2],
    /// The two.
    pub halves: [Half; 2],
    /// Their calls, paired.
    pub episodes: EpisodePair,
}

impl Pair {
    /// Pairs two, each with its name.
    pub fn of(a: (String, Half), b: (String, Half)) -> Self {
        let episodes = EpisodePair::of(a.1.trace(), b.1.trace());
        Self { names: [a.0, b.0], halves: [a.1, b.1], episodes }
    }

    /// Whether both made the same calls, were answered the same and ended the same.
    pub fn is_same(&self) -> bool {
        let ended = match &self.halves {
            [Half::Response(a), Half::Response(b)] => a.status() == b.status(),
            _ => self.episodes.a.ended == self.episodes.b.ended,
        };
        self.episodes.first.is_none() && ended
    }

    /// What both are about, in a few words: their planned task when it is one, else what they are.
    pub fn subject(&self) -> String {
        let task = |h: &Half| Some(format!("{} seed {}", h.fact("arm")?, h.fact("seed")?));
        let [a, b] = self.halves.each_ref().map(task);
        a.filter(|a| b.as_ref() == Some(a)).unwrap_or_else(|| "two responses".to_owned())
    }

    /// Details of both, a row each.
    fn facts(&self) -> Vec<(&'static str, [String; 2])> {
        let each = |f: &dyn Fn(&Half) -> String| self.halves.each_ref().map(f);
        let mut rows = vec![
            ("model", each(&Half::model)),
            ("status", each(&Half::end)),
            ("calls", [&self.episodes.a, &self.episodes.b].map(|t| t.steps.len().to_string())),
        ];
        for (name, key) in [("arm", "arm"), ("seed", "seed"), ("tool file", "file_hash")] {
            let both = each(&|half| half.fact(key).unwrap_or_else(|| "-".to_owned()));
            if both.iter().any(|v| v != "-") {
                rows.push((name, both));
            }
        }
        rows
    }

    /// The page.
    pub fn page(&self) -> Page {
        let mut blocks = vec![Block::Title(format!("A: {}  B: {}", self.names[0], self.names[1]))];
        let mut table = Table::new(&["", "", "A", "B"]);
        for (name, [a, b]) in self.facts() {
            table.row(vec![if a == b { "" } else { "~" }.to_owned(), name.to_owned(), a, b]);
        }
        blocks.push(Block::Table(table));
        let same = self.episodes.rows.iter().filter(|row| row.is_same()).count();
        blocks.push(Block::Text(match &self.episodes.cause {
            Some(cause) => format!("{cause}."),
            None => "Both made the same calls and got the same answers.".to_owned(),
        }));
        blocks.push(Block::Heading(format!("Calls ({} of {} the same)", same, self.episodes.rows.len())));
        blocks.push(Block::Table(self.episodes.table()));
        blocks.push(Block::Heading("What each said at its end".into()));
        for (name, half) in ["A", "B"].iter().zip(&self.halves) {
            let said = half.said().unwrap_or_else(|| match half {
                Half::Response(_) => "nothing".to_owned(),
                Half::Recorded { .. } => "(a run records no words)".to_owned(),
            });
            let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
            blocks.push(Block::Text(format!("{name}: {}", text::cut(&text::safe(&line), 400))));
        }
        Page(blocks)
    }

    /// The same as JSON.
    pub fn to_value(&self) -> Value {
        let facts = self.facts().into_iter().map(|(name, [a, b])| {
            Value::from(Map::from([("name", Value::from(name)), ("a", Value::from(a)), ("b", Value::from(b))]))
        });
        let mut map = Map::from([
            ("a", Value::from(&self.names[0])),
            ("b", Value::from(&self.names[1])),
            ("same", Value::from(self.is_same())),
            ("facts", facts.collect::<Vec<_>>().into()),
        ]);
        self.episodes.insert_into(&mut map);
        map.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn response(calls: &[(&str, &str)], status: &str) -> Transcript {
        let mut output = Vec::new();
        for (n, (tool, answer)) in calls.iter().enumerate() {
            output.push(json!({"type": "function_call", "call_id": n.to_string(), "name": tool, "arguments": "{}"}));
            output.push(json!({"type": "function_call_output", "call_id": n.to_string(), "output": answer}));
        }
        Transcript::of(&json!({"object": "response", "status": status, "model": "m", "output": output}))
    }

    #[test]
    fn a_file_is_a_response_or_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let is = |text: &str| {
            std::fs::write(&path, text).unwrap();
            read(&path).is_some()
        };
        assert!(is(r#" {"object": "response", "status": "completed", "output": []}"#));
        assert!(is(r#"{"response": {"object": "response", "status": "failed", "output": []}}"#));
        assert!(
            !is(r#"{"tools": [{"name": "response"}]}"#) && !is("[\"response\"]") && !is("") && !is("{\"response\"")
        );
        assert!(read(folder.path()).is_none() && read(&folder.path().join("none")).is_none());
    }

    #[test]
    fn two_responses_compare_as_two_episodes_do() {
        let half = |name: &str, t: Transcript| (name.to_owned(), Half::Response(Box::new(t)));
        let pair = |a, b| Pair::of(half("a.json", a), half("b.json", b));
        let first = response(&[("get", "1"), ("put", "ok")], "completed");
        assert!(pair(first.clone(), first.clone()).is_same());
        let other = pair(first.clone(), response(&[("get", "2"), ("put", "ok")], "completed"));
        assert!(!other.is_same());
        assert_eq!(other.episodes.first, Some(0));
        let page = other.page().markdown();
        assert!(
            page.contains("The same call of get got different answers") && page.contains("1 of 2 the same"),
            "{page}"
        );
        let ended = pair(first.clone(), response(&[("get", "1"), ("put", "ok")], "cancelled"));
        assert!(!ended.is_same() && ended.page().markdown().contains('~'));
        assert_eq!(ended.to_value().get("same"), Some(&Value::Bool(false)));
    }
}
