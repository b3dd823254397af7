//! Files in and out (chapter 10).

use crate::schema;
use crate::support::{id_of, server, session_of, text};
use reqwest::Method;
use serde_json::{Value, json};
use std::io::Read;

const ASK: &str = "Reply with only the secret token from the attached file.";

fn with_file(part: Value) -> Value {
    json!({"input": [{"role": "user", "content": [{"type": "input_text", "text": ASK}, part]}]})
}

#[tokio::test(flavor = "multi_thread")]
async fn files_come_inline_by_upload_and_stay_in_the_session() {
    let server = server(|_| {}).await;
    let http = server.http();
    let inline = http
        .run(with_file(json!({"type": "input_file", "filename": "t.txt", "file_data": "data:,token%3A%20abc"})))
        .await;
    assert_eq!(text(&inline), "abc");
    let later = http.run(json!({"input": ASK, "previous_response_id": inline["id"]})).await;
    assert_eq!(text(&later), "abc", "the file is still in the folder");
    let uploaded = http.upload("token.txt", b"The secret token is up-1.").await.ok();
    let by_id = http.run(with_file(json!({"type": "input_file", "file_id": uploaded["id"]}))).await;
    assert_eq!(text(&by_id), "up-1");
    let image = http.run(with_file(json!({"type": "input_image", "image_url": "data:image/png;base64,AAEC"}))).await;
    assert_eq!(image["status"], "completed");
    let files = http.get(&format!("/v1/sessions/{}/files", session_of(&inline))).await.ok();
    assert_eq!(files["files"], json!([]), "what came in is no artifact");
    let items = http.get(&format!("/v1/responses/{}/input_items", id_of(&inline))).await.ok();
    assert_eq!(items["data"][0]["content"][1]["file_data"], "data:,token%3A%20abc");
}

