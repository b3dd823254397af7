use super::*;
use crate::uhp::wire::event::{Composer, Step as Told};
use crate::uhp::wire::response::{Response, Status};
use serde_json::json;

/// A task told by the server's own composer: its events and its response.
fn told() -> (Vec<Fields>, Json) {
    let response = Response {
        id: "resp_1".into(),
        object: "response".into(),
        created_at: 1,
        status: Status::InProgress,
        error: None,
        incomplete_details: None,
        previous_response_id: None,
        model: "rehearsal/reference".into(),
        output: vec![],
        store: true,
        background: false,
        usage: None,
        metadata: json!({"session_id": "hsess1", "requested_model": "gpt", "ignored_fields": ["tools"]})
            .as_object()
            .cloned()
            .unwrap(),
    };
    let mut composer = Composer::new(response, 0);
    let mut events: Vec<String> = vec![composer.begin(), composer.apply(crate::uhp::wire::event::Beat::Begin, true)];
    for step in [
        Told::Reasoning("Look it up.".into()),
        Told::Call {
            name: "get_order".into(),
            arguments: "{\"id\": 1.0, \"note\": \"a long enough note to be cut in pieces\"}".into(),
        },
        Told::Answer("{\"ok\":true}".into()),
        Told::Call { name: "close".into(), arguments: "{}".into() },
        Told::Say("All done, and said in more than one piece of text.".into()),
    ] {
        for beat in composer.beats(step) {
            events.push(composer.apply(beat, true));
        }
    }
    for beat in composer.closers() {
        events.push(composer.apply(beat, true));
    }
    events.push(composer.finish(Status::Completed, None, None));
    let parse = |e: &String| serde_json::from_str::<Json>(e).unwrap().as_object().cloned().unwrap();
    (events.iter().map(parse).collect(), composer.response().json())
}

#[test]
fn events_alone_give_the_response_before_the_last_one_says_it() {
    let (events, response) = told();
    let mut transcript = Transcript::default();
    for event in &events[..events.len() - 1] {
        assert_eq!(transcript.apply(event), Applied::Next);
    }
    assert!(!transcript.is_over());
    assert_eq!(transcript.to_json()["output"], response["output"]);
    transcript.apply(events.last().unwrap());
    assert!(transcript.is_over());
    assert_eq!(transcript.to_json(), response);
}

#[test]
fn repeated_events_change_nothing_and_gaps_are_said() {
    let (events, response) = told();
    let mut transcript = Transcript::default();
    for event in &events {
        transcript.apply(event);
        assert_eq!(transcript.apply(event), Applied::Seen);
    }
    assert_eq!(transcript.to_json(), response);

    let mut holed = Transcript::default();
    let said: Vec<_> =
        events.iter().enumerate().filter(|(i, _)| *i != 5 && *i != 6).map(|(_, e)| holed.apply(e)).collect();
    assert_eq!(said[5], Applied::Gap(5, 2));
    assert_eq!(holed.to_json(), response, "the last event's response is right");
}

#[test]
fn steps_put_calls_beside_their_answers() {
    let (_, response) = told();
    let transcript = Transcript::of(&response);
    assert_eq!(
        transcript.steps(),
        [
            Step::Reasoning(0),
            Step::Call { call: 1, answer: Some(2) },
            Step::Call { call: 3, answer: None },
            Step::Message(4),
        ]
    );
    let calls = transcript.calls();
    assert_eq!(calls[0].0.arguments.get("id"), Some(&value::Value::Float(1.0)), "spelling is kept");
    assert_eq!(calls[0].1.as_deref(), Some("{\"ok\":true}"));
    assert_eq!(calls[1].1, None);
}

#[test]
fn nothing_unknown_is_lost() {
    let body = json!({"object": "response", "status": "completed", "model": "m", "output": [
        {"type": "web_search_call", "id": "ws_1", "query": "x"},
        {"type": "function_call_output", "call_id": "gone", "output": {"not": "text"}},
        {"type": "function_call", "name": "f", "arguments": "nope"},
        {"type": "message", "content": [{"type": "output_text", "text": "a"}, {"type": "refusal", "text": "b"}]},
    ]});
    let transcript = Transcript::of(&body);
    let steps = [Step::Other(0), Step::Answer(1), Step::Call { call: 2, answer: None }, Step::Message(3)];
    assert_eq!(transcript.steps(), steps);
    assert_eq!(transcript.items[1].text(), "{\"not\":\"text\"}");
    assert_eq!(transcript.items[3].text(), "a\nb");
    assert_eq!(transcript.calls()[0].0.arguments, value::Value::str("nope"));
    let mut live = Transcript::default();
    let event = json!({"type": "response.web_search.searching", "sequence_number": 0, "x": 1});
    live.apply(event.as_object().unwrap());
    assert_eq!(live.unknown.len(), 1);
    let warning = json!({"type": "error", "sequence_number": 1, "code": "c", "message": "slow"});
    live.apply(warning.as_object().unwrap());
    assert_eq!(live.warnings, ["slow (c)"]);
}

#[test]
fn facts_say_what_was_done_otherwise() {
    let (_, response) = told();
    let facts = Transcript::of(&response).facts();
    assert_eq!(facts, ["model rehearsal/reference, not gpt as asked for", "ignored: tools", "usage is not accounted"]);
    let failed = json!({"object": "response", "status": "failed", "output": [], "error": {"code": "timeout", "message": "slow"},
        "usage": {"input_tokens": 5}});
    assert_eq!(Transcript::of(&failed).facts(), ["model not named", "tokens: 5 in, ? out", "error timeout: slow"]);
}

#[test]
fn saved_responses_are_read_and_others_refused() {
    let (_, response) = told();
    assert!(Transcript::read(response.to_string().as_bytes()).is_ok());
    assert!(Transcript::read(json!({"response": response}).to_string().as_bytes()).is_ok());
    for other in
        ["", "[]", "{}", "{\"object\":\"response\"}", "{\"object\":\"session\",\"status\":\"x\",\"output\":[]}"]
    {
        assert!(Transcript::read(other.as_bytes()).is_err(), "{other}");
    }
}

#[test]
fn events_out_of_nowhere_do_no_harm() {
    let mut transcript = Transcript::default();
    for event in [
        json!({"type": "response.output_text.delta", "item_id": "x", "delta": "a", "sequence_number": 0}),
        json!({"type": "response.output_item.added", "output_index": 7, "item": {"type": "message"}, "sequence_number": 1}),
        json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 9, "delta": "a", "sequence_number": 2}),
        json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "a", "sequence_number": 3}),
        json!({"type": "response.output_text.annotation.added", "output_index": 0, "annotation": {"file_id": "f"}, "sequence_number": 4}),
        json!({"type": "response.function_call_arguments.done", "output_index": 99, "arguments": "x", "sequence_number": 5}),
        json!({"sequence_number": 6}),
        json!({"type": 3}),
    ] {
        transcript.apply(event.as_object().unwrap());
    }
    assert_eq!(transcript.items.len(), 1);
    assert_eq!(transcript.items[0].text(), "a");
    assert_eq!(transcript.items[0].citations().len(), 1);
}
