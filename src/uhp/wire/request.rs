//! A request to run a task: what of it is acted on, what is ignored and named, what is refused.

use super::error::Problem;
use super::input::{self, Input};
use super::{Fields, Json};

/// Request fields that are acted on. Every other one a request carries is named in `metadata.ignored_fields`.
pub const HONOURED: [&str; 9] = [
    "input",
    "model",
    "metadata",
    "stream",
    "previous_response_id",
    "store",
    "max_step",
    "timeout_seconds",
    "background",
];

/// Metadata keys that the server writes; a client's own under these names are not repeated.
pub const RESERVED: [&str; 7] = [
    "session_id",
    "harness_id",
    "requested_model",
    "model_fallback",
    "model_fallback_reason",
    "ignored_fields",
    "rehearsal",
];

/// Most bytes of a client's metadata.
const MOST_METADATA: usize = 64 * 1024;

/// A request to run a task, read.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRequest {
    /// The input as sent.
    pub raw_input: Json,
    /// The input as understood.
    pub input: Input,
    /// The model asked for.
    pub model: Option<String>,
    /// The client's metadata.
    pub metadata: Fields,
    /// The harness asked for.
    pub harness_id: Option<String>,
    /// `metadata.arm`.
    pub arm: Option<String>,
    /// `metadata.seed`.
    pub seed: Option<u64>,
    /// `metadata.task`: which planned task.
    pub task: Option<usize>,
    /// Whether to stream.
    pub stream: bool,
    /// The response to continue.
    pub previous: Option<String>,
    /// Whether to keep the response for reading.
    pub store: bool,
    /// Most calls.
    pub max_step: Option<u64>,
    /// Most seconds.
    pub timeout_seconds: Option<u64>,
    /// Whether to answer at acceptance.
    pub background: bool,
    /// Fields that are not acted on, sorted.
    pub ignored: Vec<String>,
}

/// Reads the body of a request. Fields not understood never refuse it; those that are must have their type.
pub fn read(body: &Fields, most_file_bytes: usize) -> Result<TaskRequest, Problem> {
    let Some(raw_input) = present(body, "input") else {
        return Err(Problem::invalid("input", "A task needs an input."));
    };
    let input = input::read(raw_input, most_file_bytes)?;
    let metadata = match present(body, "metadata") {
        None => Fields::new(),
        Some(Json::Object(map)) => map.clone(),
        Some(_) => return Err(Problem::invalid("metadata", "The metadata must be an object.")),
    };
    if Json::Object(metadata.clone()).to_string().len() > MOST_METADATA {
        return Err(Problem::invalid("metadata", "The metadata is larger than 65536 bytes."));
    }
    let mut ignored: Vec<String> = body.keys().filter(|k| !HONOURED.contains(&k.as_str())).cloned().collect();
    ignored.extend(input.unknown.iter().cloned());
    ignored.sort_unstable();
    Ok(TaskRequest {
        raw_input: raw_input.clone(),
        model: text(body, "model", "model")?,
        harness_id: text(&metadata, "harness_id", "metadata.harness_id")?,
        arm: text(&metadata, "arm", "metadata.arm")?,
        seed: number_or_text(&metadata, "seed", "metadata.seed")?,
        task: number_or_text(&metadata, "task", "metadata.task")?.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
        stream: flag(body, "stream", false)?,
        previous: text(body, "previous_response_id", "previous_response_id")?,
        store: flag(body, "store", true)?,
        max_step: budget(body, "max_step")?,
        timeout_seconds: budget(body, "timeout_seconds")?,
        background: flag(body, "background", false)?,
        ignored,
        input,
        metadata,
    })
}

/// The client's metadata without the names the server writes, to be repeated on the response.
pub fn own_metadata(metadata: &Fields) -> Fields {
    metadata.iter().filter(|(k, _)| !RESERVED.contains(&k.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect()
}

fn present<'a>(body: &'a Fields, key: &str) -> Option<&'a Json> {
    body.get(key).filter(|v| !v.is_null())
}

fn text(body: &Fields, key: &str, at: &str) -> Result<Option<String>, Problem> {
    match present(body, key) {
        None => Ok(None),
        Some(Json::String(s)) => Ok(Some(s.clone())),
        Some(_) => Err(Problem::invalid(at, "This must be text.")),
    }
}

