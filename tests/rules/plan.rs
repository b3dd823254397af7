//! Planning beyond the vectors: what holds for every task, on the example files and on odd files made here.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up is a failed test")]
use crate::vectors::{beside, planner, read, tests, wrong_answers_get_their_labels};
use rehearsal::engine::{Ending, Engine, Verdict};
use rehearsal::plan::{Flow, PlanSettings, Planner};
use rehearsal::task::{Arm, Call, Dial, Task};
use rehearsal::toolfile::{self, ReadOptions};
use rehearsal::value::{Value, canonical, read_json};
use std::path::Path;
use std::sync::Arc;

fn settings(flows: &[&str]) -> PlanSettings {
    PlanSettings { flows: flows.iter().map(|f| Flow::parse(f).unwrap()).collect(), ..PlanSettings::default() }
}

pub(crate) const ORDERS: (&str, &[&str], &[&str]) =
    ("orders.openai.json", &["get_order", "search_orders", "list_channels"], &["get_order.id:refund_order.order_id"]);
pub(crate) const WAREHOUSE: (&str, &[&str], &[&str]) = (
    "warehouse.mcp.json",
    &[],
    &[
        "find_sku.sku:reserve_stock.sku",
        "reserve_stock.hold:ship_order.hold",
        "ship_order.shipment_id:print_label_v2.shipment_id",
    ],
);
pub(crate) const CLINIC: (&str, &[&str], &[&str]) = (
    "clinic.openapi.yaml",
    &[],
    &[
        "listSlots.slots[].slot_id:bookAppointment.slot_id",
        "bookAppointment.appointment_id:confirmAppointment.appointment_id",
    ],
);

/// An example file with its declared reads and flows.
pub(crate) fn example((name, reads, flows): (&str, &[&str], &[&str])) -> Planner {
    let reading = read(&tests("toolfiles").join(name), reads.iter().map(ToString::to_string).collect());
    Planner::new(Arc::new(reading), settings(flows)).unwrap()
}

fn arms(planner: &Planner) -> Vec<Arm> {
    let levels = |dial: Dial| planner.levels(dial).unwrap_or_default().into_iter().map(move |l| dial.at(l));
    Dial::ALL.into_iter().flat_map(levels).collect()
}

fn played(task: &Arc<Task>, calls: &[Call]) -> Verdict {
    let engine = Engine::new(task.clone());
    let state = calls.iter().fold(engine.start(), |state, call| engine.step(&state, call).state);
    engine.verdict(&state, Ending::Reply)
}

/// Runs of letters, digits, `_` and `-`.
fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
}

/// No tool is named in what the agent is told, beside the names and values stated in it.
fn names_no_tool(task: &Task) {
    let mut told = format!("{} {}", task.system_prompt, task.request);
    let mut stated: Vec<String> = Vec::new();
    let objects = task.reference_calls.iter().chain(task.named_reads.iter().map(|_| &task.reference_calls[0]));
    for call in objects {
        let pairs = call.arguments.as_object().unwrap();
        stated.extend(pairs.named().map(|(name, value)| format!("{name} {}", canonical::spaced(value))));
    }
    stated.sort_by_key(|s| std::cmp::Reverse(s.len()));
    for pair in stated {
        told = told.replace(&pair, "");
    }
    for tool in task.block.iter() {
        for name in [&*tool.name, &*tool.tool.name, &*tool.tool.original] {
            assert!(!runs(&told).any(|run| run == name), "{} seed {} names {name}: {told}", task.arm, task.seed);
        }
    }
}

