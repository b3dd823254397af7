//! The Remote and the Served screen: recorded messages in, cells out.

use crate::driver::{Driver, example};
use crate::screens::snapshot;
use rehearsal::tui::model::{Pane, Screen};
use rehearsal::tui::msg::{Effect, Msg};
use rehearsal::tui::screens::remote::{self, RemoteScreen};
use rehearsal::tui::screens::served::{self, ServedBase, ServedScreen};
use rehearsal::tui::update::update;
use rehearsal::uhp::client::Heard;
use rehearsal::uhp::client::transcript::Transcript;
use rehearsal::uhp::wire::error::{Code, Problem};
use rehearsal::uhp::wire::event::{Beat, Composer, Step};
use rehearsal::uhp::wire::response::{Response, Status};
use rehearsal::work::remote::{Ask, Batch, Listed, Offer, OfferedHarness, OfferedModel, Told};
use rehearsal::work::served::{Seen, ServedTask};
use serde_json::{Value, json};

pub(crate) fn offer(name: &str) -> Offer {
    let harness = |id: &str, name: &str, base: &str| OfferedHarness {
        id: id.into(),
        name: name.into(),
        base: base.into(),
        default_model: "rehearsal/reference".into(),
        tools: None,
    };
    Offer {
        name: name.into(),
        class: "full".into(),
        version: "2026-09-12".into(),
        capabilities: vec![("streaming".into(), true), ("plugins".into(), false)],
        harnesses: vec![harness("chrn_1", "orders", "rehearsal/orders"), harness("chrn_2", "desk", "acme/desk")],
    }
}

/// Begins to follow a server, as the command does.
fn attach(driver: &mut Driver) {
    driver.model.remote = RemoteScreen::attached("http://127.0.0.1:8790".into(), true, None, None);
    driver.model.screen = Screen::Remote;
    let effects = remote::start(&mut driver.model);
    driver.perform(effects);
}

/// Answers the latest thing that was asked.
pub(crate) fn answer(driver: &mut Driver, told: Told) {
    let id = driver.remote.last().unwrap().0;
    driver.send(Msg::Remote(id, told));
}

pub(crate) fn attached(driver: &mut Driver) {
    attach(driver);
    answer(driver, Told::Offer(Box::new(offer("rehearsal 0.1.0"))));
}

fn response(metadata: Value) -> Response {
    Response {
        id: "resp_0123".into(),
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
        metadata: metadata.as_object().unwrap().clone(),
    }
}

fn event(text: &str) -> Heard {
    Heard::Event(serde_json::from_str(text).unwrap())
}

