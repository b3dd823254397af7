use super::super::error::Code;
use super::*;
use serde_json::Value;

fn fresh() -> Composer {
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
        metadata: Fields::new(),
    };
    Composer::new(response, 0)
}

fn steps() -> Vec<Step> {
    vec![
        Step::Reasoning("Look the order up first; its id is stated in the request.".into()),
        Step::Call { name: "get_order".into(), arguments: "{\"id\":\"A1\"}".into() },
        Step::Answer("{\"ok\":true}".into()),
        Step::Say("first ".into()),
        Step::Say("second".into()),
        Step::Reasoning(String::new()),
    ]
}

/// Tells all steps, stopping after `stop` beats when that is given.
fn tell(stop: Option<usize>) -> (Vec<Value>, Response) {
    let mut composer = fresh();
    let mut events: Vec<String> = vec![composer.begin(), composer.apply(Beat::Begin, true)];
    let mut told = 0;
    'all: for step in steps() {
        for beat in composer.beats(step) {
            if stop == Some(told) {
                break 'all;
            }
            told += 1;
            events.push(composer.apply(beat, true));
        }
    }
    for beat in composer.closers() {
        events.push(composer.apply(beat, stop.is_none()));
    }
    let status = if stop.is_none() { Status::Completed } else { Status::Cancelled };
    events.push(composer.finish(status, None, None));
    (events.iter().map(|e| serde_json::from_str(e).unwrap()).collect(), composer.response().clone())
}

/// Rebuilds the output from the events alone, as a client would.
fn rebuild(events: &[Value]) -> Vec<Value> {
    let mut items: Vec<Value> = vec![];
    for event in events {
        match event["type"].as_str().unwrap() {
            "response.output_item.added" => {
                assert_eq!(event["output_index"].as_u64().unwrap() as usize, items.len());
                items.push(event["item"].clone());
            }
            "response.output_item.done" => {
                let index = event["output_index"].as_u64().unwrap() as usize;
                assert_eq!(event["item"]["id"], items[index]["id"]);
                items[index] = event["item"].clone();
            }
            _ => {
                if let Some(id) = event.get("item_id") {
                    assert_eq!(Some(id), items.last().map(|i| &i["id"]), "{event}");
                }
            }
        }
    }
    items
}

#[test]
fn events_and_response_tell_the_same_wherever_a_task_is_stopped() {
    let beats = tell(None).0.len();
    for stop in (0..beats).map(Some).chain([None]) {
        let (events, response) = tell(stop);
        for (i, event) in events.iter().enumerate() {
            assert_eq!(event["sequence_number"], i, "stopped at {stop:?}");
        }
        assert_eq!(events[0]["type"], "response.created");
        assert_eq!(json!(rebuild(&events)), json!(response.output), "stopped at {stop:?}");
        assert_eq!(events.last().unwrap()["response"], response.json());
        let ends = |e: &&Value| matches!(e["type"].as_str(), Some("response.completed" | "response.failed"));
        assert_eq!(events.iter().filter(ends).count(), 1);
        let count = |kind: &str| events.iter().filter(|e| e["type"] == kind).count();
        assert_eq!(count("response.output_item.added"), count("response.output_item.done"));
        assert_eq!(count("response.content_part.added"), count("response.content_part.done"));
        assert_eq!(count("response.content_part.added"), count("response.output_text.done"));
        assert_eq!(count("response.reasoning_summary_part.added"), count("response.reasoning_summary_part.done"));
    }
}

#[test]
fn a_stopped_item_says_so_and_keeps_its_text() {
    let (_, response) = tell(Some(2 + 3));
    let last = response.output.last().unwrap();
    assert_eq!(last.status, "incomplete");
    assert_eq!(response.status, Status::Cancelled);
    assert!(response.error.is_none());
}

#[test]
fn deltas_join_to_the_text_and_are_few() {
    for text in ["", "short", &"ab é\n".repeat(400), &"x".repeat(100_000)] {
        let told: Vec<String> = pieces(text).collect();
        assert_eq!(told.concat(), *text);
        assert!(told.len() <= MOST_DELTAS);
    }
}

#[test]
fn whole_item_shapes() {
    let (_, response) = tell(None);
    let kinds: Vec<_> = response.output.iter().map(|i| (i.kind.as_str(), i.id.as_str())).collect();
    assert_eq!(
        kinds,
        [
            ("reasoning", "rs_1"),
            ("function_call", "fc_1"),
            ("function_call_output", "fco_1"),
            ("message", "msg_1"),
            ("reasoning", "rs_2"),
        ]
    );
    assert_eq!(response.output[1].call_id, response.output[2].call_id);
    assert_eq!(response.text(), "first second");
    assert!(response.output.iter().all(|i| i.status == "completed"));
}

#[test]
fn endings_have_their_event() {
    let end = |status, reason| {
        let event: Value = serde_json::from_str(&fresh().finish(status, None, reason)).unwrap();
        (event["type"].as_str().unwrap().to_owned(), event["response"]["incomplete_details"].clone())
    };
    assert_eq!(end(Status::Completed, None).0, "response.completed");
    assert_eq!(
        end(Status::Incomplete, Some("max_step")),
        ("response.incomplete".into(), json!({"reason": "max_step"}))
    );
    assert_eq!(end(Status::Cancelled, None), ("response.failed".into(), Value::Null));
    assert_eq!(end(Status::Failed, None).0, "response.failed");
}

#[test]
fn a_warning_is_an_error_event_in_the_same_sequence() {
    let mut composer = fresh();
    composer.begin();
    let warning = composer.apply(Beat::Warn(Problem::new(Code::HarnessError, "A file was not kept.")), true);
    let event: Value = serde_json::from_str(&warning).unwrap();
    assert_eq!((event["type"].as_str(), event["sequence_number"].as_u64()), (Some("error"), Some(1)));
    assert!(composer.closers().is_empty());
}

#[test]
fn a_task_is_taken_up_again_from_its_events_at_any_point() {
    let mut composer = fresh();
    let mut events: Vec<String> = vec![composer.begin(), composer.apply(Beat::Begin, true)];
    let created = composer.response().clone();
    let annotation = Annotation {
        kind: "container_file_citation".into(),
        container_id: "cntr_1".into(),
        file_id: "file_1".into(),
        filename: "a".into(),
        download_url: "http://x/".into(),
        start_index: 0,
        end_index: 1,
    };
    for step in steps() {
        let said = matches!(step, Step::Say(_));
        let mut beats = composer.beats(step);
        if said {
            beats.push(Beat::Annotate(annotation.clone()));
        }
        for beat in beats {
            events.push(composer.apply(beat, true));
            let mut again = Composer::replay(created.clone(), &events);
            assert_eq!(again.response(), composer.response());
            assert_eq!(again.closers(), composer.closers());
            let (mut a, mut b) = (again.clone(), composer.clone());
            assert_eq!(a.beats(Step::Say("x".into())), b.beats(Step::Say("x".into())));
            assert_eq!(again.finish(Status::Failed, None, None), composer.clone().finish(Status::Failed, None, None));
        }
    }
}
