//! What scripts ask a hub over an episode's socket: lines that begin with `#`, which no frame does.

use super::hold::{Decision, Held, HoldRule, HoldSettings, parse_time};
use super::hub::Slot;
use crate::engine::Code;
use crate::engine::explain;
use crate::text;
use crate::value::{Map, Value, canonical};
use std::time::{Duration, Instant};

/// A line of this kind begins with it.
pub(super) const MARK: u8 = b'#';

/// What the `held` subcommands ask.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// What is held, what waits, which rules hold.
    Show,
    /// Release the held call, and with `all` those behind it.
    Release {
        /// Those that wait, too.
        all: bool,
    },
    /// Release it with other arguments (held at the call) or another answer (held at the answer).
    Edit {
        /// The arguments as JSON, or the text of the answer.
        text: String,
        /// Whether an answer that breaks the tool's output schema is sent all the same.
        force: bool,
    },
    /// Answer an error.
    Fail(Code),
    /// Answer a text.
    Say {
        /// The text.
        text: String,
        /// Whether one that breaks the tool's output schema is sent all the same.
        force: bool,
    },
    /// Never answer.
    Drop,
    /// Change what holds calls.
    Rules {
        /// Rules to add, in their text form.
        add: Vec<String>,
        /// Rules to take away.
        remove: Vec<String>,
        /// Whether all rules go first.
        clear: bool,
        /// A new deadline for every caller, as `50s`.
        deadline: Option<String>,
    },
    /// Not of a person: after how many milliseconds the caller of this connection gives up.
    GivesUp(u64),
}

impl Order {
    /// The line, without its end.
    pub(super) fn line(&self) -> String {
        let word = match self {
            Order::Show => "show",
            Order::Release { .. } => "release",
            Order::Edit { .. } => "edit",
            Order::Fail(_) => "fail",
            Order::Say { .. } => "say",
            Order::Drop => "drop",
            Order::Rules { .. } => "rules",
            Order::GivesUp(_) => "gives_up",
        };
        let mut map = Map::from([("order", Value::from(word))]);
        match self {
            Order::Show | Order::Drop => {}
            Order::Release { all } => drop(map.insert("all", *all)),
            Order::Edit { text, force } | Order::Say { text, force } => {
                map.insert("text", text);
                map.insert("force", *force);
            }
            Order::Fail(code) => drop(map.insert("code", code.word())),
            Order::Rules { add, remove, clear, deadline } => {
                map.insert("add", Value::from(add.clone()));
                map.insert("remove", Value::from(remove.clone()));
                map.insert("clear", *clear);
                map.insert("deadline", Value::from(deadline.as_ref().map(Value::from)));
            }
            Order::GivesUp(ms) => drop(map.insert("ms", *ms)),
        }
        format!("{}{}", char::from(MARK), canonical::compact(&map.into(), true))
    }

    /// Reads a line with its mark taken off.
    pub(super) fn read(line: &[u8]) -> Option<Self> {
        let root = crate::value::read_json(line).ok()?.root;
        let text = |name: &str| root.get(name).and_then(Value::as_str).map(str::to_owned);
        let yes = |name: &str| root.get(name) == Some(&Value::Bool(true));
        let texts = |name: &str| -> Vec<String> {
            let list = root.get(name).and_then(Value::as_array).unwrap_or_default();
            list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        };
        Some(match root.get("order")?.as_str()? {
            "show" => Order::Show,
            "release" => Order::Release { all: yes("all") },
            "edit" => Order::Edit { text: text("text")?, force: yes("force") },
            "say" => Order::Say { text: text("text")?, force: yes("force") },
            "fail" => Order::Fail(code(&text("code")?)?),
            "drop" => Order::Drop,
            "rules" => Order::Rules {
                add: texts("add"),
                remove: texts("remove"),
                clear: yes("clear"),
                deadline: text("deadline"),
            },
            "gives_up" => Order::GivesUp(root.get("ms")?.as_i64()?.try_into().ok()?),
            _ => return None,
        })
    }
}

/// The error code of a word: `not_found`, ...
pub fn code(word: &str) -> Option<Code> {
    Code::ALL.into_iter().find(|code| code.word() == word)
}

impl Slot {
    /// Does what a script asks; the answer is an object, with `error` when it could not be done.
    pub(super) fn order(&self, order: Order) -> Value {
        const BY: &str = "script";
        let done = match order {
            Order::Show | Order::GivesUp(_) => Ok(()),
            Order::Release { all: true } => match self.hold.release_all(BY) {
                0 => Err("no call is held".to_owned()),
                _ => Ok(()),
            },
            Order::Release { all: false } => self.hold.decide(Decision::Release, BY),
            Order::Edit { text, force } => {
                self.edit(&text, force).and_then(|value| self.hold.decide(Decision::Edit(value), BY))
            }
            Order::Fail(code) => self.hold.decide(Decision::Fail(code), BY),
            Order::Say { text, force } => {
                self.fits(&text, force).and_then(|()| self.hold.decide(Decision::Say(text), BY))
            }
            Order::Drop => self.hold.decide(Decision::Drop, BY),
            Order::Rules { add, remove, clear, deadline } => self.rules(&add, &remove, clear, deadline.as_deref()),
        };
        match done {
            Ok(()) => self.shown(),
            Err(why) => Map::from([("episode", Value::from(&self.name)), ("error", Value::from(why))]).into(),
        }
    }

