//! What the panes of the Live screen show.

use super::{Entry, Followed, HubScreen};
use crate::engine::Made;
use crate::engine::explain;
use crate::live::{Held, Stage};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::panes::Stack;
use crate::tui::screens::step::{dial_state, outcome_words, written};
use crate::tui::screens::words;
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::row::Row;
use crate::tui::widgets::wrapped::Wrapped;
use std::time::Duration;

/// Cells of the bar that shows how much time a held call has.
const BAR: u32 = 12;

/// What the rows of the list are about, in their order.
pub(super) fn entries(hub: &HubScreen) -> Vec<Entry> {
    let several = if hub.episodes.len() > 1 { hub.episodes.len() } else { 0 };
    let mut entries: Vec<Entry> = (0..several).map(Entry::Episode).collect();
    let Some(now) = hub.now() else { return entries };
    entries.extend((0..now.episode.calls().len()).map(Entry::Made));
    if let Some(holding) = hub.holding() {
        entries.extend(holding.held.as_ref().map(|_| Entry::Held));
        entries.extend((holding.waiting > 0).then_some(Entry::Waiting));
    }
    entries.extend(now.refused.back().map(|_| Entry::Words));
    if entries.is_empty() {
        entries.push(Entry::Words);
    }
    entries
}

/// The list: other episodes, calls, the held one, what waits, what was refused last.
struct Calls<'a> {
    hub: &'a HubScreen,
    entries: Vec<Entry>,
    width: usize,
}

impl Rows for Calls<'_> {
    fn len(&self) -> usize {
        self.entries.len()
    }

    fn row(&self, i: usize) -> Row {
        let (Some(entry), Some(now)) = (self.entries.get(i), self.hub.now()) else { return Row::new() };
        match entry {
            Entry::Episode(at) => self.episode(*at),
            Entry::Made(at) => now.episode.calls().get(*at).map(|made| self.made(now, *at, made)).unwrap_or_default(),
            Entry::Held => {
                let Some((held, _)) = self.hub.holding().and_then(|holding| holding.held.as_ref()) else {
                    return Row::new();
                };
                let row = Row::new().put(Scope::Warn, "! ").dim(format!("{} ", held.number));
                words::call(row, &held.made.call).end(Scope::Warn, if self.width < 30 { "" } else { "held" })
            }
            Entry::Waiting => {
                let waiting = self.hub.holding().map_or(0, |holding| holding.waiting);
                Row::of(Scope::Dim, format!(". {} waiting", text::count(waiting, "call")))
            }
            Entry::Words => match now.refused.back() {
                Some(why) => Row::of(Scope::Error, format!("! refused: {why}")),
                None => Row::of(Scope::Dim, ". no calls yet"),
            },
        }
    }
}

impl Calls<'_> {
    fn episode(&self, at: usize) -> Row {
        let Some(followed) = self.hub.episodes.get(at) else { return Row::new() };
        let task = &followed.opened.task;
        let sign = if at == self.hub.at { "> " } else { "  " };
        let row = Row::new().put(Scope::Accent, sign).plain(format!("{} seed {}", task.arm, task.seed));
        let holds = self.hub.holding.get(at).is_some_and(|holding| holding.held.is_some());
        let calls = text::count(followed.episode.calls().len(), "call");
        match (&followed.ended, holds) {
            (Some(_), _) => row.end(Scope::Dim, "ended"),
            (None, true) => row.end(Scope::Warn, "held"),
            (None, false) => row.end(Scope::Dim, calls),
        }
    }

    fn made(&self, now: &Followed, at: usize, made: &Made) -> Row {
        let (scope, sign, word) = outcome_words(made);
        let row = Row::new().put(scope, format!("{sign} ")).dim(format!("{} ", at + 1));
        let row = words::call(row, &made.call);
        let touched = now.touched.iter().rfind(|(number, _)| *number == at + 1).map(|(_, word)| *word);
        match touched {
            _ if self.width < 30 => row,
            Some(touched) => row.end(scope, format!("{word}, {}", touched.replace('_', " "))),
            None => row.end(scope, word),
        }
    }
}

