//! OpenAI tools lists, in the form of Chat Completions and of Responses (rules 1.4).
use super::detect::List;
use super::found::{Found, Problem, Root, Schemas, Sieve, empty_object_schema, text_at};
use super::names::{brief, text_of};
use super::tool::Effect;
use crate::schema::RefusalKind;
use crate::value::{Str, Value};

/// Reads every item; detection has seen that each is a mapping with a `type`.
pub(super) fn read(list: &List<'_>, sieve: &mut Sieve) {
    for (i, item) in list.items.iter().enumerate() {
        let Some(item) = item.as_object() else { continue };
        let at = list.item_at(i);
        match item.get("type") {
            Some(Value::Str(word)) if &**word == "function" => {}
            kind => {
                let word = kind.map(text_of).unwrap_or_default();
                let reason = format!("its type is {}: only functions can be rehearsed", brief(&word));
                let fix = "Remove it, or describe the same tool as a function.";
                sieve.refuse(word.into(), Problem::new(RefusalKind::Builtin, reason, fix), at);
                continue;
            }
        }
        let (definition, at) = match item.get("function") {
            Some(Value::Object(function)) => (&**function, format!("{at}/function")),
            _ => (item, at),
        };
        let arguments = match definition.get("parameters") {
            None | Some(Value::Null) => empty_object_schema(),
            Some(given) => given.clone(),
        };
        sieve.take(Found {
            name: definition.get("name").cloned().unwrap_or_else(|| Value::str("")),
            title: None,
            description: text_at(definition, "description").unwrap_or_else(|| Str::from("")),
            effect: Effect::Unknown,
            schemas: Ok(Schemas {
                arguments,
                arguments_at: format!("{at}/parameters"),
                output: None,
                output_at: String::new(),
                root: Root::Own,
                origins: Vec::new(),
            }),
            at,
            http: None,
        });
    }
}
