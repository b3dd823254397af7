//! Live episodes of this crate, opened in a folder of their own.

use rehearsal::live::{Hub, HubConfig, LiveEpisode, Opening, Routes};
use rehearsal::mcp::Announce;
use rehearsal::plan::{PlanSettings, Planner};
use rehearsal::run::LiveRequest;
use rehearsal::task::{Arm, Task};
use rehearsal::toolfile::{ReadOptions, Source};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub const HOTEL: &str = "examples/hotel/hotel.mcp.json";

/// What opens an episode of a task, if the file offers it.
pub fn opening(file: &Path, arm: &str, seed: u64) -> Option<Opening> {
    let bytes = std::fs::read(file).unwrap();
    let source = Source::new(&bytes);
    let options = ReadOptions { name: "set".into(), ..ReadOptions::default() };
    let reading = Arc::new(source.read(&options));
    let settings = PlanSettings::default();
    let planner = Planner::new(reading.clone(), settings.clone()).unwrap();
    let task: Arc<Task> = Arc::new(planner.plan(Arm::parse(arm).unwrap(), seed).ok()?);
    let document = source.document().unwrap().clone();
    let request = LiveRequest { reading, file: file.to_owned(), options, settings, task };
    Some(Opening { request, bytes: bytes.into(), document, announce: Announce::Fitting, share: false })
}

pub fn open(opening: &Opening, folder: &Path) -> LiveEpisode {
    LiveEpisode::open(opening, folder, &rehearsal::live::new_name().unwrap(), |_| ()).unwrap()
}

/// A hub of one episode on a port of its own.
pub struct Served {
    pub hub: Arc<Hub>,
    pub mcp: String,
    pub routes: Option<String>,
    pub folder: tempfile::TempDir,
    serving: tokio::task::JoinHandle<()>,
}

pub async fn serve(opening: &Opening) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let episode = open(opening, &folder.path().join("run"));
    let name = episode.name().to_owned();
    let routes = Routes::of(episode.task(), &opening.request.reading, &opening.document.root);
    let hub = Hub::new(vec![(episode, routes)], HubConfig { key: None, loopback: true });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (mcp, routes) = hub.addresses(&format!("http://{}", listener.local_addr().unwrap()), &name);
    let of = hub.clone();
    let serving = tokio::spawn(async move { of.serve(listener).await });
    Served { hub, mcp, routes, folder, serving }
}

impl Served {
    /// Ends the episode and gives its run folder.
    pub async fn end(self) -> (tempfile::TempDir, PathBuf) {
        self.hub.shutdown.cancel();
        self.serving.await.unwrap();
        for (name, label) in self.hub.end().await {
            label.unwrap_or_else(|why| panic!("{name}: {why}"));
        }
        let run = self.folder.path().join("run");
        (self.folder, run)
    }
}

/// The record of a run of one episode.
pub fn record(run: &Path) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(run.join("episodes.jsonl")).unwrap()).unwrap()
}
