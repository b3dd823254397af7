//! The server of the Unified Harness Protocol as the program serves it, in a process of its own at pace 0: tasks a second,
//! the time to the first event of a stream, events a second, and what idle streams cost in memory.
//!
//! `cargo bench --bench uhp`; a number after `--` is how many tasks.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]
use futures_util::future::join_all;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const KEY: &str = "key-of-the-benchmark";

/// Requests at once.
const AT_ONCE: usize = 32;

/// Streams of the latency, one after the other.
const STREAMS: usize = 300;

/// Idle streams.
const IDLE: usize = 1_000;

fn main() {
    let asked = std::env::args().skip(1).find_map(|a| a.parse::<usize>().ok());
    let tasks = asked.unwrap_or(2_000);
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let server = Server::start();
        println!("{:<34} {:>10} {:>14} {:>14}", "", "seconds", "per second", "server's peak");
        server.tasks(tasks).await;
        server.events().await;
        server.latency().await;
        server.idle().await;
    });
}

/// The program, serving its example.
struct Server {
    child: Child,
    base: String,
    client: Client,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rehearsal"))
            .args(["serve", "--listen", "127.0.0.1:0", "--key-env", "UHP_BENCH_KEY", "--pace", "0"])
            .env("UHP_BENCH_KEY", KEY)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let base = lines.find_map(|l| l.unwrap().strip_prefix("listening on ").map(str::to_owned)).unwrap();
        // Whatever else it says is read away, so that it never waits for a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, base, client: Client::new() }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base)).bearer_auth(KEY)
    }

    fn task(&self, input: &str, stream: bool) -> RequestBuilder {
        self.request(Method::POST, "/v1/responses").json(&json!({ "input": input, "stream": stream }))
    }

    /// A field of the server's `/proc/PID/status` in MiB, where the system says it.
    fn memory(&self, field: &str) -> Option<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find_map(|l| l.strip_prefix(field))?;
        line.trim_start_matches(':').split_whitespace().next()?.parse::<f64>().ok().map(|kib| kib / 1024.0)
    }

    fn row(&self, name: &str, n: usize, took: Duration) {
        let seconds = took.as_secs_f64();
        let peak = self.memory("VmHWM").map_or("-".to_owned(), |m| format!("{m:.0} MiB"));
        println!("{name:<34} {seconds:>10.3} {:>14.0} {peak:>14}", n as f64 / seconds);
    }

    /// Episodes run to their end, their answers read whole.
    async fn tasks(&self, tasks: usize) {
        let one = async |n: usize| {
            let answer = self.task(&format!("faults:f2 seed {}", n % 8), false).send().await.unwrap();
            let response: Value = answer.json().await.unwrap();
            assert_eq!(response["status"], "completed");
        };
        // The first of each seed plans its task.
        for n in 0..8 {
            one(n).await;
        }
        let started = Instant::now();
        join_all((0..AT_ONCE).map(async |lane| {
            for n in (lane..tasks).step_by(AT_ONCE) {
                one(n).await;
            }
        }))
        .await;
        self.row(&format!("tasks, {AT_ONCE} at once"), tasks, started.elapsed());
    }

    /// Events of many streams at once, each read to its end.
    async fn events(&self) {
        const LANES: usize = 8;
        let started = Instant::now();
        let read = join_all((0..LANES).map(async |_| {
            let mut answer =
                self.task("Count slowly from 1 to 10000, one number per line.", true).send().await.unwrap();
            let (mut events, mut tail) = (0, Vec::new());
            while let Some(piece) = answer.chunk().await.unwrap() {
                // An event ends in an empty line, which a piece may cut.
                let whole = [&tail[..], &piece[..]].concat();
                events += whole.windows(2).filter(|w| w == b"\n\n").count();
                tail = whole.last().filter(|_| !whole.ends_with(b"\n\n")).copied().into_iter().collect();
            }
            assert!(events > 10_000, "{events}");
            events
        }))
        .await;
        self.row(&format!("events, {LANES} streams at once"), read.iter().sum(), started.elapsed());
    }

    /// From sending a request to its first event, on a connection that is there.
    async fn latency(&self) {
        let mut times = Vec::with_capacity(STREAMS);
        for n in 0..STREAMS {
            let request = self.task(&format!("faults:f2 seed {}", n % 8), true);
            let started = Instant::now();
            let mut answer = request.send().await.unwrap();
            let first = answer.chunk().await.unwrap().unwrap();
            times.push(started.elapsed());
            assert!(first.windows(16).any(|w| w == b"response.created"));
            while answer.chunk().await.unwrap().is_some() {}
        }
        times.sort_unstable();
        let at = |part: usize| format!("{:.2} ms", times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3);
        let (median, late, last) = (at(50), at(99), at(100));
        println!("{:<34} median {median}, 99 of 100 within {late}, slowest {last}", "first event of a stream");
    }

    /// Streams on which nothing happens.
    async fn idle(&self) {
        let harnesses: Value = self.request(Method::GET, "/v1/harnesses").send().await.unwrap().json().await.unwrap();
        let path = format!("/v1/harnesses/{}/events", harnesses["harnesses"][0]["id"].as_str().unwrap());
        let before = self.memory("VmRSS");
        let mut open: Vec<Response> = Vec::new();
        while open.len() < IDLE {
            // A process that may open few files stops here, and the row says how many there were.
            let Ok(mut answer) = self.request(Method::GET, &path).send().await else { break };
            assert_eq!(answer.status().as_u16(), 200);
            answer.chunk().await.unwrap();
            open.push(answer);
        }
        let held = self.memory("VmRSS").zip(before).map_or("-".to_owned(), |(now, before)| {
            let each = (now - before) * 1024.0 / open.len() as f64;
            format!("{:.1} MiB more, {each:.1} KiB each", now - before)
        });
        println!("{:<34} {held}", format!("{} idle streams", open.len()));
    }
}
