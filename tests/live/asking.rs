//! Listing the tools of a running server, and telling a client where to find one.

use crate::killed::program;
use crate::support::{HOTEL, opening, serve};
use rehearsal::live::{Server, list_tools};
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str], folder: &Path) -> Output {
    Command::new(program()).args(arguments).current_dir(folder).output().unwrap()
}

#[test]
fn a_server_is_listed_saved_and_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = std::fs::canonicalize(HOTEL).unwrap();
    let server = format!("'{}' mcp '{}' --arm faults:f1 --seed 3", program().display(), file.display());
    let listed = run(&["tools", "--mcp-command", &server, "--save", "saved.mcp.json"], folder.path());
    let text = String::from_utf8_lossy(&listed.stdout);
    assert!(listed.status.success() && text.contains("find_guest") && text.contains("16 tools"), "{listed:?}");
    let same = run(&["hash", "--mcp-command", &server, "saved.mcp.json", "--fail-on", "contract"], folder.path());
    assert!(same.status.success(), "{same:?}");
    let again = run(&["tools", "--mcp-command", &server, "--save", "saved.mcp.json"], folder.path());
    assert!(!again.status.success(), "a file that is there is not written over");
    let broken = run(&["tools", "--mcp-command", "sh -c 'echo no such thing >&2; exit 3'"], folder.path());
    let said = String::from_utf8_lossy(&broken.stderr);
    assert!(broken.status.code() == Some(1) && said.contains("no such thing"), "{said}");
}

#[tokio::test]
async fn a_server_is_listed_over_http() {
    let opening = opening(Path::new(HOTEL), "faults:f1", 0).unwrap();
    let served = serve(&opening).await;
    let url = served.mcp.clone();
    let bytes = tokio::task::spawn_blocking(move || list_tools(&Server::Url(url))).await.unwrap().unwrap();
    let list: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(list["tools"].as_array().unwrap().len(), opening.request.task.block.len());
    served.end().await;
}

#[test]
fn a_client_is_told_in_its_own_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, "# mine\nmodel = \"m\"\n").unwrap();
    let arguments = ["connect", "codex", "--write", "--yes", "--file", file.to_str().unwrap()];
    assert!(run(&arguments, folder.path()).status.success());
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# mine\nmodel = \"m\"\n") && text.contains("tool_timeout_sec = 3600"), "{text}");
    let unasked = run(&["connect", "codex", "--write", "--file", "other.toml"], folder.path());
    assert!(unasked.status.code() == Some(2) && !folder.path().join("other.toml").exists());
    for client in [
        "claude-code",
        "claude-desktop",
        "opencode",
        "gemini",
        "vscode",
        "cursor",
        "goose",
        "inspector",
        "langgraph",
        "openai-agents",
        "pydantic-ai",
    ] {
        let printed = run(&["connect", client], folder.path());
        let text = String::from_utf8_lossy(&printed.stdout);
        assert!(printed.status.success() && text.contains("--join"), "{client}: {text}");
    }
}
