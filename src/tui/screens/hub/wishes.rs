//! What the keys of the Live screen do: decide on the held call, change what is held, go to the stepper.

use super::{Entry, rows};
use crate::engine::Code;
use crate::live::{Decision, Held, HoldRule, HoldSettings, Stage, Wish, parse_time};
use crate::task::{Call, Task};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::overlays::line::{self, Purpose};
use crate::tui::overlays::pick::{self, Pick};
use crate::tui::overlays::{Overlay, form};
use crate::tui::screens::step;
use crate::value::Value;
use std::sync::Arc;

/// What the keys of this screen do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    if !model.hub.is_open() {
        model.say(Scope::Notice, "no live episode is open: rehearsal live FILE opens one");
        return Vec::new();
    }
    match action {
        Action::Open => open(model),
        Action::HoldRelease => decide(model, Decision::Release),
        Action::HoldDrop => decide(model, Decision::Drop),
        Action::HoldReleaseAll => held(model).map_or_else(Vec::new, |_| wish(model, Wish::ReleaseAll)),
        Action::HoldEdit => {
            edit(model);
            Vec::new()
        }
        Action::HoldAnswer => {
            answer(model);
            Vec::new()
        }
        Action::HoldEverything => {
            let mut settings = settings(model);
            settings.everything = !settings.everything;
            let says = if settings.everything { "every call is held" } else { "only what the rules name is held" };
            model.say(Scope::Notice, says);
            wish(model, Wish::Settings(settings))
        }
        Action::HoldRules => {
            let rules: Vec<String> = settings(model).rules.iter().map(ToString::to_string).collect();
            line::ask(model, Purpose::HoldRules, "hold (rules, separated by spaces)", rules.join(" "));
            Vec::new()
        }
        Action::HoldDeadline => {
            let now = settings(model).deadline.map_or_else(String::new, |d| format!("{}s", d.as_secs_f64()));
            line::ask(model, Purpose::HoldDeadline, "callers give up after (empty: as known)", now);
            Vec::new()
        }
        Action::HoldReply => wish(model, Wish::End),
        Action::HoldStep => {
            step_it(model);
            Vec::new()
        }
        _ => Vec::new(),
    }
}

fn wish(model: &Model, wish: Wish) -> Vec<Effect> {
    vec![Effect::Wish { episode: model.hub.at, wish }]
}

/// The held call of the shown episode; without one a word about it.
fn held(model: &mut Model) -> Option<Held> {
    let held = model.hub.holding().and_then(|holding| holding.held.as_ref()).map(|(held, _)| held.clone());
    if held.is_none() {
        let key = model.keymap.key(Action::HoldEverything).unwrap_or_default();
        model.say(Scope::Notice, format!("no call is held; {key} holds every call"));
    }
    held
}

fn settings(model: &Model) -> HoldSettings {
    model.hub.holding().map(|holding| holding.settings.clone()).unwrap_or_default()
}

fn decide(model: &mut Model, decision: Decision) -> Vec<Effect> {
    if held(model).is_none() {
        return Vec::new();
    }
    wish(model, Wish::Decide(decision))
}

/// Enter: goes to another episode, or to the stepper at a call.
fn open(model: &mut Model) -> Vec<Effect> {
    match rows::entries(&model.hub).get(model.cursor(Pane::Arrivals).at).copied() {
        Some(Entry::Episode(at)) => {
            model.hub.at = at;
            model.hub.shown = None;
            super::settle(model, Pane::Arrivals);
        }
        Some(Entry::Made(_) | Entry::Held) => step_it(model),
        _ => {}
    }
    Vec::new()
}

/// Opens the episode in the stepper as a branch of its own: the caller's goes on.
fn step_it(model: &mut Model) {
    let at = rows::entries(&model.hub).get(model.cursor(Pane::Arrivals).at).copied();
    let Some(now) = model.hub.now() else { return };
    let mut episode = now.episode.clone();
    let to = match at {
        Some(Entry::Made(at)) => at + 1,
        _ => episode.calls().len(),
    };
    if let (Some(Entry::Held), Some((held, _))) = (at, model.hub.holding().and_then(|h| h.held.as_ref()))
        && held.stage == Stage::Call
    {
        episode.make(held.made.call.clone());
    }
    let to = if at == Some(Entry::Held) { episode.calls().len() } else { to };
    step::open_episode(model, episode, to);
}

/// Opens the form with the arguments (held at the call), or a prompt with the answer (held at the answer).
fn edit(model: &mut Model) {
    let Some(held) = held(model) else { return };
    match held.stage {
        Stage::Call => {
            let call = match model.hub.draft.take() {
                Some((call, arguments)) if call.tool == held.made.call.tool => Call { tool: call.tool, arguments },
                _ => held.made.call.clone(),
            };
            if let Some(task) = task(model) {
                form::edit_held(model, &task, &call);
            }
        }
        Stage::Answer => {
            let answer = text::safe_json(&held.made.outcome.answer.text).into_owned();
            line::ask(model, Purpose::HoldEdit, "answer", answer);
        }
    }
}