#[tokio::test(flavor = "multi_thread")]
async fn too_large_is_413_with_the_limit_and_nothing_is_cut() {
    let server = server(|c| c.limits.file_bytes = 1_000).await;
    let http = server.http();
    let whole = http.upload("a.bin", &[7; 1_000]).await.ok();
    assert_eq!((&whole["bytes"], &whole["filename"]), (&json!(1_000), &json!("a.bin")));
    schema::valid("File", &whole);
    let error = http.upload("a.bin", &[7; 1_001]).await.refused(413, "file_too_large");
    assert_eq!(error["detail"]["max_bytes"], 1_000);
    let data = format!("data:,{}", "x".repeat(1_001));
    let inline = http.post("/v1/responses", with_file(json!({"type": "input_file", "file_data": data}))).await;
    let error = inline.refused(413, "file_too_large");
    assert_eq!(
        (&error["detail"]["max_bytes"], &error["param"]),
        (&json!(1_000), &json!("input[0].content[1].file_data"))
    );
    let wide = http.say(&format!("Create a file named big.txt containing exactly: {}", "x".repeat(1_001))).await;
    assert_eq!(wide["status"], "completed", "an artifact too large is a warning");
    assert_eq!(http.get(&format!("/v1/sessions/{}/files", session_of(&wide))).await.ok()["files"], json!([]));
    let told = http
        .stream(json!({"input": format!("Create a file named big.txt containing exactly: {}", "x".repeat(1_001))}))
        .await;
    schema::events(&told);
    assert!(told.iter().any(|e| e["type"] == "error" && e["code"] == "harness_error"));
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_that_are_none_are_refused() {
    let server = server(|_| {}).await;
    let http = server.http();
    let form = reqwest::multipart::Form::new().text("purpose", "x");
    let none = http.send(http.request(Method::POST, "/v1/files").multipart(form)).await;
    assert_eq!(none.refused(400, "invalid_input")["param"], "file");
    let named = http.upload("../../etc/passwd", b"").await.ok();
    assert_eq!((&named["filename"], &named["bytes"]), (&json!("passwd"), &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn artifacts_of_all_tasks_are_listed_downloaded_and_archived() {
    let server = server(|_| {}).await;
    let http = server.http();
    let first = http.say("Create a file named d/a.txt containing exactly: one").await;
    let second = http.run(json!({"input": "Create a file named d/a.txt containing exactly: two", "previous_response_id": first["id"]})).await;
    let third = http.run(json!({"input": "faults:f1 seed 0", "previous_response_id": second["id"]})).await;
    http.run(json!({"input": "faults:f1 seed 0", "previous_response_id": third["id"]})).await;
    let session = session_of(&first);
    let files = http.get(&format!("/v1/sessions/{session}/files")).await.ok()["files"].clone();
    let names: Vec<&str> = files.as_array().unwrap().iter().map(|f| f["filename"].as_str().unwrap()).collect();
    assert_eq!(names, ["d/a.txt", "d/a.txt", "episode-3.json", "card-3.md", "episode-4.json", "card-4.md"]);
    let path = |f: &Value| format!("/v1/containers/{}/files/{}/content", f["container_id"].as_str().unwrap(), id_of(f));
    for (file, content) in [(&files[0], "one"), (&files[1], "two")] {
        let got = http.get(&path(file)).await;
        assert_eq!((got.text().as_str(), got.header("content-type")), (content, "text/plain; charset=utf-8"));
        assert_eq!(got.header("content-disposition"), "attachment; filename=\"a.txt\"; filename*=UTF-8''a.txt");
        assert_eq!(file["bytes"], content.len());
    }
    let episode: Value = http.get(&path(&files[2])).await.ok();
    assert_eq!(episode["verdict"]["strict"], true);
    let archive = http.get(&format!("/v1/sessions/{session}/files/archive")).await;
    assert_eq!((archive.status, archive.header("content-type")), (200, "application/zip"));
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(archive.bytes)).unwrap();
    let mut content = |name: &str| {
        let mut text = String::new();
        zip.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    assert_eq!((content("d/a.txt").as_str(), content("d/a-2.txt").as_str()), ("one", "two"));
    assert!(content("card-4.md").starts_with("# One episode"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_reached_only_through_its_own_container() {
    let server = server(|_| {}).await;
    let http = server.http();
    let a = http.say("Create a file named a.txt containing exactly: a").await;
    let b = http.say("Create a file named b.txt containing exactly: b").await;
    let file =
        async |r: &Value| http.get(&format!("/v1/sessions/{}/files", session_of(r))).await.ok()["files"][0].clone();
    let (a, b) = (file(&a).await, file(&b).await);
    let mixed = format!("/v1/containers/{}/files/{}/content", a["container_id"].as_str().unwrap(), id_of(&b));
    http.get(&mixed).await.refused(404, "file_not_found");
    let uploaded = http.upload("u.txt", b"x").await.ok();
    let none = format!("/v1/containers/{}/files/{}/content", a["container_id"].as_str().unwrap(), id_of(&uploaded));
    http.get(&none).await.refused(404, "file_not_found");
    let pdf = format!("/v1/containers/{}/files/{}/pdf", a["container_id"].as_str().unwrap(), id_of(&a));
    http.get(&pdf).await.refused(501, "preview_unavailable");
    let again = http.run(with_file(json!({"type": "input_file", "file_id": a["id"]}))).await;
    assert_eq!(text(&again), "a", "an artifact can go into another task");
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_are_bounded_by_pushing_the_oldest_out() {
    let server = server(|c| c.limits.upload_bytes = 2_500).await;
    let http = server.http();
    let first = http.upload("1", &[1; 1_000]).await.ok();
    let second = http.upload("2", &[2; 1_000]).await.ok();
    http.upload("3", &[3; 1_000]).await.ok();
    let ask = |id: &Value| with_file(json!({"type": "input_file", "file_id": id}));
    http.post("/v1/responses", ask(&first["id"])).await.refused(404, "file_not_found");
    assert_eq!(http.run(ask(&second["id"])).await["status"], "completed");
}
