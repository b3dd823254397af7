//! The Live screen: the calls of real agents as they arrive, the one that is held, and what it would be answered.

mod rows;
mod wishes;

pub use rows::{facts, rows, title};
pub use wishes::{act, answer_given, chosen, deadline_given, edited, rules_given, text_given};

use crate::episode::Episode;
use crate::live::{Event, Holding, Seen, What};
use crate::task::{Call, Task};
use crate::text;
use crate::theme::Scope;
use crate::tui::model::{Model, Pane};
use crate::tui::msg::Effect;
use crate::tui::overlays::pick::Copyable;
use crate::tui::update;
use crate::tui::widgets::list::Move;
use crate::tui::widgets::outline::Outline;
use crate::value::Value;
use std::collections::VecDeque;
use std::sync::Arc;

/// Most refusals kept of an episode.
const MOST_REFUSED: usize = 50;

/// A live episode, as it is when the screen opens.
#[derive(Debug, Clone)]
pub struct Opened {
    /// Its name.
    pub name: String,
    /// The task.
    pub task: Arc<Task>,
    /// The address of its MCP endpoint.
    pub mcp: String,
    /// What its routes begin with, where its document has them.
    pub routes: Option<String>,
    /// The run folder.
    pub folder: String,
    /// The calls it has already.
    pub calls: Vec<Call>,
}

/// A live episode on the screen.
#[derive(Debug, Clone)]
pub(super) struct Followed {
    opened: Opened,
    /// Its calls, played again here.
    episode: Episode,
    /// Who joined last, and on which connection.
    caller: Option<(String, String)>,
    /// What was refused, the newest last.
    refused: VecDeque<String>,
    /// The numbers of the calls that were held, with what came of each.
    touched: Vec<(usize, &'static str)>,
    /// The verdict, and the folder, once it ended.
    ended: Option<String>,
}

/// What the Live screen knows.
#[derive(Debug, Clone, Default)]
pub struct HubScreen {
    episodes: Vec<Followed>,
    /// An entry an episode; none before the first report.
    holding: Vec<Holding>,
    /// The episode that is shown.
    at: usize,
    /// The clients found on this machine.
    clients: Vec<&'static str>,
    /// The selected call's arguments and answer.
    shown: Option<Shown>,
    /// An edit that was not sent, because its call was let go.
    draft: Option<(Call, Value)>,
    /// An answer that breaks the output schema: sent when it is given again.
    confirm: Option<String>,
}

/// A call as it is shown.
#[derive(Debug, Clone)]
struct Shown {
    /// Its number, from 1, and whether it is held.
    key: (usize, bool),
    arguments: Outline,
    answer: Outline,
}

/// What a row of the list of calls is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// Another live episode, by its place.
    Episode(usize),
    /// A call made, by its index.
    Made(usize),
    /// The call that is held.
    Held,
    /// Calls that wait behind it.
    Waiting,
    /// A line to read.
    Words,
}

impl HubScreen {
    /// The screen of a hub, with the clients found on this machine.
    pub fn new(opened: Vec<Opened>, clients: Vec<&'static str>) -> Self {
        let followed = |opened: Opened| {
            let mut episode = Episode::new(opened.task.clone());
            for call in &opened.calls {
                episode.make(call.clone());
            }
            let (caller, ended) = (None, None);
            Followed { opened, episode, caller, refused: VecDeque::new(), touched: Vec::new(), ended }
        };
        Self { episodes: opened.into_iter().map(followed).collect(), clients, ..Self::default() }
    }

    /// Whether there is a hub.
    pub fn is_open(&self) -> bool {
        !self.episodes.is_empty()
    }

    fn now(&self) -> Option<&Followed> {
        self.episodes.get(self.at)
    }

    /// What the shown episode holds.
    fn holding(&self) -> Option<&Holding> {
        self.holding.get(self.at)
    }

    /// The header's badge: how many calls are held, in all episodes.
    pub fn badge(&self) -> Option<String> {
        let held = self.holding.iter().filter(|holding| holding.held.is_some()).count();
        (held > 0).then(|| format!("{} held", text::count(held, "call")))
    }
}

/// The effects that the screen begins with.
pub fn start(model: &mut Model) -> Vec<Effect> {
    if !model.hub.is_open() {
        return Vec::new();
    }
    let id = model.next_job();
    vec![Effect::FollowHub { id }]
}

