//! `rehearsal serve`: tool files as harnesses over the Unified Harness Protocol.

use super::output::Output;
use super::set::{self, Loaded, Origin};
use super::{Failure, SetFlags, open};
use crate::settings::example;
use crate::task::Dial;
use crate::text;
use crate::tui;
use crate::tui::screens::served::{ServedBase, ServedScreen};
use crate::uhp::server::house::{House, Served};
use crate::uhp::server::{App, Config, Note, NoteKind, Principal, check_address, random_key, serve};
use crate::work::served::Serving;
use crate::work::{self, OpenRequest};
use clap::Args;
use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Most faults that wait to be shown.
const MOST_FAULTS: usize = 256;

/// Name of the principal of a key that is given without one.
const ONLY: &str = "default";

/// Serve tool files as harnesses over the Unified Harness Protocol (2026-09-12 and 2026-08-11, class full).
#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  \
        rehearsal serve\n  \
        REHEARSAL_KEY=a-secret rehearsal serve examples/hotel/hotel.mcp.json \\\n    \
        --key-env REHEARSAL_KEY\n  \
        ANN_KEY=her-secret BOB_KEY=his-secret rehearsal serve \\\n    \
        examples/orders/orders.openai.json examples/hotel/hotel.mcp.json \\\n    \
        --key-env ann=ANN_KEY --key-env bob=BOB_KEY --state ./state",
    after_help = "A task's input may name a planned task (faults:f2 seed 0, task 3) or be its request; metadata arm, seed and \
                  task do too, and win. Anything else plays the planned task at the session's turn. Done as they say:\n  \
                  Reply with exactly: TEXT\n  Count slowly from A to B\n  Create a file named NAME containing exactly: TEXT\n  \
                  Reply with only the secret token from the attached file.\n\n\
                  Bounds beyond the flags: headers of a request 64 KiB, in 30 s; JSON bodies 32 MiB, in 120 s; a reader that takes \
                  nothing for 60 s is let go; connections 4,096 at once; a task's log 20,000 events and 16 MiB; 1,000 files a \
                  session; 1,000 harnesses and 256 MiB of uploads a key; 10,000 sessions (the longest unused are forgotten \
                  first); 100,000 idempotency keys for 24 hours; 64 files an input."
)]
pub struct ServeArgs {
    /// Tool files, each a harness, the first the default; without any, the example that comes with the program.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where to listen; beyond this machine only with --key-env.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8790")]
    listen: String,
    /// The environment variable that holds the bearer key (repeatable as NAME=VAR: who has another key sees other
    /// objects). Without it a key is made and printed once.
    #[arg(long, value_name = "[NAME=]VAR")]
    key_env: Vec<String>,
    /// Keep harnesses, sessions, responses, files and idempotency keys in this folder across restarts.
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Milliseconds between two events of a task.
    #[arg(long, value_name = "MS", default_value_t = 120)]
    pace: u64,
    /// Run the default instead of refusing a model that is none, and say so in the response.
    #[arg(long)]
    substitute: bool,
    /// What download addresses begin with, when the server is reached through another address.
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Seconds of silence after which a stream says that it is alive (1 to 30).
    #[arg(long, value_name = "S", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=30))]
    keep_alive: u64,
    /// Largest upload, inline file and artifact, in bytes (at most 24 MiB).
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20, value_parser = clap::value_parser!(u64).range(1..=24 << 20),
          help_heading = "Bounds")]
    max_file: u64,
    /// Tasks that run at once; beyond, 503.
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u64).range(1..=4_096),
          help_heading = "Bounds")]
    max_tasks: u64,
    /// Streams open at once; beyond, 429.
    #[arg(long, value_name = "N", default_value_t = 2_048, value_parser = clap::value_parser!(u64).range(1..=65_536),
          help_heading = "Bounds")]
    max_streams: u64,
    /// Longest run of a task, in seconds; it then ends incomplete.
    #[arg(long, value_name = "S", default_value_t = 3_600, value_parser = clap::value_parser!(u64).range(1..=86_400),
          help_heading = "Bounds")]
    max_seconds: u64,
    /// MiB kept of sessions with their tasks and files; the longest unused are forgotten first.
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=65_536),
          help_heading = "Bounds")]
    max_kept: u64,
    /// Draw the tasks as they run instead of logging lines; any of them opens and is stepped.
    #[arg(long)]
    screen: bool,
    /// How the tool files are read.
    #[command(flatten)]
    set: SetFlags,
}

