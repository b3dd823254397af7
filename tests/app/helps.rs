//! Every help opens with examples, and every example works as pasted.

use crate::program::{program, root};
use clap::CommandFactory;
use rehearsal::cli::Arguments;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a terminal of 80 columns shows unbroken.
const COLUMNS: usize = 80;

/// Every command with its name: `step`, `uhp run`, and the program itself without one.
fn commands() -> Vec<(String, clap::Command)> {
    fn walk(name: &str, command: clap::Command, found: &mut Vec<(String, clap::Command)>) {
        for sub in command.get_subcommands() {
            walk(format!("{name} {}", sub.get_name()).trim(), sub.clone(), found);
        }
        found.push((name.to_owned(), command));
    }
    let mut found = Vec::new();
    walk("", Arguments::command(), &mut found);
    found
}

/// The lines under the first heading of a command's help.
fn examples(command: &clap::Command) -> Vec<String> {
    let help = command.get_before_help().map(ToString::to_string).unwrap_or_default();
    help.lines()
        .skip(1)
        .map(|line| line.strip_prefix("  ").unwrap_or_else(|| panic!("{line:?} of {help:?}")).to_owned())
        .collect()
}

#[test]
fn every_help_opens_with_examples_that_a_terminal_does_not_break() {
    let commands = commands();
    assert!(commands.len() > 24, "{}", commands.len());
    for (name, command) in commands {
        let lines = examples(&command);
        assert!(!lines.is_empty(), "{name}: no example");
        assert!(lines.iter().any(|line| line.contains("rehearsal")), "{name}: {lines:?}");
        let shown = command.term_width(COLUMNS).render_long_help().to_string();
        assert!(shown.starts_with("Examples"), "{name}: {shown}");
        for line in lines {
            assert!(shown.contains(&format!("\n  {line}\n")), "{name}: {line:?} is broken in {shown}");
        }
    }
}

