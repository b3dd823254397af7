//! The calls of a response replayed on a local tool file: what the engine answers, why, what it stores, and where the
//! remote answers differ. Pure.

use super::steps::Steps;
use super::transcript::{Item, Step, Transcript};
use crate::align::Played;
use crate::engine::explain;
use crate::episode::{Episode, Made};
use crate::plan::Planner;
use crate::schema::same;
use crate::task::{Arm, Dial, Form, ShownTool, Task};
use crate::toolfile::{Format, Reading};
use crate::uhp::wire::Json;
use crate::value::{Str, read_json};
use std::sync::Arc;

/// What the calls are replayed on.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// The very task that the response says it played.
    Planned(Arc<Task>),
    /// All tools of the file, nothing expected, no dial: reads are answered from the draw, writes are stored.
    Free(Arc<Task>),
}

impl Ground {
    /// The task.
    pub fn task(&self) -> &Arc<Task> {
        match self {
            Ground::Planned(task) | Ground::Free(task) => task,
        }
    }
}

/// What to look for a ground in.
#[derive(Debug, Clone)]
pub struct GroundRequest {
    /// What the response says of the task it played (`metadata.rehearsal`).
    pub about: Option<Json>,
    /// The set here.
    pub planner: Arc<Planner>,
}

impl GroundRequest {
    /// The ground. It may take its time: it plans.
    pub fn find(&self) -> Result<Ground, String> {
        ground(self.about.as_ref(), &self.planner)
    }
}

/// How a remote answer compares with the local one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Both say the same.
    Same,
    /// They differ.
    Differs,
    /// There is no remote answer (yet).
    Unanswered,
    /// The tool is not one of the file's.
    Foreign,
}

/// What the remote side said to one call, beside what the local engine says.
#[derive(Debug, Clone, PartialEq)]
pub struct Replayed {
    /// The remote answer's text.
    pub remote: Option<String>,
    /// How the two compare.
    pub agreement: Agreement,
}

/// The calls of a response, replayed.
#[derive(Debug, Clone)]
pub struct Replay {
    /// What they are replayed on.
    pub ground: Ground,
    /// The calls on the local engine.
    pub episode: Episode,
    /// What the remote side said to each.
    pub calls: Vec<Replayed>,
    /// Calls without a remote answer.
    unanswered: Vec<usize>,
}

impl Replay {
    /// Nothing replayed yet.
    pub fn new(ground: Ground) -> Self {
        let episode = Episode::new(ground.task().clone());
        Self { ground, episode, calls: Vec::new(), unanswered: Vec::new() }
    }

    /// Replays the calls that are whole since the last time, and compares answers that came since. Where one stands in the
    /// episode stays.
    pub fn follow(&mut self, transcript: &Transcript, steps: &Steps) {
        let at = self.episode.cursor();
        self.episode.go_to(usize::MAX);
        let answer_of = |n: usize| match steps.list()[steps.calls()[n]] {
            Step::Call { answer: Some(answer), .. } => transcript.items.get(answer).filter(|i| !i.open),
            _ => None,
        };
        let mut waiting = std::mem::take(&mut self.unanswered);
        while let Some(&place) = steps.calls().get(self.calls.len()) {
            let Step::Call { call, .. } = steps.list()[place] else { break };
            if transcript.items[call].open {
                break;
            }
            let Some(call) = transcript.call(call) else { break };
            self.episode.make(call);
            waiting.push(self.calls.len());
            self.calls.push(Replayed { remote: None, agreement: Agreement::Unanswered });
        }
        for n in waiting {
            let text = answer_of(n).map(Item::text);
            if text.is_none() {
                self.unanswered.push(n);
            }
            self.calls[n] = self.compared(n, text);
        }
        self.episode.go_to(at);
    }