/// Everything that holds for a planned task whatever it was planned on.
pub(crate) fn holds(planner: &Planner, task: Task) {
    let (arm, seed) = (task.arm, task.seed);
    assert_eq!(planner.plan(arm, seed).unwrap(), task, "equal seeds, equal tasks");
    assert_eq!(&*task.task_id, &*task.id());
    names_no_tool(&task);
    for (name, value) in &task.stated {
        let pair = format!("{name} {}", canonical::spaced(value));
        assert!(task.request.contains(&pair), "{arm} {seed}: {pair} is not in {}", task.request);
    }
    for named in &task.named_reads {
        for (name, value) in named.arguments.as_object().unwrap().named() {
            assert!(task.request.contains(&format!("{name} {}", canonical::spaced(value))), "{}", task.request);
        }
        assert!(task.request.contains(&*named.field));
    }
    let task = Arc::new(task);
    let verdict = played(&task, &task.reference_calls);
    assert!(verdict.strict && verdict.leaky, "{arm} {seed}: {}", verdict.label);
    assert_eq!(verdict.duplicates, 0);
    wrong_answers_get_their_labels(&task);
    let bad_read = task.wrong_answer("believed").is_some();
    assert_eq!(bad_read, arm.dial == Dial::BadData && arm.level > 0);
    let twice = task.wrong_answer("duplicate_write");
    assert_eq!(twice.is_some(), matches!(arm.dial, Dial::Landed | Dial::Lagged));
    if let Some(twice) = twice {
        assert_eq!(played(&task, &twice.calls).duplicates, 1, "{arm} {seed}");
    }
    for name in ["wrong_state", "turn_limit", "collateral_mutation", "malformed_call_clause_2"] {
        assert!(task.wrong_answer(name).is_some(), "{arm} {seed} has no {name}");
    }
    if arm.level == 0 {
        return;
    }
    // what an agent is told is the same at every level of the five newer dials
    if matches!(arm.dial, Dial::Timeouts | Dial::RateLimits | Dial::Landed | Dial::Lagged | Dial::BadData) {
        let calm = planner.plan(arm.dial.at(0), seed).unwrap();
        assert_eq!((&calm.request, &calm.system_prompt), (&task.request, &task.system_prompt));
        assert_eq!((&calm.steps, &calm.stated, &calm.target), (&task.steps, &task.stated, &task.target));
    }
}

#[test]
fn every_arm_of_the_example_files_holds_at_ten_seeds() {
    for file in [ORDERS, WAREHOUSE, CLINIC] {
        let planner = example(file);
        for arm in arms(&planner) {
            for seed in 0..10 {
                holds(&planner, planner.plan(arm, seed).unwrap());
            }
        }
    }
}

#[test]
fn on_baddata_believing_the_first_answer_fails_and_reading_again_passes() {
    for file in [ORDERS, WAREHOUSE, CLINIC] {
        let planner = example(file);
        for level in 1..=3 {
            for seed in 0..10 {
                let task = Arc::new(planner.plan(Dial::BadData.at(level), seed).unwrap());
                let engine = Engine::new(task.clone());
                let [read, again, write] = &task.reference_calls[..] else { panic!("read, read, write") };
                assert_eq!(read, again);
                let field = &task.named_reads[0].field;
                let first = engine.step(&engine.start(), read);
                let second = engine.step(&first.state, again);
                let told = first.answer.value.get(field).unwrap();
                let right = second.answer.value.get(field).unwrap();
                assert_ne!(told, right, "level {level} seed {seed}");
                assert_eq!(told, &task.bad_read.as_ref().unwrap().value);
                // the write with what each of them told
                let (looked_up, _) = write.arguments.as_object().unwrap().named().find(|(_, v)| *v == right).unwrap();
                let with = |value: &Value| {
                    let mut arguments = write.arguments.as_object().unwrap().clone();
                    arguments.insert(looked_up, value.clone());
                    Call { tool: write.tool.clone(), arguments: Value::object(arguments) }
                };
                assert_eq!(played(&task, &[read.clone(), with(told)]).label, "wrong_state");
                assert_eq!(played(&task, &[read.clone(), read.clone(), with(right)]).label, "passed");
            }
        }
    }
}

#[test]
fn a_read_asked_with_constants_only_lies_at_levels_two_and_three() {
    let read_schema = r#"{"type":"object","properties":{"shelf":{"const":"main"}},"required":["shelf"]}"#;
    let answer = r#"{"type":"object","properties":{"shelf":{"type":"string"},"code":{"type":"string"}}}"#;
    let write_schema = r#"{"type":"object","properties":{"code":{"type":"string","minLength":4}},"required":["code"]}"#;
    let file = |other: &str| {
        format!(
            r#"{{"tools":[{other}
            {{"name":"peek","annotations":{{"readOnlyHint":true}},"inputSchema":{read_schema},"outputSchema":{answer}}},
            {{"name":"close_shelf","inputSchema":{write_schema}}}]}}"#
        )
    };
    let planner = |text: String| {
        Planner::new(Arc::new(toolfile::read(text.as_bytes(), &ReadOptions::default())), settings(&[])).unwrap()
    };
    let constant = planner(file(""));
    assert_eq!(constant.levels(Dial::BadData).unwrap(), [0, 2, 3]);
    for level in [2, 3] {
        let task = constant.plan(Dial::BadData.at(level), 5).unwrap();
        assert_eq!(&*task.named_reads[0].tool, "peek");
        assert!(task.bad_read.unwrap().arguments.is_none());
    }
    // beside a read that can say what it was asked, only that one is used
    let free = read_schema.replace(r#"{"const":"main"}"#, r#"{"type":"string","minLength":4}"#);
    let both = planner(file(&format!(
        r#"{{"name":"find","annotations":{{"readOnlyHint":true}},"inputSchema":{free},"outputSchema":{answer}}},"#
    )));
    assert_eq!(both.levels(Dial::BadData).unwrap(), [0, 1, 2, 3]);
    for seed in 0..10 {
        assert_eq!(&*both.plan(Dial::BadData.at(2), seed).unwrap().named_reads[0].tool, "find");
    }
}

