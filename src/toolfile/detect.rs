//! Which of the three shapes a parsed file has (rules 1.3), and what to say when it has none.
use super::reading::Format;
use crate::value::{Map, Value};

/// A file's shape, with what its reader goes through.
pub(super) enum Shape<'a> {
    /// A list of tools and its JSON pointer.
    OpenAi(List<'a>),
    /// The pages of a tool list.
    Mcp(Vec<List<'a>>),
    /// A document.
    OpenApi,
}

/// A list of the file and its JSON pointer.
pub(super) struct List<'a> {
    pub(super) items: &'a [Value],
    pub(super) at: &'static str,
    /// For one page of many: its index, which stands before `at` in the pointer.
    pub(super) page: Option<usize>,
}

impl List<'_> {
    /// JSON pointer of the item at `index`.
    pub(super) fn item_at(&self, index: usize) -> String {
        match self.page {
            Some(page) => format!("/{page}{}/{index}", self.at),
            None => format!("{}/{index}", self.at),
        }
    }
}

/// A shape found, and in one line what of it goes beyond the reference's reading.
pub(super) struct Detected<'a> {
    pub(super) shape: Shape<'a>,
    pub(super) extension: Option<String>,
}

impl Detected<'_> {
    pub(super) fn format(&self) -> Format {
        match self.shape {
            Shape::OpenAi(_) => Format::OpenAi,
            Shape::Mcp(_) => Format::Mcp,
            Shape::OpenApi => Format::OpenApi,
        }
    }
}

/// Finds the shape; the error is one line that says what the file is instead.
pub(super) fn detect(root: &Value) -> Result<Detected<'_>, String> {
    match root {
        Value::Object(map) => of_mapping(map).map(plain).ok_or_else(|| explain_mapping(map)),
        Value::Array(items) => of_list(items).ok_or_else(|| explain_list(items)),
        Value::Null => Err(format!("the file is empty or holds only null; {WANTED}")),
        other => Err(format!("the file holds only {}; {WANTED}", other.kind())),
    }
}

/// What a tool file can be, for messages.
const WANTED: &str = "a tool file is an OpenAI tools list, an MCP tools/list result or an OpenAPI 3.0 or 3.1 document";

fn plain(shape: Shape<'_>) -> Detected<'_> {
    Detected { shape, extension: None }
}

fn of_mapping(map: &Map) -> Option<Shape<'_>> {
    if map.get("openapi").and_then(Value::as_str).is_some_and(|v| v.starts_with("3.0.") || v.starts_with("3.1.")) {
        return Some(Shape::OpenApi);
    }
    if let Some(page) = page_list(map, None).filter(|page| has_mcp_tool(page.items)) {
        return Some(Shape::Mcp(vec![page]));
    }
    let items = map.get("tools").and_then(Value::as_array)?;
    all_typed(items).then_some(Shape::OpenAi(List { items, at: "/tools", page: None }))
}

fn of_list(items: &[Value]) -> Option<Detected<'_>> {
    let pages = all_pages(items);
    if let Some(pages) = &pages
        && !pages.is_empty()
        && pages.iter().all(|page| has_mcp_tool(page.items))
    {
        return Some(plain(Shape::Mcp(all_pages(items)?)));
    }
    let bare = |at| List { items, at, page: None };
    if all_typed(items) {
        return Some(plain(Shape::OpenAi(bare(""))));
    }
    if items.iter().all(|item| item.as_object().is_some()) && has_mcp_tool(items) {
        let line = "a bare list of MCP tools, read as one page of a tools/list result".to_owned();
        return Some(Detected { shape: Shape::Mcp(vec![bare("")]), extension: Some(line) });
    }
    let pages = pages.filter(|pages| pages.iter().any(|page| has_mcp_tool(page.items)))?;
    let odd = pages.iter().filter(|page| !has_mcp_tool(page.items)).count();
    let all = pages.len();
    let line = format!("{odd} of {all} MCP pages have no tool with an inputSchema; all pages are read as one list");
    Some(Detected { shape: Shape::Mcp(pages), extension: Some(line) })
}

/// Every element's tool list, when every element has one.
fn all_pages(items: &[Value]) -> Option<Vec<List<'_>>> {
    items.iter().enumerate().map(|(i, item)| page_list(item.as_object()?, Some(i))).collect()
}

/// The list under `tools`, or under `result.tools` when `tools` is absent or null.
fn page_list(map: &Map, page: Option<usize>) -> Option<List<'_>> {
    let (tools, at) = match map.get("tools") {
        None | Some(Value::Null) => (map.get("result")?.get("tools"), "/result/tools"),
        tools => (tools, "/tools"),
    };
    Some(List { items: tools?.as_array()?, at, page })
}

fn has_mcp_tool(items: &[Value]) -> bool {
    items.iter().any(|item| item.get("inputSchema").is_some())
}

fn all_typed(items: &[Value]) -> bool {
    items.iter().all(|item| item.get("type").is_some())
}

/// Why a mapping has no shape: the nearest thing it could be.
fn explain_mapping(map: &Map) -> String {
    if let Some(version) = map.get("openapi") {
        let shown = super::names::text_of(version);
        let shown = super::names::brief(&shown);
        return format!(
            "/openapi is {shown}: only OpenAPI 3.0 and 3.1 are supported; write the version as a string, such as \"3.1.0\""
        );
    }
    if map.contains("swagger") {
        return "this is a Swagger 2 document; only OpenAPI 3.0 and 3.1 are supported: convert it first".to_owned();
    }
    if map.contains("error") && map.contains("jsonrpc") {
        return "the file is a JSON-RPC error, not a tools/list result: list the server's tools again".to_owned();
    }
    for (at, tools) in [("/tools", map.get("tools")), ("/result/tools", map.get("result").and_then(|r| r.get("tools")))]
    {
        match tools {
            None | Some(Value::Null) => {}
            Some(Value::Array(items)) => return explain_items(items, at),
            Some(other) => return format!("{at} is {}, not a list of tools", other.kind()),
        }
    }
    if map.contains("name") && (map.contains("inputSchema") || map.contains("parameters")) {
        return "the file is a single tool: put it in a list with at least one more".to_owned();
    }
    format!("an object without `openapi` or `tools`; {WANTED}")
}