    fn compared(&self, n: usize, remote: Option<String>) -> Replayed {
        let Some(made) = self.made(n) else { return Replayed { remote, agreement: Agreement::Unanswered } };
        let agreement = match &remote {
            _ if !self.knows(&made.call.tool) => Agreement::Foreign,
            None => Agreement::Unanswered,
            Some(text) if agrees(text, &made.outcome.answer.text) => Agreement::Same,
            Some(_) => Agreement::Differs,
        };
        Replayed { remote, agreement }
    }

    /// The call at a place, and what it did here.
    pub fn made(&self, n: usize) -> Option<&Arc<Made>> {
        self.episode.calls().get(n)
    }

    /// Why a call was answered so here.
    pub fn why(&self, n: usize) -> String {
        self.made(n).map(|made| explain::sentence(self.ground.task(), made)).unwrap_or_default()
    }

    /// Whether a tool is one of the file's.
    pub fn knows(&self, tool: &str) -> bool {
        self.ground.task().shown(tool).is_some()
    }

    /// Whether any of the calls is to a tool of the file: only then is there anything to say.
    pub fn says_something(&self) -> bool {
        self.calls.iter().any(|c| c.agreement != Agreement::Foreign)
    }

    /// How many remote answers are the same here, and how many differ.
    pub fn tally(&self) -> (usize, usize) {
        let count = |what| self.calls.iter().filter(|c| c.agreement == what).count();
        (count(Agreement::Same), count(Agreement::Differs))
    }
}

/// Replays the calls of a whole response on a tool set. The error says in one line why there is nothing to replay.
pub fn replay(transcript: &Transcript, planner: &Planner) -> Result<Replay, String> {
    let mut replay = Replay::new(ground(transcript.metadata("rehearsal"), planner)?);
    replay.follow(transcript, &Steps::of(transcript));
    if replay.calls.is_empty() {
        return Err("the response made no call".to_owned());
    }
    if !replay.says_something() {
        return Err("none of the called tools is in the tool file".to_owned());
    }
    Ok(replay)
}

/// Whether two answers say the same: the same text, or the same JSON value however it is written.
fn agrees(a: &str, b: &str) -> bool {
    let value = |text: &str| read_json(text.as_bytes()).ok().map(|d| d.root);
    a == b || value(a).zip(value(b)).is_some_and(|(a, b)| same(&a, &b))
}

/// The task that a response says it played (`metadata.rehearsal`), when it was planned on this very file; else free play.
/// It may take its time: it plans.
pub fn ground(about: Option<&Json>, planner: &Planner) -> Result<Ground, String> {
    let reading = planner.reading();
    if let Some(about) = about {
        let text = |key: &str| about.get(key).and_then(Json::as_str);
        let arm = text("arm").and_then(Arm::parse);
        let seed = about.get("seed").and_then(Json::as_u64);
        if let (Some(arm), Some(seed), Some(hash)) = (arm, seed, text("file_hash"))
            && *hash == *reading.file_hash
            && let Ok(task) = planner.plan(arm, seed)
            // The same request, whatever the set is called here and which intents are declared.
            && text("request").is_none_or(|request| *request == *task.request)
        {
            return Ok(Ground::Planned(Arc::new(task)));
        }
    }
    let format = reading.format.ok_or("the tool file has no format")?;
    Ok(Ground::Free(Arc::new(free(reading, format))))
}

/// A task of all tools that expects nothing.
fn free(reading: &Reading, format: Format) -> Task {
    let shown = |tool: &Arc<crate::toolfile::Tool>| ShownTool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        tool: tool.clone(),
    };
    let empty = Str::from("");
    let mut task = Task {
        task_id: empty.clone(),
        arm: Dial::Faults.at(0),
        seed: 0,
        split: "eval".into(),
        set_name: reading.name.clone(),
        format,
        file_digest: reading.file_hash.clone(),
        form: Form::Call,
        system_prompt: empty.clone(),
        request: empty.clone(),
        block: Arc::new(reading.tools.iter().map(shown).collect()),
        target: empty.clone(),
        target_tool: empty,
        stated: Vec::new(),
        named_reads: Vec::new(),
        fault_plan: Vec::new(),
        timeout_plan: Vec::new(),
        rate_limit_plan: Vec::new(),
        landed_step: None,
        lagged_step: None,
        bad_read: None,
        echo_reads: false,
        steps: Vec::new(),
        reference_calls: Vec::new(),
        history: None,
        wrong_answers: Vec::new(),
    };
    task.task_id = task.id();
    task
}

