//! One frame, from its arrival to its answer: its place in the queue, holding, the record.

use super::hold::{Beat, Held, Kept, Stage};
use super::hub::{OVER, Slot, lock};
use super::stdio::without_episode;
use crate::engine::{Answer, Made};
use crate::mcp::{Headers, Id, Problem, Reaction, Reactions, Reply};
use crate::task::Call;
use crate::value::{Value, canonical};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::OwnedMutexGuard;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

/// Where a frame came from.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    /// The label of the connection.
    pub(super) connection: Arc<str>,
    /// What a cancellation belongs to: the MCP session, else the connection.
    pub(super) session: String,
    /// Who the caller says it is.
    pub(super) client: Option<String>,
    /// After how long it gives up, as its config says.
    pub(super) gives_up: Option<Duration>,
    /// Whether it came over HTTP.
    pub(super) http: bool,
}

impl Origin {
    /// A connection that is not HTTP, before anything is known of its caller.
    pub(super) fn of(connection: &str) -> Self {
        Self {
            connection: connection.into(),
            session: connection.to_owned(),
            client: None,
            gives_up: None,
            http: false,
        }
    }
}

/// What comes back for a frame.
#[derive(Debug)]
pub(super) enum Taken {
    /// This.
    Reply(Reply),
    /// Nothing is wanted, or whoever asked gave up.
    Nothing,
    /// A person decided that it is never answered.
    Never,
}

/// What comes of a call.
#[derive(Debug)]
pub(super) enum Ended {
    /// This answer.
    Answer(Answer),
    /// The task shows no such tool.
    Unknown,
    /// It was not made, and why.
    Refused(String),
    /// A person decided that it is never answered.
    Never,
    /// Its caller gave up.
    GivenUp,
}

/// A place in the queue.
pub(super) enum Place {
    Waits(BoxFuture<'static, OwnedMutexGuard<()>>),
    Has(OwnedMutexGuard<()>),
}

/// A call to make, its turn come.
pub(super) struct Wanted {
    pub(super) call: Call,
    /// When its frame arrived: callers count from there.
    pub(super) arrived: Instant,
    pub(super) cancel: CancellationToken,
    pub(super) beat: Option<Beat>,
}

/// The calls of one frame, each with what a cancellation of it is looked up under.
struct Cancels<'a> {
    slot: &'a Slot,
    calls: Vec<((String, String), CancellationToken)>,
}

impl<'a> Cancels<'a> {
    fn of(slot: &'a Slot, origin: &Origin, reactions: &Reactions) -> Self {
        let key = |reaction: &Reaction| match reaction {
            Reaction::Call { asked, .. } => Some((origin.session.clone(), asked.id().json())),
            _ => None,
        };
        let calls: Vec<_> = reactions.all.iter().filter_map(key).map(|key| (key, CancellationToken::new())).collect();
        lock(&slot.cancels).extend(calls.iter().cloned());
        Self { slot, calls }
    }
}

impl Drop for Cancels<'_> {
    fn drop(&mut self) {
        let mut known = lock(&self.slot.cancels);
        for (key, _) in &self.calls {
            known.remove(key);
        }
    }
}

impl Slot {
    /// Takes a place in the queue. Called while the episode is locked, so that places are taken in the order in which frames
    /// are written down.
    pub(super) fn queue_up(&self) -> Place {
        let mut turn = self.queue.clone().lock_owned().boxed();
        match (&mut turn).now_or_never() {
            Some(turn) => Place::Has(turn),
            None => Place::Waits(turn),
        }
    }

    /// Waits for the turn of a place; nothing when the call is cancelled before.
    pub(super) async fn turn(&self, place: Place, cancel: &CancellationToken) -> Option<OwnedMutexGuard<()>> {
        let turn = match place {
            Place::Has(turn) => return Some(turn),
            Place::Waits(turn) => turn,
        };
        let _waiting = self.hold.wait();
        tokio::select! {
            biased;
            () = cancel.cancelled() => None,
            turn = turn => Some(turn),
        }
    }

    /// Tells of something that was refused.
    pub(super) async fn refused(&self, why: &str) {
        if let Some(live) = self.live.lock().await.as_ref() {
            live.refused(why);
        }
    }