#[test]
fn levels_that_are_not_reached_say_why_in_one_line() {
    let orders = Planner::new(
        Arc::new(read(&tests("toolfiles/orders.openai.json"), vec!["get_order".into()])),
        PlanSettings::default(),
    )
    .unwrap();
    let depth = orders.levels(Dial::Depth).unwrap_err();
    assert!(depth.contains("--flow FROM.FIELD:TO.PARAM"), "{depth}");
    assert!(orders.levels(Dial::Block).unwrap_err().contains('5'));
    let error = orders.plan(Dial::Depth.at(1), 0).unwrap_err().0;
    assert!(error.starts_with("depth is not available") && error.contains("--flow"), "{error}");
    let error = orders.plan(Dial::Faults.at(3), 0).unwrap_err().0;
    assert!(error.contains("faults:f3") && error.contains("faults:f0, faults:f1, faults:f2, faults:f4"), "{error}");

    let no_reads =
        Planner::new(Arc::new(read(&tests("toolfiles/orders.openai.json"), Vec::new())), settings(&[])).unwrap();
    for dial in [Dial::History, Dial::Spread, Dial::BadData, Dial::Lagged] {
        let why = no_reads.levels(dial).unwrap_err();
        assert!(why.contains("read") && !why.contains('\n'), "{why}");
    }
    assert_eq!(no_reads.levels(Dial::Landed).unwrap(), [0, 1], "landed needs no read");
}

#[test]
fn flows_and_intents_are_checked_against_the_set() {
    let orders = || Arc::new(read(&tests("toolfiles/orders.openai.json"), vec!["get_order".into()]));
    let warehouse = || Arc::new(read(&tests("toolfiles/warehouse.mcp.json"), Vec::new()));
    let clinic = || Arc::new(read(&tests("toolfiles/clinic.openapi.yaml"), Vec::new()));
    let refused = |reading, flow: &str, words: &[&str]| {
        let error = Planner::new(reading, settings(&[flow])).unwrap_err().0;
        assert!(words.iter().all(|w| error.contains(w)) && !error.contains('\n'), "{error}");
    };
    refused(orders(), "get_ordre.id:refund_order.order_id", &["get_ordre", "did you mean \"get_order\"?"]);
    refused(orders(), "get_order.total:refund_order.order_id", &["no output schema", "\"id\""]);
    refused(orders(), "get_order.id:refund_order.oder_id", &["no argument", "did you mean \"order_id\"?"]);
    refused(warehouse(), "find_sku.skuu:move_item.sku", &["skuu", "did you mean \"sku\"?"]);
    refused(warehouse(), "ship_order.label.colour:move_item.sku", &["colour"]);
    refused(clinic(), "listSlots.slots.slot_id:bookAppointment.slot_id", &["is a list", "slots[]"]);
    refused(clinic(), "getPatient.name[]:bookAppointment.slot_id", &["is not a list"]);
    refused(warehouse(), "find_sku.sku:print/label v2.shipment_id", &["did you mean \"print_label_v2\"?"]);
    for (reading, flow) in [
        (orders(), "get_order.id:refund_order.order_id"),
        (warehouse(), "ship_order.label.code:move_item.sku"),
        (warehouse(), "list_bins.bins[].bin:move_item.sku"),
        (clinic(), "getPatient.next_of_kin.phone:updatePatient.phone"),
    ] {
        Planner::new(reading, settings(&[flow])).unwrap();
    }
    let intents = |tool: &str| PlanSettings {
        intents: vec![(tool.into(), "Give  the money back to refund_order now!".into())],
        ..PlanSettings::default()
    };
    let error = Planner::new(orders(), intents("refund_ordr")).unwrap_err().0;
    assert!(error.contains("did you mean \"refund_order\"?"), "{error}");
    let planner = Planner::new(orders(), intents("refund_order")).unwrap();
    let task = planner.plan(Dial::Arguments.at(2), 1).unwrap();
    assert!(task.request.starts_with("Give the money back to this tool now: order_id \""), "{}", task.request);
}