/// Runs the command until Ctrl-C or SIGTERM.
pub(super) fn run(args: &ServeArgs, out: &mut Output) -> Result<(), Failure> {
    let addresses: Vec<SocketAddr> =
        args.listen.to_socket_addrs().map_err(|e| Failure::Usage(format!("--listen {}: {e}", args.listen)))?.collect();
    for address in &addresses {
        check_address(*address, !args.key_env.is_empty()).map_err(Failure::Refused)?;
    }
    let (principals, made) = principals(&args.key_env, |name| std::env::var(name).ok())?;
    let house = House::new(load(args)?).map_err(Failure::Refused)?;
    if args.screen && !open::has_terminal() {
        return Err(Failure::Usage("--screen draws: run it in a terminal, or leave it out to get lines".to_owned()));
    }
    let (faults, of_faults) = sync_channel(MOST_FAULTS);
    let draws = args.screen;
    let note = move |note: Note| match (draws, note.kind) {
        (false, _) => log(note),
        // More faults than anybody reads are not kept.
        (true, NoteKind::Fault) => drop(faults.try_send(note.text)),
        (true, NoteKind::Began | NoteKind::Ended) => {}
    };
    let app = App::new(config(args, principals), Arc::new(house), note).map_err(Failure::Refused)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()
        .map_err(|e| Failure::Refused(format!("cannot start: {e}")))?;
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind(&addresses[..]))
        .map_err(|e| Failure::Refused(format!("cannot listen on {}: {e}", args.listen)))?;
    if args.screen {
        let address = format!("http://{}", listener.local_addr()?);
        let serving = runtime.spawn(serve(app.clone(), listener));
        let screen = ServedScreen::new(address, made, bases(args, &app)?);
        let of = Serving { app: app.clone(), faults: Arc::new(Mutex::new(of_faults)) };
        let link = tui::Link::Served { screen: Box::new(screen), serving: of };
        let drawn = open::screens(args.files.first().map(PathBuf::as_path), &args.set, None, None, link);
        app.shutdown.cancel();
        // Running tasks are settled before the end; a server that broke has been told of on the screen.
        drop(runtime.block_on(serving));
        runtime.shutdown_timeout(Duration::from_secs(1));
        return drawn;
    }
    let served = runtime.block_on(async {
        let address = listener.local_addr()?;
        out.line(format!("listening on http://{address}"))?;
        for base in &app.bases {
            out.line(format!("  {}  {}", base.id, base.label))?;
        }
        out.flush()?;
        if let Some(key) = made {
            // The one place where a key is shown: it was made a moment ago and is kept nowhere.
            let _ = writeln!(std::io::stderr(), "key for this start: {key}");
        }
        let stop = app.shutdown.clone();
        tokio::spawn(async move {
            asked_to_stop().await;
            stop.cancel();
        });
        serve(app.clone(), listener).await.map_err(|e| Failure::Refused(format!("the server stopped: {e}")))
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

/// Each base with how its tool file is opened; the example is opened by itself.
fn bases(args: &ServeArgs, app: &App) -> Result<Vec<ServedBase>, Failure> {
    let request = |path: &PathBuf| -> Result<OpenRequest, Failure> {
        let resolved = set::resolve(path, &args.set)?;
        let origin = work::Origin::File(path.clone());
        Ok(OpenRequest { origin, read: resolved.read_options(), plan: resolved.plan_settings() })
    };
    let one = |(n, base): (usize, &crate::uhp::server::stage::Base)| {
        let tools = args.files.get(n).filter(|path| !set::is_stdin(path)).map(request).transpose()?;
        Ok(ServedBase { id: base.id.clone(), label: base.label.clone(), tools })
    };
    app.bases.iter().enumerate().map(one).collect()
}

fn config(args: &ServeArgs, principals: Vec<Principal>) -> Config {
    let mut config = Config::new(principals);
    config.pace = Duration::from_millis(args.pace);
    config.keep_alive = Duration::from_secs(args.keep_alive);
    config.substitute = args.substitute;
    config.public_url = args.public_url.as_ref().map(|u| u.trim_end_matches('/').to_owned());
    config.state.clone_from(&args.state);
    config.limits.file_bytes = usize::try_from(args.max_file).unwrap_or(usize::MAX);
    config.limits.tasks = usize::try_from(args.max_tasks).unwrap_or(usize::MAX);
    config.limits.streams = usize::try_from(args.max_streams).unwrap_or(usize::MAX);
    config.limits.task_time = Duration::from_secs(args.max_seconds);
    config.limits.kept_bytes = usize::try_from(args.max_kept << 20).unwrap_or(usize::MAX);
    config
}

/// The principals of `--key-env`, or one with a key made for this start, which is given back to be shown.
fn principals(
    named: &[String],
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(Vec<Principal>, Option<String>), Failure> {
    if named.is_empty() {
        let key = random_key().map_err(|e| Failure::Refused(format!("cannot make a key: {e}")))?;
        return Ok((vec![Principal { name: ONLY.into(), key: key.clone() }], Some(key)));
    }
    let mut principals: Vec<Principal> = Vec::new();
    for flag in named {
        let (name, var) = flag.split_once('=').unwrap_or((ONLY, flag));
        let key = variable(var).unwrap_or_default();
        if key.trim().is_empty() || key.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(Failure::Usage(format!(
                "--key-env {flag}: {var} holds no key; set it to a word without spaces"
            )));
        }
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(Failure::Usage(format!("--key-env {flag}: the name before = is empty or not printable")));
        }
        if principals.iter().any(|p| &*p.name == name) {
            return Err(Failure::Usage(format!(
                "--key-env {flag}: {name} has a key already; name each, as in ann=VAR"
            )));
        }
        if principals.iter().any(|p| p.key == key) {
            return Err(Failure::Usage(format!("--key-env {flag}: another name has the same key")));
        }
        principals.push(Principal { name: name.into(), key });
    }
    Ok((principals, None))
}

fn load(args: &ServeArgs) -> Result<Vec<Served>, Failure> {
    if args.files.is_empty() {
        return Ok(vec![served(set::example(&args.set)?, None)]);
    }
    args.files
        .iter()
        .map(|path| {
            let measure = set::resolve(path, &args.set)?.measure.map(|m| m.value);
            let measure = measure.map(|m| (m.dial, m.levels.and_then(|levels| levels.first().copied())));
            Ok(served(set::load(path, &args.set)?, measure))
        })
        .collect()
}

fn served(loaded: Loaded, measure: Option<(Dial, Option<u32>)>) -> Served {
    for note in &loaded.notes {
        let _ = writeln!(std::io::stderr(), "rehearsal: {}", text::safe(note));
    }
    let stem = match &loaded.origin {
        Origin::File(path) => stem(path),
        Origin::Example => stem(Path::new(example::NAME)),
        Origin::Stdin => "stdin".to_owned(),
    };
    Served { stem, reading: loaded.reading, settings: loaded.settings, seeds: loaded.seeds, measure }
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "tools".to_owned(), |s| text::safe(&s.to_string_lossy()).into_owned())
}

