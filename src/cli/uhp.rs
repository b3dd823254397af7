//! `rehearsal uhp`: any server of the Unified Harness Protocol, from the command line.

pub(super) mod print;

use super::Failure;
use super::output::Output;
use crate::uhp::client::events::Heard;
use crate::uhp::client::transcript::Transcript;
use crate::uhp::client::{Address, Client, Error, Settings, TaskInput};
use crate::uhp::wire::{Fields, Json, path};
use clap::{Args, Subcommand};
use serde_json::json;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Largest file that goes along with a task, in bytes.
const LARGEST_FILE: u64 = 1 << 30;

/// Talk to any server of the Unified Harness Protocol.
#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  \
        export REHEARSAL_KEY=a-secret\n  \
        rehearsal serve --key-env REHEARSAL_KEY &\n  \
        export UHP_BASE_URL=http://127.0.0.1:8790 UHP_API_KEY=$REHEARSAL_KEY\n  \
        rehearsal uhp discover\n  \
        rehearsal uhp run 'faults:f2 seed 0'\n  \
        rehearsal uhp stream 'Count slowly from 1 to 5'",
    after_help = "UHP_BASE_URL is the server where --url is not given, UHP_API_KEY the key where --key-env is not."
)]
pub struct UhpArgs {
    /// The server's address.
    #[arg(long, value_name = "URL", global = true)]
    url: Option<String>,
    /// The environment variable that holds the key.
    #[arg(long, value_name = "VAR", global = true)]
    key_env: Option<String>,
    /// Print JSON as the server gave it; for stream, an event a line.
    #[arg(long, global = true)]
    json: bool,
    /// What to do.
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Show what the server speaks and can do.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  rehearsal uhp discover")]
    Discover,
    /// List the harnesses.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp harnesses")]
    Harnesses,
    /// List the models of a harness, or of all.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  rehearsal uhp models")]
    Models {
        /// The harness.
        #[arg(value_name = "HARNESS")]
        harness: Option<String>,
    },
    /// Run a task and wait for its end.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp run 'faults:f2 seed 0'\n  \
        rehearsal uhp run --background 'task 2'")]
    Run {
        /// The task.
        #[command(flatten)]
        task: TaskArgs,
        /// Answer as soon as the task is accepted.
        #[arg(long)]
        background: bool,
    },
    /// Run a task and print its output as it comes.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp stream 'Count slowly from 1 to 5'")]
    Stream {
        /// The task.
        #[command(flatten)]
        task: TaskArgs,
    },
    /// Read a response back.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp get \\\n    \
        \"$(rehearsal uhp run 'task 2' | grep -o 'resp_[0-9a-f]*')\"")]
    Get {
        /// The response.
        #[arg(value_name = "RESPONSE")]
        id: String,
        /// Show the input it was made with instead.
        #[arg(long)]
        input: bool,
    },
    /// Stop a task, or whatever runs in a session.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp cancel \\\n    \
        \"$(rehearsal uhp run --background 'task 2' | grep -o 'resp_[0-9a-f]*')\"")]
    Cancel {
        /// The response (resp_...) or the session (hsess...).
        #[arg(value_name = "RESPONSE|SESSION")]
        id: String,
    },
    /// List the sessions, newest first.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp sessions --limit 5")]
    Sessions {
        /// Most sessions of a page (1 to 100).
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100))]
        limit: u64,
        /// Go on after a page.
        #[arg(long, value_name = "CURSOR")]
        cursor: Option<String>,
        /// Only those of a harness.
        #[arg(long, value_name = "HARNESS")]
        harness: Option<String>,
    },
    /// Show the turns of a session.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp turns \"$(rehearsal uhp sessions | grep -om1 'hsess[0-9a-f]*')\"")]
    Turns {
        /// The session.
        #[arg(value_name = "SESSION")]
        id: String,
    },
    /// List the files a session's tasks wrote.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp files \"$(rehearsal uhp sessions | grep -om1 'hsess[0-9a-f]*')\"")]
    Files {
        /// The session.
        #[arg(value_name = "SESSION")]
        id: String,
    },
    /// Download the files of a session, or some of them.
    #[command(before_help = "Examples, with a server as `rehearsal uhp --help` starts one:\n  \
        rehearsal uhp run 'faults:f2 seed 0'\n  \
        rehearsal uhp download --out downloads --force \\\n    \
        \"$(rehearsal uhp sessions | grep -om1 'hsess[0-9a-f]*')\"")]
    Download {
        /// The session.
        #[arg(value_name = "SESSION")]
        id: String,
        /// Names or ids of files; all when none is given.
        #[arg(value_name = "FILE")]
        files: Vec<String>,
        /// The folder to write them into.
        #[arg(long, value_name = "DIR", default_value = ".")]
        out: PathBuf,
        /// Write over files that are there.
        #[arg(long)]
        force: bool,
    },
}

