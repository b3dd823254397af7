//! A client that is not ours, in both eras.

use crate::support::{HOTEL, opening, serve};
use rehearsal::engine::Engine;
use rmcp::model::{CallToolRequestParams, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use std::path::Path;

async fn judge(client: RunningService<RoleClient, ()>, opening: &rehearsal::live::Opening) {
    let task = opening.request.task.clone();
    let listed = client.list_all_tools().await.unwrap();
    let names: Vec<String> = listed.iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, task.block.iter().map(|shown| shown.name.to_string()).collect::<Vec<_>>());
    let engine = Engine::new(task.clone());
    let mut state = engine.start();
    for call in &task.reference_calls {
        let outcome = engine.step(&state, call);
        state = outcome.state.clone();
        let serde_json::Value::Object(arguments) = serde_json::to_value(&call.arguments).unwrap() else { panic!() };
        let params = CallToolRequestParams::new(call.tool.to_string()).with_arguments(arguments);
        let result = client.call_tool(params).await.unwrap();
        let result = serde_json::to_value(result).unwrap();
        assert_eq!(result["content"][0]["text"], *outcome.answer.text);
        assert_eq!(result["isError"], outcome.answer.is_error);
    }
    assert!(client.call_tool(CallToolRequestParams::new("no_such_tool")).await.is_err());
    client.cancel().await.unwrap();
}

#[tokio::test]
async fn rmcp_lists_and_calls_in_both_eras() {
    drop(crate::chains::plain_client());
    for arm in ["landed:l1", "baddata:b1"] {
        let opening = opening(Path::new(HOTEL), arm, 20).unwrap();
        let modern = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        for mode in [ClientLifecycleMode::Initialize, modern] {
            let served = serve(&opening).await;
            let transport = StreamableHttpClientTransport::from_uri(served.mcp.clone());
            judge(().serve_with_lifecycle(transport, mode).await.unwrap(), &opening).await;
            served.end().await;
        }
    }
}
