//! What is known of one run, in rows.

use super::{FOLDER, RunEntry, RunState, open_hashes, state_sign};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::screens::words::short_hash;
use crate::tui::view::progress_words;
use crate::tui::widgets::row::Row;

const LABEL: usize = 10;

fn labelled(rows: &mut Vec<Row>, label: &str, row: &Row, width: usize) {
    rows.extend(Row::new().cell(Scope::Dim, label, LABEL).join(row).hanging(LABEL).wrap(width));
}

/// The selected run.
pub(super) fn rows(model: &Model, entry: &RunEntry, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    labelled(&mut rows, "state", &state(model, entry), width);
    if let RunState::Broken(_) = &entry.state {
        // What it was on may still be told; there is nothing else to tell, and nothing to do with it.
        hashes(&mut rows, model, entry, width);
        return rows;
    }
    labelled(&mut rows, "tools", &Row::of(Scope::Text, &entry.set), width);
    labelled(&mut rows, "player", &Row::of(Scope::Text, &entry.player), width);
    let [arms, seeds, attempts] = entry.size.map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let size =
        format!("{}, {}, {}", text::count(arms, "arm"), text::count(seeds, "seed"), text::count(attempts, "attempt"));
    labelled(&mut rows, "plan", &Row::of(Scope::Text, size), width);
    hashes(&mut rows, model, entry, width);
    rows.push(Row::new());
    figures(&mut rows, model, entry, width);
    rows.push(Row::new());
    let key = |action| model.keymap.key(action).unwrap_or_default();
    let mut hint = format!("{} opens its card", key(Action::Open));
    if matches!(entry.state, RunState::Unfinished(..) | RunState::Torn(..)) {
        hint = format!("{hint}, {} resumes it", key(Action::ResumeRun));
    }
    let marks = format!("{hint}. {} marks two runs, {} compares them.", key(Action::MarkRun), key(Action::CompareRuns));
    rows.extend(Row::of(Scope::Dim, marks).wrap(width));
    rows
}

fn state(model: &Model, entry: &RunEntry) -> Row {
    let (scope, sign) = state_sign(&entry.state);
    let row = Row::of(scope, format!("{sign} "));
    let of = |n: &u64, of: &u64| format!("{} of {} episodes", text::group(*n), text::group(*of));
    match &entry.state {
        RunState::Finished => row.plain("finished, all episodes recorded"),
        RunState::Held => row.plain("finished; a person held its calls, so it is in no card"),
        RunState::Unfinished(n, all) if model.asks.playing_in() == Some(&entry.path) => {
            row.plain(format!("running: {} when last read", of(n, all)))
        }
        RunState::Unfinished(n, all) => row.plain(format!("unfinished: {}", of(n, all))),
        RunState::Torn(n, all) => {
            row.plain(format!("cut off: {}; the line that was being written is dropped", of(n, all)))
        }
        RunState::Broken(why) => row.plain(why),
        RunState::CardOnly => row.plain("a card without its run"),
    }
}

fn hashes(rows: &mut Vec<Row>, model: &Model, entry: &RunEntry, width: usize) {
    let open = open_hashes(model);
    let opened = |i: usize| match (&open, i) {
        (Some((contract, _)), 0) => contract.as_ref(),
        (Some((_, file)), 1) => Some(file),
        _ => None,
    };
    for (i, (label, hash)) in ["contract", "file", "plan"].iter().zip(&entry.hashes).enumerate() {
        let Some(hash) = hash else { continue };
        let row = Row::of(Scope::Text, short_hash(hash));
        let row = match opened(i) {
            Some(other) if other == hash => row.plain("  ").put(Scope::Ok, "+").dim(" same as the open file"),
            Some(other) => row.plain("  ").put(Scope::DiffChanged, "~").dim(format!(" {} is open", short_hash(other))),
            None => row,
        };
        labelled(rows, label, &row, width);
    }
}

fn figures(rows: &mut Vec<Row>, model: &Model, entry: &RunEntry, width: usize) {
    match model.runs.figures(entry) {
        None => rows.push(Row::of(Scope::Dim, "reading its episodes")),
        Some(Err(why)) => rows.extend(Row::of(Scope::Error, "! ").plain(why).hanging(2).wrap(width)),
        Some(Ok(figures)) => {
            let [passed, of] = figures.passed.map(text::group);
            labelled(rows, "passed", &Row::of(Scope::Text, format!("{passed} of {of} scored")), width);
            if figures.owed > 0 {
                let owed = format!("{} episodes", text::group(figures.owed));
                labelled(rows, "owed", &Row::of(Scope::Warn, owed), width);
            }
            if figures.gates.is_empty() {
                let says = if entry.card {
                    "+ valid (all checks passed)"
                } else {
                    "+ valid (all checks passed); not written yet"
                };
                labelled(rows, "card", &Row::of(Scope::Ok, says), width);
            }
            for gate in &figures.gates {
                labelled(rows, "card", &Row::of(Scope::Error, "! not valid: ").plain(gate), width);
            }
            if let Some(chain) = figures.chain {
                labelled(rows, "chain", &Row::of(Scope::Text, short_hash(&chain.hex())), width);
            }
        }
    }
}

/// The run that goes on.
pub(super) fn going(model: &Model, width: usize) -> Vec<Row> {
    let Some(progress) = model.asks.playing() else { return Vec::new() };
    let mut rows = Row::of(Scope::Text, progress_words(progress)).wrap(width);
    if let Some((done, total)) = progress.and_then(|p| Some((p.done, p.total.filter(|t| *t > 0)?))) {
        let wide = width.min(60) as u64;
        let full = (done.min(total) * wide / total) as usize;
        let rest = usize::try_from(wide).unwrap_or(0) - full;
        rows.push(Row::of(Scope::Accent, "━".repeat(full)).dim("─".repeat(rest)));
    }
    rows.push(Row::new());
    let key = model.keymap.key(Action::StopRun).unwrap_or_default();
    let says = format!("{key} stops it after the current episodes. Finished episodes are already on disk.");
    rows.extend(Row::of(Scope::Dim, says).wrap(width));
    rows
}

/// Where there are no runs.
pub(super) fn nothing(model: &Model, width: usize) -> Vec<Row> {
    let key = |action| model.keymap.key(action).unwrap_or_default();
    let says = format!(
        "No runs in {FOLDER}/. {} starts one on the open file, {} adds one by its path.",
        key(Action::NewRun),
        key(Action::AddRun)
    );
    Row::of(Scope::Dim, says).wrap(width)
}
