//! An episode as a call script, as JSON, as Markdown.
use super::{Episode, Made};
use crate::engine::explain;
use crate::task::{Call, Ending, Script};
use crate::text;
use crate::value::{Map, Value, canonical};
use std::fmt::Write as _;

impl Made {
    /// `{tool, arguments, answer, why, changes}`, as `step --json` prints a call.
    pub fn to_value(&self, task: &crate::task::Task) -> Value {
        let changes: Vec<Value> = self.outcome.changes.iter().map(crate::engine::Change::to_value).collect();
        Map::from([
            ("tool", Value::from(&self.call.tool)),
            ("arguments", self.call.arguments.clone()),
            ("answer", self.outcome.answer.to_value()),
            ("why", explain::sentence(task, self).into()),
            ("changes", changes.into()),
        ])
        .into()
    }
}

impl Episode {
    /// The calls before the cursor as a script that replays them. An episode still open ends with a reply when replayed,
    /// as every script does.
    pub fn script(&self) -> Script {
        let calls: Vec<Call> = self.past().iter().map(|made| made.call.clone()).collect();
        let ending = if self.ending() == Ending::Limit { Ending::Limit } else { Ending::Reply };
        Script { calls, ending }
    }

    /// `{task_id, calls, verdict}` up to the cursor, as `step --json` prints it.
    pub fn to_value(&self) -> Value {
        let calls: Vec<Value> = self.past().iter().map(|made| made.to_value(self.task())).collect();
        Map::from([
            ("task_id", Value::from(&self.task().task_id)),
            ("calls", calls.into()),
            ("verdict", self.verdict().to_value()),
        ])
        .into()
    }

    /// The episode up to the cursor as Markdown, for an issue or a report.
    pub fn to_markdown(&self) -> String {
        let task = self.task();
        let mut out = String::new();
        let _ = writeln!(out, "# {}, seed {}\n", task.arm, task.seed);
        let _ = writeln!(out, "Task `{}` on {}, file `{}`.\n", task.task_id, inline(&task.set_name), task.file_digest);
        quote(&mut out, &task.request);
        for (i, made) in self.past().iter().enumerate() {
            let _ = writeln!(out, "## {}. {}\n", i + 1, inline(&made.call.tool));
            fence(&mut out, &canonical::pretty(&made.call.arguments, false));
            let answer = &made.outcome.answer;
            let kind = match answer.code {
                Some(code) => format!("Answer, error `{}`", code.word()),
                None if made.outcome.is_failure() => "Answer of the harness".to_owned(),
                None => "Answer".to_owned(),
            };
            let _ = writeln!(out, "{kind}:\n");
            fence(&mut out, &canonical::pretty(&answer.value, false));
            let _ = writeln!(out, "Why: {}\n", text::markdown(&explain::sentence(task, made)));
            for change in &made.outcome.changes {
                let _ = writeln!(out, "- {}", text::markdown(&explain::change(made, change)));
            }
            if !made.outcome.changes.is_empty() {
                out.push('\n');
            }
        }
        let verdict = explain::verdict(task, &self.state(), &self.verdict(), self.ending());
        let _ = writeln!(out, "Verdict: {}", text::markdown(&verdict));
        out
    }
}

fn inline(words: &str) -> String {
    if words.is_empty() { "(no name)".to_owned() } else { text::markdown(words) }
}

fn quote(out: &mut String, words: &str) {
    for line in text::safe_lines(words) {
        let _ = writeln!(out, "> {}", text::markdown(&line));
    }
    out.push('\n');
}

/// A block of JSON, fenced with more backticks than it holds in a row.
fn fence(out: &mut String, json: &str) {
    let shown: Vec<_> = text::safe_lines(json);
    let body = shown.join("\n");
    let mut longest = 2;
    let mut run = 0;
    for c in body.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let marks = "`".repeat(longest + 1);
    let _ = writeln!(out, "{marks}json\n{body}\n{marks}\n");
}