/// The calls of a response as one side of a comparison.
pub fn played(transcript: &Transcript) -> Vec<Played> {
    let one = |(call, answer): (crate::task::Call, Option<String>)| Played {
        call,
        code: answer.as_deref().and_then(error_code),
        answer: answer.unwrap_or_default().into(),
        read: None,
        stored: None,
    };
    transcript.calls().into_iter().map(one).collect()
}

/// The code of an answer that says it is an error: an object with an `error`, or with MCP's `isError`. What it is cannot be
/// known of other tools, so this is what most of them write.
fn error_code(answer: &str) -> Option<Str> {
    if answer.len() > LARGEST_ANSWER || !answer.trim_start().starts_with('{') {
        return None;
    }
    let Ok(Json::Object(answer)) = serde_json::from_str(answer) else { return None };
    let named = |error: &Json| ["code", "type"].into_iter().find_map(|key| error.get(key)?.as_str()).map(Str::from);
    match answer.get("error") {
        Some(error @ Json::Object(_)) => Some(named(error).unwrap_or_else(|| "error".into())),
        Some(Json::String(said)) if !said.is_empty() => Some("error".into()),
        Some(Json::Bool(true)) => Some("error".into()),
        _ => answer.get("isError").and_then(Json::as_bool).filter(|is| *is).map(|_| "error".into()),
    }
}