    /// The value an edit gives: arguments must be JSON, an answer is any text.
    fn edit(&self, text: &str, force: bool) -> Result<Value, String> {
        let held = self.hold.held().ok_or("no call is held")?;
        match held.stage {
            super::hold::Stage::Call => {
                Value::parse_json(text).map_err(|e| format!("the arguments are not JSON: {}", e.message))
            }
            super::hold::Stage::Answer => self.fits(text, force).map(|()| text.into()),
        }
    }

    fn fits(&self, text: &str, force: bool) -> Result<(), String> {
        let held = self.hold.held().ok_or("no call is held")?;
        match self.hold.breaks(&held.made.call.tool, text) {
            Some(why) if !force => {
                Err(format!("the answer breaks the output schema at {why}; pass --force to send it"))
            }
            _ => Ok(()),
        }
    }

    fn rules(&self, add: &[String], remove: &[String], clear: bool, deadline: Option<&str>) -> Result<(), String> {
        let mut settings = self.hold.settings();
        if clear {
            settings = HoldSettings { deadline: settings.deadline, ..HoldSettings::default() };
        }
        for text in remove {
            let known = settings.rules.iter().position(|rule| rule.to_string() == *text);
            settings.rules.remove(known.ok_or_else(|| format!("no rule \"{text}\" is set"))?);
        }
        for text in add {
            let rule = HoldRule::parse(text)?;
            if !settings.rules.contains(&rule) {
                settings.rules.push(rule);
            }
        }
        if let Some(text) = deadline {
            settings.deadline = Some(parse_time(text)?);
        }
        if !settings.rules.is_empty() && settings.deadline.is_none() {
            return Err("give a deadline too: --deadline 50s".to_owned());
        }
        self.hold.set(settings)
    }

    /// What is held, what waits, which rules hold.
    fn shown(&self) -> Value {
        let settings = self.hold.settings();
        let rules: Vec<String> = settings.rules.iter().map(ToString::to_string).collect();
        let held = self.hold.held().map(|held| held_value(&self.task, &held));
        let deadline = settings.deadline.map(|d: Duration| Value::from(d.as_millis() as u64));
        Map::from([
            ("episode", Value::from(&self.name)),
            ("arm", Value::from(self.task.arm.to_string())),
            ("seed", Value::from(self.task.seed)),
            ("held", Value::from(held)),
            ("waiting", Value::from(self.hold.waiting())),
            ("rules", Value::from(rules)),
            ("deadline_ms", Value::from(deadline)),
        ])
        .into()
    }
}

fn held_value(task: &crate::task::Task, held: &Held) -> Value {
    let now = Instant::now();
    let ms = |time: Duration| Value::from(time.as_millis() as u64);
    let answer = &held.made.outcome.answer;
    Map::from([
        ("call", Value::from(held.number)),
        ("stage", Value::from(held.stage.word())),
        ("tool", Value::from(&held.made.call.tool)),
        ("arguments", held.made.call.arguments.clone()),
        ("invalid", Value::from(held.invalid().map(Value::from))),
        ("answer", Value::from(&answer.text)),
        ("code", Value::from(answer.code.map(|code| Value::from(code.word())))),
        ("why", Value::from(explain::sentence(task, &held.made))),
        ("rule", Value::from(&held.rule)),
        ("caller", Value::from(held.caller.as_ref().map(Value::from))),
        ("held_ms", ms(now.saturating_duration_since(held.since))),
        ("lets_go_ms", ms(held.lets_go.saturating_duration_since(now))),
        ("deadline_ms", ms(held.deadline.after)),
        ("deadline_source", Value::from(held.deadline.source)),
    ])
    .into()
}

impl Held {
    /// What is wrong with the arguments, when something is: `/nights: must be an integer`.
    pub fn invalid(&self) -> Option<String> {
        match &self.made.outcome.rule {
            crate::engine::Rule::Invalid(broken) => {
                Some(text::safe(&format!("{}: {}", broken.at, broken.expected)).into_owned())
            }
            crate::engine::Rule::NotAnObject => Some("the arguments must be an object".to_owned()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_as_they_were_written() {
        for order in [
            Order::Show,
            Order::Release { all: true },
            Order::Edit { text: "{\"a\": \"\u{e9}\n\"}".to_owned(), force: false },
            Order::Fail(Code::NotReady),
            Order::Say { text: "x".to_owned(), force: true },
            Order::Drop,
            Order::Rules { add: vec!["all".into()], remove: vec![], clear: true, deadline: Some("5s".into()) },
            Order::GivesUp(3000),
        ] {
            let line = order.line();
            assert!(line.starts_with('#') && !line.contains('\n'), "{line}");
            assert_eq!(Order::read(&line.as_bytes()[1..]), Some(order));
        }
        assert_eq!(Order::read(b"{}"), None);
    }
}