/// A folder like a clone of the project, to paste into.
fn clone() -> tempfile::TempDir {
    fn copy(from: &Path, to: &Path) {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let (from, to) = (entry.as_ref().unwrap().path(), to.join(entry.as_ref().unwrap().file_name()));
            if from.is_dir() {
                copy(&from, &to);
            } else {
                std::fs::copy(&from, &to).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    std::os::unix::fs::symlink(program(), folder.path().join("bin/rehearsal")).unwrap();
    folder
}

fn shell(folder: &Path, script: &str, variables: &[(&str, &str)]) -> Command {
    let path = std::env::join_paths(
        std::iter::once(folder.join("bin")).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut command = Command::new("sh");
    command
        .args(["-e", "-c", script])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .env("HOME", folder)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .envs(variables.iter().copied())
        .stdin(Stdio::null());
    command
}

/// Commands of a help, lines that end in a backslash joined as a shell joins them.
fn joined(lines: &[String]) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut open = false;
    for line in lines {
        if std::mem::replace(&mut open, line.ends_with('\\')) {
            let last = commands.last_mut().unwrap();
            last.push('\n');
            last.push_str(line);
        } else {
            commands.push(line.clone());
        }
    }
    commands
}

#[test]
fn examples_work_as_pasted() {
    let folder = clone();
    for (name, command) in commands() {
        // These serve, or talk to a server of somebody else or to a live episode.
        if ["serve", "attach", "live", "mcp", "connect"].contains(&&*name)
            || name.starts_with("uhp")
            || name.starts_with("held")
        {
            continue;
        }
        for line in joined(&examples(&command)).into_iter().filter(|line| !line.contains("--mcp-command")) {
            let ran = shell(folder.path(), &line, &[]).output().unwrap();
            // A check that is asked for may fail: that is what it is there for.
            let fine = if line.contains("--fail-on") { 4 } else { 0 };
            assert_eq!(ran.status.code(), Some(fine), "{line}\n{ran:?}");
            assert!(fine == 4 || ran.stderr.is_empty(), "{line}\n{ran:?}");
        }
    }
    for made in ["plan.json", "runs/mixed/plan.json", "compare.md", "rehearsal.1", ".zfunc/_rehearsal"] {
        let size = std::fs::metadata(folder.path().join(made)).unwrap_or_else(|e| panic!("{made}: {e}")).len();
        assert!(size > 0, "{made} is empty");
    }
}

/// Ends a server when the test ends, however it ends.
struct Serving(std::process::Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn wait_for(path: &PathBuf, what: &str) -> String {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if let Some(line) = text.lines().find(|line| line.contains(what)) {
            return line.to_owned();
        }
        assert!(Instant::now() < until, "{what:?} never came: {text}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Starts what a line starts, on a port that is free; gives the server and its address.
fn serving(folder: &Path, line: &str, variables: &[(&str, &str)]) -> (Serving, String) {
    let out = folder.join("serving.txt");
    let _ = std::fs::remove_file(&out);
    let line = line.replacen("rehearsal serve", "exec rehearsal serve --pace 20 --listen 127.0.0.1:0", 1);
    // `VARIABLE=value exec ...` is no shell: env takes the variables.
    let line = if line.starts_with("exec") { line } else { format!("exec env {}", line.replacen("exec ", "", 1)) };
    let file = std::fs::File::create(&out).unwrap();
    let child = shell(folder, &line, variables).stdout(file).spawn().unwrap();
    let serving = Serving(child);
    let address = wait_for(&out, "listening on");
    (serving, address.rsplit(' ').next().unwrap().to_owned())
}

fn help_of(name: &str) -> Vec<String> {
    let (_, command) = commands().into_iter().find(|(known, _)| known == name).unwrap();
    joined(&examples(&command))
}

#[test]
fn servers_start_as_pasted() {
    let folder = clone();
    let lines = help_of("serve");
    assert_eq!(lines.len(), 3, "{lines:?}");
    for line in lines {
        let (_serving, address) = serving(folder.path(), &line, &[]);
        assert!(address.starts_with("http://127.0.0.1:"), "{line}: {address}");
    }
    assert!(folder.path().join("state").is_dir());
}

#[test]
fn the_client_works_as_pasted() {
    let folder = clone();
    let mut lines = help_of("uhp").into_iter();
    let mut shell_lines = Vec::new();
    let mut server = None;
    for line in lines.by_ref() {
        match line.strip_suffix(" &") {
            Some(line) => server = Some(serving(folder.path(), line, &[("REHEARSAL_KEY", "a-secret")])),
            None => shell_lines.push(line),
        }
    }
    assert_eq!(shell_lines[0], "export REHEARSAL_KEY=a-secret");
    let (_serving, address) = server.expect("a server is started");
    let verbs = commands().into_iter().filter(|(name, _)| name.starts_with("uhp "));
    for (_, command) in verbs {
        shell_lines.extend(joined(&examples(&command)));
    }
    let script = shell_lines.join("\n");
    assert_eq!(script.matches("http://127.0.0.1:8790").count(), 1);
    let script = script.replace("http://127.0.0.1:8790", &address);
    let ran = shell(folder.path(), &script, &[]).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{script}\n{ran:?}");
    let said = String::from_utf8(ran.stdout).unwrap();
    for expected in ["class     full", "Verdict: passed", "chrn_", "rehearsal/reference", "episode.json"] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(std::fs::read_dir(folder.path().join("downloads")).unwrap().count() > 0);
}

/// The shell lines of README between two marks.
fn readme(mark: &str) -> String {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = text.split_once(&format!("<!-- {mark} -->\n```sh\n")).unwrap();
    rest.split_once("```\n").unwrap().0.to_owned()
}

#[test]
fn the_recipe_for_ci_works_as_written_and_fails_when_something_moves() {
    let script = readme("ci");
    let tried = |change: &dyn Fn(&Path), player: &str| {
        let folder = clone();
        change(folder.path());
        let ran = shell(folder.path(), &script, &[("PLAYER", player)]).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    assert_eq!(tried(&|_| {}, ""), (Some(0), String::new()));
    let (code, said) = tried(&|_| {}, "trusting");
    assert_eq!(code, Some(4));
    assert!(said.starts_with("rehearsal: B is worse on baddata:b1"), "{said}");

    let edit = |from: &'static str, to: &'static str| {
        move |folder: &Path| {
            let file = folder.join("examples/hotel/hotel.mcp.json");
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.contains(from));
            std::fs::write(file, text.replacen(from, to, 1)).unwrap();
        }
    };
    let (code, said) = tried(&edit("\"maxLength\": 11", "\"maxLength\": 12"), "");
    assert_eq!(code, Some(4));
    assert!(said.starts_with("rehearsal: the contract hash is "), "{said}");
    // Only the layout moved: one contract, but other tasks, so that no figure can be held beside another.
    let (code, said) = tried(&edit("\n", "\n\n"), "");
    assert_eq!(code, Some(4));
    assert!(!said.contains("contract hash is") && said.lines().count() == 1, "{said}");
}

#[test]
fn the_python_of_readme_gives_the_contract_hash_of_every_json_file() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = text.split_once("python3 -c '").unwrap();
    let (program, _) = rest.split_once("' examples/").unwrap();
    let Ok(python) = Command::new("python3").arg("--version").output() else {
        return println!("skipped: there is no python3");
    };
    assert!(python.status.success());
    let mut checked = 0;
    for folder in
        ["examples/orders", "examples/warehouse", "examples/hotel", "tests/toolfiles", "tests/random", "tests/cases"]
    {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "json") {
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            // What is no JSON is read as YAML, which Python's own library does not.
            let Ok(document) = rehearsal::value::read_json(&bytes) else { continue };
            let ours = rehearsal::value::contract_hash(&document);
            let ran = Command::new("python3").args(["-c", program]).arg(&path).output().unwrap();
            let theirs = String::from_utf8(ran.stdout).unwrap();
            match ours {
                Ok(hash) => assert_eq!(theirs.trim(), hash, "{}", path.display()),
                Err(_) => assert!(!ran.status.success(), "{}: {theirs}", path.display()),
            }
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked}");
}
