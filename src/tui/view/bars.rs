//! The lines above and below the panes: header, status, footer.

use crate::engine::Ending;
use crate::text;
use crate::theme::Scope;
use crate::tui::action::{Action, ENDED, Place as KeyPlace};
use crate::tui::live;
use crate::tui::model::{FileState, Model, Running, Screen};
use crate::tui::overlays::line::{Line, Purpose};
use crate::tui::overlays::{Overlay, tour};
use crate::tui::screens::{self, tools};
use crate::tui::update;
use crate::tui::widgets::filter::Found;
use crate::tui::widgets::row::{Brush, Lit, Place, Row};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// From this width on the header shows the program's name.
const NAME_FROM: u16 = 100;

fn line(rect: Rect, n: u16) -> Place {
    Place { x: rect.x, y: rect.y + n, width: rect.width }
}

/// Name, facts and tabs.
pub(super) fn header(model: &Model, rect: Rect, buf: &mut Buffer) {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let tabs = tabs(model, rect.width);
    let mut left = Row::new().plain(" ");
    if rect.width >= NAME_FROM {
        left = left.put(Scope::Accent, "rehearsal").plain("  ");
    }
    let own = screens::name(model);
    let name = own.clone().unwrap_or_else(|| model.request.origin.name());
    left = left.put(Scope::Strong, text::cut_middle(&text::safe(&name), 32));
    if model.broken() {
        brush.row(buf, line(rect, 0), &left.join(&tabs), Lit::No, 0);
        return;
    }
    if own.is_none() && model.request.origin.is_example() && rect.width >= 60 {
        left = left.dim("  example");
    }
    let facts = match &model.file {
        _ if tour::greets(model) && rect.height == 2 => None,
        FileState::Open(opened) if own.is_none() => Some(tools::facts(model, opened)),
        _ => None,
    };
    let room = usize::from(rect.width).saturating_sub(left.width() + tabs.text().len() + 4);
    let inline = facts.as_ref().filter(|f| f.width() + 2 <= room && !tour::greets(model));
    if let Some(facts) = inline {
        left = left.plain("  ").join(facts);
    }
    brush.row(buf, line(rect, 0), &left.join(&tabs), Lit::No, 0);
    if rect.height < 2 {
        return;
    }
    let mut lines = Vec::new();
    if tour::greets(model) {
        let fits = |says: &&&str| text::width(says) + 2 <= usize::from(rect.width);
        lines.extend(PURPOSE.iter().find(fits).map(|says| Row::of(Scope::Text, *says)));
    }
    let last = second(model, inline.is_none().then_some(facts).flatten());
    let held = model.hub.badge().filter(|_| model.screen != Screen::Live);
    let last = match held {
        Some(words) => last.end(Scope::Warn, format!("! {words} ")),
        None => last,
    };
    lines.push(match screens::runs::progress(model) {
        Some(words) => last.end(Scope::Accent, format!("> {words} ")),
        None => last,
    });
    for (i, row) in lines.iter().take(usize::from(rect.height) - 1).enumerate() {
        brush.row(buf, line(rect, i as u16 + 1), &Row::new().plain(" ").join(row), Lit::No, 0);
    }
}

/// What the program is for, the longest first.
const PURPOSE: [&str; 3] = [
    "Rehearse an agent's tool calls: plan tasks on a tool file, inject faults, step through every call, compare runs.",
    "Rehearse an agent's tool calls: plan tasks, inject faults, compare runs.",
    "Rehearse an agent's tool calls.",
];

/// The second line of the header: the episode, else facts about the file.
fn second(model: &Model, facts: Option<Row>) -> Row {
    if !model.broken() {
        match (live::watch::row(model), screens::facts(model)) {
            (Some(row), Some(facts)) => return live::watch::short(model).unwrap_or(row).join(&facts),
            (Some(row), None) | (None, Some(row)) => return row,
            (None, None) => {}
        }
    }
    let FileState::Open(opened) = &model.file else { return Row::new() };
    let note = tools::notes(model, opened).into_iter().next();
    match (facts, note) {
        (Some(facts), Some((scope, note))) => facts.plain("  ").put(scope, note),
        (Some(facts), None) => facts,
        (None, Some((scope, note))) => Row::of(scope, note),
        (None, None) if opened.origin.is_example() => {
            let tour =
                model.keymap.key(Action::Tour).map_or_else(String::new, |key| format!("{key} starts the tour; "));
            let says = "the built-in example; ";
            Row::of(Scope::Dim, says).put(Scope::Text, tour).dim("open your own: rehearsal FILE")
        }
        (None, None) => opened.origin.path().map_or_else(Row::new, |p| Row::of(Scope::Dim, p.display().to_string())),
    }
}

