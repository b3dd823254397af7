//! What a call changed, in words.
use super::words::{Words, fields, name};
use super::{Explanation, line_text};
use crate::engine::{Change, Made, Rule, WriteKind};

/// What a call changed, one line a change.
pub fn changes(made: &Made) -> Explanation {
    let mut words = Words::default();
    for one in &made.outcome.changes {
        say(&mut words, made, one);
    }
    words.done()
}

/// One change as a text.
pub fn change(made: &Made, change: &Change) -> String {
    let mut words = Words::default();
    say(&mut words, made, change);
    words.done().lines.iter().map(|line| line_text(line)).collect()
}

fn say(words: &mut Words, made: &Made, change: &Change) {
    match change {
        Change::Stored { index } => {
            words.line("").write(*index).say(" stored");
            if let Some(write) = made.outcome.state.writes().get(*index) {
                words.say(format!(": {} {}; ", name(&write.tool), fields(&write.arguments)));
                match write.kind {
                    WriteKind::Expected(step) => words.say("expected by ").step(step),
                    WriteKind::SideEffect => words.say("a side effect"),
                    WriteKind::Duplicate(step) => words.say("a duplicate of ").step(step),
                };
            }
        }
        // The key is part of what the record holds.
        Change::Record { step, tool, after, .. } => {
            words.line(format!("new record {} of ", name(tool))).step(*step);
            words.say(format!(": {}", fields(after)));
        }
        Change::Done { step } => {
            words.line("").step(*step).say(" done");
        }
        Change::Served { step } => {
            words.line("").step(*step).say(" served");
        }
        Change::FaultUsed { left } => {
            let what = match made.outcome.rule {
                Rule::PlannedTimeout { .. } => "timeout",
                Rule::RateLimit { .. } => "rate limit",
                _ => "fault",
            };
            words.line(format!("a planned {what} of {} happened, {left} left", name(&made.call.tool)));
        }
        Change::LandedUsed => {
            words.line("the timeout that hides a write happened");
        }
        Change::BadUsed => {
            words.line("the bad read happened");
        }
        Change::LaggedUsed => {
            words.line("the stale read happened");
        }
    }
}
