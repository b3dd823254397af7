//! What a reader hands on, and the checks every tool goes through whatever its format (rules 1.8).
use super::names::{one_line, rename, text_of};
use super::tool::{Effect, HttpShape, Kept, Refused, Tool};
use crate::schema::{self, Inliner, RefusalKind, SchemaError};
use crate::value::{Map, Str, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// A tool as its reader found it.
pub(super) struct Found {
    /// The name as the file has it, text or not.
    pub(super) name: Value,
    /// The format's own title.
    pub(super) title: Option<Str>,
    pub(super) description: Str,
    pub(super) effect: Effect,
    /// JSON pointer of the definition.
    pub(super) at: String,
    /// Its schemas, or the reader's own reason against it.
    pub(super) schemas: Result<Schemas, Problem>,
    pub(super) http: Option<HttpShape>,
}

/// The two schemas of a tool.
pub(super) struct Schemas {
    pub(super) arguments: Value,
    /// JSON pointer of the argument schema.
    pub(super) arguments_at: String,
    /// `None` when the tool has none.
    pub(super) output: Option<Value>,
    /// JSON pointer of the output schema.
    pub(super) output_at: String,
    pub(super) root: Root,
}

/// What the references of a tool's schemas resolve against (rules 1.7).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Root {
    /// Each schema itself: OpenAI and MCP.
    Own,
    /// The whole document, where the argument schema is already inlined: OpenAPI.
    Document,
}

/// A reason against a tool.
pub(super) struct Problem {
    pub(super) kind: RefusalKind,
    pub(super) reason: String,
}

impl Problem {
    pub(super) fn new(kind: RefusalKind, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into() }
    }

    /// A failure of a reference or a schema, with what was being read and where it stands.
    pub(super) fn schema(what: &str, at: &str, error: SchemaError) -> Self {
        Self { kind: error.kind, reason: format!("{what} ({at}): {}", error.reason) }
    }
}

/// The tools of one file, sorted into usable and refused as they are found.
pub(super) struct Sieve {
    /// Inlines against the whole document, remembering what it met.
    pub(super) inliner: Inliner,
    /// Names of usable tools, as renamed, and where each is defined.
    taken: HashMap<Str, String>,
    pub(super) tools: Vec<Tool>,
    pub(super) refused: Vec<Refused>,
}

impl Sieve {
    pub(super) fn new(document: &Value) -> Self {
        Self { inliner: Inliner::new(document), taken: HashMap::new(), tools: Vec::new(), refused: Vec::new() }
    }

    /// Puts a tool where it belongs.
    pub(super) fn take(&mut self, found: Found) {
        match self.check(&found) {
            Ok(tool) => {
                self.taken.insert(tool.name.clone(), tool.at.clone());
                self.tools.push(tool);
            }
            Err(problem) => self.refuse(shown_name(&found.name), problem, found.at),
        }
    }

    /// Refuses something that is not even a tool with a name.
    pub(super) fn refuse(&mut self, name: Str, problem: Problem, at: String) {
        let reason = one_line(&problem.reason);
        self.refused.push(Refused { name, kind: problem.kind, reason, at });
    }

    /// The checks in the order of rules 1.8.
    fn check(&mut self, found: &Found) -> Result<Tool, Problem> {
        let Value::Str(original) = &found.name else {
            let reason = match &found.name {
                Value::Null => "it has no name".to_owned(),
                other => format!("its name is {}, not text", other.kind()),
            };
            return Err(Problem::new(RefusalKind::Name, reason));
        };
        let name: Str = rename(original).into();
        if name.is_empty() {
            return Err(Problem::new(RefusalKind::Name, "its name is empty"));
        }
        if let Some(earlier) = self.taken.get(&name) {
            let reason = format!("its name as sent, {name}, is already that of the tool at {earlier}");
            return Err(Problem::new(RefusalKind::Duplicate, reason));
        }
        let schemas = match &found.schemas {
            Ok(schemas) => schemas,
            Err(problem) => return Err(Problem::new(problem.kind, problem.reason.clone())),
        };
        let (input_schema, output_schema) = self.check_schemas(schemas)?;
        let title = if *name == **original { found.title.clone() } else { Some(original.clone()) };
        Ok(Tool {
            name,
            title,
            description: found.description.clone(),
            effect: found.effect,
            input_schema,
            output_schema,
            original: original.clone(),
            at: found.at.clone(),
            http: found.http.clone(),
            kept: Kept::default(),
        })
    }

    fn check_schemas(&mut self, schemas: &Schemas) -> Result<(Value, Option<Value>), Problem> {
        let at = &schemas.arguments_at;
        let failed = |error| Problem::schema("its argument schema", at, error);
        let input = match schemas.root {
            Root::Own => schema::inline(&schemas.arguments, &schemas.arguments).map_err(failed)?,
            Root::Document => schemas.arguments.clone(),
        };
        if !schema::is_object_schema(&input) {
            return Err(not_object("its argument schema", at, &input));
        }
        schema::check_arguments_schema(&input).map_err(failed)?;
        let output = schemas.output.as_ref().map(|output| {
            let inlined = match schemas.root {
                Root::Own => schema::inline(output, output),
                Root::Document => self.inliner.inline(output),
            };
            inlined.map_err(|error| Problem::schema("its output schema", &schemas.output_at, error))
        });
        Ok((input, output.transpose()?))
    }
}

/// The refusal of a schema that should describe an object, saying what it is instead.
pub(super) fn not_object(what: &str, at: &str, schema: &Value) -> Problem {
    let is = match schema {
        Value::Object(map) => match map.get("type") {
            Some(Value::Str(word)) => format!("describes {word}, not an object"),
            Some(Value::Array(_)) => "has a list of types: an argument object needs type object alone".to_owned(),
            Some(other) => format!("has a type that is {}, not the word object", other.kind()),
            None => "says neither type object nor properties".to_owned(),
        },
        other => format!("is {}, not an object schema", other.kind()),
    };
    Problem::new(RefusalKind::NotObject, format!("{what} ({at}) {is}"))
}

/// A refused tool's name as shown: nothing for null, its text otherwise.
fn shown_name(name: &Value) -> Str {
    match name {
        Value::Null => Str::from(""),
        Value::Str(text) => text.clone(),
        other => text_of(other).into(),
    }
}

/// The argument schema of a tool that gives none.
pub(super) fn empty_object_schema() -> Value {
    Value::object(Map::from([("type", Value::str("object")), ("properties", Value::object(Map::new()))]))
}

/// The text under `key`, when it is text.
pub(super) fn text_at(map: &Map, key: &str) -> Option<Str> {
    match map.get(key) {
        Some(Value::Str(text)) => Some(text.clone()),
        _ => None,
    }
}

impl From<Sieve> for (Vec<Arc<Tool>>, Vec<Refused>) {
    fn from(sieve: Sieve) -> Self {
        (sieve.tools.into_iter().map(Arc::new).collect(), sieve.refused)
    }
}