/// The rows of a pane.
pub fn rows(model: &Model, pane: Pane, width: usize) -> Stack<'_> {
    let mut stack = Stack::default();
    let hub = &model.hub;
    let Some(now) = hub.now() else {
        stack.add(vec![Row::of(Scope::Dim, "No live episode. Open one: rehearsal live FILE")]);
        return stack;
    };
    match pane {
        Pane::Arrivals => stack.add(Calls { hub, entries: entries(hub), width }),
        Pane::Arrival => arrival(model, now, width, &mut stack),
        _ => kept(now, width, &mut stack),
    }
    stack
}

/// The selected call; before the first one, how to connect.
fn arrival<'a>(model: &'a Model, now: &'a Followed, width: usize, stack: &mut Stack<'a>) {
    let hub = &model.hub;
    let Some(shown) = &hub.shown else {
        stack.add(invitation(model, now, width));
        return;
    };
    let (number, is_held) = shown.key;
    let held = hub.holding().and_then(|holding| holding.held.as_ref()).filter(|_| is_held);
    let made = match held {
        Some((held, _)) => &held.made,
        None => match number.checked_sub(1).and_then(|at| now.episode.calls().get(at)) {
            Some(made) => made.as_ref(),
            None => return,
        },
    };
    let mut top = Vec::new();
    if let Some((held, left)) = held {
        top.extend(countdown(held, *left, width));
        let gives_up = format!("gives up after {} ({})", text::seconds(held.deadline.after), held.deadline.source);
        top.extend(Row::of(Scope::Dim, gives_up).wrap(width));
        top.push(Row::new());
    }
    top.push(Row::of(Scope::Dim, "arguments"));
    stack.add(top);
    stack.add(Wrapped::new(&shown.arguments, width));
    let check = match &made.outcome.rule {
        crate::engine::Rule::Invalid(broken) => Row::of(Scope::Error, format!("! {}: {}", broken.at, broken.expected)),
        crate::engine::Rule::NotAnObject => Row::of(Scope::Error, "! the arguments must be an object"),
        _ => Row::of(Scope::Ok, "+ valid"),
    };
    let (scope, _, word) = outcome_words(made);
    let title = match held {
        Some((held, _)) if held.stage == Stage::Call => "would answer",
        Some(_) => "answers",
        None => "answered",
    };
    let mut rows = check.wrap(width);
    rows.extend([Row::new(), Row::of(Scope::Dim, format!("{title}  ")).put(scope, word)]);
    stack.add(rows);
    stack.add(Wrapped::new(&shown.answer, width));
    let mut rows = vec![Row::new(), Row::of(Scope::Dim, "why")];
    for line in &explain::why(&now.opened.task, made).lines {
        rows.extend(Row::of(Scope::Text, explain::line_text(line)).wrap(width));
    }
    rows.extend([Row::new(), Row::of(Scope::Dim, "changed")]);
    let changed = explain::changes(made);
    if changed.lines.is_empty() {
        rows.push(Row::of(Scope::Text, "nothing"));
    }
    for line in &changed.lines {
        rows.extend(Row::of(Scope::Text, explain::line_text(line)).wrap(width));
    }
    if let Some((_, touched)) = now.touched.iter().rfind(|(touched, _)| *touched == number && !is_held) {
        rows.extend([Row::new(), Row::of(Scope::Warn, format!("held: {}", touched.replace('_', " ")))]);
    }
    stack.add(rows);
}

/// How much time a held call has.
fn countdown(held: &Held, left: Duration, width: usize) -> Vec<Row> {
    let all = held.lets_go.saturating_duration_since(held.since).max(Duration::from_millis(1));
    let full = ((left.as_secs_f64() / all.as_secs_f64()).clamp(0.0, 1.0) * f64::from(BAR)).round() as usize;
    let bar = format!("[{}{}]", "#".repeat(full), ".".repeat(BAR as usize - full));
    let stage = Row::of(Scope::Warn, format!("HELD at the {}", held.stage.word()));
    let left = Row::of(Scope::Warn, bar).plain(format!(" lets go in {} s", left.as_secs()));
    let one = stage.clone().plain("  ").join(&left);
    if one.width() <= width { vec![one] } else { vec![stage, left] }
}

