//! Jobs the screens start: their reports come back as messages.

use super::watch::{Stamp, Watch};
use crate::live::{Watching, Wish};
use crate::tui::msg::Msg;
use crate::uhp::client::Client;
use crate::uhp::client::replay::GroundRequest;
use crate::work::remote::{self, Ask, Told};
use crate::work::served::{self, Serving};
use crate::work::{self, JobId, OpenRequest, PlanRequest, ResumeRequest, SidesRequest, Source, TurnRequest, job};
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedSender;

/// Opens a file, or reads one again whose bytes are parsed already.
pub(super) fn open(
    id: JobId,
    request: OpenRequest,
    source: Option<Arc<Source>>,
    watch: Watch,
    send: &UnboundedSender<Msg>,
) {
    let report = sender(send, move |report| Msg::Opened(id, report));
    let cancel = job::spawn("open", report, move |control| match source {
        Some(source) => work::reread(&request, source, control),
        None => {
            // As it is before it is read: what changes while it is read is a change.
            let file = request.origin.path().map(|path| (path.to_owned(), Stamp::of(path)));
            let opened = work::open(&request, control);
            if !control.is_cancelled() {
                watch.set(file);
            }
            opened
        }
    });
    drop(send.send(Msg::Started(id, cancel)));
}

/// Plans a task.
pub(super) fn plan(id: JobId, request: PlanRequest, send: &UnboundedSender<Msg>) {
    let report = sender(send, move |report| Msg::Planned(id, report));
    let cancel = job::spawn("plan", report, move |control| work::plan(&request, control));
    drop(send.send(Msg::Started(id, cancel)));
}

/// Asks a server something.
pub(super) fn remote(id: JobId, ask: Ask, client: Option<&Client>, send: &UnboundedSender<Msg>) {
    let tell = {
        let send = send.clone();
        move |told: Told| drop(send.send(Msg::Remote(id, told)))
    };
    let Some(client) = client.cloned() else { return tell(Told::Failed("there is no server to ask".to_owned())) };
    let broken = tell.clone();
    let report = move |report| {
        if let job::Report::Failed(line) = report {
            broken(Told::Failed(line));
        }
    };
    let cancel = job::spawn("remote", report, move |control| remote::perform(&client, ask, control, &tell));
    drop(send.send(Msg::Started(id, cancel)));
}

/// Watches the tasks of our own server.
pub(super) fn watch(id: JobId, serving: Option<&Serving>, send: &UnboundedSender<Msg>) {
    let Some(serving) = serving.cloned() else { return };
    let tell = send.clone();
    let work = move |control: &job::Control| {
        served::watch(&serving, control, &|seen| drop(tell.send(Msg::Served(seen))));
    };
    // A watch that breaks is only missed: the server goes on.
    let cancel = job::spawn("watch", |_| {}, work);
    drop(send.send(Msg::Started(id, cancel)));
}

/// Follows the live episodes of this process.
pub(super) fn follow_hub(id: JobId, hub: Option<&Watching>, send: &UnboundedSender<Msg>) {
    let Some(hub) = hub.cloned() else { return };
    let tell = send.clone();
    let work = move |control: &job::Control| {
        hub.follow(&|| control.is_cancelled(), &|seen| drop(tell.send(Msg::Hub(seen))));
    };
    // What breaks here is only missed: the episodes go on.
    let cancel = job::spawn("hub", |_| {}, work);
    drop(send.send(Msg::Started(id, cancel)));
}

/// Does something in a live episode: on a thread, since an ending is written down.
pub(super) fn wish(episode: usize, wish: Wish, hub: Option<&Watching>, send: &UnboundedSender<Msg>) {
    let Some(hub) = hub.cloned() else { return };
    let tell = send.clone();
    let work = move |_: &job::Control| {
        if let Err(why) = hub.wish(episode, wish) {
            drop(tell.send(Msg::Unwished(why)));
        }
    };
    job::spawn("wish", |_| {}, work);
}

/// Follows one of them.
pub(super) fn follow(id: JobId, response: String, serving: Option<&Serving>, send: &UnboundedSender<Msg>) {
    let tell = {
        let send = send.clone();
        move |told: Told| drop(send.send(Msg::Remote(id, told)))
    };
    let Some(serving) = serving.cloned() else { return tell(Told::Failed("nothing is served here".to_owned())) };
    let broken = tell.clone();
    let report = move |report| {
        if let job::Report::Failed(line) = report {
            broken(Told::Failed(line));
        }
    };
    let work = move |control: &job::Control| served::follow(&serving, &response, control, &tell);
    let cancel = job::spawn("follow", report, work);
    drop(send.send(Msg::Started(id, cancel)));
}

/// Looks what a response's calls can be replayed on.
pub(super) fn ground(id: JobId, request: GroundRequest, send: &UnboundedSender<Msg>) {
    let report = sender(send, move |report| Msg::Grounded(id, report));
    let cancel = job::spawn("ground", report, move |_| request.find());
    drop(send.send(Msg::Started(id, cancel)));
}

/// Does what the screens about runs, cards and two files ask for.
pub(super) fn ask(id: JobId, ask: work::Ask, send: &UnboundedSender<Msg>) {
    let report = sender(send, move |report| Msg::Told(id, report));
    let cancel = job::spawn("runs", report, move |control| work::ask(ask, control));
    drop(send.send(Msg::Started(id, cancel)));
}

/// Works out what turning a dial would do.
pub(super) fn turn(id: JobId, request: TurnRequest, send: &UnboundedSender<Msg>) {
    let report = sender(send, move |report| Msg::Turned(id, report));
    let cancel = job::spawn("turn", report, move |control| work::turn(&request, control).map(Box::new));
    drop(send.send(Msg::Started(id, cancel)));
}

/// Brings a session back.
pub(super) fn resume(id: JobId, request: ResumeRequest, send: &UnboundedSender<Msg>) {
    let report = sender(send, move |report| Msg::Resumed(id, report));
    let cancel = job::spawn("resume", report, move |control| work::resume(request, control).map(Box::new));
    drop(send.send(Msg::Started(id, cancel)));
}

/// Plays two sides.
pub(super) fn sides(id: JobId, request: SidesRequest, send: &UnboundedSender<Msg>) {
    let report = sender(send, move |report| Msg::Sides(id, report));
    let cancel = job::spawn("sides", report, move |control| work::sides(&request, control).map(Arc::new));
    drop(send.send(Msg::Started(id, cancel)));
}

/// Sends reports as messages. The loop may be gone by then: then nobody listens.
fn sender<T>(
    send: &UnboundedSender<Msg>,
    msg: impl Fn(job::Report<T>) -> Msg + Clone + Send + 'static,
) -> impl Fn(job::Report<T>) + Clone + Send + 'static {
    let send = send.clone();
    move |report| drop(send.send(msg(report)))
}
