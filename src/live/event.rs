//! What happens in a live episode, for whoever watches: a line for people, a JSON object for programs.

use super::hold::{LetOut, Stage};
use crate::text;
use crate::value::{Map, Value, canonical};

/// Something that happened.
#[derive(Debug, Clone)]
pub struct Event {
    /// The episode's name.
    pub episode: String,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum What {
    /// A caller said who it is.
    Joined {
        /// The connection.
        connection: String,
        /// Its name and version.
        caller: String,
    },
    /// A call was answered.
    Call {
        /// Its number, from 1.
        number: usize,
        /// The tool.
        tool: String,
        /// The arguments.
        arguments: Value,
        /// The error code, when it was an error.
        code: Option<&'static str>,
        /// The text of the answer.
        answer: String,
    },
    /// A frame or a request was refused.
    Refused {
        /// Why.
        why: String,
    },
    /// A call is held.
    Held {
        /// Its number, from 1.
        number: usize,
        /// Where.
        stage: Stage,
        /// The tool.
        tool: String,
        /// The rule that holds it.
        rule: String,
        /// After how many milliseconds it is let go.
        lets_go_ms: u64,
    },
    /// A held call is held no more.
    Let {
        /// Its number, from 1.
        number: usize,
        /// What came of it.
        outcome: LetOut,
    },
    /// What holds calls changed.
    Rules,
    /// The episode ended.
    Ended {
        /// The verdict's label.
        label: String,
        /// The run folder.
        folder: String,
        /// Why it has no card, where its gates refuse one.
        no_card: Option<String>,
    },
}

/// Longer texts are cut in a line for people.
const COLUMNS: usize = 100;

impl Event {
    /// The event as an object.
    pub fn to_value(&self) -> Value {
        let mut map = Map::new();
        let word = match &self.what {
            What::Joined { .. } => "joined",
            What::Call { .. } => "call",
            What::Refused { .. } => "refused",
            What::Held { .. } => "held",
            What::Let { .. } => "let",
            What::Rules => "rules",
            What::Ended { .. } => "ended",
        };
        map.insert("event", word);
        map.insert("episode", &self.episode);
        match &self.what {
            What::Joined { connection, caller } => {
                map.insert("connection", connection);
                map.insert("caller", caller);
            }
            What::Call { number, tool, arguments, code, answer } => {
                map.insert("call", *number);
                map.insert("tool", tool);
                map.insert("arguments", arguments.clone());
                map.insert("code", Value::from(code.map(Value::from)));
                map.insert("answer", answer);
            }
            What::Refused { why } => drop(map.insert("why", why)),
            What::Held { number, stage, tool, rule, lets_go_ms } => {
                map.insert("call", *number);
                map.insert("stage", stage.word());
                map.insert("tool", tool);
                map.insert("rule", rule);
                map.insert("lets_go_ms", *lets_go_ms);
            }
            What::Let { number, outcome } => {
                map.insert("call", *number);
                map.insert("outcome", outcome.word());
            }
            What::Rules => {}
            What::Ended { label, folder, no_card } => {
                map.insert("label", label);
                map.insert("folder", folder);
                map.insert("no_card", Value::from(no_card.as_ref().map(Value::from)));
            }
        }
        map.into()
    }

    /// The event as a line.
    pub fn words(&self) -> String {
        let cut = |line: String| text::cut(&text::safe(&line), COLUMNS).into_owned();
        match &self.what {
            What::Joined { connection, caller } => cut(format!("{}  {caller} joined ({connection})", self.episode)),
            What::Call { number, tool, arguments, code, answer } => {
                let call = cut(format!("{}  {number} {tool} {}", self.episode, canonical::spaced(arguments)));
                let mark = if code.is_some() { '!' } else { '=' };
                format!("{call}\n   {mark} {}", cut(answer.clone()))
            }
            What::Refused { why } => cut(format!("{}  refused: {why}", self.episode)),
            What::Held { number, stage, tool, rule, lets_go_ms } => cut(format!(
                "{}  {number} {tool} held at the {} by {rule}; let go in {} s",
                self.episode,
                stage.word(),
                lets_go_ms.div_ceil(1000)
            )),
            What::Let { number, outcome } => {
                format!("{}  {number} {}", self.episode, outcome.word().replace('_', " "))
            }
            What::Rules => format!("{}  hold rules changed", self.episode),
            What::Ended { label, folder, no_card } => {
                let card = no_card.as_ref().map_or_else(String::new, |why| format!("\n   ! {why}"));
                format!("{}  ended: {label}  {folder}{card}", self.episode)
            }
        }
    }
}