/// The tabs: what each says, its screen, and whether it is the present one.
fn tab_list(model: &Model, width: u16) -> Vec<(String, Screen, bool)> {
    let mut tabs: Vec<(usize, Screen)> = Screen::TABS.into_iter().enumerate().map(|(i, s)| (i + 1, s)).collect();
    // Those of a server are shown only with one.
    tabs.extend(model.remote.is_open().then_some((6, Screen::Remote)));
    tabs.extend(model.served.is_open().then_some((7, Screen::Served)));
    tabs.extend(model.hub.is_open().then_some((8, Screen::Live)));
    let wide: usize = tabs.iter().map(|(_, screen)| screen.title().len() + 4).sum();
    let narrow = width < 56 || wide > usize::from(width) * 3 / 5;
    let says = |(number, screen): (usize, Screen)| {
        let on = screen == model.screen.tab() && !model.broken();
        let name = if narrow && !on { String::new() } else { format!(" {}", screen.title()) };
        (format!("{number}{name}"), screen, on)
    };
    tabs.into_iter().map(says).collect()
}

fn tabs(model: &Model, width: u16) -> Row {
    let tabs = tab_list(model, width);
    let last = tabs.len() - 1;
    tabs.into_iter().enumerate().fold(Row::new(), |row, (i, (says, _, on))| {
        let row = row.end(if on { Scope::TabOn } else { Scope::Tab }, says);
        row.end(Scope::Text, if i < last { "  " } else { " " })
    })
}

/// What a click on the header does at a column.
pub fn tab_action(model: &Model, x: u16) -> Option<Action> {
    let width = model.size.0;
    let tabs = tab_list(model, width);
    // They end one column before the right edge, two apart.
    let all: usize = tabs.iter().map(|(says, ..)| says.len() + 2).sum::<usize>().saturating_sub(1);
    let mut at = usize::from(width).checked_sub(all)?;
    for (says, screen, _) in tabs {
        if (at..at + says.len()).contains(&usize::from(x)) {
            return Some(match screen {
                Screen::Plan => Action::ShowPlan,
                Screen::Step => Action::ShowStep,
                Screen::Dials => Action::ShowDials,
                Screen::Runs => Action::ShowRuns,
                Screen::Remote => Action::ShowRemote,
                Screen::Served => Action::ShowServed,
                Screen::Live => Action::ShowLive,
                _ => Action::ShowTools,
            });
        }
        at += says.len() + 2;
    }
    None
}

/// The rule under the panes: what was just done, what runs, the verdict so far.
pub(super) fn status(model: &Model, rect: Rect, buf: &mut Buffer) {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let rule = "─".repeat(usize::from(rect.width));
    brush.row(buf, line(rect, 0), &Row::of(Scope::Border, rule), Lit::No, 0);
    let layout = model.layout();
    let count = model.screen.panes().len();
    let hidden = layout.panes.len() < count && !model.broken() && !model.waits();
    if hidden {
        let says = format!(" pane {} of {count} ", model.focus[model.screen as usize] + 1);
        let at = Place { x: rect.right() - says.len() as u16 - 1, y: rect.y, width: says.len() as u16 };
        brush.row(buf, at, &Row::of(Scope::Dim, says), Lit::No, 0);
    }
    let row = if let Some(notice) = &model.notice {
        Row::of(notice.scope, &notice.text)
    } else if let Some(running) = running(model) {
        Row::of(Scope::Dim, progress(running.progress.as_ref()))
    } else if !model.needle.is_empty() {
        let row = Row::new().dim("searching for ").put(Scope::Match, &model.needle);
        match model.live.found {
            Some(found) => row.dim(format!("  {}", found.words())),
            None => row,
        }
    } else if let Some(offer) = live::session::offer(model) {
        Row::of(Scope::Notice, offer)
    } else if let Some((scope, words)) = screens::status(model) {
        Row::of(scope, words)
    } else {
        return;
    };
    let row = Row::new().plain(" ").join(&row).plain(" ");
    let taken = if hidden { 15 } else { 2 };
    let width = rect.width.saturating_sub(taken).min(row.width() as u16);
    brush.row(buf, Place { x: rect.x + 1, y: rect.y, width }, &row, Lit::No, 0);
}

