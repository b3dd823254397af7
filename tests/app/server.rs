//! The binary serving in one terminal and attached in another.

use crate::pty::{Pty, binary, shows};

#[test]
fn a_task_is_run_from_one_terminal_watched_in_another_and_stepped_in_both() {
    let key = [("KEY", "secret-of-the-test")];
    let serve = [&*binary(), "serve", "--screen", "--listen", "127.0.0.1:0", "--key-env", "KEY", "--pace", "5"];
    let mut server = Pty::start_with(&serve, (120, 40), &key);
    server.until("No task has begun");
    let address = server.word_after("address");
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");

    let mut client = Pty::start_with(&[&binary(), "attach", &address, "--key-env", "KEY"], (120, 40), &key);
    client.until("session_sharing");
    client.keys("i").until("input ");
    client.keys("faults:f2 seed 0\r").until("+ completed");
    client.keys("g").until("server and harness");
    client.keys("n").until("call 1: refund_order").until("+ the same here").until("why here");
    client.keys("n").until("call 2: refund_order");
    server.until("faults:f2 seed 0").until("3 calls").until("passed");
    server.keys("\r").until("+ completed");
    server.keys("b").until("call 3: refund_order").until("+ the same here");
    server.keys("\u{7f}").until("serving http");

    // The calls replayed here become an episode of one's own.
    client.keys("e").until("replying now would be").until("reply");
    client.keys("6").until("call 2: refund_order");
    client.keys("i").until("input ");
    client.keys("Count slowly from 1 to 100000\r").until(". running").until("< 1");
    client.keys("x").until("- cancelled");
    server.until("- 2").until("cancelled");
    client.keys("c").until("go on with");
    client.keys("Reply with exactly: on it goes\r").until("< on it goes").until("+ completed");
    client.keys("s").until("open a task of which session");
    client.keys("\r").until("open which task");
    client.keys("\r").until("- cancelled");
    client.keys("q");
    let (code, raw) = client.end();
    assert_eq!(code, 0);
    assert!(shows(&raw) && !raw.contains("secret-of-the-test"), "the key is shown nowhere");
    server.keys("q");
    let (code, raw) = server.end();
    assert_eq!(code, 0);
    assert!(shows(&raw) && !raw.contains("secret-of-the-test"));
}

#[test]
fn a_saved_response_opens_and_a_server_that_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("response.json");
    let body = serde_json::json!({"object": "response", "id": "resp_1", "status": "completed", "model": "m", "output": [
        {"type": "function_call", "call_id": "a", "name": "get_order", "arguments": "{\"order_id\": \"abcdef\"}"},
        {"type": "function_call_output", "call_id": "a", "output": "{}"}]});
    std::fs::write(&path, body.to_string()).unwrap();
    let mut pty = Pty::start(&[&binary(), &path.to_string_lossy()], (120, 40));
    pty.until("response.json").until("1 call");
    pty.keys("n").until("call 1: get_order").until("~ differs").until("answered here");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);

    let mut pty = Pty::start(&[&binary(), "attach", "http://127.0.0.1:9"], (100, 30));
    pty.until("! not known").until("enter tries again");
    pty.keys("q");
    assert_eq!(pty.end().0, 0);
}
