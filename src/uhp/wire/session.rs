//! Sessions, their turns, and the read-only view a share opens.

use super::response::{Item, Response};
use super::{Json, redact};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// A session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// `hsess...`
    pub id: String,
    /// Always `session`.
    pub object: String,
    /// The harness all its tasks run on.
    pub harness_id: String,
    /// The first line of its first task.
    pub title: String,
    /// The status of its latest task.
    pub status: String,
    /// Unix seconds.
    pub created_at: u64,
    /// Unix seconds.
    pub updated_at: u64,
}

/// The first line of a text, at most 80 characters, as a title.
pub fn title(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default().trim();
    let mut title: String = line.chars().filter(|c| !c.is_control()).take(80).collect();
    if line.chars().count() > 80 {
        title.push('…');
    }
    if title.is_empty() { "untitled".to_owned() } else { title }
}

/// One turn of a session: what was asked, what came of it.
pub fn turn(user: &str, response: &Response, files: &[super::file::File]) -> Json {
    json!({
        "id": response.id,
        "status": response.status.word(),
        "created_at": response.created_at,
        "model": response.model,
        "user": user,
        "assistant": response.text(),
        "tools": tools(&response.output),
        "files": files,
    })
}

/// Each call of an output with its answer.
fn tools(output: &[Item]) -> Vec<Json> {
    let answer = |call_id: &Option<String>| {
        output.iter().find(|i| i.kind == "function_call_output" && i.call_id == *call_id).and_then(|i| i.output.clone())
    };
    output
        .iter()
        .filter(|i| i.kind == "function_call")
        .map(|i| json!({"call_id": i.call_id, "name": i.name, "arguments": i.arguments, "output": answer(&i.call_id)}))
        .collect()
}

/// The share object.
pub fn share(token: &str, enabled: bool) -> Json {
    json!({ "id": token, "url": format!("/v1/shared/{token}"), "object": "session.share", "enabled": enabled })
}

/// What a share shows to anyone: titles and turns as text, credentials struck out. No harness, no metadata, no ids that
/// open anything, no file.
pub fn view(session: &Session, turns: &[(String, Response)], keys: &[String]) -> Json {
    let clean = |text: &str| redact::clean(text, keys);
    let turns: Vec<Json> = turns
        .iter()
        .map(|(user, response)| {
            let tools: Vec<Json> = tools(&response.output)
                .into_iter()
                .map(|t| {
                    let text = |key: &str| t[key].as_str().map(clean);
                    json!({"name": text("name"), "arguments": text("arguments"), "output": text("output")})
                })
                .collect();
            json!({
                "status": response.status.word(), "user": clean(user), "assistant": clean(&response.text()), "tools": tools,
            })
        })
        .collect();
    json!({
        "object": "session.view",
        "title": clean(&session.title),
        "status": session.status,
        "created_at": session.created_at,
        "updated_at": session.updated_at,
        "turns": turns,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_one_short_line() {
        assert_eq!(title("  Reply\nwith"), "Reply");
        assert_eq!(title(""), "untitled");
        assert_eq!(title(&"x".repeat(81)).chars().count(), 81);
    }
}