/// The events of a task that calls a tool of the example, all or up to so many.
pub(crate) fn told(metadata: Value, end: Option<Status>) -> Vec<Heard> {
    let mut composer = Composer::new(response(metadata), 0);
    let mut events = vec![event(&composer.begin()), event(&composer.apply(Beat::Begin, true))];
    let steps = [
        Step::Reasoning("Look the order up first.".into()),
        Step::Call { name: "get_order".into(), arguments: r#"{"order_id": "abcdef"}"#.into() },
        Step::Answer(r#"{"id": "abcdef", "amount": 12.5}"#.into()),
        Step::Call { name: "web_search".into(), arguments: r#"{"q": "refund"}"#.into() },
        Step::Answer("nothing found".into()),
        Step::Call { name: "refund_order".into(), arguments: r#"{"order_id": "abcdef", "amount": 12.5}"#.into() },
    ];
    for step in steps {
        for beat in composer.beats(step) {
            events.push(event(&composer.apply(beat, true)));
        }
    }
    let Some(status) = end else { return events };
    for step in
        [Step::Answer(r#"{"ok": true}"#.into()), Step::Say("The order is refunded.\nNothing else was done.".into())]
    {
        for beat in composer.beats(step) {
            events.push(event(&composer.apply(beat, true)));
        }
    }
    events.push(event(&composer.apply(Beat::Warn(Problem::new(Code::HarnessError, "A file was not kept.")), true)));
    for beat in composer.closers() {
        events.push(event(&composer.apply(beat, true)));
    }
    events.push(event(&composer.finish(status, None, None)));
    events
}

/// Runs a task whose events come in batches.
pub(crate) fn run(driver: &mut Driver, events: Vec<Heard>) {
    driver.keys("i").type_text("refund abcdef").keys("enter");
    for batch in events.chunks(5) {
        answer(driver, Told::Heard(Batch::of(batch.to_vec())));
    }
}

pub(crate) fn plain() -> Value {
    json!({"session_id": "hsess1", "harness_id": "chrn_1"})
}

pub(crate) fn substituted() -> Value {
    json!({"session_id": "hsess1", "harness_id": "chrn_1", "requested_model": "gpt-9", "model_fallback": true,
        "model_fallback_reason": "there is no gpt-9", "ignored_fields": ["tools", "temperature"]})
}

#[test]
fn a_server_is_attached_to_and_a_task_is_run_and_stepped() {
    let mut d = Driver::new(example(), (170, 40), "dark");
    attach(&mut d);
    assert_eq!(d.remote.last().unwrap().1, Ask::Offer);
    answer(&mut d, Told::Offer(Box::new(offer("rehearsal 0.1.0"))));
    assert!(d.text().contains("rehearsal/orders"), "{}", d.text());
    // Another harness, a model of it, an input.
    d.keys("H").type_text("desk").keys("enter").keys("m");
    assert_eq!(d.remote.last().unwrap().1, Ask::Models("chrn_2".into()));
    let model = |id: &str, available| OfferedModel { id: id.into(), available, ..OfferedModel::default() };
    answer(&mut d, Told::Models("chrn_2".into(), vec![model("m-1", true), model("m-2", false)]));
    d.type_text("m-2").keys("enter");
    d.keys("i").type_text("refund abcdef").keys("enter");
    let Ask::Run(input) = &d.remote.last().unwrap().1 else { panic!("nothing was run") };
    assert_eq!(
        (input.text.as_str(), input.harness.as_deref(), input.model.as_deref()),
        ("refund abcdef", Some("chrn_2"), Some("m-2"))
    );
    let mut rows = 0;
    for batch in told(plain(), Some(Status::Completed)).chunks(3) {
        answer(&mut d, Told::Heard(Batch::of(batch.to_vec())));
        let at = d.model.cursor(Pane::Items).at;
        assert!(at >= rows, "what comes is followed");
        rows = at;
    }
    answer(&mut d, Told::Over);
    let text = d.text();
    for part in ["3 calls", "get_order", "web_search", "refund_order", "+ completed", "! A file was not kept."] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for part in ["no such tool here", "differs here"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Step by step backwards; each call shows its answer and why it is answered otherwise here.
    d.keys("b");
    assert!(d.text().contains("call 3: refund_order"), "{}", d.text());
    d.keys("b b");
    let text = d.text();
    for part in ["call 1: get_order", "answer of the server", "~ differs", "answered here", "why here", "free play"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    d.keys("b");
    assert!(d.text().contains("no call before this one"));
    d.keys("n n n");
    assert!(d.text().contains("store (1 write)"), "the write is in the store here: {}", d.text());
    // Going on stays in the session, and on its harness.
    d.keys("c").type_text("and another").keys("enter");
    let Ask::Run(input) = &d.remote.last().unwrap().1 else { panic!("nothing was run") };
    assert_eq!((input.previous.as_deref(), input.harness.as_deref()), (Some("resp_0123"), None));
}

#[test]
fn a_running_task_is_stopped_and_stale_answers_are_passed_over() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    attached(&mut d);
    d.keys("x");
    assert!(d.text().contains("nothing runs here"));
    run(&mut d, told(plain(), None));
    let following = d.remote.last().unwrap().0;
    assert!(d.text().contains(". running") && d.text().contains("no answer yet"), "{}", d.text());
    d.keys("x");
    assert_eq!(d.remote.last().unwrap().1, Ask::Stop("resp_0123".into()));
    answer(&mut d, Told::Stopped(Box::new(json!({"status": "cancelled"}))));
    assert!(d.text().contains("it is cancelled"));
    // Another task takes its place: what the first one still tells is not this one's.
    d.keys("i").type_text("again").keys("enter");
    d.send(Msg::Remote(following, Told::Heard(Batch::of(told(plain(), Some(Status::Completed))))));
    assert!(!d.text().contains("get_order"), "{}", d.text());
    answer(&mut d, Told::Failed("the server refused: no capacity".into()));
    assert!(d.text().contains("! the server refused: no capacity"));
}

#[test]
fn gaps_and_broken_streams_are_told() {
    let mut d = Driver::new(example(), (170, 40), "dark");
    attached(&mut d);
    let mut events = told(plain(), Some(Status::Completed));
    let last = events.pop().unwrap();
    let Heard::Event(end) = &last else { unreachable!() };
    events.insert(6, Heard::TakenUp);
    events.push(Heard::ReadBack { why: "events 9 to 11 are missing".into(), response: end["response"].clone() });
    events.push(last);
    run(&mut d, events);
    let text = d.text();
    assert!(text.contains("! the stream broke and was taken up again"), "{text}");
    assert!(text.contains("! events 9 to 11 are missing"), "{text}");
    assert!(text.contains("+ completed"));
}

#[test]
fn a_server_that_cannot_be_reached_is_tried_again() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    attach(&mut d);
    answer(&mut d, Told::Failed("cannot reach it: connection refused".into()));
    assert!(d.text().contains("! cannot reach it: connection refused"), "{}", d.text());
    d.keys("i");
    assert!(d.text().contains("the server was not reached"), "{}", d.text());
    let asked = d.remote.len();
    d.keys("g enter");
    assert_eq!((d.remote.len(), &d.remote.last().unwrap().1), (asked + 1, &Ask::Offer));
    answer(&mut d, Told::Offer(Box::new(offer("rehearsal 0.1.0"))));
    assert!(d.text().contains("+ streaming"));
}

#[test]
fn what_the_server_keeps_is_listed_and_opened() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    attached(&mut d);
    d.keys("s");
    assert_eq!(d.remote.last().unwrap().1, Ask::Sessions);
    let listed = |id: &str, title: &str| Listed { id: id.into(), title: title.into(), status: "completed".into() };
    answer(&mut d, Told::Sessions(vec![listed("hsess1", "first"), listed("hsess2", "second")]));
    d.keys("down enter");
    assert_eq!(d.remote.last().unwrap().1, Ask::Turns("hsess2".into()));
    answer(&mut d, Told::Turns(vec![listed("resp_1", "one"), listed("resp_0123", "two")]));
    d.keys("down enter");
    assert_eq!(d.remote.last().unwrap().1, Ask::Read("resp_0123".into()));
    let events = told(plain(), Some(Status::Completed));
    let Some(Heard::Event(end)) = events.last() else { unreachable!() };
    let mut running = end["response"].clone();
    running["status"] = json!("in_progress");
    running["output"].as_array_mut().unwrap().truncate(3);
    answer(&mut d, Told::Read(Box::new(running)));
    assert!(d.text().contains(". running"), "{}", d.text());
    assert!(d.text().contains("input   two"), "what was asked is known from the list: {}", d.text());
    answer(&mut d, Told::Read(Box::new(end["response"].clone())));
    assert!(d.text().contains("+ completed"), "{}", d.text());
    answer(&mut d, Told::Read(Box::new(json!({"object": "list"}))));
    assert!(d.text().contains("+ completed"), "an answer that is none changes nothing");
}

fn saved(body: &Value) -> impl Fn(&mut Driver) + '_ {
    move |d: &mut Driver| {
        d.model.remote = RemoteScreen::saved("response.json".into(), Transcript::of(body));
        d.model.screen = Screen::Remote;
        let effects = remote::start(&mut d.model);
        d.perform(effects);
    }
}

/// A response with everything that a reader may not know.
fn odd() -> Value {
    json!({"object": "response", "id": "resp_9", "status": "failed", "model": "m", "usage": null, "later": {"x": [1]},
    "error": {"type": "harness_error", "code": "acme_odd", "message": "it broke", "param": null, "detail": null},
    "metadata": {"session_id": "hsess9"}, "output": [
        {"type": "novel_item", "id": "n_1", "content": {"deep": [1, 2]}},
        {"type": "function_call", "call_id": "a", "name": "get_order", "arguments": "not json {"},
        {"type": "function_call_output", "call_id": "b", "output": {"no": "text"}},
        {"id": "nothing"},
    ]})
}

#[test]
fn unknown_items_and_events_are_shown_not_lost() {
    let body = odd();
    let mut d = Driver::new(example(), (170, 40), "dark");
    saved(&body)(&mut d);
    let text = d.text();
    for part in ["novel_item", "unknown item", "an item without a type", "no such call", "! failed", "it broke"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    d.keys("g j");
    assert!(d.text().contains("\"deep\": ["), "the item whole: {}", d.text());
    let mut d = Driver::new(example(), (120, 40), "dark");
    attached(&mut d);
    run(&mut d, vec![event(r#"{"type":"response.future.thing","sequence_number":0,"x":{"y":1}}"#)]);
    assert!(d.text().contains("response.future.thing") && d.text().contains("unknown event"), "{}", d.text());
    assert!(d.text().contains("\"y\": 1"), "the event whole: {}", d.text());
}

#[test]
fn remote_screens() {
    snapshot("remote-attached", &example, &attached);
    snapshot("remote-running", &example, &|d| {
        attached(d);
        run(d, told(plain(), None));
    });
    snapshot("remote-call", &example, &|d| {
        attached(d);
        run(d, told(plain(), Some(Status::Completed)));
        d.keys("g n");
    });
    snapshot("remote-ended", &example, &|d| {
        attached(d);
        run(d, told(substituted(), Some(Status::Completed)));
    });
    let body = odd();
    snapshot("remote-saved", &example, &saved(&body));
    snapshot("remote-none", &example, &|d| {
        d.keys("6");
    });
}

pub(crate) fn serving(d: &mut Driver) {
    let base = ServedBase {
        id: "rehearsal/orders".into(),
        label: "orders (an OpenAI tools list, 5 tools)".into(),
        tools: None,
    };
    d.model.served = ServedScreen::new("http://127.0.0.1:8790".into(), Some("rehearsal-00ff".into()), vec![base]);
    d.model.screen = Screen::Served;
    let effects = served::start(&mut d.model);
    assert!(matches!(effects[..], [Effect::Watch { .. }]));
}

fn task(n: usize, status: &str, verdict: Option<&str>) -> ServedTask {
    ServedTask {
        id: format!("resp_{n}"),
        session: format!("hsess{n:04}"),
        owner: "default".into(),
        base: "rehearsal/orders".into(),
        player: "rehearsal/reference".into(),
        asked: "Reply with exactly: ok".into(),
        planned: verdict.map(|_| format!("faults:f2 seed {n}")),
        calls: n,
        status: status.into(),
        verdict: verdict.map(str::to_owned),
    }
}

pub(crate) fn tasks() -> Seen {
    let tasks = vec![
        task(1, "completed", Some("passed.")),
        task(2, "completed", Some("wrong_state: a write is missing.")),
        task(3, "cancelled", None),
        task(4, "in_progress", None),
    ];
    Seen { tasks, faults: vec!["the store could not be written".into()] }
}

#[test]
fn served_screens() {
    snapshot("served-none-yet", &example, &serving);
    snapshot("served", &example, &|d| {
        serving(d);
        d.send(Msg::Served(tasks()));
    });
}

#[test]
fn a_served_task_opens_and_the_list_is_bounded() {
    let mut d = Driver::new(example(), (100, 30), "dark");
    serving(&mut d);
    d.keys("enter");
    assert!(d.text().contains("go down to a task"));
    d.send(Msg::Served(tasks()));
    assert!(d.text().contains("1 running  3 ended"), "{}", d.text());
    d.send(Msg::Served(Seen { tasks: vec![task(4, "completed", Some("passed."))], faults: vec![] }));
    assert!(d.text().contains("0 running  4 ended"), "{}", d.text());
    let effects = update(&mut d.model, Msg::Key(crate::driver::event("enter")));
    let Some(Effect::Follow { id, response }) = effects.first().cloned() else { panic!("{effects:?}") };
    assert_eq!(response, "resp_4");
    d.send(Msg::Remote(id, Told::Heard(Batch::of(told(plain(), Some(Status::Completed))))));
    d.send(Msg::Remote(id, Told::Over));
    d.keys("g n");
    assert!(d.text().contains("call 1: get_order"), "{}", d.text());
    d.keys("i");
    assert!(d.text().contains("no server is attached"));
    d.keys("backspace");
    assert!(d.text().contains("serving http://127.0.0.1:8790"), "{}", d.text());
    for n in 0..12_000 {
        d.send(Msg::Served(Seen { tasks: vec![task(n + 10, "completed", None)], faults: vec!["x".into()] }));
    }
    assert!(d.text().contains("12009"), "the last is seen: {}", d.text());
    assert!(format!("{:?}", d.model.served).len() < 20_000_000);
}