/// One line on stderr with the time of day (UTC).
fn log(note: Note) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()) % 86_400;
    let (h, m, s) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let kind = match note.kind {
        NoteKind::Began => "began",
        NoteKind::Ended => "ended",
        NoteKind::Fault => "fault",
    };
    // A log that cannot be written is no reason to stop serving.
    let _ = writeln!(std::io::stderr(), "{h:02}:{m:02}:{s:02} {kind} {}", text::safe(&note.text));
}

/// Waits for Ctrl-C or SIGTERM.
pub(super) async fn asked_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut term) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = term.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_from_the_environment_each_with_its_name() {
        let env = |name: &str| match name {
            "A" => Some("key-a".to_owned()),
            "B" => Some("key-b".to_owned()),
            "EMPTY" => Some(" ".to_owned()),
            _ => None,
        };
        let made = |flags: &[&str]| principals(&flags.iter().map(ToString::to_string).collect::<Vec<_>>(), env);
        let (two, none) = made(&["ann=A", "bob=B"]).unwrap();
        assert_eq!(
            two.iter().map(|p| (&*p.name, p.key.as_str())).collect::<Vec<_>>(),
            [("ann", "key-a"), ("bob", "key-b")]
        );
        assert!(none.is_none());
        assert_eq!(&*made(&["A"]).unwrap().0[0].name, ONLY);
        for bad in [&["EMPTY"][..], &["NONE"], &["A", "B"], &["x=A", "y=A"], &["=A"]] {
            assert!(made(bad).is_err(), "{bad:?}");
        }
        let (random, shown) = made(&[]).unwrap();
        assert_eq!(Some(&random[0].key), shown.as_ref());
    }
}
