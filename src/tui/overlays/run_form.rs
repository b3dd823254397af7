//! The form of a run: arms, seeds, attempts, player, folder; checked as they are typed.

use super::Overlay;
use crate::card::MOST_ATTEMPTS;
use crate::episode::players::{NAMES, PlayerSpec};
use crate::run::folder_safe;
use crate::settings::seeds;
use crate::task::{Arm, Dial, Script};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{FileState, Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::screens::asks::{self, Purpose};
use crate::tui::screens::plan;
use crate::tui::update;
use crate::tui::widgets::editor::{Edit, Editor};
use crate::tui::widgets::row::Row;
use crate::work::{Ask, NewRun, Opened, Origin, Play, Sheet};
use std::path::PathBuf;

/// What is asked for, in order.
const FIELDS: [(&str, &str); 5] = [
    ("arms", "all, dials or arms with commas between them, as in faults,landed:l1"),
    ("seeds", "numbers and ranges, as in 1,2,5..9, or published:20"),
    ("attempts", "attempts at each task"),
    ("player", "reference, once, blind-retry, trusting, checking, wrong:NAME, script:FILE or mix:NAME=weight,..."),
    ("folder", "where it is recorded; a folder that already holds this run is resumed"),
];
const ARMS: usize = 0;
const SEEDS: usize = 1;
const ATTEMPTS: usize = 2;
const PLAYER: usize = 3;
const FOLDER: usize = 4;

/// About what an episode takes on disk: the calls and the record of one on the example files.
const EPISODE_BYTES: u128 = 2_000;

/// A run being put together.
#[derive(Debug, Clone)]
pub struct RunForm {
    editors: [Editor; 5],
    at: usize,
    /// What a field offers, one after the other.
    choices: [Vec<String>; 5],
    /// The set's name, for the folder when none is typed.
    set: String,
    check: Result<Checked, String>,
}

/// What the fields say.
#[derive(Debug, Clone)]
struct Checked {
    arms: Vec<Arm>,
    seeds: Vec<u64>,
    attempts: u64,
}

impl Checked {
    fn episodes(&self) -> u128 {
        self.arms.len() as u128 * self.seeds.len() as u128 * u128::from(self.attempts)
    }
}

fn usable(model: &Model) -> Result<(&Opened, &Sheet), String> {
    let FileState::Open(opened) = &model.file else {
        return Err("a run needs a tool file: open one with rehearsal FILE".to_owned());
    };
    match &opened.sheet {
        Ok(sheet) => Ok((opened, sheet)),
        Err(why) => Err(why.clone()),
    }
}

/// Opens the form, filled with what is selected on the Plan screen.
pub fn open(model: &mut Model) {
    let (opened, sheet) = match usable(model) {
        Ok(found) => found,
        Err(why) => {
            model.say(Scope::Warn, format!("! {why}"));
            return;
        }
    };
    if matches!(opened.origin, Origin::Bytes { .. }) {
        model.say(Scope::Warn, "! a run names its tool file, and this one came from standard input");
        return;
    }
    let reached = |dial: &Dial| sheet.levels(*dial).is_ok_and(|levels| !levels.is_empty());
    let selected = plan::arm(model).map(|arm| arm.dial.word().to_owned());
    let mut arms: Vec<String> = selected.into_iter().collect();
    arms.push("all".to_owned());
    arms.extend(Dial::ALL.iter().filter(|d| reached(d)).map(|d| d.word().to_owned()));
    let mut players: Vec<String> = NAMES.iter().map(|(name, _)| (*name).to_owned()).collect();
    players.push("mix:reference=2,once=1,blind-retry=1,trusting=1,checking=1".to_owned());
    let mut choices = [
        arms,
        vec![seeds_text(&model.plan.seeds), "published:20".to_owned(), "published".to_owned()],
        ["1", "5", "10"].map(str::to_owned).to_vec(),
        players,
        Vec::new(),
    ];
    for list in &mut choices {
        let mut seen = std::collections::HashSet::new();
        list.retain(|choice| seen.insert(choice.clone()));
    }
    let first = |i: usize| Editor::line(choices[i].first().cloned().unwrap_or_default());
    let editors = [first(ARMS), first(SEEDS), first(ATTEMPTS), first(PLAYER), Editor::line("")];
    let set = opened.read.name.clone();
    let form = RunForm { editors, at: 0, choices, set, check: Err(String::new()) };
    model.overlays.push(Overlay::RunForm(Box::new(form)));
    changed(model);
}

/// The seeds in as few words as they take.
fn seeds_text(list: &[u64]) -> String {
    if !list.is_empty() && seeds::PUBLISHED.starts_with(list) {
        return format!("published:{}", list.len());
    }
    let first: Vec<String> = list.iter().take(200).map(u64::to_string).collect();
    first.join(",")
}

impl RunForm {
    fn text(&self, field: usize) -> &str {
        self.editors[field].text().trim()
    }

    /// Types into the present field.
    pub fn insert(&mut self, text: &str) {
        self.editors[self.at].insert(text);
    }

    /// The next choice of the present field.
    fn choose(&mut self) {
        let choices = &self.choices[self.at];
        let at = choices.iter().position(|c| c == self.editors[self.at].text()).map_or(0, |i| i + 1);
        if let Some(next) = choices.get(at).or_else(|| choices.first()) {
            self.editors[self.at] = Editor::line(next.clone());
        }
    }

    fn checked(&self, sheet: &Sheet) -> Result<Checked, String> {
        let arms = arms(self.text(ARMS), sheet)?;
        let seeds = seeds::parse(self.text(SEEDS))?;
        if seeds.is_empty() {
            return Err("seeds: name at least one".to_owned());
        }
        let attempts: u64 = self.text(ATTEMPTS).parse().unwrap_or(0);
        if !(1..=MOST_ATTEMPTS).contains(&attempts) {
            return Err(format!("attempts: a number from 1 to {}", text::group(MOST_ATTEMPTS)));
        }
        // The calls of a script are read when it is played.
        PlayerSpec::parse(self.text(PLAYER), &mut |_| Script::read(b"[]"))?;
        Ok(Checked { arms, seeds, attempts })
    }

    fn folder(&self) -> String {
        format!("runs/{}", folder_safe(&format!("{}-{}", self.set, self.text(PLAYER))))
    }
}

/// The arms that words name.
fn arms(words: &str, sheet: &Sheet) -> Result<Vec<Arm>, String> {
    let mut arms = Vec::new();
    for word in words.split([',', ' ']).map(str::trim).filter(|w| !w.is_empty()) {
        if word == "all" {
            arms.extend(sheet.arms());
        } else if let Some(dial) = Dial::parse(word) {
            let levels = sheet.levels(dial).map_err(|why| format!("{word}: {why}"))?;
            arms.extend(levels.iter().map(|level| dial.at(*level)));
        } else if let Some(arm) = Arm::parse(word) {
            if !sheet.arms().any(|a| a == arm) {
                return Err(format!("this tool file does not offer {word}"));
            }
            arms.push(arm);
        } else {
            let near = text::nearest(word.split(':').next().unwrap_or(word), Dial::ALL.map(Dial::word));
            let near = near.map_or_else(|| "write all, a dial or an arm".to_owned(), |n| format!("did you mean {n}?"));
            return Err(format!("no arm {word}: {near}"));
        }
    }
    let mut seen = std::collections::HashSet::new();
    arms.retain(|arm| seen.insert(*arm));
    if arms.is_empty() { Err("arms: name at least one".to_owned()) } else { Ok(arms) }
}

/// After its text changed: it is checked again.
pub fn changed(model: &mut Model) -> Vec<Effect> {
    let check = match (model.overlays.last(), usable(model)) {
        (Some(Overlay::RunForm(form)), Ok((_, sheet))) => form.checked(sheet),
        (_, Err(why)) => Err(why),
        _ => return Vec::new(),
    };
    if let Some(Overlay::RunForm(form)) = model.overlays.last_mut() {
        form.check = check;
    }
    Vec::new()
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(Overlay::RunForm(form)) = model.overlays.last_mut() else { return Vec::new() };
    match action {
        Action::Cancel => {
            model.overlays.pop();
            return Vec::new();
        }
        Action::Accept => return start(model),
        Action::NextField => form.at = (form.at + 1) % FIELDS.len(),
        Action::PreviousField => form.at = (form.at + FIELDS.len() - 1) % FIELDS.len(),
        Action::Fill => form.choose(),
        _ => match update::edit_of(action) {
            Some(Edit::Up) => form.at = form.at.saturating_sub(1),
            Some(Edit::Down) => form.at = (form.at + 1).min(FIELDS.len() - 1),
            Some(edit) => {
                form.editors[form.at].edit(edit);
            }
            None => {}
        },
    }
    changed(model)
}

fn start(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::RunForm(form)) = model.overlays.last() else { return Vec::new() };
    let checked = match &form.check {
        Ok(checked) => checked.clone(),
        Err(why) => {
            let why = format!("! {why}");
            model.say(Scope::Error, why);
            return Vec::new();
        }
    };
    let (player, folder) = (form.text(PLAYER).to_owned(), form.text(FOLDER).to_owned());
    let Ok((opened, _)) = usable(model) else { return Vec::new() };
    let run = NewRun {
        reading: opened.reading.clone(),
        file: opened.origin.path().map_or_else(|| PathBuf::from(opened.origin.name()), PathBuf::from),
        options: opened.read.clone(),
        settings: opened.plan.clone(),
        arms: checked.arms,
        seeds: checked.seeds,
        attempts: checked.attempts,
        player,
        out: (!folder.is_empty()).then(|| PathBuf::from(folder)),
    };
    model.overlays.pop();
    model.cursor_mut(Pane::Runs).at = 0;
    asks::begin(model, Purpose::Play(None), Ask::Play(Box::new(Play::New(run))))
}

