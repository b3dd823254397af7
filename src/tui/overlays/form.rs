//! The call form: one line an argument, built from the tool's schema, or the arguments as raw JSON; checked as typed.

mod draw;
mod field;
mod nested;
mod source;

pub use draw::{Parts, parts, rows};
pub use field::{Field, Kind};

use super::Overlay;
use super::pick::{Pick, Purpose};
use crate::engine::explain::schema_place;
use crate::schema;
use crate::task::{Call, ShownTool, Task};
use crate::text;
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::msg::Effect;
use crate::tui::screens::words;
use crate::tui::screens::{hub, step};
use crate::tui::update;
use crate::tui::widgets::editor::{Edit, Editor};
use crate::tui::widgets::list::Rows;
use crate::tui::widgets::outline::Outline;
use crate::value::{Map, Str, Value, canonical};

/// A call being written.
#[derive(Debug, Clone)]
pub struct Form {
    /// The tool.
    pub tool: Str,
    /// Its argument schema.
    pub schema: Value,
    /// Its arguments in schema order, then those the schema does not name.
    pub fields: Vec<Field>,
    /// The focused argument.
    pub at: usize,
    /// The arguments as JSON, when they are written so.
    pub raw: Option<Editor>,
    /// What the check says of the call as it stands.
    pub check: Check,
    /// Whether the task shows the tool.
    pub listed: bool,
    /// Whether its call is one that a live episode holds.
    pub held: bool,
    /// Whether a key was pressed in it: errors are shown from then on.
    pub touched: bool,
    /// The schema as lines, beside the raw JSON, and the line on top of those seen.
    pub(super) outline: Outline,
    pub(super) top: usize,
}

/// What a check of the arguments says.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// They fit the schema.
    Fits,
    /// They break it: the place and what was expected.
    Breaks {
        /// JSON pointer.
        at: String,
        /// What was expected.
        expected: String,
    },
    /// They are not an object.
    NoObject,
    /// The text is not JSON: one line.
    NoJson(String),
}

/// Asks for the tool of a call, when there is more than one.
pub fn begin(model: &mut Model) {
    let Some(episode) = &model.step.episode else { return };
    let task = episode.task();
    let next = episode.next_reference().map(|c| c.tool);
    let mut names: Vec<Str> = task.block.iter().map(|t| t.name.clone()).collect();
    // The tool most likely wanted stands first.
    if let Some(at) = next.and_then(|n| names.iter().position(|name| *name == n)) {
        let name = names.remove(at);
        names.insert(0, name);
    }
    let items = names
        .iter()
        .map(|name| {
            let args = task.shown(name).map_or(0, |t| t.tool.properties().len());
            let effect = task.shown(name).map_or("", |t| t.tool.effect.word());
            (name.to_string(), format!("{effect}, {}", text::count(args, "argument")))
        })
        .collect();
    model.overlays.push(Overlay::Pick(Pick::new("tool to call", Purpose::Tool(names), items)));
}

/// Opens the form of a tool, its arguments filled from what the task states.
pub fn open(model: &mut Model, tool: Str) {
    let Some(episode) = &model.step.episode else { return };
    let Some(shown) = episode.task().shown(&tool) else { return };
    let mut form = Form::new(shown);
    // From the last to the first: an object that has no form takes the fields behind it away.
    for at in (0..form.fields.len()).rev().filter(|at| form.fields[*at].parents.is_empty()).collect::<Vec<_>>() {
        if let Some(value) = source::default_of(episode, &tool, &form.fields[at].name) {
            nested::put(&mut form.fields, at, &value);
        }
    }
    let missing =
        |at: &usize| form.fields[*at].required && !form.fields[*at].present && nested::reached(&form.fields, *at);
    form.at = (0..form.fields.len()).find(missing).unwrap_or(0);
    form.recheck();
    model.overlays.retain(|o| !matches!(o, Overlay::Form(_)));
    model.overlays.push(Overlay::Form(Box::new(form)));
}

/// Opens the form of a name that no tool of the task has: its arguments are written raw, and the harness answers.
pub fn open_unlisted(model: &mut Model, tool: &str) {
    let tool = tool.trim();
    if !tool.is_empty() {
        edit(model, &Call { tool: tool.into(), arguments: Value::object(Map::new()) });
    }
}

/// Opens the form with a call as it was made.
pub fn edit(model: &mut Model, call: &Call) {
    let Some(episode) = &model.step.episode else { return };
    let task = episode.task().clone();
    show(model, of_call(&task, call));
}

/// Opens the form with a call that a live episode holds: sending it lets the call pass.
pub fn edit_held(model: &mut Model, task: &Task, call: &Call) {
    show(model, Form { held: true, ..of_call(task, call) });
}

