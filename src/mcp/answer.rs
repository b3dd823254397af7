//! The result of a call, as MCP writes it.

use crate::engine::Answer;
use crate::value::{Value, canonical};

/// The members of a `tools/call` result: text, the object where its schema is announced, whether it is an error. An error of
/// a file in another format is told as MCP tells it: the message alone.
pub fn call_result(answer: &Answer, announced: bool) -> String {
    let error = answer.is_error || answer.code.is_some();
    let mut out = String::with_capacity(answer.text.len() * 2 + 64);
    out.push_str(r#""content":[{"type":"text","text":"#);
    out.push_str(&canonical::compact(&Value::from(message(answer)), false));
    out.push_str("}]");
    if announced && !error && answer.value.as_object().is_some() {
        out.push_str(r#","structuredContent":"#);
        out.push_str(&canonical::compact(&answer.value, false));
    }
    out.push_str(if error { r#","isError":true"# } else { r#","isError":false"# });
    out
}

/// What an answer says in MCP's idiom (rules 4.7).
pub fn message(answer: &Answer) -> &str {
    let inner = answer.code.and_then(|_| {
        let error = answer.value.get("error").and_then(|error| error.get("message"));
        error.or_else(|| answer.value.get("detail")).and_then(Value::as_str)
    });
    inner.unwrap_or(&answer.text)
}
