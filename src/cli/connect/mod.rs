//! `rehearsal connect`: the config with which an MCP client joins a live episode.

mod clients;
mod edit;

use super::Failure;
use super::output::Output;
use crate::text;
use clap::{Args, ValueEnum};
use clients::{Config, Syntax, config};
use similar::{ChangeTag, TextDiff};
use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

/// Prints the config or code that makes a client start `rehearsal mcp --join`, its tool timeout raised where it has one.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n  \
        rehearsal connect codex\n  \
        rehearsal connect claude-code --write\n  \
        rehearsal connect opencode --join q7h2kd9wz3mxn4pa")]
pub struct ConnectArgs {
    /// The client.
    #[arg(value_enum, value_name = "CLIENT")]
    client: Client,
    /// Put it in the client's own file, after showing the change and asking.
    #[arg(long)]
    write: bool,
    /// Write without asking.
    #[arg(long, requires = "write")]
    yes: bool,
    /// The file to write, instead of the client's usual one.
    #[arg(long, value_name = "FILE", requires = "write")]
    file: Option<PathBuf>,
    /// Join the live episode of this name (default: the only one that is open).
    #[arg(long, value_name = "NAME")]
    join: Option<String>,
}

/// The clients that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Codex,
    Opencode,
    Gemini,
    Vscode,
    Cursor,
    Goose,
    Inspector,
    Langgraph,
    OpenaiAgents,
    PydanticAi,
}

impl Client {
    /// Whether its config makes it wait an hour for an answer: a person may hold a call for a while.
    fn waits_an_hour(self) -> bool {
        use Client::{Codex, Gemini, Goose, Inspector, OpenaiAgents, Opencode};
        matches!(self, Codex | Gemini | Goose | Inspector | OpenaiAgents | Opencode)
    }
}

/// The clients whose program is found on this machine, as `connect` names them.
pub(super) fn found() -> Vec<&'static str> {
    const PROGRAMS: [(&str, &str); 7] = [
        ("claude", "claude-code"),
        ("codex", "codex"),
        ("opencode", "opencode"),
        ("gemini", "gemini"),
        ("code", "vscode"),
        ("cursor", "cursor"),
        ("goose", "goose"),
    ];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let is_there = |program: &str| folders.iter().any(|folder| folder.join(program).is_file());
    PROGRAMS.into_iter().filter(|(program, _)| is_there(program)).map(|(_, client)| client).collect()
}

/// Runs the command.
pub fn run(args: &ConnectArgs, out: &mut Output) -> Result<(), Failure> {
    if let Some(name) = args.join.as_deref().filter(|name| !crate::run::is_name(name)) {
        return Err(Failure::Usage(format!("--join {name}: that is not the name of a live episode")));
    }
    let program =
        std::env::current_exe().map_err(|e| Failure::Refused(format!("cannot tell where this program is: {e}")))?;
    let mut words = vec!["mcp".to_owned(), "--join".to_owned()];
    words.extend(args.join.clone());
    if args.client.waits_an_hour() {
        words.extend(["--deadline".to_owned(), "1h".to_owned()]);
    }
    let config = config(args.client, &program.to_string_lossy(), &words);
    if args.write {
        return write(args, &config, out);
    }
    if let Some(path) = &config.file {
        out.line(format!("# in {}", path.display()))?;
    }
    out.lines(&config.text)?;
    for note in &config.notes {
        out.line(format!("# {note}"))?;
    }
    Ok(())
}

fn write(args: &ConnectArgs, config: &Config, out: &mut Output) -> Result<(), Failure> {
    let Some(path) = args.file.as_ref().or(config.file.as_ref()) else {
        return Err(Failure::Refused("this client has no file to write: it is code, or a command line".to_owned()));
    };
    let failed = |what: &str, e: &std::io::Error| Failure::Refused(format!("cannot {what} {}: {e}", path.display()));
    let before = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(failed("read", &e)),
    };
    let after = match config.syntax {
        Syntax::Json => edit::json(&before, &config.path, &config.entry),
        Syntax::Toml => edit::toml(&before, &config.path, &config.entry),
        Syntax::Yaml => edit::yaml(&before, &config.path, &config.entry),
        Syntax::Code => Err("it is code".to_owned()),
    };
    let after = after.map_err(|why| Failure::Refused(format!("{}: {why}: nothing is written", path.display())))?;
    if after == before {
        return out.line(format!("{} has it already", path.display()));
    }
    out.line(path.display().to_string())?;
    for change in TextDiff::from_lines(&before, &after).iter_all_changes() {
        let mark = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => continue,
        };
        out.line(format!("{mark} {}", change.value().trim_end_matches(['\n', '\r'])))?;
    }
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::Usage("without a terminal nobody can be asked: add --yes to write".to_owned()));
        }
        out.flush()?;
        // A question nobody sees is answered by no.
        let _ = write!(std::io::stderr(), "Write this? [y/N] ");
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            return out.line("nothing is written");
        }
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|e| failed("make the folder of", &e))?;
    }
    // A link to the file stays a link.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
    crate::settings::write_whole(&target, after.as_bytes()).map_err(|e| failed("write", &e))?;
    out.line(format!("written to {}", text::safe(&path.display().to_string())))
}