fn of_call(task: &Task, call: &Call) -> Form {
    match task.shown(&call.tool) {
        Some(shown) => {
            let mut form = Form::new(shown);
            form.take(&call.arguments);
            form
        }
        None => Form {
            tool: call.tool.clone(),
            schema: Value::Bool(true),
            fields: Vec::new(),
            at: 0,
            raw: Some(Editor::lines(text::safe_json(&canonical::pretty(&call.arguments, false)))),
            check: Check::Fits,
            listed: false,
            held: false,
            touched: true,
            outline: Outline::default(),
            top: 0,
        },
    }
}

fn show(model: &mut Model, mut form: Form) {
    form.recheck();
    model.overlays.retain(|o| !matches!(o, Overlay::Form(_)));
    model.overlays.push(Overlay::Form(Box::new(form)));
}

/// Puts a value chosen for it into the present argument.
pub fn filled(model: &mut Model, value: Value) {
    let Some(Overlay::Form(form)) = model.overlays.last_mut() else { return };
    nested::put(&mut form.fields, form.at, &value);
    nested::reach(&mut form.fields, form.at);
    form.recheck();
}

impl Form {
    fn new(shown: &ShownTool) -> Self {
        let fields = nested::fields(&shown.tool.input_schema);
        Self {
            tool: shown.name.clone(),
            schema: shown.tool.input_schema.clone(),
            fields,
            at: 0,
            raw: None,
            check: Check::Fits,
            listed: true,
            held: false,
            touched: false,
            outline: Outline::new(shown.tool.input_schema.clone()),
            top: 0,
        }
    }

    /// Puts arguments into the fields; what is not an object becomes raw JSON.
    fn take(&mut self, arguments: &Value) {
        let Some(map) = arguments.as_object() else {
            self.raw = Some(Editor::lines(text::safe_json(&canonical::pretty(arguments, false))));
            return;
        };
        self.fields = nested::fields(&self.schema);
        for (name, value) in map.named() {
            let known = self.fields.iter().position(|f| f.parents.is_empty() && f.name == *name);
            let at = known.unwrap_or_else(|| {
                self.fields.push(Field::unknown(name.clone()));
                self.fields.len() - 1
            });
            nested::put(&mut self.fields, at, value);
        }
        self.at = self.at.min(self.fields.len().saturating_sub(1));
    }

    /// The arguments as they are; the error is one line about text that is not JSON.
    pub fn arguments(&self) -> Result<Value, String> {
        if let Some(raw) = &self.raw {
            return Value::parse_json(raw.text()).map_err(|e| e.message);
        }
        nested::object(&self.fields, 0, 0, false).map(|(map, _)| Value::object(map))
    }

    /// The same with text that is not JSON yet kept as text, so that nothing typed is lost.
    fn lenient(&self) -> Value {
        nested::object(&self.fields, 0, 0, true).map(|(map, _)| Value::object(map)).unwrap_or_default()
    }

    /// Checks the call as it stands, and each argument alone.
    fn recheck(&mut self) {
        nested::check(&mut self.fields);
        self.check = match self.arguments() {
            Err(line) => Check::NoJson(line),
            Ok(value) if value.as_object().is_none() => Check::NoObject,
            Ok(value) => match schema::check(&value, &self.schema) {
                Ok(()) => Check::Fits,
                Err(v) => Check::Breaks { at: v.at, expected: v.expected },
            },
        };
        // The schema beside the JSON shows the place that asks for something else.
        if let (Check::Breaks { at, .. }, true) = (&self.check, self.raw.is_some()) {
            self.top = self.outline.reveal(&schema_place(&self.schema, at)).saturating_sub(1);
        }
    }

    /// Scrolls the schema beside the JSON.
    fn scroll(&mut self, down: bool) {
        const STEP: usize = 5;
        let last = self.outline.len().saturating_sub(1);
        self.top = if down { (self.top + STEP).min(last) } else { self.top.saturating_sub(STEP) };
    }

    /// The arguments as JSON text; text that is not JSON yet as it is.
    pub fn as_text(&self) -> String {
        match (&self.raw, self.arguments()) {
            (Some(raw), _) => raw.text().to_owned(),
            (None, Ok(value)) => text::safe_json(&canonical::pretty(&value, false)).into_owned(),
            (None, Err(_)) => text::safe_json(&canonical::pretty(&self.lenient(), false)).into_owned(),
        }
    }

    /// Takes text: into the fields when it is a JSON object and they are shown, else as raw JSON.
    pub fn take_text(&mut self, new: &str) {
        match Value::parse_json(new) {
            Ok(value) if self.raw.is_none() && value.as_object().is_some() => self.take(&value),
            _ => self.raw = Some(Editor::lines(new)),
        }
        self.recheck();
    }

