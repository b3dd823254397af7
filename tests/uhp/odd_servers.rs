//! Servers that answer, but not as the protocol says: each is told of in one clear line with its exit code, and the key
//! goes nowhere.

use crate::program::uhp;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Output;
use std::sync::{Arc, Mutex};

/// A server that says `discovery` to the one who discovers and the same answer to everything else, with what it was asked.
fn answering(status: &str, head: &str, body: &str) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let with = |status: &str, head: &str, body: &str| {
        format!("HTTP/1.1 {status}\r\n{head}content-length: {}\r\nconnection: close\r\n\r\n{body}", body.len())
    };
    let answer = with(status, head, body);
    let discovery = r#"{"object": "uhp.discovery", "protocol": "uhp", "capabilities": {"streaming": true}}"#;
    let discovery = with("200 OK", "content-type: application/json\r\n", discovery);
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = asked.clone();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let (mut socket, mut request) = (socket.unwrap(), vec![0; 8192]);
            let read = socket.read(&mut request).unwrap_or(0);
            let request = String::from_utf8_lossy(&request[..read]).into_owned();
            let said = if request.starts_with("GET /v1/uhp ") { &discovery } else { &answer };
            seen.lock().unwrap().push(request);
            let _ = socket.write_all(said.as_bytes());
        }
    });
    (base, asked)
}

fn told(ran: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (ran.status.code(), text(&ran.stdout), text(&ran.stderr))
}

const JSON: &str = "content-type: application/json\r\n";
const KEY: &str = "ann-key-123";

/// Every verb that reads is told the same in one line.
fn each(status: &str, head: &str, body: &str, verbs: &[&[&str]], says: &str) {
    let (base, _) = answering(status, head, body);
    for verb in verbs {
        let (code, out, err) = told(&uhp(&base, KEY, verb));
        assert_eq!((code, out.as_str()), (Some(1), ""), "{verb:?}: {err}");
        assert!(err.starts_with("rehearsal: ") && err.lines().count() == 1, "{verb:?}: {err}");
        assert!(err.contains(says), "{verb:?}: {err}");
    }
}

#[test]
fn what_is_no_answer_of_the_protocol_is_said_in_one_line() {
    let read: [&[&str]; 5] =
        [&["sessions"], &["harnesses"], &["get", "resp_1"], &["files", "hsess1"], &["download", "hsess1"]];
    each("200 OK", "content-type: text/html\r\n", "<html>Welcome</html>", &read, "it is a web page, not JSON");
    each("404 Not Found", JSON, r#"{"error": "no such app"}"#, &read, "refused (404 no code): no such app");
    each("403 Forbidden", "", "", &read, "without saying why");
    each("200 OK", JSON, "[1, 2]", &[&["sessions"]], "it has no list of sessions");
    each("200 OK", JSON, "{}", &[&["files", "hsess1"], &["download", "hsess1"]], "it has no list of files");
    each("200 OK", JSON, "{}", &[&["get", "resp_1"], &["run", "x"]], "not a response");
    each("200 OK", JSON, "{}", &[&["stream", "x"]], "not an event stream");
}

#[test]
fn a_redirect_is_told_and_never_followed_with_the_key() {
    let (elsewhere, stolen) = answering("200 OK", JSON, r#"{"sessions": []}"#);
    let head = format!("location: {elsewhere}/v1/sessions\r\n");
    let (base, asked) = answering("302 Found", &head, "");
    for verb in [&["sessions"][..], &["run", "x"], &["stream", "x"], &["get", "resp_1"]] {
        let (code, out, err) = told(&uhp(&base, KEY, verb));
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains("it redirects to") && err.contains(&elsewhere), "{err}");
        assert!(!err.contains(KEY));
    }
    assert!(asked.lock().unwrap().iter().any(|r| r.contains(KEY)));
    assert!(stolen.lock().unwrap().is_empty(), "nobody else was asked: {stolen:?}");
}

#[test]
fn a_response_in_place_of_a_stream_is_taken() {
    let body = r#"{"object": "response", "id": "resp_7", "status": "completed", "model": "m", "usage": null, "output": [
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "whole at once"}]}]}"#;
    let (base, asked) = answering("200 OK", JSON, body);
    let (code, out, err) = told(&uhp(&base, KEY, &["stream", "x"]));
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("answered without a stream") && out.contains("whole at once"), "{out}");
    let asked = asked.lock().unwrap();
    assert!(asked.iter().any(|r| r.to_ascii_lowercase().contains("accept: text/event-stream")), "{asked:?}");
}

#[test]
fn empty_lists_are_said_to_be_empty() {
    let (base, _) = answering("200 OK", JSON, r#"{"sessions": [], "harnesses": [], "files": [], "turns": []}"#);
    for (verb, says) in [
        (&["sessions"][..], "no sessions"),
        (&["harnesses"], "no harnesses"),
        (&["files", "hsess1"], "no files"),
        (&["turns", "hsess1"], "no turns"),
    ] {
        assert_eq!(told(&uhp(&base, KEY, verb)), (Some(0), says.to_owned(), String::new()));
    }
}

#[test]
fn a_key_that_cannot_be_sent_is_said_to_be_none() {
    let (base, asked) = answering("200 OK", JSON, r#"{"sessions": []}"#);
    for key in ["two words", "clé", "a\nb"] {
        let (code, out, err) = told(&uhp(&base, key, &["sessions"]));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
        assert!(err.contains("UHP_API_KEY holds no key") && !err.contains(key), "{err}");
    }
    assert!(asked.lock().unwrap().is_empty());
    assert_eq!(told(&uhp(&base, " spaced ", &["sessions"])).0, Some(0));
}
