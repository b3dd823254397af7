//! Dials in words: what each makes harder, and what it does on a task.

use crate::engine::State;
use crate::episode::Episode;
use crate::task::{Dial, StepEffect, Task};
use crate::text;
use crate::theme::Scope;
use crate::tui::screens::words as values;
use crate::tui::widgets::row::Row;

/// What a dial makes harder, in a few words.
pub fn about(dial: Dial) -> &'static str {
    match dial {
        Dial::Similarity => "the tools include lookalikes of the right one",
        Dial::Faults => "tools answer unavailable before they work",
        Dial::History => "the agent starts with an earlier conversation",
        Dial::Block => "more tools are offered",
        Dial::Arguments => "the request states more arguments",
        Dial::Spread => "one value is split across several reads",
        Dial::Depth => "the chain of calls is longer",
        Dial::Shape => "more chains run in parallel",
        Dial::Timeouts => "tools time out before they work",
        Dial::RateLimits => "tools answer rate_limited before they work",
        Dial::Landed => "a write goes through but its answer is a timeout",
        Dial::BadData => "one read answers with a wrong value, once",
        Dial::Lagged => "one read does not show an earlier write",
    }
}

/// The state of a dial on the task at play: style, sign, words.
pub fn state(episode: &Episode, dial: Dial) -> (Scope, char, String) {
    let (task, state) = (episode.task(), episode.state());
    let on = task.arm.dial == dial;
    let standing = |words: String| (if on { Scope::Text } else { Scope::Dim }, if on { '~' } else { ' ' }, words);
    match dial {
        Dial::Faults => left(episode, &state, &task.fault_plan, "no fault"),
        Dial::Timeouts => left(episode, &state, &task.timeout_plan, "no timeout"),
        Dial::RateLimits => left(episode, &state, &task.rate_limit_plan, "no rate limit"),
        Dial::Landed => once(task.landed_step.is_some(), state.landed_call(), ('!', Scope::Warn), "no hidden write"),
        Dial::BadData => once(task.bad_read.is_some(), state.bad_call(), ('?', Scope::Odd), "no bad read"),
        Dial::Lagged => once(task.lagged_step.is_some(), state.lagged_call(), ('?', Scope::Odd), "no stale read"),
        Dial::History => standing(match &task.history {
            None => "no earlier conversation".to_owned(),
            Some(pairs) => {
                let tokens: u32 = pairs.iter().map(|pair| pair.tokens).sum();
                format!("{}, {} tokens", text::count(pairs.len(), "earlier read"), text::group(tokens))
            }
        }),
        Dial::Similarity => standing(if on {
            format!("{} shown, level {}", text::count(task.block.len(), "tool"), task.arm.level)
        } else {
            "no lookalikes".to_owned()
        }),
        Dial::Block => standing(format!("{} shown", text::count(task.block.len(), "tool"))),
        Dial::Arguments => standing(format!("{} stated", text::count(task.stated.len(), "argument"))),
        Dial::Spread => standing(text::count(reads(task), "read") + " to make"),
        Dial::Depth => standing(format!("{} in all", text::count(task.steps.len(), "step"))),
        Dial::Shape => standing(format!("{} to make", text::count(task.steps.len() - reads(task), "write"))),
    }
}

fn reads(task: &Task) -> usize {
    task.steps.iter().filter(|step| step.effect == StepEffect::Read).count()
}

/// Planned errors: how many of them are left.
fn left(episode: &Episode, state: &State, plan: &[(crate::value::Str, u32)], none: &str) -> (Scope, char, String) {
    let used = |tool: &str| episode.engine().index(tool).map_or(0, |i| state.count(i));
    let all: u32 = plan.iter().map(|(_, n)| n).sum();
    let left: u32 = plan.iter().map(|(tool, n)| n.saturating_sub(used(tool))).sum();
    match (all, left) {
        (0, _) => (Scope::Dim, ' ', none.to_owned()),
        (_, 0) => (Scope::Dim, '.', format!("all {all} happened")),
        _ => (Scope::Warn, '!', format!("{left} of {all} left")),
    }
}

/// What happens once: armed, or spent and where.
fn once(planned: bool, spent: Option<usize>, (sign, scope): (char, Scope), none: &str) -> (Scope, char, String) {
    match (planned, spent) {
        (false, _) => (Scope::Dim, ' ', none.to_owned()),
        (true, None) => (scope, sign, "will happen".to_owned()),
        (true, Some(call)) => (Scope::Dim, '.', format!("happened at call {call}")),
    }
}

/// What the dial has planned, in words.
pub fn dial_plan(task: &Task) -> Vec<Row> {
    let mut rows = Vec::new();
    for (plan, word) in
        [(&task.fault_plan, "unavailable"), (&task.timeout_plan, "timeout"), (&task.rate_limit_plan, "rate_limited")]
    {
        for (tool, n) in plan {
            let times = text::count(*n as usize, "time");
            rows.push(Row::of(Scope::Warn, "! ").plain(&**tool).dim(format!(": {word} the first {times}")));
        }
    }
    if let Some(step) = task.landed_step {
        rows.push(Row::of(Scope::Warn, "! ").plain(format!("the write of step {step} goes through but times out")));
    }
    if let Some(step) = task.lagged_step {
        let says = format!("one read is stale: it does not show the write of step {step}");
        rows.push(Row::of(Scope::Odd, "? ").plain(says));
    }
    if let Some(bad) = &task.bad_read {
        let kind = match bad.level {
            1 => "another record's",
            2 => "a wrong value",
            _ => "a near miss",
        };
        let says =
            format!("step {} gets one wrong answer ({kind}): {} {}", bad.step, bad.field, values::short(&bad.value));
        rows.push(Row::of(Scope::Odd, "? ").plain(says));
    }
    if let Some(history) = &task.history {
        let tokens: u32 = history.iter().map(|pair| pair.tokens).sum();
        let says = format!("{} of earlier reads, {} tokens", text::count(history.len(), "pair"), text::group(tokens));
        rows.push(Row::of(Scope::Text, says));
    }
    if rows.is_empty() {
        rows.push(Row::of(Scope::Dim, format!("level {}: {}", task.arm.level, standing(task.arm.dial))));
    }
    rows
}

/// What a level without a plan of its own means, by dial.
fn standing(dial: Dial) -> &'static str {
    match dial {
        Dial::Similarity => "six lookalikes of the right tool are among the tools; the level is how much they share",
        Dial::Faults => "no call is unavailable",
        Dial::History => "no earlier conversation",
        Dial::Block => "the number of tools shown",
        Dial::Arguments => "the number of arguments stated",
        Dial::Spread => "the number of reads one value is split over",
        Dial::Depth => "the level is the length of the chain of calls",
        Dial::Shape => "the level is the number of parallel chains",
        Dial::Timeouts => "no call times out",
        Dial::RateLimits => "no call is rate limited",
        Dial::Landed => "no write times out after going through",
        Dial::BadData => "no bad read",
        Dial::Lagged => "no stale read",
    }
}
