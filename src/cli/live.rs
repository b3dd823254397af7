//! `rehearsal live`: planned tasks opened for a real agent.

use super::output::Output;
use super::serve::asked_to_stop;
use super::set::{self, Loaded, Origin};
use super::{Failure, SetArgs, open};
use crate::live::{
    Event, HoldRule, HoldSettings, Hub, HubConfig, LiveEpisode, Opening, Routes, Watching, new_name, parse_time,
};
use crate::mcp::Announce;
use crate::run::{LIVE, LiveRequest, default_folder, is_left, live_name};
use crate::settings::example;
use crate::task::{Arm, Call, Task};
use crate::text;
use crate::tui;
use crate::tui::screens::hub::{HubScreen, Opened};
use crate::uhp::server::check_address;
use crate::value::{Map, Value, canonical};
use clap::Args;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Opens live episodes and prints what to give an agent. Ctrl-C ends them and writes their cards.
#[derive(Debug, Args)]
#[command(
    before_help = "Examples:\n  \
        rehearsal live examples/hotel/hotel.mcp.json --arm landed:l1 --seed 20\n  \
        rehearsal live examples/hotel/hotel.mcp.json --arm faults:f1 \\\n    \
        --arm baddata:b1 --json\n  \
        KEY=a-secret rehearsal live tools.json --listen 0.0.0.0:8791 --key-env KEY",
    after_help = "Each episode is recorded as a run folder with every frame in wire.jsonl and every call in calls.jsonl, written before \
                  the answer leaves. After a kill the same command goes on in that folder, under the same name; opening the \
                  folder instead ends the episode with the calls it has.\n\n\
                  Bounds: frames and bodies 4 MiB, headers 64 KiB, 30 s for a body, 512 connections, 60 s idle."
)]
pub struct LiveArgs {
    /// The tool file and how it is read.
    #[command(flatten)]
    set: SetArgs,
    /// The arm of the task, as in landed:l1 (repeatable: an episode each; default: the first offered).
    #[arg(long, value_name = "ARM")]
    arm: Vec<String>,
    /// The seed (repeatable: an episode each; default: the first of the set's seeds).
    #[arg(long, value_name = "N")]
    seed: Vec<u64>,
    /// Where to listen; beyond this machine only with --key-env.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8791")]
    listen: String,
    /// The environment variable with the bearer key that every HTTP request must carry.
    #[arg(long, value_name = "VAR")]
    key_env: Option<String>,
    /// Let several callers play one episode; without it the first one to call has it.
    #[arg(long)]
    share: bool,
    /// Announce no output schemas.
    #[arg(long)]
    no_output_schema: bool,
    /// Hold calls: TOOL, TOOL.ARG, TOOL.ARG=VALUE, writes, reads, errors, bad-read or all; answer: before it holds at the
    /// answer (repeatable; needs --deadline).
    #[arg(long, value_name = "RULE", value_parser = HoldRule::parse)]
    hold: Vec<HoldRule>,
    /// After how long a caller gives up, as in 50s; a held call is let go shortly before (default: what is known of the caller).
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    deadline: Option<Duration>,
    /// The run folder (default: runs/<set>-live); only for one episode.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &LiveArgs, out: &mut Output) -> Result<(), Failure> {
    let addresses: Vec<SocketAddr> =
        args.listen.to_socket_addrs().map_err(|e| Failure::Usage(format!("--listen {}: {e}", args.listen)))?.collect();
    for address in &addresses {
        check_address(*address, args.key_env.is_some()).map_err(Failure::Refused)?;
    }
    let draws = !args.json && open::has_terminal();
    if !draws && !args.hold.is_empty() && args.deadline.is_none() {
        return Err(Failure::Usage("nobody watches: give --deadline with --hold, as in --deadline 50s".to_owned()));
    }
    let key = args.key_env.as_deref().map(key_of).transpose()?;
    let set = set::load(&args.set.file, &args.set.flags)?;
    let planner = set.planner()?;
    let arms = match args.arm.as_slice() {
        [] => set.arms(&planner)?.into_iter().take(1).collect(),
        words => words.iter().map(|word| super::plan::arm(&planner, word)).collect::<Result<Vec<Arm>, _>>()?,
    };
    let seeds = if args.seed.is_empty() { set.seeds.iter().take(1).copied().collect() } else { args.seed.clone() };
    if args.out.is_some() && arms.len() * seeds.len() != 1 {
        return Err(Failure::Usage("--out names the folder of one episode: leave it out for several".to_owned()));
    }
    let (watch, events) = channel();
    let mut episodes = Vec::new();
    for arm in &arms {
        for seed in &seeds {
            let task = Arc::new(super::plan::task(&planner, *arm, *seed)?);
            let opening = opening(&set, task, args.no_output_schema, args.share)?;
            let watch = watch.clone();
            // Whoever printed may be gone at the end.
            let episode = open_in(&opening, args.out.as_deref(), true, move |event| drop(watch.send(event)))?;
            let routes = Routes::of(episode.task(), &set.reading, &opening.document.root);
            episodes.push((episode, routes));
        }
    }
    drop(watch);
    let loopback = addresses.iter().all(|address| address.ip().is_loopback());
    let config = HubConfig { loopback: loopback && key.is_none(), key };
    serve(args, episodes, config, &addresses, (events, draws), out)
}

