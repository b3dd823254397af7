//! What leaves an episode: blame, scripts, JSON, Markdown, the messages an agent would see.
use crate::hand::{GET, PAY, bad_read, call, pay_step, shop, step, task, tool, value};
use rehearsal::engine::Ending;
use rehearsal::episode::messages::{self, Body, Role};
use rehearsal::episode::{Blame, Episode, Made, Source, blame_answer, blame_write};
use rehearsal::task::{Call, Dial, HistoryPair, Script, StepEffect, Task};
use rehearsal::toolfile::{Effect, Format, HttpShape, Place, Style};
use rehearsal::value::{Value, canonical};
use std::sync::Arc;

fn get() -> Call {
    call("get_order", GET)
}

fn pay() -> Call {
    call("pay", PAY)
}

fn pay_task() -> Task {
    task(Format::OpenAi, shop(), vec![pay_step()])
}

fn with(task: Task, calls: &[Call]) -> Episode {
    let mut episode = Episode::new(Arc::new(task));
    for call in calls {
        episode.make(call.clone());
    }
    episode
}

// --- blame

fn answer(episode: &Episode, call: usize, at: &str) -> Blame {
    blame_answer(episode.task(), episode.calls(), call, at).unwrap()
}

#[test]
fn a_value_of_an_answer_is_traced_to_the_call_that_wrote_it() {
    let episode = with(pay_task(), &[get(), pay(), get(), call("pay", "{}"), call("nope", "{}")]);
    let drawn = answer(&episode, 0, "/id");
    assert_eq!((drawn.call, &drawn.source, drawn.dial), (0, &Source::Drawn, None));
    assert_eq!(drawn.words().text(), "Call 1 (get_order) made it up for its arguments.");
    let sent = answer(&episode, 1, "/amount");
    assert_eq!((sent.call, &sent.source), (1, &Source::Argument("amount".into())));
    let read = answer(&episode, 2, "/amount");
    assert_eq!((read.call, &*read.tool), (1, "pay"));
    assert_eq!(read.source, Source::Write { write: 0, argument: "amount".into() });
    assert_eq!(read.words().text(), "Call 2 (pay) wrote it as amount, write 1.");
    assert_eq!(answer(&episode, 2, "/id").source, Source::Drawn);
    assert_eq!(answer(&episode, 3, "/error/code").source, Source::Error);
    assert_eq!(answer(&episode, 4, "").source, Source::Error);
    assert!(blame_answer(episode.task(), episode.calls(), 9, "").is_none());
    assert!(blame_answer(episode.task(), episode.calls(), 0, "/none").is_none());
}