    /// Types text into the present argument.
    pub fn insert(&mut self, text: &str) {
        self.touched = true;
        match &mut self.raw {
            Some(raw) => {
                raw.insert(text);
            }
            None => {
                if let Some(field) = self.fields.get_mut(self.at) {
                    field.insert(text);
                    nested::reach(&mut self.fields, self.at);
                }
            }
        }
        self.recheck();
    }

    fn edit(&mut self, edit: Edit) {
        match &mut self.raw {
            Some(raw) => {
                raw.edit(edit);
            }
            None => match edit {
                Edit::Up => self.at = self.at.saturating_sub(1),
                Edit::Down => self.at = (self.at + 1).min(self.fields.len().saturating_sub(1)),
                edit => {
                    if let Some(field) = self.fields.get_mut(self.at) {
                        let was = field.present;
                        field.edit(edit);
                        if field.present && !was {
                            nested::reach(&mut self.fields, self.at);
                        }
                    }
                }
            },
        }
        self.recheck();
    }

    /// From fields to raw JSON and back; false when the JSON has no form.
    fn switch(&mut self) -> bool {
        match self.raw.take() {
            None => {
                let value = self.arguments().unwrap_or_else(|_| self.lenient());
                self.raw = Some(Editor::lines(text::safe_json(&canonical::pretty(&value, false))));
            }
            Some(raw) => match Value::parse_json(raw.text()) {
                Ok(value) if value.as_object().is_some() => self.take(&value),
                _ => {
                    self.raw = Some(raw);
                    return false;
                }
            },
        }
        self.recheck();
        true
    }
}

/// What its keys do.
pub fn act(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(Overlay::Form(form)) = model.overlays.last_mut() else { return Vec::new() };
    form.touched = true;
    match action {
        Action::Cancel => {
            model.overlays.pop();
        }
        Action::Accept if form.raw.is_some() => form.edit(Edit::Newline),
        Action::Accept if form.check != Check::Fits => {
            let key = model.keymap.key(Action::Send).unwrap_or_default();
            model.say(Scope::Warn, format!("! the arguments do not fit the schema; {key} sends them anyway"));
        }
        Action::Accept | Action::Send => return send(model),
        Action::ChooseTool if !form.held => begin(model),
        Action::NextField => form.edit(Edit::Down),
        Action::PreviousField => form.edit(Edit::Up),
        Action::RawJson => {
            if !form.switch() {
                model.say(Scope::Warn, "! the text is not a JSON object, so it has no form");
            }
        }
        Action::LeaveOut => {
            if let Some(field) = form.fields.get_mut(form.at).filter(|_| form.raw.is_none()) {
                field.toggle();
                if field.present {
                    nested::reach(&mut form.fields, form.at);
                }
            }
            form.recheck();
        }
        Action::Fill => fill(model),
        Action::SchemaUp => form.scroll(false),
        Action::SchemaDown => form.scroll(true),
        _ => {
            if let Some(edit) = update::edit_of(action) {
                form.edit(edit);
            }
        }
    }
    Vec::new()
}

/// Makes the call. Text that is not JSON is sent as it is, like arguments that a model wrote wrongly.
fn send(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Form(form)) = model.overlays.last() else { return Vec::new() };
    let arguments = match (&form.raw, form.arguments()) {
        (Some(raw), Err(_)) => Ok(raw.text().into()),
        (_, arguments) => arguments,
    };
    match arguments {
        Ok(arguments) => {
            let call = Call { tool: form.tool.clone(), arguments };
            let held = form.held;
            model.overlays.pop();
            if held {
                return hub::edited(model, call);
            }
            step::make(model, call);
        }
        Err(line) => model.say(Scope::Error, format!("! {line}")),
    }
    Vec::new()
}

/// Offers values for the present argument: what the task states, and every value of an earlier answer.
fn fill(model: &mut Model) {
    let Some(Overlay::Form(form)) = model.overlays.last() else { return };
    let (Some(field), None, Some(episode)) = (form.fields.get(form.at), &form.raw, &model.step.episode) else {
        model.say(Scope::Notice, "select an argument to fill");
        return;
    };
    let sources = source::sources(episode, field);
    if sources.is_empty() {
        model.say(Scope::Notice, "no values yet: make a call first");
        return;
    }
    let items =
        sources.iter().map(|s| (format!("{}  {}", words::short(&s.value), s.from), s.note.to_owned())).collect();
    let values = sources.into_iter().map(|s| s.value).collect();
    let title = format!("value for {}", field.path());
    model.overlays.push(Overlay::Pick(Pick::new(title, Purpose::Fill(values), items)));
}
