//! The client against the server, and its models of what came.

use crate::faults::client_of;
use crate::support::{id_of, server, session_of, text};
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::toolfile::{ReadOptions, read};
use rehearsal::uhp::client::TaskInput;
use rehearsal::uhp::client::replay::{Agreement, Ground, played, replay};
use rehearsal::uhp::client::transcript::{Step, Transcript};
use serde_json::json;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn everything_a_server_offers_is_reached() {
    let server = server(|_| {}).await;
    let client = client_of(&server.base);
    assert_eq!(client.discover().await.unwrap()["conformance_class"], "full");
    assert!(client.can("plugins").await && !client.can("flying").await);
    let harnesses = client.get(&["v1", "harnesses"], &[]).await.unwrap();
    let harness = id_of(&harnesses["harnesses"][1]);
    let uploaded = client.upload("t.txt", b"token: via-client".to_vec(), "user_data").await.unwrap();
    let input = TaskInput {
        text: "What is the token in the attached file?".into(),
        uploaded: vec![id_of(&uploaded)],
        harness: Some(harness.clone()),
        model: Some("rehearsal/once".into()),
        ..TaskInput::default()
    };
    let ran = client.run(&input).await.unwrap();
    assert_eq!(
        (text(&ran).as_str(), &ran["model"], &ran["metadata"]["harness_id"]),
        ("via-client", &json!("rehearsal/once"), &json!(harness))
    );
    assert!(ran["metadata"].get("ignored_fields").is_none(), "the client sends nothing that is ignored");
    let next = TaskInput {
        text: "Create a file named a.txt containing exactly: hi".into(),
        previous: Some(id_of(&ran)),
        ..TaskInput::default()
    };
    let made = client.run(&next).await.unwrap();
    let url = made["output"][0]["content"][0]["annotations"][0]["download_url"].as_str().unwrap().to_owned();
    assert_eq!(client.download(&url).await.unwrap(), b"hi");
    let turns = client.get(&["v1", "sessions", &session_of(&made), "turns"], &[]).await.unwrap();
    assert_eq!(turns["turns"].as_array().unwrap().len(), 2);
    let page = client.get(&["v1", "sessions"], &[("limit", "1")]).await.unwrap();
    assert_eq!(page["sessions"][0]["id"], made["metadata"]["session_id"]);
    assert_eq!(client.cancel_session(&session_of(&made)).await.unwrap()["status"], "completed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_is_stepped_and_replayed_on_its_tool_file() {
    let server = server(|_| {}).await;
    let client = client_of(&server.base);
    let harnesses = client.get(&["v1", "harnesses"], &[]).await.unwrap();
    let warehouse = id_of(&harnesses["harnesses"][1]);
    let ran = client
        .run(&TaskInput {
            text: "baddata:b1 seed 2".into(),
            harness: Some(warehouse.clone()),
            model: Some("rehearsal/trusting".into()),
            ..TaskInput::default()
        })
        .await
        .unwrap();
    let transcript = Transcript::read(ran.to_string().as_bytes()).unwrap();
    let calls = transcript.steps().into_iter().filter(|s| matches!(s, Step::Call { answer: Some(_), .. })).count();
    assert!(calls > 0 && calls == transcript.calls().len());
    let bytes = include_bytes!("../../examples/warehouse/warehouse.mcp.json");
    let planner =
        |bytes: &[u8]| Planner::new(Arc::new(read(bytes, &ReadOptions::default())), PlanSettings::default()).unwrap();
    let own = replay(&transcript, &planner(bytes)).unwrap();
    assert!(matches!(own.ground, Ground::Planned(_)));
    assert!(own.calls.iter().all(|c| c.agreement == Agreement::Same), "its own engine says the same here");
    let mut touched = bytes.to_vec();
    touched.push(b'\n');
    let other = replay(&transcript, &planner(&touched)).unwrap();
    assert!(matches!(other.ground, Ground::Free(_)), "other bytes, other tasks");
    let foreign = planner(include_bytes!("../../examples/orders/orders.openai.json"));
    assert!(replay(&transcript, &foreign).unwrap_err().contains("none of the called tools"));

    let once = client
        .run(&TaskInput {
            text: "baddata:b1 seed 2".into(),
            harness: Some(warehouse.clone()),
            model: Some("rehearsal/checking".into()),
            ..TaskInput::default()
        })
        .await
        .unwrap();
    let rows = rehearsal::align::align(&played(&transcript), &played(&Transcript::of(&once)));
    assert!(rows.iter().any(rehearsal::align::Row::is_same), "two responses compare as two episodes do");
    assert!(rehearsal::align::first_divergence(&rows).is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_session_is_listed_page_by_page() {
    use rehearsal::work::Control;
    use rehearsal::work::remote::{Ask, Told, perform};
    let server = server(|_| {}).await;
    let http = server.http();
    for n in 0..130 {
        http.say(&format!("Reply with exactly: {n}")).await;
    }
    let client = client_of(&server.base);
    let told = tokio::task::spawn_blocking(move || {
        let told = std::sync::Mutex::new(Vec::new());
        perform(&client, Ask::Sessions, &Control::quiet(), &|one| told.lock().unwrap().push(one));
        told.into_inner().unwrap()
    });
    let told = told.await.unwrap();
    let [Told::Sessions(sessions)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(sessions.len(), 130);
    assert_eq!(
        (sessions[0].title.as_str(), sessions[129].title.as_str()),
        ("Reply with exactly: 129", "Reply with exactly: 0")
    );
}