#[derive(Debug, Args)]
struct TaskArgs {
    /// What to do; - reads standard input.
    #[arg(value_name = "INPUT")]
    input: String,
    /// The harness (default: the server's).
    #[arg(long, value_name = "HARNESS")]
    harness: Option<String>,
    /// The model (default: the harness's).
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// Go on with the session of this response.
    #[arg(long = "continue", value_name = "RESPONSE")]
    previous: Option<String>,
    /// A file that goes along (repeatable).
    #[arg(long, value_name = "PATH")]
    file: Vec<PathBuf>,
    /// Upload the files first instead of sending them inside the request.
    #[arg(long)]
    upload: bool,
    /// Metadata of the task (repeatable), as in --meta seed=3.
    #[arg(long, value_name = "NAME=VALUE")]
    meta: Vec<String>,
    /// Most steps the agent may take.
    #[arg(long, value_name = "N")]
    max_step: Option<u64>,
    /// Most seconds the task may take.
    #[arg(long, value_name = "S")]
    timeout: Option<u64>,
    /// Ask the server not to keep the response.
    #[arg(long)]
    no_store: bool,
}

/// Runs the command.
pub(super) fn run(args: &UhpArgs, out: &mut Output) -> Result<(), Failure> {
    let client = client(args.url.as_deref(), args.key_env.as_deref(), |name| std::env::var(name).ok())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::Refused(format!("cannot start: {e}")))?;
    // What was begun at the server goes on there.
    let begun = RefCell::new(Begun::Nothing);
    runtime.block_on(async {
        tokio::select! {
            done = act(args, &client, &begun, out) => done,
            _ = tokio::signal::ctrl_c() => Err(match &*begun.borrow() {
                Begun::Nothing => Failure::Interrupted,
                Begun::Unnamed => Failure::Left(
                    "interrupted; the task may go on at the server: see rehearsal uhp sessions".to_owned()
                ),
                Begun::Task(id) => Failure::Left(format!(
                    "interrupted; the task goes on at the server: rehearsal uhp cancel {id} stops it"
                )),
            }),
        }
    })
}

/// What was begun at the server when one leaves.
#[derive(Debug)]
enum Begun {
    Nothing,
    /// A task whose id is not known yet.
    Unnamed,
    Task(String),
}