/// Answers larger than this are not read for their code, in bytes.
const LARGEST_ANSWER: usize = 256 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::plan::PlanSettings;
    use crate::toolfile::{ReadOptions, read};
    use serde_json::json;

    fn planner() -> Planner {
        let bytes = include_bytes!("../../../examples/orders/orders.openai.json");
        Planner::new(Arc::new(read(bytes, &ReadOptions::default())), PlanSettings::default()).unwrap()
    }

    fn response(planner: &Planner, task: &Task, about: bool) -> Json {
        let engine = Engine::new(Arc::new(task.clone()));
        let mut state = engine.start();
        let mut output = Vec::new();
        for (n, call) in task.reference_calls.iter().enumerate() {
            let outcome = engine.step(&state, call);
            state = outcome.state.clone();
            let arguments = crate::value::canonical::compact(&call.arguments, false);
            output.push(
                json!({"type": "function_call", "call_id": n.to_string(), "name": &*call.tool, "arguments": arguments}),
            );
            output.push(
                json!({"type": "function_call_output", "call_id": n.to_string(), "output": &*outcome.answer.text}),
            );
        }
        let about = about.then(
            || json!({"arm": task.arm.to_string(), "seed": task.seed, "file_hash": &*planner.reading().file_hash}),
        );
        json!({"object": "response", "status": "completed", "output": output, "metadata": {"rehearsal": about}})
    }

    #[test]
    fn a_response_of_our_own_server_is_replayed_on_its_very_task() {
        let planner = planner();
        let task = planner.plan(Arm::parse("faults:f1").unwrap(), 3).unwrap();
        let replay = replay(&Transcript::of(&response(&planner, &task, true)), &planner).unwrap();
        assert_eq!(replay.ground, Ground::Planned(Arc::new(task.clone())));
        assert_eq!(replay.calls.len(), task.reference_calls.len());
        assert!(replay.calls.iter().all(|c| c.agreement == Agreement::Same));
        assert!((0..replay.calls.len()).all(|n| !replay.why(n).is_empty()));
        assert!(replay.episode.state_at(99).goal() && !replay.episode.state_at(0).goal());
        assert_eq!(replay.tally(), (replay.calls.len(), 0));
    }

    #[test]
    fn another_response_is_replayed_freely_and_differences_are_found() {
        let planner = planner();
        let task = planner.plan(Arm::parse("similarity:s0").unwrap(), 3).unwrap();
        let tool = planner.reading().tools[0].name.to_string();
        let body = json!({"object": "response", "status": "completed", "output": [
            {"type": "function_call", "call_id": "a", "name": tool, "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "something else"},
            {"type": "function_call", "call_id": "b", "name": "web_search", "arguments": "not json"},
            {"type": "function_call", "call_id": "c", "name": tool, "arguments": "{\"x\": 1.0}"},
        ]});
        let replay = replay(&Transcript::of(&body), &planner).unwrap();
        assert!(matches!(replay.ground, Ground::Free(_)));
        let agreements: Vec<_> = replay.calls.iter().map(|c| c.agreement).collect();
        assert_eq!(agreements, [Agreement::Differs, Agreement::Foreign, Agreement::Unanswered]);
        let none = response(&planner, &Task { reference_calls: vec![], ..task }, false);
        assert!(super::replay(&Transcript::of(&none), &planner).is_err());
    }

    #[test]
    fn a_growing_response_is_replayed_call_by_call() {
        let planner = planner();
        let task = planner.plan(Arm::parse("faults:f2").unwrap(), 3).unwrap();
        let whole = response(&planner, &task, true);
        let output = whole["output"].as_array().unwrap();
        let mut growing = Replay::new(ground(Some(&whole["metadata"]["rehearsal"]), &planner).unwrap());
        let mut steps = Steps::default();
        for n in 0..=output.len() {
            let mut part = whole.clone();
            part["status"] = json!("in_progress");
            part["output"] = json!(output[..n]);
            if n % 2 == 1 {
                // The arguments of the last call still come.
                part["output"][n - 1]["status"] = json!("in_progress");
            }
            let transcript = Transcript::of(&part);
            steps.follow(&transcript);
            growing.follow(&transcript, &steps);
            assert_eq!(growing.calls.len(), n / 2, "a call is replayed once its arguments are whole");
        }
        let at_once = replay(&Transcript::of(&whole), &planner).unwrap();
        assert_eq!(growing.calls, at_once.calls);
        let made = |r: &Replay| r.episode.calls().iter().map(|m| m.call.clone()).collect::<Vec<_>>();
        assert_eq!(made(&growing), made(&at_once));
        assert_eq!(growing.episode.cursor(), 0, "where one stands stays");
    }

    #[test]
    fn an_answer_that_says_it_is_an_error_has_a_code() {
        let code = |answer: &str| error_code(answer).map(|c| c.to_string());
        let some = |word: &str| Some(word.to_owned());
        assert_eq!(code(r#"{"error":{"code":"unavailable","message":"x"}}"#), some("unavailable"));
        assert_eq!(code(r#" {"error":{"type":"timeout"}}"#), some("timeout"));
        assert_eq!(code(r#"{"error":{"message":"x"}}"#), some("error"));
        assert_eq!(code(r#"{"error":"no such order"}"#), some("error"));
        assert_eq!(code(r#"{"content":[],"isError":true}"#), some("error"));
        for none in
            [r#"{"error":null}"#, r#"{"error":""}"#, r#"{"isError":false}"#, r#"{"ok":true}"#, "[]", "{", "error"]
        {
            assert_eq!(code(none), None, "{none}");
        }
    }

    #[test]
    fn answers_agree_by_value() {
        assert!(agrees("{\"a\": 1, \"b\": [1.0]}", "{\"b\":[1],\"a\":1}"));
        assert!(!agrees("{\"a\":1}", "{\"a\":2}") && !agrees("x", "y") && agrees("x", "x"));
    }
}
