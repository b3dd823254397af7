//! Answers in each format's own idiom: texts, codes, structured content (rules 4.7, 4.8, 7.4). The sentences are ours.
use super::answer::{Answer, Code};
use crate::toolfile::Format;
use crate::value::{Map, Str, Value, call_text};

/// What a rate-limited answer says to wait, in seconds; nothing waits.
const RETRY_AFTER: i64 = 1;

/// The answer of an accepted call. `text` is the value's call text when it is known already.
pub fn success(format: Format, has_output_schema: bool, value: Value, text: Option<Str>) -> Answer {
    let text = text.unwrap_or_else(|| call_text(&value).into());
    let structured = format == Format::Mcp && has_output_schema && value.as_object().is_some();
    Answer { text, structured: structured.then(|| value.clone()), value, is_error: false, code: None }
}

/// An error answer of a tool.
pub fn error(format: Format, code: Code, tool: &str) -> Answer {
    let message = Value::from(message(code, tool));
    let with_retry = |mut map: Map| {
        if code == Code::RateLimited {
            map.insert("retry_after", RETRY_AFTER);
        }
        Value::object(map)
    };
    let value = match format {
        Format::Mcp => message,
        Format::OpenAi => {
            let error = with_retry(Map::from([("code", Value::str(code.word())), ("message", message)]));
            Map::from([("error", error)]).into()
        }
        Format::OpenApi => with_retry(Map::from([("status", Value::Int(code.status().into())), ("detail", message)])),
    };
    let text = match &value {
        Value::Str(s) => s.clone(),
        other => call_text(other).into(),
    };
    Answer { text, structured: None, value, is_error: format == Format::Mcp, code: Some(code) }
}

/// What a harness says to a call that cannot reach a tool (rules 4.3).
pub(super) fn harness(format: Format, message: String) -> Answer {
    let text: Str = message.into();
    Answer { value: Value::Str(text.clone()), text, structured: None, is_error: format == Format::Mcp, code: None }
}

/// What each error says, naming the tool.
fn message(code: Code, tool: &str) -> String {
    match code {
        Code::NotFound => format!("{tool} holds nothing for these arguments."),
        Code::InvalidArguments => format!("These arguments do not fit the schema of {tool}."),
        Code::NotReady => {
            format!("{tool} cannot take this call yet: something it depends on has not been done.")
        }
        Code::Unavailable => format!("{tool} is not available right now. Make the same call again."),
        Code::Timeout => format!("{tool} did not answer in time. It is not known whether the call went through."),
        Code::RateLimited => {
            format!("{tool} takes no more calls right now, so this one was not made. It can be made again.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Code; 6] =
        [Code::NotFound, Code::InvalidArguments, Code::NotReady, Code::Unavailable, Code::Timeout, Code::RateLimited];

    #[test]
    fn openai_errors_hold_code_and_message() {
        for code in ALL {
            let answer = error(Format::OpenAi, code, "pay");
            let inner = answer.value.get("error").unwrap();
            assert_eq!(inner.get("code").unwrap().as_str(), Some(code.word()));
            assert!(inner.get("message").unwrap().as_str().unwrap().contains("pay"));
            assert_eq!(inner.get("retry_after").is_some(), code == Code::RateLimited);
            assert!(!answer.is_error && answer.structured.is_none());
            assert_eq!(answer.code, Some(code));
            assert!(answer.text.starts_with(&format!(r#"{{"error":{{"code":"{}","message":"#, code.word())));
        }
    }

    #[test]
    fn mcp_errors_are_the_message() {
        for code in ALL {
            let answer = error(Format::Mcp, code, "pay");
            assert_eq!(answer.value.as_str(), Some(&*answer.text));
            assert!(answer.is_error && answer.text.contains("pay") && !answer.text.contains('{'));
        }
    }

    #[test]
    fn openapi_errors_hold_status_and_detail() {
        let statuses = [404, 422, 409, 503, 504, 429];
        for (code, status) in ALL.into_iter().zip(statuses) {
            let answer = error(Format::OpenApi, code, "pay");
            assert_eq!(answer.value.get("status").unwrap().as_i64(), Some(status));
            let detail = answer.value.get("detail").unwrap().as_str().unwrap();
            let retry = if status == 429 { r#","retry_after":1"# } else { "" };
            assert_eq!(*answer.text, format!(r#"{{"detail":"{detail}"{retry},"status":{status}}}"#));
            assert!(!answer.is_error);
        }
    }

    #[test]
    fn structured_content_goes_with_mcp_objects_under_an_output_schema_alone() {
        let object = || Value::object(Map::from([("ok", true)]));
        let structured = |format, schema, value| success(format, schema, value, None).structured.is_some();
        assert!(structured(Format::Mcp, true, object()));
        assert!(!structured(Format::Mcp, false, object()));
        assert!(!structured(Format::Mcp, true, Value::array(vec![])));
        assert!(!structured(Format::OpenAi, true, object()));
        assert!(!structured(Format::OpenApi, true, object()));
    }
}