    /// Takes a frame that was read: writes it down, makes its calls when their turn comes, and gives the answer, which is
    /// written down too. `notes` takes the frames of progress notes while a call is held.
    pub(super) async fn take(
        &self,
        origin: &Origin,
        frame: &[u8],
        reactions: Reactions,
        headers: Option<&Headers>,
        notes: Option<UnboundedSender<String>>,
    ) -> Taken {
        let arrived = Instant::now();
        let reply = |reply: Option<Reply>| reply.map_or(Taken::Nothing, Taken::Reply);
        let cancels = Cancels::of(self, origin, &reactions);
        let place = {
            let mut live = self.live.lock().await;
            let Some(live) = live.as_mut() else {
                return reply(without_episode(reactions, &Problem::unreachable(OVER)));
            };
            if let Err(why) = live.arrived(origin, frame) {
                return reply(live.unrecorded(reactions, &why));
            }
            cancels.calls.first().map(|(_, first)| (self.queue_up(), first.clone()))
        };
        let mut turn = None;
        if let Some((place, first)) = place {
            turn = self.turn(place, &first).await;
            if turn.is_none() {
                self.refused("the caller gave up while the call waited for its turn").await;
                return Taken::Nothing;
            }
        }
        let batch = reactions.batch;
        let mut tokens = cancels.calls.iter().map(|(_, token)| token.clone());
        let (mut answers, mut never) = (Vec::new(), false);
        for reaction in reactions.all {
            let token = matches!(reaction, Reaction::Call { .. }).then(|| tokens.next()).flatten();
            let reaction = match headers {
                Some(headers) => reaction.with_headers(&self.task, headers),
                None => reaction,
            };
            match reaction {
                Reaction::Cancel(id) => self.cancel(&origin.session, &id),
                Reaction::Nothing => {}
                Reaction::Answer(answer) => {
                    if answer.tells_error() {
                        self.refused(&answer.text).await;
                    }
                    answers.push(answer);
                }
                Reaction::List(asked) => answers.push(asked.list(self.tools.json())),
                Reaction::Call { asked, tool, arguments, progress } => {
                    let beat = notes.clone().zip(progress).map(|(notes, token)| beat(notes, &token));
                    let call = Call { tool: tool.as_str().into(), arguments };
                    let wanted = Wanted { call, arrived, cancel: token.unwrap_or_default(), beat };
                    match self.play(origin, wanted).await {
                        Ended::Answer(answer) => answers.push(asked.answered(&answer, self.tools.announces(&tool))),
                        Ended::Unknown => answers.push(asked.unknown_tool(&tool)),
                        Ended::Refused(why) => answers.push(asked.refused(&Problem::unreachable(why))),
                        Ended::Never => never = true,
                        Ended::GivenUp => {}
                    }
                }
            }
        }
        drop(turn);
        match Reactions::together(batch, answers) {
            Some(answer) => {
                if let Some(live) = self.live.lock().await.as_mut() {
                    live.left(&origin.connection, &answer);
                }
                Taken::Reply(answer)
            }
            None if never => Taken::Never,
            None => Taken::Nothing,
        }
    }

    /// Gives up a call that is not answered yet.
    fn cancel(&self, session: &str, id: &Id) {
        if let Some(call) = lock(&self.cancels).get(&(session.to_owned(), id.json())) {
            call.cancel();
        }
    }

    /// Makes a call whose turn has come, held where a rule says so.
    pub(super) async fn play(&self, origin: &Origin, wanted: Wanted) -> Ended {
        let mut call = wanted.call.clone();
        let caller = origin.client.as_deref();
        let holds = !self.hold.passes() && self.hold.is_on();
        if holds {
            let preview = match self.live.lock().await.as_ref() {
                Some(live) => live.preview(&call, caller),
                None => Err(OVER.to_owned()),
            };
            let (number, outcome) = match preview {
                Ok(preview) => preview,
                Err(why) => return Ended::Refused(why),
            };
            match self.held(Stage::Call, number, Made { call: call.clone(), outcome }, origin, &wanted).await {
                Kept::On(None) => {}
                Kept::On(Some(arguments)) => call.arguments = arguments,
                Kept::Instead(answer) => return Ended::Answer(answer),
                Kept::Never => return Ended::Never,
                Kept::GivenUp => return Ended::GivenUp,
            }
        }
        let made = match self.live.lock().await.as_mut() {
            Some(live) => live.call(&call, caller).map(|outcome| outcome.map(|outcome| (live.made(), outcome))),
            None => Err(OVER.to_owned()),
        };
        let (number, outcome) = match made {
            Ok(Some(made)) => made,
            Ok(None) => return Ended::Unknown,
            Err(why) => return Ended::Refused(why),
        };
        let answer = outcome.answer.clone();
        if !holds {
            return Ended::Answer(answer);
        }
        match self.held(Stage::Answer, number, Made { call, outcome }, origin, &wanted).await {
            Kept::On(None) => Ended::Answer(answer),
            Kept::On(Some(text)) => Ended::Answer(edited(answer, &text)),
            Kept::Instead(answer) => Ended::Answer(answer),
            Kept::Never => Ended::Never,
            Kept::GivenUp => Ended::GivenUp,
        }
    }

    /// Holds a call at a stage, where a rule says so.
    async fn held(&self, stage: Stage, number: usize, made: Made, origin: &Origin, wanted: &Wanted) -> Kept {
        let Some(rule) = self.hold.rule(stage, &made.call, &made.outcome) else { return Kept::On(None) };
        let deadline = self.hold.deadline(origin.gives_up, origin.client.as_deref(), origin.http);
        let arrived = wanted.arrived;
        let held = Held {
            number,
            stage,
            made,
            rule,
            caller: origin.client.clone(),
            since: Instant::now(),
            arrived,
            lets_go: arrived + deadline.lets_go_after(),
            deadline,
        };
        self.hold.keep(held, &wanted.cancel, wanted.beat.clone()).await
    }
}

/// Sends progress notes of a token.
fn beat(notes: UnboundedSender<String>, token: &Value) -> Beat {
    let token = canonical::compact(token, false);
    Arc::new(move |n| {
        let params = format!(r#"{{"progressToken":{token},"progress":{n},"message":"held"}}"#);
        // A caller that went away takes no notes.
        let _ = notes.send(format!(r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{params}}}"#));
    })
}

/// An answer with another text: whether it is an error stays.
fn edited(answer: Answer, text: &Value) -> Answer {
    let text = text.as_str().unwrap_or_default();
    let value = Value::parse_json(text).unwrap_or_else(|_| text.into());
    let structured = answer.structured.is_some() && value.as_object().is_some();
    Answer { text: text.into(), structured: structured.then(|| value.clone()), value, ..answer }
}