fn key_of(variable: &str) -> Result<String, Failure> {
    let key = std::env::var(variable).unwrap_or_default();
    if key.is_empty() || key.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(Failure::Usage(format!("--key-env {variable}: it holds no key; set it to a word without spaces")));
    }
    Ok(key)
}

/// What an episode of a task of a file is opened with.
pub(super) fn opening(set: &Loaded, task: Arc<Task>, silent: bool, share: bool) -> Result<Opening, Failure> {
    let (bytes, file) = match &set.origin {
        Origin::File(path) => (set::read_bytes(path)?, path.clone()),
        Origin::Example => (example::BYTES.to_vec(), PathBuf::from(example::NAME)),
        Origin::Stdin => return Err(Failure::Refused("a live episode names its tool file: give a path".to_owned())),
    };
    if canonical::file_hash(&bytes) != *set.reading.file_hash {
        return Err(Failure::Refused(format!("{} changed just now: start again", set.label)));
    }
    let document = set.source.document().map_err(|e| Failure::Refused(format!("{}: {e}", set.label)))?.clone();
    Ok(Opening {
        request: LiveRequest {
            reading: set.reading.clone(),
            file,
            options: set.options.clone(),
            settings: set.settings.clone(),
            task,
        },
        bytes: bytes.into(),
        document,
        announce: if silent { Announce::Nothing } else { Announce::Fitting },
        share,
    })
}

/// How often another folder is tried when two processes want the same one.
const TRIES: usize = 16;

/// Opens an episode in a folder: the one given, else the next free one of its set; `resume` goes on in one that was left.
pub(super) fn open_in(
    opening: &Opening,
    out: Option<&Path>,
    resume: bool,
    watch: impl Fn(Event) + Send + Sync + Clone + 'static,
) -> Result<LiveEpisode, Failure> {
    let plan = opening.request.plan();
    let mut failed = String::new();
    for _ in 0..TRIES {
        let folder = match out {
            Some(folder) => folder.to_owned(),
            None => {
                let left = |folder: &Path| resume && is_left(folder, &plan);
                default_folder(Path::new("runs"), &opening.request.options.name, LIVE, left)
            }
        };
        let name = match live_name(&folder) {
            Some(name) => name,
            None => new_name().map_err(Failure::Refused)?,
        };
        match LiveEpisode::open(opening, &folder, &name, watch.clone()) {
            Ok(episode) => return Ok(episode),
            Err(why) => failed = why,
        }
        if out.is_some() {
            break;
        }
    }
    Err(Failure::Refused(failed))
}

/// How often printed events are looked for.
const LOOK: Duration = Duration::from_millis(20);

