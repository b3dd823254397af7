//! Which calls are held: `TOOL`, `TOOL.ARG`, `TOOL.ARG=VALUE`, `writes`, `reads`, `errors`, `bad-read`, `all`.

use crate::engine::Outcome;
use crate::task::Task;
use crate::toolfile::Effect;
use crate::value::{Value, canonical};
use std::fmt;

/// Where a call is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Before the engine sees it.
    Call,
    /// When the engine has answered, before the answer leaves.
    Answer,
}

impl Stage {
    /// `call` or `answer`, as records spell it.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Call => "call",
            Stage::Answer => "answer",
        }
    }
}

/// A rule that holds calls. Its text form is what `--hold` takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldRule {
    stage: Stage,
    text: String,
}

impl HoldRule {
    /// Reads a rule. The error is one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (stage, rest) = match text.strip_prefix("answer:") {
            Some(rest) => (Stage::Answer, rest),
            None => (Stage::Call, text),
        };
        if rest.trim().is_empty() {
            return Err(format!(
                "\"{text}\" is not a hold rule; use a tool, TOOL.ARG, TOOL.ARG=VALUE, writes, reads, errors, bad-read or all"
            ));
        }
        Ok(Self { stage, text: rest.to_owned() })
    }

    /// Where it holds.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Checks that the tool it names is one of the task's. The error is one line.
    pub fn check(&self, task: &Task) -> Result<(), String> {
        let names_tool = |name: &str| {
            let rest = self.text.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let known = matches!(&*self.text, "all" | "writes" | "reads" | "errors" | "bad-read")
            || task.block.iter().any(|shown| names_tool(&shown.name));
        if known { Ok(()) } else { Err(format!("hold rule \"{self}\": the task has no such tool")) }
    }

    /// Whether it holds a call at a stage. `outcome` is what the engine answers, or would answer.
    pub fn holds(&self, stage: Stage, task: &Task, tool: &str, arguments: &Value, outcome: &Outcome) -> bool {
        let effect = || task.shown(tool).map(|shown| shown.tool.effect);
        self.stage == stage
            && match &*self.text {
                "all" => true,
                "writes" => effect() == Some(Effect::Write),
                "reads" => effect() == Some(Effect::Read),
                "errors" => outcome.is_failure(),
                "bad-read" => outcome.shaping.bad.is_some() || outcome.shaping.stale.is_some(),
                named => self::named(named, tool, arguments),
            }
    }
}

/// Whether `TOOL`, `TOOL.ARG` or `TOOL.ARG=VALUE` names a call. Tool names may have dots.
fn named(text: &str, tool: &str, arguments: &Value) -> bool {
    let Some(rest) = text.strip_prefix(tool) else { return false };
    if rest.is_empty() {
        return true;
    }
    let Some(rest) = rest.strip_prefix('.') else { return false };
    match rest.split_once('=') {
        None => arguments.get(rest).is_some(),
        Some((name, wanted)) => arguments.get(name).is_some_and(|value| match value {
            Value::Str(text) => **text == *wanted || canonical::compact(value, true) == wanted,
            other => canonical::compact(other, true) == wanted || canonical::spaced(other) == wanted,
        }),
    }
}

impl fmt::Display for HoldRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stage == Stage::Answer {
            f.write_str("answer:")?;
        }
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_a_tool_an_argument_or_a_value() {
        let arguments = Value::parse_json(r#"{"id": "a.b", "n": 3, "list": [1, 2]}"#).unwrap();
        for (rule, holds) in [
            ("get", true),
            ("ge", false),
            ("gets", false),
            ("get.id", true),
            ("get.other", false),
            ("get.id=a.b", true),
            ("get.id=\"a.b\"", true),
            ("get.id=a", false),
            ("get.n=3", true),
            ("get.n=4", false),
            ("get.list=[1,2]", true),
            ("get.list=[1, 2]", true),
        ] {
            assert_eq!(named(rule, "get", &arguments), holds, "{rule}");
        }
        assert!(named("a.get.n=3", "a.get", &arguments));
    }

    #[test]
    fn a_rule_is_spelled_as_it_was_read() {
        for text in ["all", "answer:writes", "get.id=answer:x"] {
            assert_eq!(HoldRule::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(HoldRule::parse("answer:all").unwrap().stage(), Stage::Answer);
        assert!(HoldRule::parse("").is_err() && HoldRule::parse("answer:").is_err());
    }
}