/// Calls arrived, were held or let go. Whoever stands at the end of the list stays at its end, and a call that is held comes
/// to the front.
pub fn seen(model: &mut Model, seen: Seen) -> Vec<Effect> {
    let entries = rows::entries(&model.hub);
    let at = model.cursor(Pane::Arrivals).at;
    let before = entries.get(at).copied();
    let at_end = at + 1 >= entries.len() || matches!(before, Some(Entry::Held | Entry::Waiting | Entry::Words));
    for Event { episode, what } in seen.events {
        if let Some(followed) = model.hub.episodes.iter_mut().find(|followed| followed.opened.name == episode) {
            followed.take(what);
        }
    }
    model.hub.holding = seen.holding;
    let entries = rows::entries(&model.hub);
    let held = entries.iter().position(|entry| *entry == Entry::Held);
    let made = entries.iter().rposition(|entry| matches!(entry, Entry::Made(_)));
    let to = match before {
        Some(entry) if !at_end => entries.iter().position(|other| *other == entry),
        _ => held.or(made),
    };
    model.cursor_mut(Pane::Arrivals).at = to.unwrap_or_default();
    settle(model, Pane::Arrivals);
    if at_end { update::move_in(model, Pane::Arrivals, Move::Up(0)) } else { Vec::new() }
}

impl Followed {
    fn take(&mut self, what: What) {
        match what {
            What::Joined { connection, caller } => self.caller = Some((caller, connection)),
            What::Call { tool, arguments, .. } => {
                self.episode.make(Call { tool: tool.as_str().into(), arguments });
            }
            What::Refused { why } => {
                self.refused.push_back(why);
                if self.refused.len() > MOST_REFUSED {
                    self.refused.pop_front();
                }
            }
            What::Let { number, outcome } => self.touched.push((number, outcome.word())),
            What::Ended { label, folder, .. } => self.ended = Some(format!("{label}  {folder}")),
            What::Held { .. } | What::Rules => {}
        }
    }
}

/// After the selection may have moved: the call it stands on is shown.
pub fn settle(model: &mut Model, _pane: Pane) {
    let hub = &model.hub;
    let entry = rows::entries(hub).get(model.cursor(Pane::Arrivals).at).copied();
    let made = match entry {
        Some(Entry::Made(at)) => {
            hub.now().and_then(|now| Some(((at + 1, false), now.episode.calls().get(at)?.as_ref())))
        }
        Some(Entry::Held | Entry::Waiting | Entry::Words) | None => {
            hub.holding().and_then(|holding| holding.held.as_ref()).map(|(held, _)| ((held.number, true), &held.made))
        }
        Some(Entry::Episode(_)) => None,
    };
    let shown = made.map(|(key, made)| Shown {
        key,
        arguments: Outline::new(made.call.arguments.clone()),
        answer: Outline::new(made.outcome.answer.value.clone()),
    });
    if model.hub.shown.as_ref().map(|shown| shown.key) != shown.as_ref().map(|shown| shown.key) {
        model.hub.shown = shown;
        model.cursor_mut(Pane::Arrival).at = 0;
    }
}

/// What the header calls this screen's subject.
pub fn name(model: &Model) -> Option<String> {
    let now = model.hub.now()?;
    Some(format!("live {}  {} seed {}", now.opened.name, now.opened.task.arm, now.opened.task.seed))
}

/// What the status line says.
pub fn status(model: &Model) -> Option<(Scope, String)> {
    let now = model.hub.now()?;
    if let Some(ended) = &now.ended {
        return Some((Scope::Strong, format!("ended: {ended}")));
    }
    match model.hub.holding().and_then(|holding| holding.held.as_ref()) {
        Some((held, _)) => Some((Scope::Warn, format!("! call {} is held (rule {})", held.number, held.rule))),
        None => {
            let progress = crate::engine::explain::progress(&now.opened.task, &now.episode.state());
            Some((Scope::Text, format!("in progress: {progress}")))
        }
    }
}

/// What can be copied here.
pub fn copies(model: &Model) -> Vec<Copyable> {
    let Some(now) = model.hub.now() else { return Vec::new() };
    let mut copies = vec![
        Copyable::new("request", &now.opened.task.request),
        Copyable::new("system prompt", &now.opened.task.system_prompt),
        Copyable::new("MCP URL", &now.opened.mcp),
        Copyable::new("stdio command", format!("rehearsal mcp --join {}", now.opened.name)),
    ];
    copies.extend(now.opened.routes.as_ref().map(|routes| Copyable::new("base URL of the routes", routes)));
    if let Some(shown) = &model.hub.shown {
        copies.push(Copyable::json("arguments", shown.arguments.value()));
        copies.push(Copyable::json("answer", shown.answer.value()));
    }
    copies
}