fn task(model: &Model) -> Option<Arc<Task>> {
    model.hub.now().map(|now| now.opened.task.clone())
}

/// The form was sent: the held call passes with these arguments. When it was let go meanwhile, they are kept.
pub fn edited(model: &mut Model, call: Call) -> Vec<Effect> {
    let now = model.hub.holding().and_then(|holding| holding.held.as_ref()).map(|(held, _)| held);
    match now {
        Some(held) if held.stage == Stage::Call && held.made.call.tool == call.tool => {
            wish(model, Wish::Decide(Decision::Edit(call.arguments)))
        }
        _ => {
            let says = "the call was let go; your arguments are kept for the next held call of this tool";
            model.say(Scope::Warn, format!("! {says}"));
            model.hub.draft = Some((call.clone(), call.arguments));
            Vec::new()
        }
    }
}

/// Offers the six errors and a text.
fn answer(model: &mut Model) {
    if held(model).is_none() {
        return;
    }
    let mut items: Vec<(String, String)> =
        Code::ALL.iter().map(|code| (code.word().to_owned(), code.status().to_string())).collect();
    items.push(("a text".to_owned(), "you type it".to_owned()));
    model.overlays.push(Overlay::Pick(Pick::new("answer instead", pick::Purpose::HoldAnswer, items)));
}

/// One of them was chosen.
pub fn chosen(model: &mut Model, chosen: usize) -> Vec<Effect> {
    match Code::ALL.get(chosen) {
        Some(code) => decide(model, Decision::Fail(*code)),
        None => {
            line::ask(model, Purpose::HoldSay, "answer", String::new());
            Vec::new()
        }
    }
}

/// An edited answer.
pub fn answer_given(model: &mut Model, text: &str) -> Vec<Effect> {
    given(model, text, |text| Decision::Edit(text.into()))
}

/// A text to answer instead.
pub fn text_given(model: &mut Model, text: &str) -> Vec<Effect> {
    given(model, text, |text| Decision::Say(text.to_owned()))
}

/// Sends a text as the answer; one that breaks the output schema only when it is given a second time.
fn given(model: &mut Model, text: &str, decision: impl Fn(&str) -> Decision) -> Vec<Effect> {
    let (Some(held), Some(task)) = (held(model), task(model)) else { return Vec::new() };
    let schema = task.shown(&held.made.call.tool).and_then(|shown| shown.tool.output_schema.clone());
    let value = Value::parse_json(text).unwrap_or_else(|_| text.into());
    let broken = schema.and_then(|schema| crate::schema::check(&value, &schema).err());
    match broken {
        Some(broken) if model.hub.confirm.as_deref() != Some(text) => {
            model.hub.confirm = Some(text.to_owned());
            let at = if broken.at.is_empty() { "the answer" } else { &broken.at };
            model.say(
                Scope::Error,
                format!("! breaks the output schema at {at}: {}; enter sends it anyway", broken.expected),
            );
            Vec::new()
        }
        _ => {
            model.hub.confirm = None;
            wish(model, Wish::Decide(decision(text)))
        }
    }
}

/// The rules as they were typed.
pub fn rules_given(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(task) = task(model) else { return Vec::new() };
    let rules: Result<Vec<HoldRule>, String> = split(text)
        .iter()
        .map(|rule| HoldRule::parse(rule).and_then(|rule| rule.check(&task).map(|()| rule)))
        .collect();
    match rules {
        Ok(rules) => wish(model, Wish::Settings(HoldSettings { rules, ..settings(model) })),
        Err(why) => {
            model.say(Scope::Error, format!("! {why}"));
            Vec::new()
        }
    }
}

/// Rules, separated by spaces; a space inside quotes or brackets belongs to its rule.
fn split(text: &str) -> Vec<String> {
    let (mut rules, mut rule, mut depth, mut quoted) = (Vec::new(), String::new(), 0usize, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '[' | '{' if !quoted => depth += 1,
            ']' | '}' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_whitespace() && depth == 0 && !quoted {
            rules.extend((!rule.is_empty()).then(|| std::mem::take(&mut rule)));
        } else {
            rule.push(c);
        }
    }
    rules.extend((!rule.is_empty()).then_some(rule));
    rules
}

/// The deadline as it was typed.
pub fn deadline_given(model: &mut Model, text: &str) -> Vec<Effect> {
    let deadline = if text.trim().is_empty() { Ok(None) } else { parse_time(text).map(Some) };
    match deadline {
        Ok(deadline) => wish(model, Wish::Settings(HoldSettings { deadline, ..settings(model) })),
        Err(why) => {
            model.say(Scope::Error, format!("! {why}"));
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn rules_are_separated_by_spaces() {
        assert_eq!(split(" writes  get.id=3 "), ["writes", "get.id=3"]);
        assert_eq!(
            split(r#"get.name="Ann Lee" get.list=[1, 2] all"#),
            [r#"get.name="Ann Lee""#, "get.list=[1, 2]", "all"]
        );
        assert!(split("  ").is_empty());
    }
}
