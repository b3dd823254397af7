//! Saving: the screen as text or SVG, an episode as a script, as JSON, as Markdown. The name is asked for, and what is there
//! already is replaced only when that is asked for too.

use super::choice::Choice;
use super::{Ask, svg};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Screen};
use crate::tui::msg::Effect;
use crate::tui::overlays::Overlay;
use crate::tui::overlays::line;
use crate::tui::overlays::pick::{Pick, Purpose};
use crate::tui::screens::step::Whole;
use crate::tui::view::paint;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// A file to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// What it is, for the message.
    pub what: &'static str,
    /// The name offered.
    pub name: String,
    /// What it says; of an episode once it is chosen.
    pub text: String,
    /// What can be done with it: a command, its place taken by `{}`.
    pub use_of: Option<String>,
}

/// Opens the list of what can be saved here.
pub fn list(model: &mut Model) {
    let mut drafts = Vec::new();
    let stem = stem(model);
    if let Some(episode) = model.step.episode.as_ref().filter(|_| model.screen == Screen::Step) {
        let task = episode.task();
        let file = model.request.origin.path().map(|path| path.display().to_string());
        let file = file.map_or_else(String::new, |file| format!("{} ", quoted(&text::safe(&file))));
        let replay = format!("rehearsal step {file}--arm {} --seed {} --calls {{}}", task.arm, task.seed);
        let all = [
            ("the calls so far as a script", "calls.yaml", Whole::Script, Some(replay)),
            ("the episode as JSON", "json", Whole::Json, None),
            ("the episode as Markdown", "md", Whole::Markdown, None),
        ];
        drafts.extend(all.map(|(what, end, whole, use_of)| {
            let name = format!("{stem}.{end}");
            (Draft { what, name, text: String::new(), use_of }, Some(whole))
        }));
    }
    let (width, height) = model.size;
    let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
    paint(model, &mut buf);
    let screen = [
        ("the screen as text", "txt", svg::text(&buf)),
        ("the screen as a picture (SVG)", "svg", svg::svg(&buf, model.look.theme.ground)),
    ];
    let screen =
        screen.map(|(what, end, text)| (Draft { what, name: format!("{stem}.{end}"), text, use_of: None }, None));
    drafts.extend(screen);
    let items = drafts.iter().map(|(draft, _)| (draft.what.to_owned(), draft.name.clone())).collect();
    let pick = Pick::new("save", Purpose::Live(Choice::Save(drafts)), items);
    model.overlays.push(Overlay::Pick(pick));
}

/// A name for a file: the screen, and the arm and seed when they are seen on it.
fn stem(model: &Model) -> String {
    let screen = model.screen.title().to_lowercase().replace(' ', "-");
    let task = match model.screen {
        Screen::Plan => model.plan.of,
        Screen::Tools
        | Screen::Runs
        | Screen::Card
        | Screen::Compare
        | Screen::Pair
        | Screen::Files
        | Screen::Remote => None,
        Screen::Step | Screen::Dials | Screen::Sides | Screen::Served | Screen::Live => {
            model.step.episode.as_ref().map(|episode| (episode.task().arm, episode.task().seed))
        }
    };
    match task {
        Some((arm, seed)) => format!("{}-{}-{seed}", screen, arm.to_string().replace(':', "-")),
        None => format!("{screen}-screen"),
    }
}

/// A word for a shell.
pub(in crate::tui) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Asks for the name.
pub fn name(model: &mut Model, draft: Draft) {
    let name = draft.name.clone();
    line::ask(model, line::Purpose::SaveAs(Box::new(draft)), "save as", name);
}

/// A name was given.
pub fn named(draft: Box<Draft>, name: &str) -> Vec<Effect> {
    if name.trim().is_empty() {
        return Vec::new();
    }
    vec![Effect::Live(Ask::Write { draft, path: name.trim().to_owned(), replace: false })]
}

/// What became of writing a file.
#[derive(Debug, Clone)]
pub enum Written {
    /// It is there, at this path.
    Done(String),
    /// There was one already.
    There,
    /// It could not be written: why.
    Failed(String),
}

pub(super) fn written(model: &mut Model, draft: Box<Draft>, path: String, written: Written) {
    match written {
        Written::Done(at) => {
            let shown = text::safe(&at).into_owned();
            let say = match &draft.use_of {
                Some(usage) => format!("saved {} in {shown}: {}", draft.what, usage.replace("{}", &quoted(&shown))),
                None => format!("saved {} in {shown}", draft.what),
            };
            model.say(Scope::Notice, say);
        }
        Written::There => {
            let shown = text::safe(&path).into_owned();
            let items = vec![
                ("leave it, and give another name".to_owned(), String::new()),
                ("replace it".to_owned(), String::new()),
            ];
            let title = format!("{shown} is there already");
            let pick = Pick::new(title, Purpose::Live(Choice::Replace(draft, path)), items);
            model.overlays.push(Overlay::Pick(pick));
        }
        Written::Failed(why) => {
            name(model, Draft { name: path, ..*draft });
            model.say(Scope::Error, format!("! not saved: {}", text::safe(&why)));
        }
    }
}