#[test]
fn values_told_by_a_dial_name_the_dial() {
    let read = step("get_order", StepEffect::Read, GET, &[], r#"{"id":"sms"}"#);
    let write = step("tell", StepEffect::Write, r#"{"channel":"sms"}"#, &[0], "{}");
    let bad = Task {
        echo_reads: true,
        bad_read: Some(bad_read(0, 2, "id", None, r#""email""#)),
        arm: Dial::BadData.at(2),
        ..task(Format::OpenAi, shop(), vec![read, write])
    };
    let believed = call("tell", r#"{"order_id":"ulbifi","channel":"email"}"#);
    let episode = with(bad, &[get(), believed, get()]);
    let lie = answer(&episode, 0, "/id");
    assert_eq!((&lie.source, lie.dial), (&Source::Bad { level: 2, right: Value::str("sms") }, Some(Dial::BadData)));
    let right = answer(&episode, 2, "/id");
    assert_eq!(right.source, Source::Served { step: 0, path: "id".into() });
    let stored = blame_write(episode.calls(), &episode.state(), 0, "/channel").unwrap();
    assert_eq!((stored.call, &stored.source), (1, &Source::Argument("channel".into())));
    assert_eq!((stored.dial, stored.seen.clone()), (Some(Dial::BadData), Some((0, "/id".to_owned()))));
    assert_eq!(
        stored.words().text(),
        "Call 2 (tell) sent it as channel; the value came from the answer of call 1 at /id (baddata dial)."
    );
    assert_eq!(stored.to_value().get("dial"), Some(&Value::str("baddata")));
    let lagged = Task { lagged_step: Some(0), echo_reads: true, ..task(Format::OpenAi, find(), vec![pay_step()]) };
    let episode = with(lagged, &[pay(), get()]);
    let stale = answer(&episode, 1, "/amount");
    assert_eq!((&stale.source, stale.dial, stale.hidden), (&Source::Drawn, Some(Dial::Lagged), Some(0)));
    let landed = Task { landed_step: Some(0), ..pay_task() };
    let episode = with(landed, &[pay(), get()]);
    assert_eq!(answer(&episode, 1, "/amount").dial, Some(Dial::Landed));
    assert_eq!(answer(&episode, 0, "").dial, Some(Dial::Landed));
}

/// The shop with a read whose output schema has an amount.
fn find() -> Vec<rehearsal::task::ShownTool> {
    let mut tools = shop();
    let output = r#"{"type":"object","properties":{"amount":{"type":"number"},"order_id":{"type":"string"}}}"#;
    let input = format!(r#"{{"type":"object","properties":{{"order_id":{}}}}}"#, crate::hand::ORDER_ID);
    tools[0] = tool("get_order", Effect::Read, &input, Some(output));
    tools
}

// --- export

#[test]
fn an_episode_leaves_as_a_script_that_replays_it() {
    let odd = call(
        "pay",
        r#"{"order_id":"ulbifi","amount":1.0,"note":"a\u0000\u2028\ud83d\ude00","big":123456789012345678901}"#,
    );
    let text = Call { tool: "pay".into(), arguments: Value::str("no object") };
    let mut episode = with(pay_task(), &[get(), odd, text, pay()]);
    for ending in [Ending::Reply, Ending::Limit] {
        episode.end(ending);
        let script = episode.script();
        for written in [script.to_json(), script.to_yaml()] {
            let read = Script::read(written.as_bytes()).unwrap();
            assert_eq!(read, script);
            let mut again = with(pay_task(), &read.calls);
            again.end(read.ending);
            assert_eq!(again.to_value(), episode.to_value());
        }
        let json = canonical::pretty(&episode.to_value(), false);
        assert_eq!(Script::read(json.as_bytes()).unwrap().calls, script.calls, "what step --json prints is a script");
    }
    episode.go_to(1);
    assert_eq!(episode.script().calls.len(), 1, "up to the cursor");
}

#[test]
fn the_json_of_an_episode_has_the_documented_shape() {
    let mut episode = with(pay_task(), &[call("pay", "{}"), pay(), pay()]);
    episode.end(Ending::Reply);
    let json = episode.to_value();
    let keys = |v: &Value| v.as_object().unwrap().named().map(|(k, _)| k.to_string()).collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&json), "task_id calls verdict");
    let first = json.get("calls").unwrap().at(0).unwrap();
    assert_eq!(keys(first), "tool arguments answer why changes");
    assert_eq!(keys(first.get("answer").unwrap()), "text structured is_error code");
    assert_eq!(first.get("answer").unwrap().get("code"), Some(&Value::str("invalid_arguments")));
    let verdict = json.get("verdict").unwrap();
    assert_eq!(keys(verdict), "strict leaky label clause mutations duplicates");
    assert_eq!(
        verdict.get("mutations").unwrap(),
        &value(&format!(r#"[["pay",{PAY},"expected"],["pay",{PAY},"side_effect"]]"#))
    );
    assert_eq!(verdict.get("duplicates"), Some(&Value::Int(1)));
    assert_eq!(verdict.get("clause"), Some(&Value::Int(4)));
}

#[test]
fn markdown_keeps_untrusted_text_inside_its_fences() {
    let odd = call("pay", r#"{"order_id":"ulbifi","amount":1,"note":"``` \u001b[31m # x"}"#);
    let mut odd_task = pay_task();
    odd_task.request = "Pay *now*\n# or `else` <b>\u{1b}]0;t\u{7}".into();
    odd_task.set_name = "a`b".into();
    let mut episode = with(odd_task, &[odd, call("nope", "{}")]);
    episode.end(Ending::Reply);
    let text = episode.to_markdown();
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
    assert!(text.contains("````json\n") && text.contains(r"> Pay \*now\*") && text.contains(r"> \# or \`else\` \<b>"));
    let headings: Vec<_> = text.lines().filter(|l| l.starts_with('#')).collect();
    assert_eq!(headings, ["# faults:f0, seed 404", "## 1. pay", "## 2. nope"]);
    assert!(
        text.ends_with(
            "Verdict: malformed_call: a call to an unknown tool (clause 3); 1 of 1 writes missing, 1 side effect\n"
        ),
        "{text}"
    );
}

// --- messages

fn json(body: &Body) -> &Value {
    let Body::Json(value) = body else { panic!("{body:?}") };
    value
}

#[test]
fn chat_messages_are_those_of_the_openai_format() {
    let history = HistoryPair { call: call("list_channels", "{}"), answer: value(r#"{"ok":true}"#), tokens: 9 };
    let dialled = Task { history: Some(vec![history]), ..pay_task() };
    let broken = Call { tool: "pay".into(), arguments: Value::str("{\"order_id\": ") };
    let episode = with(dialled, &[call("pay", r#"{"order_id":"ulbifi","amount":49.50}"#), broken]);
    let all = messages::messages(episode.task(), episode.calls().iter().map(|m| &**m));
    let roles: Vec<_> = all.iter().map(|m| (m.role, m.call)).collect();
    use Role::{Assistant, System, Tool, User};
    assert_eq!(
        roles,
        [
            (System, None),
            (User, None),
            (Assistant, None),
            (Tool, None),
            (Assistant, Some(0)),
            (Tool, Some(0)),
            (Assistant, Some(1)),
            (Tool, Some(1)),
        ]
    );
    assert_eq!(json(&all[1].body), &value(r#"{"role":"user","content":"Do it."}"#));
    assert_eq!(
        json(&all[2].body),
        &value(
            r#"{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function","function":
               {"name":"list_channels","arguments":"{}"}}]}"#
        )
    );
    assert_eq!(json(&all[3].body), &value(r#"{"role":"tool","tool_call_id":"call_0","content":"{\"ok\":true}"}"#));
    let arguments = |i: usize| {
        let call = json(&all[i].body).get("tool_calls").unwrap().at(0).unwrap();
        call.get("function").unwrap().get("arguments").unwrap().as_str().unwrap().to_owned()
    };
    assert_eq!(arguments(4), r#"{"order_id":"ulbifi","amount":49.5}"#);
    assert_eq!(arguments(6), "{\"order_id\": ", "what the model wrote");
    let content = json(&all[5].body).get("content").unwrap().as_str().unwrap();
    assert_eq!(content, &*episode.calls()[0].outcome.answer.text);
}

#[test]
fn mcp_messages_are_json_rpc() {
    let mut tools = shop();
    tools[0] = tool("get_order", Effect::Read, r#"{"type":"object"}"#, Some(r#"{"type":"object"}"#));
    let episode = with(task(Format::Mcp, tools, vec![pay_step()]), &[get(), call("pay", "{}"), call("nope", "{}")]);
    let all = messages::messages(episode.task(), episode.calls().iter().map(|m| &**m));
    assert_eq!(all[0].body, Body::Text("You are asked to do one thing.".into()));
    assert_eq!(
        json(&all[2].body),
        &value(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"ulbifi"}}}"#
        )
    );
    let result = json(&all[3].body).get("result").unwrap();
    assert_eq!(result.get("isError"), Some(&Value::Bool(false)));
    assert_eq!(result.get("structuredContent"), Some(&value("{}")));
    assert_eq!(result.get("content").unwrap(), &value(r#"[{"type":"text","text":"{}"}]"#));
    let failed = json(&all[5].body).get("result").unwrap();
    assert_eq!(failed.get("isError"), Some(&Value::Bool(true)));
    assert!(failed.get("structuredContent").is_none());
    assert_eq!((all[7].role, all[7].call), (Role::Harness, Some(2)), "no request is made of a tool that is not there");
    let tools = messages::tools(episode.task());
    assert!(tools.get("tools").unwrap().at(0).unwrap().get("outputSchema").is_some());
}

#[test]
fn openapi_messages_are_http_requests() {
    let mut tools = shop();
    for (i, (method, path, media)) in [
        ("GET", "/orders/{order_id}", None),
        ("GET", "/channels", None),
        ("POST", "/orders/{order_id}/pay", Some("application/json")),
    ]
    .into_iter()
    .enumerate()
    {
        let mut inner = (*tools[i].tool).clone();
        inner.http = Some(HttpShape {
            method: method.into(),
            path: path.into(),
            places: [("order_id", Place::Path), ("amount", Place::Body)]
                .map(|(n, p)| (n.into(), p, Style::of(p)))
                .into(),
            server: None,
            media: media.map(Into::into),
        });
        tools[i].tool = Arc::new(inner);
    }
    let mut planned = task(Format::OpenApi, tools, vec![pay_step()]);
    planned.rate_limit_plan = vec![("get_order".into(), 1)];
    let episode = with(planned, &[get(), pay()]);
    let all = messages::messages(episode.task(), episode.calls().iter().map(|m| &**m));
    assert_eq!(all[2].text(), "GET /orders/ulbifi HTTP/1.1\n");
    assert!(
        all[3].text().starts_with("HTTP/1.1 429 Too Many Requests\nContent-Type: application/json\n\n{\"detail\":")
    );
    assert_eq!(
        all[4].text(),
        "POST /orders/ulbifi/pay HTTP/1.1\nContent-Type: application/json\n\n{\n  \"amount\": 49.5\n}\n"
    );
    let text = &episode.calls()[1].outcome.answer.text;
    assert_eq!(all[5].text(), format!("HTTP/1.1 200 OK\nContent-Type: application/json\n\n{text}\n"));
    assert_eq!(messages::tools(episode.task()).at(2).unwrap().get("path"), Some(&Value::str("/orders/{order_id}/pay")));
}

#[test]
fn exchanges_made_one_by_one_are_those_of_the_whole() {
    let episode = with(pay_task(), &[get(), pay()]);
    let made: Vec<&Made> = episode.calls().iter().map(|m| &**m).collect();
    let mut pieces = messages::opening(episode.task());
    for (i, made) in made.iter().enumerate() {
        pieces.extend(messages::exchange(episode.task(), i, made));
    }
    assert_eq!(pieces, messages::messages(episode.task(), made));
}