fn explain_list(items: &[Value]) -> String {
    explain_items(items, "")
}

/// Why a list of tools is of no shape: its first item that does not fit.
fn explain_items(items: &[Value], at: &str) -> String {
    let odd = items.iter().position(|item| item.get("type").is_none());
    let Some((i, item)) = odd.and_then(|i| items.get(i).map(|item| (i, item))) else {
        return format!("the list{} is empty; {WANTED}", if at.is_empty() { String::new() } else { format!(" {at}") });
    };
    if item.as_object().is_none() {
        return format!("{at}/{i} is {}, not a tool; {WANTED}", item.kind());
    }
    if item.get("input_schema").is_some() {
        return format!(
            "{at}/{i} has an input_schema, the Anthropic form, which is not supported: rename the key to inputSchema to make it an MCP tool"
        );
    }
    format!("{at}/{i} has neither type (an OpenAI tool) nor inputSchema (an MCP tool); {WANTED}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(json: &str) -> Value {
        fn of(json: &serde_json::Value) -> Value {
            match json {
                serde_json::Value::Null => Value::Null,
                serde_json::Value::Bool(b) => Value::Bool(*b),
                serde_json::Value::Number(n) => n.as_i64().map_or(Value::Float(n.as_f64().unwrap()), Value::Int),
                serde_json::Value::String(s) => Value::str(s),
                serde_json::Value::Array(a) => Value::array(a.iter().map(of).collect()),
                serde_json::Value::Object(m) => Value::object(m.iter().map(|(k, v)| (k.as_str(), of(v))).collect()),
            }
        }
        of(&serde_json::from_str(json).unwrap())
    }

    fn word(json: &str) -> String {
        match detect(&value(json)) {
            Ok(found) => found.format().word().to_owned() + if found.extension.is_some() { "+" } else { "" },
            Err(_) => "none".to_owned(),
        }
    }

    #[test]
    fn shapes_in_their_order() {
        for (json, expected) in [
            (r#"{"openapi":"3.0.0","tools":[]}"#, "openapi"),
            (r#"{"openapi":"3.1.0"}"#, "openapi"),
            (r#"{"openapi":"3.0"}"#, "none"),
            (r#"{"openapi":3.0}"#, "none"),
            (r#"{"openapi":"3.2.0"}"#, "none"),
            (r#"{"openapi":"3.2.0","tools":[]}"#, "openai"),
            (r#"{"tools":[{"inputSchema":null}]}"#, "mcp"),
            (r#"{"tools":[{"type":"function","inputSchema":1}]}"#, "mcp"),
            (r#"{"tools":["x",{"inputSchema":{}}]}"#, "mcp"),
            (r#"{"tools":null,"result":{"tools":[{"inputSchema":{}}]}}"#, "mcp"),
            (r#"{"tools":[],"result":{"tools":[{"inputSchema":{}}]}}"#, "openai"),
            (r#"{"result":{"tools":[]}}"#, "none"),
            (r#"{"tools":[]}"#, "openai"),
            (r#"{"tools":[{"type":null}]}"#, "openai"),
            (r#"{"tools":[{"type":"function"},{}]}"#, "none"),
            (r#"{"tools":{"type":"function"}}"#, "none"),
            ("[]", "openai"),
            (r#"[{"type":1}]"#, "openai"),
            (r#"[{"type":"function","inputSchema":{}}]"#, "openai"),
            (r#"[{"tools":[{"inputSchema":{}}]}]"#, "mcp"),
            (r#"[{"tools":[{"inputSchema":{}}]},{"result":{"tools":[{"inputSchema":{}}]}}]"#, "mcp"),
            (r#"[{"tools":[{"inputSchema":{}}]},{"tools":[]}]"#, "mcp+"),
            (r#"[{"tools":[]}]"#, "none"),
            (r#"[{"tools":[{"inputSchema":{}}]},{}]"#, "none"),
            (r#"[{"tools":[{"inputSchema":{}}],"type":1},{"type":2}]"#, "openai"),
            (r#"[{"name":"a"},{"inputSchema":{}}]"#, "mcp+"),
            (r#"[{"inputSchema":{}},"x"]"#, "none"),
            ("1", "none"),
            ("null", "none"),
            (r#""x""#, "none"),
            ("{}", "none"),
        ] {
            assert_eq!(word(json), expected, "{json}");
        }
    }

    #[test]
    fn a_refusal_says_what_the_file_is_instead() {
        for (json, part) in [
            (r#"{"openapi":"3.2.0"}"#, "/openapi is 3.2.0"),
            (r#"{"swagger":"2.0"}"#, "Swagger 2"),
            (r#"{"jsonrpc":"2.0","error":{}}"#, "JSON-RPC error"),
            (r#"{"tools":[{"name":"a","input_schema":{}}]}"#, "/tools/0 has an input_schema"),
            (r#"[{"type":"function"},5]"#, "/1 is an integer"),
            (r#"{"result":{"tools":7}}"#, "/result/tools is an integer"),
            ("null", "empty"),
        ] {
            let message = detect(&value(json)).err().unwrap();
            assert!(message.contains(part), "{json}: {message}");
        }
    }
}
