//! A tool as the rest of the program sees it: usable ([`Tool`]) or refused ([`Refused`]).
use crate::schema::{RefusalKind, cleaned, is_drawable, is_free_text};
use crate::value::{Str, Value};
use std::sync::OnceLock;

/// What a tool does to the world; unknown counts as a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Changes something.
    Write,
    /// The file does not say.
    Unknown,
}

impl Effect {
    /// `read`, `write` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Write => "write",
            Effect::Unknown => "unknown",
        }
    }
    /// Whether calls count as reads.
    pub fn is_read(self) -> bool {
        self == Effect::Read
    }
}

/// Where an OpenAPI argument lives in the HTTP request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// A header.
    Header,
    /// A field of the body.
    Body,
}

impl Place {
    /// `path`, `query`, `header` or `body`.
    pub fn word(self) -> &'static str {
        match self {
            Place::Path => "path",
            Place::Query => "query",
            Place::Header => "header",
            Place::Body => "body",
        }
    }
}

/// How a parameter is written where it lives, as its `style`, `explode` and `content` say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// How a list or an object is written.
    pub form: StyleForm,
    /// Whether each entry of it is written separately.
    pub explode: bool,
}

/// The styles of OpenAPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StyleForm {
    /// `a,b`: of paths and headers.
    Simple,
    /// `.a.b`, of paths.
    Label,
    /// `;name=a`, of paths.
    Matrix,
    /// `name=a,b`, or a pair an entry: of queries and forms.
    Form,
    /// Entries parted by spaces, of queries.
    Spaces,
    /// Entries parted by `|`, of queries.
    Pipes,
    /// `name[member]=a`, of queries.
    DeepObject,
    /// JSON: the parameter has a `content`.
    Json,
}

impl Style {
    /// The style of a place where nothing else is said.
    pub fn of(place: Place) -> Self {
        match place {
            Place::Path | Place::Header => Self { form: StyleForm::Simple, explode: false },
            Place::Query | Place::Body => Self { form: StyleForm::Form, explode: true },
        }
    }

    /// The style a parameter of a place names; what does not belong there is skipped.
    pub fn named(place: Place, style: Option<&str>, explode: Option<bool>) -> Self {
        let own = Self::of(place);
        let form = match (place, style) {
            (Place::Path, Some("label")) => StyleForm::Label,
            (Place::Path, Some("matrix")) => StyleForm::Matrix,
            (Place::Query, Some("spaceDelimited")) => StyleForm::Spaces,
            (Place::Query, Some("pipeDelimited")) => StyleForm::Pipes,
            (Place::Query, Some("deepObject")) => StyleForm::DeepObject,
            _ => own.form,
        };
        // Only the form style explodes when nothing is said.
        Self { form, explode: explode.unwrap_or(form == StyleForm::Form) }
    }
}

/// How an OpenAPI tool is called over HTTP, to show what an agent's harness would send.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpShape {
    /// `GET`, `POST`, ...
    pub method: Str,
    /// The path template as written, `/orders/{id}`.
    pub path: Str,
    /// Argument name, its place and how it is written there, in schema order.
    pub places: Vec<(Str, Place, Style)>,
    /// Media type of the body, when it has one.
    pub media: Option<Str>,
    /// The address of the first server, its variables filled in.
    pub server: Option<Str>,
}

/// A usable tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The name as renamed (1.8).
    pub name: Str,
    /// The original name when it changed, else the format's own title.
    pub title: Option<Str>,
    /// The description, may be empty.
    pub description: Str,
    /// The effect, declared effects applied.
    pub effect: Effect,
    /// Argument schema, inlined.
    pub input_schema: Value,
    /// Output schema, inlined, any shape.
    pub output_schema: Option<Value>,
    /// The name as the file has it.
    pub original: Str,
    /// JSON pointer of the tool's definition in the file.
    pub at: String,
    /// For OpenAPI.
    pub http: Option<HttpShape>,
    /// What was worked out of its schemas.
    pub kept: Kept,
}

/// What is worked out of a tool's schemas when it is first asked for, and kept. It is not part of what a tool is: two tools
/// are equal without it, and a copy, whose schemas may be changed, works it out again.
#[derive(Default)]
pub struct Kept {
    clean_output: OnceLock<Option<Value>>,
    checkable: OnceLock<Vec<Str>>,
}

impl Clone for Kept {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Kept {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::fmt::Debug for Kept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kept")
    }
}

impl Tool {
    /// The argument schemas by name, in schema order.
    pub fn properties(&self) -> Vec<(Str, Value)> {
        self.input_schema
            .get("properties")
            .and_then(Value::as_object)
            .map(|m| m.named().map(|(k, v)| (k.clone(), v.clone())).collect())
            .unwrap_or_default()
    }

    /// The required names in the order of the list, text entries only.
    pub fn required(&self) -> Vec<Str> {
        self.input_schema
            .get("required")
            .and_then(Value::as_array)
            .map(|a| a.iter().filter_map(|v| if let Value::Str(s) = v { Some(s.clone()) } else { None }).collect())
            .unwrap_or_default()
    }

    /// The output schema cleaned for drawing.
    pub fn clean_output(&self) -> Option<&Value> {
        self.kept.clean_output.get_or_init(|| self.output_schema.as_ref().map(cleaned)).as_ref()
    }

    /// The checkable arguments, in schema order: not free text and drawable (rules 5.1).
    pub fn checkable(&self) -> &[Str] {
        self.kept.checkable.get_or_init(|| {
            let properties = self.input_schema.get("properties").and_then(Value::as_object);
            let checkable = |schema: &Value| !is_free_text(schema) && is_drawable(schema);
            let named = properties.into_iter().flat_map(|m| m.named());
            named.filter(|(_, schema)| checkable(schema)).map(|(name, _)| name.clone()).collect()
        })
    }

    /// Whether the name had to be changed to be a legal one.
    pub fn is_renamed(&self) -> bool {
        self.name != self.original
    }

    /// Whether a task can be about this tool: one argument at least is not free text (rules 1.9).
    pub fn can_target(&self) -> bool {
        let properties = self.input_schema.get("properties").and_then(Value::as_object);
        properties.is_some_and(|m| m.values().any(|schema| !is_free_text(schema)))
    }
}

/// A tool that cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// Its name, or path, or type text, as the file has it.
    pub name: Str,
    /// Why, as a word.
    pub kind: RefusalKind,
    /// Why, as one plain line.
    pub reason: String,
    /// JSON pointer of its definition in the file.
    pub at: String,
    /// JSON pointer of what is wrong: in the definition, or where a reference in it leads.
    pub place: String,
    /// What to write instead: one sentence.
    pub fix: &'static str,
}
