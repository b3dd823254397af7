//! What a line of the journal says.

use crate::plan::{Flow, PlanSettings};
use crate::task::{Arm, Call, Ending};
use crate::toolfile::ReadOptions;
use crate::value::{Value, canonical};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Where a tool file came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum From {
    /// A file, by its whole path.
    File(PathBuf),
    /// The example that comes with the program.
    Example,
    /// Standard input, which cannot be read a second time.
    Elsewhere,
}

/// A task began: all that is needed to plan it again, and to see that it is the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Began {
    /// Where its file came from.
    pub from: From,
    /// The file's short name.
    pub name: String,
    /// Hash of the bytes the task was drawn from.
    pub file_hash: String,
    /// The file's contract hash, when it has one.
    pub contract_hash: Option<String>,
    /// How the file was read.
    pub read: ReadOptions,
    /// What was declared beside it.
    pub plan: PlanSettings,
    /// The arm.
    pub arm: Arm,
    /// The seed.
    pub seed: u64,
    /// The task's id.
    pub task_id: String,
    /// What the agent is asked.
    pub request: String,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A task began.
    Began(Box<Began>),
    /// A call was made.
    Made {
        /// The branch it was made on.
        branch: usize,
        /// The branch that one parts from.
        parent: Option<usize>,
        /// How many calls of the branch lie before it.
        at: usize,
        /// The call.
        call: Call,
        /// What the agent was answered.
        answer: String,
        /// The answer's error code, when it is an error.
        code: Option<String>,
    },
    /// One moved, or ended the episode.
    Place {
        /// The branch.
        branch: usize,
        /// How many calls lie before the place.
        call: usize,
        /// How the episode ended there.
        ending: Ending,
    },
    /// The session ended in the ordinary way.
    Closed,
}

/// A line as it is written. Values stand in it as JSON text: a value that nests as deep as any may is not put deeper.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Task {
        from: From,
        name: String,
        file_hash: String,
        contract_hash: Option<String>,
        read: Read,
        plan: Plan,
        arm: String,
        seed: u64,
        task_id: String,
        request: String,
    },
    Call {
        branch: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<usize>,
        at: usize,
        tool: String,
        arguments: String,
        answer: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
    Place {
        branch: usize,
        call: usize,
        ending: String,
    },
    Closed {},
}

#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Read {
    format: String,
    name: String,
    only: Vec<String>,
    #[serde(rename = "read")]
    reads: Vec<String>,
    #[serde(rename = "write")]
    writes: Vec<String>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Plan {
    intents: Vec<(String, String)>,
    flows: Vec<[String; 4]>,
}

impl Event {
    /// The event as a line, without its newline.
    pub fn to_line(&self) -> String {
        let line = match self.clone() {
            Event::Began(began) => began.to_line(),
            Event::Made { branch, parent, at, call, answer, code } => Line::Call {
                branch,
                parent,
                at,
                tool: call.tool.to_string(),
                arguments: canonical::compact(&call.arguments, false),
                answer,
                code,
            },
            Event::Place { branch, call, ending } => Line::Place { branch, call, ending: ending.word().to_owned() },
            Event::Closed => Line::Closed {},
        };
        // Numbers, text and lists of them: nothing in it that JSON cannot say.
        serde_json::to_string(&line).unwrap_or_default()
    }

    /// The event a line says; `None` for a line that says none.
    pub fn of_line(line: &[u8]) -> Option<Self> {
        Some(match serde_json::from_slice(line).ok()? {
            Line::Task { from, name, file_hash, contract_hash, read, plan, arm, seed, task_id, request } => {
                Event::Began(Box::new(Began {
                    from,
                    name,
                    file_hash,
                    contract_hash,
                    read: ReadOptions {
                        format: read.format,
                        name: read.name,
                        only: read.only,
                        read: read.reads,
                        write: read.writes,
                    },
                    plan: PlanSettings {
                        intents: plan.intents,
                        flows: plan
                            .flows
                            .into_iter()
                            .map(|[from, field, to, param]| Flow { from, field, to, param })
                            .collect(),
                    },
                    arm: Arm::parse(&arm)?,
                    seed,
                    task_id,
                    request,
                }))
            }
            Line::Call { branch, parent, at, tool, arguments, answer, code } => Event::Made {
                branch,
                parent,
                at,
                call: Call { tool: tool.into(), arguments: Value::parse_json(&arguments).ok()? },
                answer,
                code,
            },
            Line::Place { branch, call, ending } => {
                let all = [Ending::Open, Ending::Reply, Ending::Limit];
                Event::Place { branch, call, ending: all.into_iter().find(|e| e.word() == ending)? }
            }
            Line::Closed {} => Event::Closed,
        })
    }
}

impl Began {
    fn to_line(&self) -> Line {
        let Began { read, plan, .. } = self.clone();
        Line::Task {
            from: self.from.clone(),
            name: self.name.clone(),
            file_hash: self.file_hash.clone(),
            contract_hash: self.contract_hash.clone(),
            read: Read { format: read.format, name: read.name, only: read.only, reads: read.read, writes: read.write },
            plan: Plan {
                intents: plan.intents,
                flows: plan.flows.into_iter().map(|f| [f.from, f.field, f.to, f.param]).collect(),
            },
            arm: self.arm.to_string(),
            seed: self.seed,
            task_id: self.task_id.clone(),
            request: self.request.clone(),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn began() -> Began {
        Began {
            from: From::File("/tools/orders.json".into()),
            name: "orders.json".into(),
            file_hash: "aa".into(),
            contract_hash: None,
            read: ReadOptions { only: vec!["get*".into()], write: vec!["x".into()], ..ReadOptions::default() },
            plan: PlanSettings {
                intents: vec![("a".into(), "Do \"it\"\n".into())],
                flows: vec![Flow { from: "a".into(), field: "id".into(), to: "b".into(), param: "x".into() }],
            },
            arm: Arm::parse("faults:f2").unwrap(),
            seed: u64::MAX,
            task_id: "bb".into(),
            request: "出荷\u{1b}".into(),
        }
    }

    #[test]
    fn events_read_as_they_are_written() {
        let deep = format!("{}1.0{}", "[".repeat(399), "]".repeat(399));
        let call = |json: &str| Call { tool: "pay".into(), arguments: Value::parse_json(json).unwrap() };
        let made = |json: &str| Event::Made {
            branch: 2,
            parent: Some(1),
            at: 7,
            call: call(json),
            answer: "{\n}".into(),
            code: Some("not_found".into()),
        };
        let events = [
            Event::Began(Box::new(began())),
            made(r#"{"b":1.0,"a":[123456789012345678901234567890,1e2,"\n"]}"#),
            made(&deep),
            made("\"no object\""),
            Event::Place { branch: 0, call: 3, ending: Ending::Limit },
            Event::Closed,
        ];
        for event in events {
            let line = event.to_line();
            assert!(!line.contains('\n'), "{line}");
            let read = Event::of_line(line.as_bytes()).unwrap();
            assert_eq!(read, event);
            assert_eq!(read.to_line(), line);
        }
        for wrong in ["", "{}", "null", r#"{"place":{"branch":0,"call":1,"ending":"x"}}"#, r#"{"call":{}}"#] {
            assert_eq!(Event::of_line(wrong.as_bytes()), None, "{wrong}");
        }
    }
}