fn serve(
    args: &LiveArgs,
    episodes: Vec<(LiveEpisode, Option<Routes>)>,
    config: HubConfig,
    addresses: &[SocketAddr],
    (events, draws): (Receiver<Event>, bool),
    out: &mut Output,
) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .thread_stack_size(64 << 20)
        .enable_all()
        .build()
        .map_err(|e| Failure::Refused(format!("cannot start: {e}")))?;
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind(addresses))
        .map_err(|e| Failure::Refused(format!("cannot listen on {}: {e}", args.listen)))?;
    let base = format!("http://{}", listener.local_addr()?);
    let about: Vec<About> = episodes.iter().map(|(episode, _)| About::of(episode)).collect();
    let hub = Hub::new(episodes, config);
    for episode in hub.watched() {
        let settings = HoldSettings { rules: args.hold.clone(), everything: false, deadline: args.deadline };
        episode.hold.set(settings).map_err(Failure::Usage)?;
    }
    let guard = runtime.enter();
    #[cfg(unix)]
    hub.listen().map_err(Failure::Refused)?;
    drop(guard);
    let serving = runtime.spawn({
        let hub = hub.clone();
        async move { hub.serve(listener).await }
    });
    if draws {
        let watching = Watching { hub: hub.clone(), events: Arc::new(Mutex::new(events)) };
        let opened = about.into_iter().map(|about| about.opened(&hub, &base)).collect::<Result<Vec<_>, _>>()?;
        let ended = show(args, opened, watching);
        hub.shutdown.cancel();
        // The server ends by itself.
        drop(runtime.block_on(serving));
        let left = runtime.block_on(hub.end());
        runtime.shutdown_timeout(Duration::from_secs(1));
        for (name, label) in left {
            let label = label.map_err(|why| Failure::Refused(format!("{name}: {why}")))?;
            out.line(format!("{name}  ended: {label}"))?;
        }
        return ended;
    }
    for episode in &about {
        episode.print(&hub, &base, args, out)?;
    }
    out.flush()?;
    let stop = hub.shutdown.clone();
    runtime.spawn(async move {
        asked_to_stop().await;
        stop.cancel();
    });
    let print = |out: &mut Output| -> Result<(), Failure> {
        let mut any = false;
        while let Ok(event) = events.try_recv() {
            any = true;
            if args.json {
                out.raw(text::safe_json(&canonical::compact(&event.to_value(), false)).as_bytes())?;
                out.raw(b"\n")?;
            } else {
                out.lines(&event.words())?;
            }
        }
        if any { out.flush() } else { Ok(()) }
    };
    // A reader that went away ends the printing, and the episodes with it.
    let mut printed = Ok(());
    while printed.is_ok() && !hub.shutdown.is_cancelled() {
        std::thread::sleep(LOOK);
        printed = print(out);
    }
    hub.shutdown.cancel();
    // The server ends by itself.
    drop(runtime.block_on(serving));
    let ended = runtime.block_on(hub.end());
    runtime.shutdown_timeout(Duration::from_secs(1));
    if printed.is_ok() {
        print(out)?;
    }
    match ended.into_iter().find_map(|(name, label)| label.err().map(|why| format!("{name}: {why}"))) {
        Some(why) => Err(Failure::Refused(why)),
        None => printed,
    }
}

/// Shows the Live screen until it is left.
fn show(args: &LiveArgs, opened: Vec<Opened>, watching: Watching) -> Result<(), Failure> {
    let screen = Box::new(HubScreen::new(opened, super::connect::found()));
    let link = tui::Link::Live { screen, watching };
    open::screens(Some(&args.set.file), &args.set.flags, None, None, link)
}

/// What is printed of an episode when it opens.
struct About {
    calls: Result<Vec<Call>, String>,
    name: String,
    task: Arc<Task>,
    folder: String,
    made: usize,
    long: Vec<String>,
}

impl About {
    fn of(episode: &LiveEpisode) -> Self {
        Self {
            calls: episode.recorded(),
            name: episode.name().to_owned(),
            task: episode.task().clone(),
            folder: episode.folder().display().to_string(),
            made: episode.made(),
            long: episode.tools().long_names().map(ToString::to_string).collect(),
        }
    }

    /// What the screen begins with.
    fn opened(self, hub: &Hub, base: &str) -> Result<Opened, Failure> {
        let (mcp, routes) = hub.addresses(base, &self.name);
        let calls = self.calls.map_err(Failure::Refused)?;
        Ok(Opened { name: self.name, task: self.task, mcp, routes, folder: self.folder, calls })
    }

    fn print(&self, hub: &Hub, base: &str, args: &LiveArgs, out: &mut Output) -> Result<(), Failure> {
        let (mcp, routes) = hub.addresses(base, &self.name);
        if args.json {
            let value = Map::from([
                ("event", Value::from("open")),
                ("episode", Value::from(&self.name)),
                ("arm", Value::from(self.task.arm.to_string())),
                ("seed", Value::from(self.task.seed)),
                ("task_id", Value::from(&self.task.task_id)),
                ("system_prompt", Value::from(&self.task.system_prompt)),
                ("request", Value::from(&self.task.request)),
                ("mcp_url", Value::from(mcp)),
                ("routes_url", Value::from(routes)),
                ("folder", Value::from(&self.folder)),
                ("calls", Value::from(self.made)),
            ]);
            out.raw(text::safe_json(&canonical::compact(&value.into(), false)).as_bytes())?;
            return out.raw(b"\n");
        }
        out.line(format!("{}  {}  seed {}", self.name, self.task.arm, self.task.seed))?;
        if self.made > 0 {
            out.line(format!("  resumed after {}", text::count(self.made, "call")))?;
        }
        out.line("system prompt:")?;
        out.lines(&self.task.system_prompt)?;
        out.line("request:")?;
        out.lines(&self.task.request)?;
        out.line(format!("MCP over HTTP:  {mcp}"))?;
        out.line(format!("MCP over stdio: rehearsal mcp --join {}", self.name))?;
        if let Some(routes) = routes {
            out.line(format!("its own routes: {routes}"))?;
        }
        out.line(format!("recorded in:    {}", self.folder))?;
        for name in &self.long {
            out.line(format!(
                "! with a client's prefix {name} is longer than 64 characters, which some models refuse"
            ))?;
        }
        out.line("")
    }
}