/// The rows of the form, and where in them the cursor stands: row and column.
pub fn rows(form: &RunForm, width: usize) -> (Vec<Row>, (usize, usize)) {
    const LABEL: usize = 10;
    let mut rows = Vec::new();
    for (i, (label, _)) in FIELDS.iter().enumerate() {
        let scope = if i == form.at { Scope::Strong } else { Scope::Dim };
        let row = Row::new().cell(scope, label, LABEL);
        rows.push(match form.editors[i].text() {
            "" if i == FOLDER => row.dim(form.folder()),
            typed => row.put(Scope::Input, typed),
        });
    }
    rows.push(Row::new());
    match &form.check {
        Ok(checked) => {
            let says = format!(
                "{}, {}, {}: {} episodes, about {} on disk",
                text::count(checked.arms.len(), "arm"),
                text::count(checked.seeds.len(), "seed"),
                text::count(usize::try_from(checked.attempts).unwrap_or(usize::MAX), "attempt"),
                text::group(checked.episodes()),
                text::bytes(u64::try_from(checked.episodes() * EPISODE_BYTES).unwrap_or(u64::MAX))
            );
            rows.extend(Row::of(Scope::Ok, "+ ").plain(says).hanging(2).wrap(width));
            let names: Vec<String> = checked.arms.iter().take(60).map(Arm::to_string).collect();
            rows.extend(Row::of(Scope::Dim, format!("  {}", names.join(" "))).hanging(2).wrap(width));
        }
        Err(why) => rows.extend(Row::of(Scope::Error, "! ").plain(why).hanging(2).wrap(width)),
    }
    rows.push(Row::new());
    rows.extend(Row::of(Scope::Dim, format!("{}: {}", FIELDS[form.at].0, FIELDS[form.at].1)).wrap(width));
    if !form.choices[form.at].is_empty() {
        let list = form.choices[form.at].join("  ");
        rows.extend(Row::of(Scope::Dim, "choices: ").dim(list).hanging(9).wrap(width));
    }
    (rows, (form.at, LABEL + form.editors[form.at].position().1))
}