fn flag(body: &Fields, key: &str, default: bool) -> Result<bool, Problem> {
    match present(body, key) {
        None => Ok(default),
        Some(Json::Bool(b)) => Ok(*b),
        Some(_) => Err(Problem::invalid(key, "This must be true or false.")),
    }
}

/// A whole number that is not negative; `2.0` counts as one.
pub fn whole(value: &Json) -> Option<u64> {
    let float = |f: f64| (f >= 0.0 && f.fract() == 0.0 && f < 9e15).then_some(f as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(float))
}

/// A budget of a task or a harness: a whole number, or none.
pub fn budget(body: &Fields, key: &str) -> Result<Option<u64>, Problem> {
    match present(body, key) {
        None => Ok(None),
        Some(v) => whole(v).map(Some).ok_or_else(|| Problem::invalid(key, "This must be a whole number, at least 0.")),
    }
}

fn number_or_text(body: &Fields, key: &str, at: &str) -> Result<Option<u64>, Problem> {
    let number = match present(body, key) {
        None => return Ok(None),
        Some(Json::String(s)) if s.bytes().all(|b| b.is_ascii_digit()) => s.parse().ok(),
        Some(v) => whole(v),
    };
    number.map(Some).ok_or_else(|| Problem::invalid(at, "This must be a whole number, at least 0."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn request(body: Json) -> Result<TaskRequest, Problem> {
        read(body.as_object().unwrap(), 1000)
    }

    #[test]
    fn defaults() {
        let r = request(json!({"input": "x"})).unwrap();
        assert!((r.store, r.stream, r.background) == (true, false, false));
        assert_eq!((r.model, r.previous, r.max_step, r.ignored), (None, None, None, vec![]));
    }

    #[test]
    fn every_field_not_acted_on_is_named_and_none_that_was_not_sent() {
        let r = request(json!({
            "input": "x", "tools": [], "include": "anything", "max_output_tokens": null, "instructions": "be brief",
            "temperature": 1, "stream": false, "store": true, "metadata": {}, "model": "m", "background": false,
        }));
        assert_eq!(r.unwrap().ignored, ["include", "instructions", "max_output_tokens", "temperature", "tools"]);
        let unknown_part = json!({"input": [{"role": "user", "content": [{"type": "input_audio"}]}]});
        assert_eq!(request(unknown_part).unwrap().ignored, ["input[0].content[0]"]);
    }

    #[test]
    fn null_counts_as_absent() {
        let r =
            request(json!({"input": "x", "previous_response_id": null, "max_step": null, "metadata": null})).unwrap();
        assert_eq!((r.previous, r.max_step), (None, None));
    }

    #[test]
    fn wrong_types_name_their_field() {
        let param = |v: Json| request(v).unwrap_err().param.unwrap();
        assert_eq!(param(json!({})), "input");
        assert_eq!(param(json!({"input": null})), "input");
        assert_eq!(param(json!({"input": "x", "model": 3})), "model");
        assert_eq!(param(json!({"input": "x", "stream": "yes"})), "stream");
        assert_eq!(param(json!({"input": "x", "metadata": []})), "metadata");
        assert_eq!(param(json!({"input": "x", "metadata": {"harness_id": 1}})), "metadata.harness_id");
        assert_eq!(param(json!({"input": "x", "metadata": {"seed": -1}})), "metadata.seed");
        assert_eq!(param(json!({"input": "x", "metadata": {"task": "three"}})), "metadata.task");
        for bad in [json!(-1), json!(1.5), json!("3"), json!([])] {
            assert_eq!(param(json!({"input": "x", "max_step": bad})), "max_step");
        }
        assert_eq!(param(json!({"input": "x", "metadata": {"a": "x".repeat(70_000)}})), "metadata");
    }

    #[test]
    fn metadata_selects_a_task() {
        let r = request(
            json!({"input": "x", "metadata": {"arm": "faults:f1", "seed": "18446744073709551615", "task": 2.0}}),
        );
        let r = r.unwrap();
        assert_eq!((r.arm.as_deref(), r.seed, r.task), (Some("faults:f1"), Some(u64::MAX), Some(2)));
    }

    #[test]
    fn a_client_cannot_write_the_servers_metadata() {
        let metadata = json!({"note": 1, "session_id": "x", "model_fallback": true});
        assert_eq!(Json::Object(own_metadata(metadata.as_object().unwrap())), json!({"note": 1}));
    }
}