/// The job whose progress is shown: what opens, plans or resumes.
fn running(model: &Model) -> Option<&Running> {
    let all = [&model.opening, &model.planning, &model.live.replaying];
    all.into_iter().flatten().find(|running| running.progress.is_some())
}

/// A message that does not fit into the status line, whole, over the lines above it: it goes with the next key.
pub(super) fn notice(model: &Model, rect: Rect, buf: &mut Buffer) {
    let Some(notice) = &model.notice else { return };
    if matches!(model.overlays.last(), Some(Overlay::Line(_))) {
        // A prompt takes the status line, so its error is one line above.
        if notice.scope == Scope::Error && rect.y > 0 {
            let brush = Brush { theme: &model.look.theme, needle: None };
            let place = Place { x: rect.x, y: rect.y - 1, width: rect.width };
            brush.row(buf, place, &Row::of(Scope::Text, " ".repeat(usize::from(rect.width))), Lit::No, 0);
            brush.row(buf, place, &Row::new().plain(" ").put(notice.scope, &notice.text), Lit::No, 0);
        }
        return;
    }
    // The tour's next key must stay visible.
    if model.tour.is_some() {
        return;
    }
    let row = Row::of(notice.scope, &notice.text).hanging(2);
    let room = usize::from(rect.width.saturating_sub(4));
    let layout = model.layout();
    let hidden = layout.panes.len() < model.screen.panes().len() && !model.broken() && !model.waits();
    if row.width() <= room.saturating_sub(if hidden { 13 } else { 0 }) {
        return;
    }
    let mut rows = row.wrap(room);
    let most = usize::from(model.size.1 / 3).max(2);
    if rows.len() > most {
        rows.truncate(most);
        if let Some(last) = rows.last_mut() {
            *last = last.clone().dim(" …");
        }
    }
    let top = rect.y.saturating_sub(rows.len().saturating_sub(1) as u16).max(layout.header.bottom());
    let brush = Brush { theme: &model.look.theme, needle: None };
    for (i, row) in rows.iter().enumerate() {
        let place = Place { x: rect.x, y: top + i as u16, width: rect.width };
        if place.y > rect.y {
            break;
        }
        let below = if i == 0 { "─" } else { " " }.repeat(usize::from(rect.width));
        buf.set_stringn(rect.x, place.y, &below, usize::from(rect.width), ratatui::style::Style::reset());
        brush.row(buf, place, &Row::of(Scope::Border, below), Lit::No, 0);
        let width = rect.width.saturating_sub(2).min(row.width() as u16 + 2);
        let row = Row::new().plain(" ").join(row).plain(" ");
        brush.row(buf, Place { x: rect.x + 1, width, ..place }, &row, Lit::No, 0);
    }
}

/// How far a job has come, in words.
pub fn progress(progress: Option<&crate::work::Progress>) -> String {
    let Some(p) = progress else { return "opening".to_owned() };
    if let (Some(speed), Some(total)) = (p.speed, p.total) {
        let left = speed.left.map_or_else(String::new, |left| format!(", {} left", text::seconds(left)));
        let rate = text::group(speed.a_second);
        return format!("{} {} of {}, {rate} a second{left}", p.what, text::group(p.done), text::group(total));
    }
    match (p.what, p.total) {
        ("reading", Some(total)) => format!("reading {} of {}", text::bytes(p.done), text::bytes(total)),
        ("reading", None) => format!("reading {}", text::bytes(p.done)),
        // Nobody reads counts of this size.
        (what, Some(total)) if total >= 1_000_000 => {
            format!("{what}, {} %", u128::from(p.done.min(total)) * 100 / u128::from(total))
        }
        (what, Some(total)) => format!("{what}, {} of {total}", p.done),
        (what, None) => what.to_owned(),
    }
}

/// Keys that the footer shows, with their word and actions.
type Shown = (String, &'static str, &'static [Action]);