/// The client of a server given by flags or by the environment.
pub(super) fn client(
    url: Option<&str>,
    key_env: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Client, Failure> {
    let address = url.map(str::to_owned).or_else(|| variable("UHP_BASE_URL")).ok_or_else(|| {
        Failure::Usage("no server: give its URL or set UHP_BASE_URL, as in http://127.0.0.1:8790".to_owned())
    })?;
    let address = Address::parse(&address).map_err(Failure::Usage)?;
    let key = match key_env {
        None => variable("UHP_API_KEY").filter(|k| !k.is_empty()),
        Some(name) => Some(
            variable(name)
                .filter(|k| !k.is_empty())
                .ok_or_else(|| Failure::Usage(format!("--key-env {name}: the variable is not set")))?,
        ),
    };
    let key = key.map(|key| key.trim().to_owned());
    // Left out it would be refused as if there were none.
    if key.as_ref().is_some_and(|key| key.chars().any(|c| !c.is_ascii_graphic())) {
        let var = key_env.unwrap_or("UHP_API_KEY");
        return Err(Failure::Usage(format!(
            "{var} holds no key that can be sent: a key is one word of ASCII characters"
        )));
    }
    Client::new(Settings::new(address, key)).map_err(refused)
}

fn refused(error: Error) -> Failure {
    Failure::Refused(error.to_string())
}

async fn act(args: &UhpArgs, client: &Client, begun: &RefCell<Begun>, out: &mut Output) -> Result<(), Failure> {
    let print = if args.json { print::json } else { print::text(&args.verb) };
    let v1 = |parts: &[&str]| [&["v1"], parts].concat().iter().map(ToString::to_string).collect::<Vec<_>>();
    let get = async |parts: Vec<String>, query: &[(&str, &str)]| {
        client.get(&parts.iter().map(String::as_str).collect::<Vec<_>>(), query).await.map_err(refused)
    };
    let body = match &args.verb {
        Verb::Discover => client.discover().await.map_err(refused)?,
        Verb::Harnesses => listed(get(v1(&["harnesses"]), &[]).await?, "harnesses")?,
        Verb::Models { harness: None } => get(v1(&["models"]), &[]).await?,
        Verb::Models { harness: Some(id) } => get(v1(&["harnesses", id, "models"]), &[]).await?,
        Verb::Run { task, background } => {
            let input = task_input(client, task).await?;
            begun.replace(Begun::Unnamed);
            let ran = if *background { client.begin(&input).await } else { client.run(&input).await };
            let body = ran.map_err(refused)?;
            begun.replace(Begun::Nothing);
            is_response(&body)?;
            print(&body, out)?;
            return ended_well(&body, *background);
        }
        Verb::Stream { task } => {
            let input = task_input(client, task).await?;
            begun.replace(Begun::Unnamed);
            return stream(args, client, &input, begun, out).await;
        }
        Verb::Get { id, input: true } => get(v1(&["responses", id, "input_items"]), &[]).await?,
        Verb::Get { id, input: false } => {
            let body = client.response(id).await.map_err(refused)?;
            is_response(&body)?;
            body
        }
        Verb::Cancel { id } if id.starts_with("hsess") => client.cancel_session(id).await.map_err(refused)?,
        Verb::Cancel { id } => client.cancel(id).await.map_err(refused)?,
        Verb::Sessions { limit, cursor, harness } => {
            let limit = limit.to_string();
            let mut query = vec![("limit", limit.as_str())];
            query.extend(cursor.iter().map(|c| ("cursor", c.as_str())));
            query.extend(harness.iter().map(|h| ("harness", h.as_str())));
            listed(get(v1(&["sessions"]), &query).await?, "sessions")?
        }
        Verb::Turns { id } => listed(get(v1(&["sessions", id, "turns"]), &[]).await?, "turns")?,
        Verb::Files { id } => listed(get(v1(&["sessions", id, "files"]), &[]).await?, "files")?,
        Verb::Download { id, files, out: folder, force } => {
            let all = listed(get(v1(&["sessions", id, "files"]), &[]).await?, "files")?;
            return download(client, &all, files, folder, *force, args.json, out).await;
        }
    };
    print(&body, out)
}

/// The list in an answer; an answer without it is an error.
fn listed(body: Json, key: &str) -> Result<Json, Failure> {
    if body.get(key).is_some_and(Json::is_array) {
        return Ok(body);
    }
    Err(refused(Error::Protocol(format!("it has no list of {key}"))))
}

/// An answer that is a response.
fn is_response(body: &Json) -> Result<(), Failure> {
    if Transcript::is_response(body) {
        return Ok(());
    }
    Err(refused(Error::Protocol("it is not a response".to_owned())))
}

/// A task that did not complete is exit code 1, with everything said already.
fn ended_well(response: &Json, background: bool) -> Result<(), Failure> {
    match response.get("status").and_then(Json::as_str) {
        Some("completed") => Ok(()),
        Some("in_progress") if background => Ok(()),
        _ => Err(Failure::Said),
    }
}

async fn task_input(client: &Client, args: &TaskArgs) -> Result<TaskInput, Failure> {
    let text = if args.input == "-" {
        let bytes = super::set::read_bytes(Path::new("-"))?;
        String::from_utf8(bytes).map_err(|_| Failure::Refused("standard input is not UTF-8 text".to_owned()))?
    } else {
        args.input.clone()
    };
    let mut metadata = Fields::new();
    for pair in &args.meta {
        let (name, value) = pair
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| Failure::Usage(format!("--meta {pair}: write NAME=VALUE")))?;
        metadata.insert(name.to_owned(), value.parse::<u64>().map_or_else(|_| json!(value), |n| json!(n)));
    }
    let mut input = TaskInput {
        text,
        harness: args.harness.clone(),
        model: args.model.clone(),
        previous: args.previous.clone(),
        metadata,
        max_step: args.max_step,
        timeout_seconds: args.timeout,
        store: args.no_store.then_some(false),
        ..TaskInput::default()
    };
    for file in &args.file {
        let told = |e: &dyn std::fmt::Display| Failure::Refused(format!("cannot read {}: {e}", file.display()));
        if std::fs::metadata(file).map_err(|e| told(&e))?.len() > LARGEST_FILE {
            return Err(told(&"it is larger than 1 GiB"));
        }
        let bytes = std::fs::read(file).map_err(|e| told(&e))?;
        let name = path::file_name(&file.to_string_lossy());
        if args.upload {
            let made = client.upload(&name, bytes, "user_data").await.map_err(refused)?;
            let id = made.get("id").and_then(Json::as_str);
            let id = id.ok_or_else(|| Failure::Refused("the upload came back without an id".to_owned()))?;
            input.uploaded.push(id.to_owned());
        } else {
            input.inline.push((name, bytes));
        }
    }
    Ok(input)
}

