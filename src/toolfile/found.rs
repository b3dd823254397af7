//! What a reader hands on, and the checks every tool goes through whatever its format (rules 1.8).
use super::names::{one_line, rename, text_of};
use super::places::through_references;
use super::tool::{Effect, HttpShape, Kept, Refused, Tool};
use crate::schema::{self, Inliner, RefusalKind, SchemaError};
use crate::value::{Map, Str, Value, pointer};
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
    /// Where each argument's schema is written, when the argument schema is not a part of the file: OpenAPI.
    pub(super) origins: Vec<(Str, String)>,
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
#[derive(Clone)]
pub(super) struct Problem {
    pub(super) kind: RefusalKind,
    pub(super) reason: String,
    /// What to write instead.
    fix: &'static str,
    /// Where: a part of the file, and the way from there through its references. `None` is the definition itself.
    place: Option<(String, String)>,
}

impl Problem {
    pub(super) fn new(kind: RefusalKind, reason: impl Into<String>, fix: &'static str) -> Self {
        Self { kind, reason: reason.into(), fix, place: None }
    }

    /// The same with the JSON pointer of the place.
    pub(super) fn at(mut self, at: &str) -> Self {
        self.place = Some((at.to_owned(), String::new()));
        self
    }

    /// A failure of a reference or a schema, with what was being read and where it stands.
    pub(super) fn schema(what: &str, at: &str, error: SchemaError) -> Self {
        let reason = format!("{what} ({at}{}): {}", error.at, error.reason);
        Self { kind: error.kind, reason, fix: error.fix, place: Some((at.to_owned(), error.at)) }
    }
}

/// What to write where a tool has no usable name.
const GIVE_A_NAME: &str = "Give it a name: a string that is not empty.";
/// What to write where a schema does not describe an object.
const WRITE_AN_OBJECT: &str = "Write an object schema: {\"type\": \"object\", \"properties\": {...}}.";

/// The tools of one file, sorted into usable and refused as they are found.
pub(super) struct Sieve {
    document: Value,
    /// Inlines against the whole document, remembering what it met.
    pub(super) inliner: Inliner,
    /// Names of usable tools, as renamed, and where each is defined.
    taken: HashMap<Str, String>,
    pub(super) tools: Vec<Tool>,
    pub(super) refused: Vec<Refused>,
}

impl Sieve {
    pub(super) fn new(document: &Value) -> Self {
        let document = document.clone();
        Self {
            inliner: Inliner::new(&document),
            document,
            taken: HashMap::new(),
            tools: Vec::new(),
            refused: Vec::new(),
        }
    }

    /// Puts a tool where it belongs.
    pub(super) fn take(&mut self, found: Found) {
        match self.check(&found) {
            Ok(tool) => {
                self.taken.insert(tool.name.clone(), tool.at.clone());
                self.tools.push(tool);
            }
            Err(problem) => {
                let place = found.schemas.as_ref().ok().and_then(|schemas| schemas.place(&self.document, &problem));
                self.push(shown_name(&found.name), problem, found.at, place);
            }
        }
    }

    /// Refuses something that is not even a tool with a name.
    pub(super) fn refuse(&mut self, name: Str, problem: Problem, at: String) {
        self.push(name, problem, at, None);
    }

    fn push(&mut self, name: Str, problem: Problem, at: String, place: Option<String>) {
        let reason = one_line(&problem.reason);
        let place = place.or_else(|| {
            let (from, path) = problem.place.as_ref()?;
            Some(through_references(&self.document, "", "", &format!("{from}{path}")))
        });
        let place = place.unwrap_or_else(|| at.clone());
        self.refused.push(Refused { name, kind: problem.kind, reason, at, place, fix: problem.fix });
    }

    /// The checks in the order of rules 1.8.
    fn check(&mut self, found: &Found) -> Result<Tool, Problem> {
        let Value::Str(original) = &found.name else {
            let reason = match &found.name {
                Value::Null => "it has no name".to_owned(),
                other => format!("its name is {}, not a string", other.kind()),
            };
            return Err(Problem::new(RefusalKind::Name, reason, GIVE_A_NAME));
        };
        let name: Str = rename(original).into();
        if name.is_empty() {
            return Err(Problem::new(RefusalKind::Name, "its name is empty", GIVE_A_NAME));
        }
        if let Some(earlier) = self.taken.get(&name) {
            let reason = format!("its name as sent, {name}, is taken by the tool at {earlier}");
            return Err(Problem::new(RefusalKind::Duplicate, reason, "Rename one of the two."));
        }
        let schemas = match &found.schemas {
            Ok(schemas) => schemas,
            Err(problem) => return Err(problem.clone()),
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
        let failed = |error| Problem::schema("argument schema", at, error);
        let input = match schemas.root {
            Root::Own => schema::inline(&schemas.arguments, &schemas.arguments).map_err(failed)?,
            Root::Document => schemas.arguments.clone(),
        };
        if !schema::is_object_schema(&input) {
            return Err(not_object("argument schema", at, &input));
        }
        schema::check_arguments_schema(&input).map_err(failed)?;
        let output = schemas.output.as_ref().map(|output| {
            let inlined = match schemas.root {
                Root::Own => schema::inline(output, output),
                Root::Document => self.inliner.inline(output),
            };
            inlined.map_err(|error| Problem::schema("output schema", &schemas.output_at, error))
        });
        Ok((input, output.transpose()?))
    }
}

impl Schemas {
    /// Where in the file a problem with these schemas is; `None` when it is not about them.
    fn place(&self, document: &Value, problem: &Problem) -> Option<String> {
        let (from, path) = problem.place.as_ref()?;
        if self.root == Root::Own {
            return Some(through_references(document, from, from, path));
        }
        // An OpenAPI operation's arguments are put together from several places.
        let name = path.strip_prefix("/properties/").map(|rest| rest.split('/').next().unwrap_or_default())?;
        let rest = &path["/properties/".len() + name.len()..];
        let (_, origin) = self.origins.iter().find(|(known, _)| pointer::join("", known)[1..] == *name)?;
        Some(through_references(document, "", "", &format!("{origin}{rest}")))
    }
}

/// The refusal of a schema that should describe an object, saying what it is instead.
pub(super) fn not_object(what: &str, at: &str, schema: &Value) -> Problem {
    let is = match schema {
        Value::Object(map) => match map.get("type") {
            Some(Value::Str(word)) => format!("describes {word}, not an object"),
            Some(Value::Array(_)) => "has a list of types; arguments need `type: object` alone".to_owned(),
            Some(other) => format!("has a `type` that is {}, not \"object\"", other.kind()),
            None => "has neither `type: object` nor `properties`".to_owned(),
        },
        other => format!("is {}, not an object schema", other.kind()),
    };
    Problem::new(RefusalKind::NotObject, format!("{what} ({at}) {is}"), WRITE_AN_OBJECT).at(at)
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