/// The keys that matter here, as many as fit.
fn hints(model: &Model, room: usize) -> Vec<Shown> {
    let place = update::place(model);
    let ended = model.step.episode.as_ref().is_some_and(|episode| episode.ending() != Ending::Open);
    let footer = if place == KeyPlace::Step && ended { ENDED } else { place.footer() };
    let mut all: Vec<Shown> = footer
        .iter()
        .filter_map(|hint| {
            let keys: Vec<String> = hint.0.iter().filter_map(|action| model.keymap.key(*action)).collect();
            (keys.len() == hint.0.len()).then(|| (keys.join("/"), hint.word(), hint.0))
        })
        .collect();
    // The way out comes last in the list and is kept when there is little room.
    let popup = matches!(
        place,
        KeyPlace::Look
            | KeyPlace::Choose
            | KeyPlace::Line
            | KeyPlace::Form
            | KeyPlace::RawForm
            | KeyPlace::Told
            | KeyPlace::Agent
    );
    let last = all.split_off(all.len().saturating_sub(if popup { 1 } else { 2 }));
    let wide = |(keys, word, _): &Shown| text::width(keys) + word.len() + 3;
    let tail: usize = last.iter().map(wide).sum();
    let mut taken = 1;
    let fits = |hint: &Shown| {
        let fits = taken + wide(hint) + tail <= room + 2;
        taken += wide(hint);
        fits
    };
    let mut shown: Vec<Shown> = all.into_iter().take_while(fits).collect();
    shown.extend(last);
    shown
}

/// What a click on the footer does at a column: of two keys, the one that is nearer.
pub fn footer_action(model: &Model, x: u16) -> Option<Action> {
    let mut at = 1;
    for (keys, word, actions) in hints(model, usize::from(model.size.0)) {
        let keys = text::width(&keys);
        let end = at + keys + 1 + word.len();
        if let Some(into) = usize::from(x).checked_sub(at).filter(|_| usize::from(x) < end) {
            let second = actions.len() > 1 && into > keys / 2;
            return actions.get(usize::from(second)).copied();
        }
        at = end + 2;
    }
    None
}

/// Paints the keys.
pub(super) fn footer(model: &Model, rect: Rect, buf: &mut Buffer) {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let hints = hints(model, usize::from(rect.width));
    let row = hints.iter().enumerate().fold(Row::new().plain(" "), |row, (i, (keys, word, _))| {
        row.gap(if i > 0 { 2 } else { 0 }).put(Scope::Key, keys).plain(" ").dim(*word)
    });
    brush.row(buf, line(rect, 0), &row, Lit::No, 0);
}

/// A prompt, in place of the status; gives the place of the cursor.
pub(super) fn line_at(model: &Model, typed: &Line, rect: Rect, buf: &mut Buffer) -> Position {
    let brush = Brush { theme: &model.look.theme, needle: None };
    let label = Row::new().plain(" ").put(Scope::Accent, typed.label).plain(" ");
    let start = label.width();
    let place = typed.editor.position().1;
    // The end of a long line is seen while it is typed.
    let room = usize::from(rect.width).saturating_sub(start + 1);
    let left = place.saturating_sub(room);
    brush.row(buf, line(rect, 0), &Row::of(Scope::Text, " ".repeat(usize::from(rect.width))), Lit::No, 0);
    brush.row(buf, line(rect, 0), &label, Lit::No, 0);
    let at = Place { x: rect.x + start as u16, y: rect.y, width: rect.width.saturating_sub(start as u16) };
    brush.row(buf, at, &Row::of(Scope::Input, typed.editor.text()), Lit::No, left);
    let count = match typed.purpose {
        Purpose::Search(..) if !typed.editor.text().is_empty() => model.live.found.map(Found::words),
        _ => None,
    };
    if let Some(count) =
        count.filter(|count| start + typed.editor.text().len() + count.len() + 4 < usize::from(rect.width))
    {
        let place = Place { x: rect.right() - count.len() as u16 - 1, y: rect.y, width: count.len() as u16 };
        brush.row(buf, place, &Row::of(Scope::Dim, count), Lit::No, 0);
    }
    Position { x: (at.x + (place - left) as u16).min(rect.right().saturating_sub(1)), y: rect.y }
}