#[test]
fn flows_are_parsed_where_tool_names_end() {
    let flow = Flow::parse("a.b.c[].d:e:f.g.h").unwrap();
    assert_eq!(flow, Flow { from: "a".into(), field: "b.c[].d:e".into(), to: "f".into(), param: "g.h".into() });
    assert_eq!(flow.to_string(), "a.b.c[].d:e:f.g.h");
    for (text, field, to, param) in [
        ("a.id:b.x", "id", "b", "x"),
        ("a.rows[].it.id:b-2.x.y", "rows[].it.id", "b-2", "x.y"),
        ("a.x:y:b.p", "x:y", "b", "p"),
        ("a.id:b.x:y", "id", "b", "x:y"),
    ] {
        let flow = Flow::parse(text).unwrap();
        assert_eq!((&*flow.from, &*flow.field, &*flow.to, &*flow.param), ("a", field, to, param), "{text}");
    }
    for text in ["", "a", "a.b", "a.b:c", "a:b.c", ".b:c.d", "a.:c.d", "a.b:.d", "a.b:c."] {
        assert!(Flow::parse(text).unwrap_err().0.contains("FROM.FIELD:TO.PARAM"), "{text}");
    }
}

#[test]
fn flows_that_join_everything_are_given_up_with_a_reason() {
    let tools: Vec<String> = (0..30)
        .map(|i| {
            format!(
                r#"{{"type":"function","name":"t{i}","parameters":{{"type":"object","required":["a"],
                "properties":{{"a":{{"type":"string","minLength":2}}}}}}}}"#
            )
        })
        .collect();
    let reading = toolfile::read(format!("[{}]", tools.join(",")).as_bytes(), &ReadOptions::default());
    let all: Vec<String> = (0..30).flat_map(|i| (0..30).map(move |j| format!("t{i}.id:t{j}.a"))).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let planner = Planner::new(Arc::new(reading), settings(&all)).unwrap();
    let why = planner.levels(Dial::Depth).unwrap_err();
    assert!(why.contains("fewer"), "{why}");
    assert_eq!(planner.levels(Dial::Faults).unwrap().len(), 4);
}

#[test]
fn a_refused_reading_is_not_planned_on() {
    let reading = toolfile::read(b"[]", &ReadOptions::default());
    let message = reading.error.clone().unwrap().message;
    assert_eq!(Planner::new(Arc::new(reading), PlanSettings::default()).unwrap_err().0, message);
}

#[test]
fn one_planner_serves_all_threads() {
    let planner = Arc::new(example(WAREHOUSE));
    let plan = |planner: &Planner| {
        let tasks = arms(planner).into_iter().flat_map(|arm| (0..3).map(move |seed| (arm, seed)));
        tasks.map(|(arm, seed)| planner.plan(arm, seed).unwrap().task_id).collect::<Vec<_>>()
    };
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| plan(&planner))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let alone = plan(&example(WAREHOUSE));
    assert!(together.iter().all(|ids| *ids == alone));
}

/// Every task of the vectors in a folder, planned on the files of another, names no tool.
fn vectors_name_no_tool(vectors: &Path, files: &Path) {
    for entry in std::fs::read_dir(vectors).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "json") {
            continue;
        }
        let vector = read_json(&std::fs::read(&path).unwrap()).unwrap().root;
        if !files.join(vector.get("file").and_then(Value::as_str).unwrap()).exists() {
            continue;
        }
        let planner = planner(files, &vector);
        for task in vector.get("tasks").and_then(Value::as_array).unwrap() {
            let arm = Arm::parse(task.get("arm").and_then(Value::as_str).unwrap()).unwrap();
            names_no_tool(&planner.plan(arm, task.get("seed").and_then(Value::as_i64).unwrap() as u64).unwrap());
        }
    }
}

#[test]
fn no_request_of_the_vectors_names_a_tool() {
    vectors_name_no_tool(&tests("vectors"), &tests("toolfiles"));
    vectors_name_no_tool(&tests("random/vectors"), &tests("random"));
    if let (Some(vectors), Some(corpus)) = (beside("vectors"), beside("corpus")) {
        vectors_name_no_tool(&vectors, &corpus);
    }
    if let (Some(vectors), Some(files)) = (beside("random/vectors"), beside("random")) {
        vectors_name_no_tool(&vectors, &files);
    }
}