/// What to give an agent, and how it connects.
fn invitation(model: &Model, now: &Followed, width: usize) -> Vec<Row> {
    let heading = |text: &str| Row::of(Scope::Dim, text);
    let mut rows = vec![heading("request to give the agent")];
    rows.extend(
        text::safe_lines(&now.opened.task.request).iter().flat_map(|line| Row::of(Scope::Strong, line).wrap(width)),
    );
    if let Some(key) = model.keymap.key(crate::tui::action::Action::Copy) {
        rows.extend(Row::of(Scope::Dim, format!("{key} copies it, the system prompt and the addresses.")).wrap(width));
    }
    rows.extend([Row::new(), heading("connect an agent")]);
    let mut line = |what: &str, says: &str| {
        rows.extend(Row::new().cell(Scope::Dim, what, 8).plain(says).hanging(8).wrap(width));
    };
    line("MCP", &now.opened.mcp);
    line("stdio", &format!("rehearsal mcp --join {}", now.opened.name));
    if let Some(routes) = &now.opened.routes {
        line("routes", routes);
    }
    for client in &model.hub.clients {
        line("client", &format!("rehearsal connect {client} --write"));
    }
    if model.hub.clients.is_empty() {
        line("client", "rehearsal connect CLIENT prints its config");
    }
    line("record", &now.opened.folder);
    rows
}

/// The steps, the dial and the store.
fn kept<'a>(now: &'a Followed, width: usize, stack: &mut Stack<'a>) {
    let (task, state) = (&now.opened.task, now.episode.state());
    let mut rows = Row::of(Scope::Text, explain::progress(task, &state)).wrap(width);
    for (i, step) in task.steps.iter().enumerate() {
        let (scope, sign) = if state.passed(i) { (Scope::Ok, "+ ") } else { (Scope::Dim, ". ") };
        let row = Row::new().put(scope, sign).dim(format!("{i} ")).plain(&*step.tool).plain(" ");
        rows.push(words::pairs(row, &step.matching));
    }
    rows.push(Row::of(Scope::Dim, format!("dial {}", task.arm)));
    for row in dial_state(&now.episode, task) {
        rows.extend(row.hanging(2).wrap(width));
    }
    stack.add(rows);
    written(&now.episode, width, stack);
}

/// The title of a pane.
pub fn title(model: &Model, pane: Pane) -> String {
    let hub = &model.hub;
    let calls = hub.now().map_or(0, |now| now.episode.calls().len());
    match pane {
        Pane::Arrivals => format!("calls ({calls})"),
        Pane::Arrival => match (&hub.shown, hub.holding().and_then(|holding| holding.held.as_ref())) {
            (Some(shown), Some((held, _))) if shown.key.1 => format!("call {}: {}", held.number, held.made.call.tool),
            (Some(shown), _) => {
                let made = hub.now().and_then(|now| now.episode.calls().get(shown.key.0.saturating_sub(1)));
                made.map_or_else(|| "call".to_owned(), |made| format!("call {}: {}", shown.key.0, made.call.tool))
            }
            (None, _) => "nobody has called yet".to_owned(),
        },
        _ => "store".to_owned(),
    }
}

/// What the header says: who is connected and when it gives up, what is held, the rules.
pub fn facts(model: &Model) -> Option<Row> {
    let now = model.hub.now()?;
    let row = match &now.caller {
        Some((caller, connection)) => {
            let kind = connection.split('-').next().unwrap_or_default();
            let kind = if kind == "shim" { "stdio" } else { kind };
            Row::new().put(Scope::Strong, caller).dim(format!("  {kind}"))
        }
        None => Row::of(Scope::Dim, "nobody connected"),
    };
    let Some(holding) = model.hub.holding() else { return Some(row) };
    let mut rules: Vec<String> = holding.settings.rules.iter().map(ToString::to_string).collect();
    if holding.settings.everything {
        rules.insert(0, "everything".to_owned());
    }
    let row = if rules.is_empty() { row.dim("  holds nothing") } else { row.dim("  holds ").plain(rules.join(", ")) };
    let held = usize::from(holding.held.is_some());
    Some(row.dim(format!("  {held} held, {} waiting", holding.waiting)))
}
