//! MCP tool lists (rules 1.5).
use super::detect::List;
use super::found::{Found, Problem, Root, Schemas, Sieve, text_at};
use super::tool::Effect;
use crate::schema::RefusalKind;
use crate::value::{Map, Str, Value};

/// Reads every page. An item other than a mapping refuses the whole file: the line says which; the others are read all
/// the same, to be looked at.
pub(super) fn read(pages: &[List<'_>], sieve: &mut Sieve) -> Result<(), String> {
    let mut whole = Ok(());
    for page in pages {
        for (i, item) in page.items.iter().enumerate() {
            let at = page.item_at(i);
            match item {
                Value::Object(tool) => sieve.take(tool_of(tool, at)),
                other if whole.is_ok() => whole = Err(format!("{at} is {}, not a tool", other.kind())),
                _ => {}
            }
        }
    }
    whole
}

fn tool_of(tool: &Map, at: String) -> Found {
    let schemas = match tool.get("inputSchema") {
        Some(arguments) => Ok(Schemas {
            arguments: arguments.clone(),
            arguments_at: format!("{at}/inputSchema"),
            output: tool.get("outputSchema").filter(|schema| !schema.is_null()).cloned(),
            output_at: format!("{at}/outputSchema"),
            root: Root::Own,
            origins: Vec::new(),
        }),
        None => {
            let fix = "Add \"inputSchema\": {\"type\": \"object\"}.";
            Err(Problem::new(RefusalKind::NotObject, format!("it has no inputSchema ({at})"), fix))
        }
    };
    Found {
        name: tool.get("name").cloned().unwrap_or_default(),
        title: text_at(tool, "title"),
        description: text_at(tool, "description").unwrap_or_else(|| Str::from("")),
        effect: effect_of(tool.get("annotations")),
        at,
        schemas,
        http: None,
    }
}

/// Only `readOnlyHint` counts; annotations without it, or that are no mapping, make a write.
fn effect_of(annotations: Option<&Value>) -> Effect {
    match annotations {
        None | Some(Value::Null) => Effect::Unknown,
        Some(given) if given.get("readOnlyHint") == Some(&Value::Bool(true)) => Effect::Read,
        Some(_) => Effect::Write,
    }
}
