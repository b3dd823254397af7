//! The screens of tasks elsewhere under worst inputs: hostile text, every size, very many items.

use crate::driver::{Driver, example};
use crate::remote::{answer, attached, offer, plain, run, serving, substituted, tasks, told};
use crate::vt::{HOSTILE, Screen as Terminal, foreign};
use rehearsal::tui::model::Screen;
use rehearsal::tui::msg::Msg;
use rehearsal::tui::screens::remote::{self, Followed, RemoteScreen};
use rehearsal::uhp::client::Heard;
use rehearsal::uhp::client::transcript::Transcript;
use rehearsal::uhp::wire::response::Status;
use rehearsal::work::remote::{Batch, Listed, OfferedHarness, OfferedModel, Told};
use rehearsal::work::served::{Seen, ServedTask};
use serde_json::{Value, json};

/// A response of which every text is hostile.
fn hostile() -> Value {
    let mut output = Vec::new();
    for (i, text) in HOSTILE.iter().enumerate() {
        output.push(json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": format!("{text} {i}")}]}));
        output.push(json!({"type": "function_call", "call_id": i.to_string(), "name": format!("t{text}"),
            "arguments": json!({(*text): text, "n": [text]}).to_string()}));
        output.push(
            json!({"type": "function_call_output", "call_id": i.to_string(), "output": json!({"a": text}).to_string()}),
        );
        output
            .push(json!({"type": "function_call", "call_id": format!("x{i}"), "name": "get_order", "arguments": text}));
        output.push(json!({"type": "message", "content": [{"type": "output_text", "text": format!("a\n{text}\nb"),
            "annotations": [{"type": text, "filename": text, "download_url": text, "file_id": text}]}]}));
        output.push(json!({"type": format!("kind{text}"), "x": text}));
    }
    json!({"object": "response", "id": HOSTILE[1], "status": format!("odd{}", HOSTILE[0]), "model": HOSTILE[2], "output": output,
        "error": {"code": HOSTILE[3], "message": HOSTILE[4]}, "incomplete_details": {"reason": HOSTILE[5]},
        "metadata": {"requested_model": HOSTILE[6], "model_fallback_reason": HOSTILE[7], "ignored_fields": HOSTILE,
            "session_id": HOSTILE[8], "rehearsal": {"request": HOSTILE[0]}}})
}

#[test]
fn nothing_a_server_says_reaches_the_terminal_raw() {
    let mut terminal = Terminal::new();
    let mut look = |d: &Driver, what: &str| assert_eq!(foreign(&terminal.paint(d)), None, "{what}");
    let mut d = Driver::new(example(), (80, 24), "dark");
    let mut nasty = offer(HOSTILE[0]);
    nasty.class = HOSTILE[1].into();
    nasty.capabilities = HOSTILE.iter().map(|text| ((*text).to_owned(), true)).collect();
    nasty.harnesses = HOSTILE
        .iter()
        .map(|text| OfferedHarness {
            id: (*text).to_owned(),
            name: format!("h{text}"),
            base: (*text).to_owned(),
            default_model: (*text).to_owned(),
            tools: None,
        })
        .collect();
    d.model.remote = RemoteScreen::attached(format!("http://x{}", HOSTILE[0]), true, None, None);
    d.model.screen = Screen::Remote;
    let effects = remote::start(&mut d.model);
    d.perform(effects);
    answer(&mut d, Told::Offer(Box::new(nasty)));
    look(&d, "offer");
    d.keys("H");
    look(&d, "harnesses");
    d.keys("enter m");
    let models =
        HOSTILE.iter().map(|t| OfferedModel { id: (*t).into(), label: (*t).into(), ..OfferedModel::default() });
    answer(&mut d, Told::Models(HOSTILE[0].into(), models.collect()));
    look(&d, "models");
    d.keys("enter s");
    let listed = HOSTILE.iter().map(|t| Listed { id: (*t).into(), title: (*t).into(), status: (*t).into() });
    answer(&mut d, Told::Sessions(listed.collect()));
    look(&d, "sessions");
    d.keys("esc i").type_text("x").keys("enter");
    let body = hostile();
    let mut events: Vec<Heard> = HOSTILE
        .iter()
        .map(|t| Heard::Event(json!({"type": format!("kind{t}"), "x": t}).as_object().unwrap().clone()))
        .collect();
    for text in HOSTILE {
        let warning = json!({"type": "error", "code": text, "message": text});
        events.push(Heard::Event(warning.as_object().unwrap().clone()));
    }
    events.push(Heard::ReadBack { why: HOSTILE[0].into(), response: body.clone() });
    answer(&mut d, Told::Heard(Batch::of(events)));
    answer(&mut d, Told::Failed(HOSTILE.concat()));
    for size in [(80, 24), (120, 40), (50, 15)] {
        d.send(Msg::Resize(size.0, size.1));
        d.keys("g");
        for _ in 0..130 {
            look(&d, "item");
            d.keys("j");
        }
        d.keys("tab");
        look(&d, "detail");
        d.keys("tab");
        look(&d, "replayed");
        d.keys("tab");
    }
    for _ in 0..12 {
        d.keys("y");
        look(&d, "copy");
        d.keys("enter n");
    }
    assert!(d.copied.iter().all(|text| !text.chars().any(|c| rehearsal::text::is_hidden(c) && c != '\n')));
    let served: Vec<ServedTask> = HOSTILE
        .iter()
        .map(|t| ServedTask {
            session: (*t).into(),
            player: (*t).into(),
            asked: (*t).into(),
            verdict: Some((*t).into()),
            status: (*t).into(),
            id: (*t).into(),
            ..ServedTask::default()
        })
        .collect();
    serving(&mut d);
    d.send(Msg::Served(Seen { tasks: served, faults: HOSTILE.iter().map(|t| (*t).to_owned()).collect() }));
    look(&d, "served");
}

#[test]
fn the_remote_and_the_served_screen_draw_at_every_size() {
    let mut d = Driver::new(example(), (120, 40), "dark");
    attached(&mut d);
    run(&mut d, told(substituted(), Some(Status::Completed)));
    serving(&mut d);
    d.send(Msg::Served(tasks()));
    for screen in [Screen::Remote, Screen::Served] {
        d.model.screen = screen;
        for width in (1..=120).step_by(3) {
            for height in 1..=40 {
                d.send(Msg::Resize(width, height));
                let (buf, cursor) = d.buffer();
                assert!(cursor.is_none_or(|at| at.x < width && at.y < height));
                if width >= 30 && height >= 8 {
                    assert!(!crate::driver::text_of(&buf).trim().is_empty(), "{screen:?} {width}x{height}");
                }
            }
        }
    }
}

#[test]
fn a_task_of_very_many_items_is_shown_whole() {
    let mut d = Driver::new(example(), (120, 40), "dark");
    attached(&mut d);
    d.keys("i").type_text("x").keys("enter");
    for n in 0..200 {
        let events = (0..50).map(|i| {
            let n = n * 50 + i;
            let item = match n % 3 {
                0 => json!({"id": format!("f{n}"), "type": "function_call", "call_id": format!("c{n}"), "name": "lookup",
                    "arguments": format!("{{\"order_id\": \"{n}\"}}")}),
                1 => json!({"id": format!("f{n}"), "type": "function_call_output", "call_id": format!("c{}", n - 1), "output": "x"}),
                _ => json!({"id": format!("f{n}"), "type": "message", "content": [{"type": "output_text", "text": "y".repeat(200)}]}),
            };
            let body = json!({"type": "response.output_item.done", "sequence_number": n, "output_index": n, "item": item});
            Heard::Event(body.as_object().unwrap().clone())
        });
        answer(&mut d, Told::Heard(Batch::of(events.collect())));
        d.buffer();
    }
    assert!(d.text().contains("6,671 of 6,671"), "all are there: {}", d.text());
}

#[test]
fn a_response_that_is_followed_is_what_reading_it_gives() {
    let events = told(plain(), Some(Status::Completed));
    let mut streamed = Transcript::default();
    for heard in &events {
        if let Heard::Event(event) = heard {
            streamed.apply(event);
        }
    }
    let Some(Heard::Event(end)) = events.last() else { unreachable!() };
    let read = Followed::of(Transcript::of(&end["response"]));
    assert_eq!(streamed.steps(), read.steps.list());
}
