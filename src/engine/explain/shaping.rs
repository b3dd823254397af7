//! What shaped an accepted answer, in words.
use super::words::{Words, name, names, pairs, shown};
use crate::engine::{BadTold, Made, Rule, Stale};
use crate::task::Task;
use crate::value::Value;

/// Most values listed of those that a stale read hid.
const MOST_TOLD: usize = 6;

pub(super) fn shaping(words: &mut Words, task: &Task, made: &Made) {
    let shaping = &made.outcome.shaping;
    let is_write =
        matches!(made.outcome.rule, Rule::WriteDone { .. } | Rule::SideEffect { .. } | Rule::Duplicate { .. });
    if let Some(stale) = &shaping.stale {
        behind(words, made, stale);
    }
    if let Some(index) = shaping.reflects {
        words.line("It shows ").write(index);
        if let Some(write) = made.outcome.state.writes().get(index) {
            words.say(" (").call(write.call).say(format!(", {})", name(&write.tool)));
        }
        match &shaping.reflected[..] {
            [] => words.say(", but its answer has no field to show those values."),
            reflected => words.say(format!(": {}.", names(reflected))),
        };
    }
    if is_write && !shaping.echoed.is_empty() {
        words.line(format!("The answer repeats what was sent: {}.", names(&shaping.echoed)));
    } else if !shaping.echoed.is_empty() {
        words.line(format!("The answer repeats what was asked: {}.", names(&shaping.echoed)));
    }
    if !shaping.served.is_empty() {
        words.line(format!("It serves {}.", pairs(&shaping.served)));
    }
    if let Some(path) = &shaping.misplaced {
        words.line(format!("The answer has no field for the served value {}: the task is defective.", name(path)));
    }
    match &shaping.bad {
        Some(bad) => lie(words, bad),
        None => corrected(words, task, made),
    }
}

fn behind(words: &mut Words, made: &Made, stale: &Stale) {
    words.line("This is the stale read: it answers as if ");
    for (i, index) in stale.hidden.iter().enumerate() {
        let last = i + 1 == stale.hidden.len();
        words
            .say(if i == 0 {
                ""
            } else if last {
                " and "
            } else {
                ", "
            })
            .write(*index);
    }
    words.say(" had not happened (lagged dial).");
    let told = &made.outcome.answer.value;
    let differs = |(field, right): &(&crate::value::Str, &Value)| told.get(field) != Some(*right);
    let fields = stale.right_answer.as_object().into_iter().flat_map(crate::value::Map::named);
    let all: Vec<_> = fields.filter(differs).map(|(field, right)| (field.clone(), right.clone())).collect();
    let says = pairs(&all[..all.len().min(MOST_TOLD)]);
    match all.len().saturating_sub(MOST_TOLD) {
        _ if all.is_empty() => {}
        0 => {
            words.say(format!(" An up-to-date read would say {says}."));
        }
        more => {
            words.say(format!(" An up-to-date read would say {says} and {more} more."));
        }
    }
}

fn lie(words: &mut Words, bad: &BadTold) {
    words.line(format!("This is the bad read (level {}): ", bad.level));
    match &bad.other {
        Some(other) => words.say(format!("it answers for another record, {}, and ", shown(other))),
        None => words.say("it "),
    };
    words.say(format!("says {} {}; the right value is {}.", name(&bad.field), shown(&bad.told), shown(&bad.right)));
}

/// A later answer of the step whose first answer was the bad read.
fn corrected(words: &mut Words, task: &Task, made: &Made) {
    let (Rule::ReadServed { step, .. }, Some(bad)) = (&made.outcome.rule, &task.bad_read) else { return };
    let Some(call) = made.outcome.state.bad_call().filter(|_| bad.step == *step) else { return };
    words.line("The bad read was ").call(call);
    words.say(format!(" (level {}): it said {} {}", bad.level, name(&bad.field), shown(&bad.value)));
    let right = made.outcome.answer.value.get(&bad.field);
    match right {
        Some(right) => words.say(format!("; the right value is {}.", shown(right))),
        None => words.say("."),
    };
}