async fn stream(
    args: &UhpArgs,
    client: &Client,
    input: &TaskInput,
    begun: &RefCell<Begun>,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut events = client.stream(input).await.map_err(refused)?;
    let mut transcript = Transcript::default();
    let mut shown = print::Shown::default();
    while let Some(heard) = events.next().await {
        let heard = heard.map_err(refused);
        if heard.is_err() && !args.json {
            shown.end_line(out)?;
            out.flush()?;
        }
        match heard? {
            Heard::Event(event) => {
                transcript.apply(&event);
                if args.json {
                    print::line(&Json::Object(event), out)?;
                } else {
                    shown.catch_up(&transcript, out)?;
                }
            }
            Heard::ReadBack { why, response } => {
                transcript.replace(&response);
                if args.json {
                    print::line(&json!({ "type": "rehearsal.read_back", "why": why, "response": response }), out)?;
                } else {
                    shown.end_line(out)?;
                    out.line(format!("! {why}; the response was read back"))?;
                    shown.catch_up(&transcript, out)?;
                }
            }
            Heard::TakenUp if args.json => {}
            Heard::TakenUp => {
                shown.end_line(out)?;
                out.line("! the stream broke and was taken up again")?;
            }
        }
        out.flush()?;
        if let Some(id) = events.response_id() {
            begun.replace(Begun::Task(id.to_owned()));
        }
    }
    begun.replace(Begun::Nothing);
    let body = transcript.to_json();
    if !args.json {
        shown.end_line(out)?;
        print::end(&transcript, out)?;
    }
    ended_well(&body, false)
}

async fn download(
    client: &Client,
    listed: &Json,
    wanted: &[String],
    folder: &Path,
    force: bool,
    json: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let files = listed.get("files").and_then(Json::as_array).cloned().unwrap_or_default();
    let field = |f: &Json, key: &str| f.get(key).and_then(Json::as_str).unwrap_or_default().to_owned();
    let is = |f: &Json, name: &String| field(f, "id") == *name || field(f, "filename") == *name;
    if let Some(missing) = wanted.iter().find(|name| !files.iter().any(|f| is(f, name))) {
        return Err(Failure::Refused(format!("the session has no file {missing}")));
    }
    let mut written = Vec::new();
    for file in files.iter().filter(|f| wanted.is_empty() || wanted.iter().any(|name| is(f, name))) {
        let (container, id, named) = (field(file, "container_id"), field(file, "id"), field(file, "filename"));
        // A name that leaves the folder is cut to its last part; one that would act on a terminal is written visibly.
        let name = if path::check(&named).is_ok() { named } else { path::file_name(&named) };
        let name = crate::text::safe(&name).into_owned();
        let mut target = folder.join(&name);
        let mut n = 1;
        while !force && (target.exists() || written.contains(&target)) {
            n += 1;
            target = folder.join(path::numbered(&name, n));
        }
        let address = client.address().join(&["v1", "containers", &container, "files", &id, "content"]);
        let bytes = client.download(address.as_str()).await.map_err(refused)?;
        let told = |e: std::io::Error| Failure::Refused(format!("cannot write {}: {e}", target.display()));
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent).map_err(told)?;
        }
        std::fs::write(&target, &bytes).map_err(told)?;
        if json {
            print::line(&json!({ "id": id, "path": target.display().to_string(), "bytes": bytes.len() }), out)?;
        } else {
            out.line(format!("{}  {}", target.display(), crate::text::bytes(bytes.len() as u64)))?;
        }
        written.push(target);
    }
    Ok(())
}
