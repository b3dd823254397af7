//! Auto-play: the calls of the reference solution at a speed, as for people who watch.

use crate::engine::Ending;
use crate::episode::{Stop, Until, stop};
use crate::theme::Scope;
use crate::tui::action::Action;
use crate::tui::model::{Model, Screen};
use crate::tui::msg::Effect;
use crate::work::JobId;
use std::time::Duration;

/// Seconds between two calls, from the slowest to the fastest.
const PAUSES: [f64; 7] = [8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.1];
/// Where the speed begins: a call a second.
const FIRST: usize = 3;

/// How it plays.
#[derive(Debug, Clone, Copy)]
pub struct Playing {
    /// The beat that is waited for; others are stale.
    beat: Option<JobId>,
    /// The speed, by its place among them.
    speed: usize,
}

impl Default for Playing {
    fn default() -> Self {
        Self { beat: None, speed: FIRST }
    }
}

impl Playing {
    /// Whether it plays.
    pub fn is_on(self) -> bool {
        self.beat.is_some()
    }

    fn pause(self) -> Duration {
        Duration::from_secs_f64(PAUSES[self.speed])
    }

    /// The speed: "1 call every 2 s", "4 calls a second".
    fn words(self) -> String {
        match PAUSES[self.speed] {
            1.0 => "1 call a second".to_owned(),
            pause if pause > 1.0 => format!("1 call every {pause} s"),
            pause => format!("{} calls a second", (1.0 / pause).round()),
        }
    }
}

/// Plays or pauses.
pub(super) fn toggle(model: &mut Model) -> Vec<Effect> {
    if pause(model) {
        return Vec::new();
    }
    let Some(episode) = &model.step.episode else { return Vec::new() };
    if episode.ending() != Ending::Open {
        super::travel::ended(model);
        return Vec::new();
    }
    // The first call is made at once.
    next(model)
}

/// Pauses; says whether it played.
pub(super) fn pause(model: &mut Model) -> bool {
    let was = model.step.playing.beat.take().is_some();
    if was {
        let key = model.keymap.key(Action::Play).unwrap_or_default();
        model.say(Scope::Notice, format!("paused; {key} plays on"));
    }
    was
}

/// Changes the speed by one.
pub(super) fn change(model: &mut Model, faster: bool) -> Vec<Effect> {
    let playing = &mut model.step.playing;
    playing.speed = if faster { (playing.speed + 1).min(PAUSES.len() - 1) } else { playing.speed.saturating_sub(1) };
    let on = playing.is_on();
    model.say(Scope::Notice, format!("speed: {}", model.step.playing.words()));
    if on { wait(model) } else { Vec::new() }
}

/// A beat came.
pub fn beat(model: &mut Model, id: JobId) -> Vec<Effect> {
    if model.step.playing.beat != Some(id) {
        return Vec::new();
    }
    if model.screen != Screen::Step {
        model.step.playing.beat = None;
        return Vec::new();
    }
    // A popup is read in peace.
    if !model.overlays.is_empty() {
        return wait(model);
    }
    next(model)
}

/// Waits for the next beat.
fn wait(model: &mut Model) -> Vec<Effect> {
    let id = model.next_job();
    model.step.playing.beat = Some(id);
    vec![Effect::Beat { id, after: model.step.playing.pause() }]
}

/// Makes the next call, or replies when there is none.
fn next(model: &mut Model) -> Vec<Effect> {
    let step = &mut model.step;
    let Some(episode) = &mut step.episode else { return Vec::new() };
    let Some(made) = episode.advance() else {
        step.playing.beat = None;
        if episode.ending() == Ending::Open && !episode.forward() {
            episode.end(Ending::Reply);
        }
        super::follow(model);
        return Vec::new();
    };
    let stops = stop(&made, Until::End, &step.breakpoints, &step.watches);
    let at = episode.cursor();
    let why = stops.map(|stop: Stop| stop.words(&step.breakpoints, &step.watches));
    if let Some(why) = &why {
        step.stopped.insert(at - 1, (made, why.clone()));
    }
    super::follow(model);
    match why {
        Some(why) => {
            model.step.playing.beat = None;
            model.say(Scope::Notice, format!("stopped at call {at}: {why}"));
            Vec::new()
        }
        None => wait(model),
    }
}

/// What the status line says while it plays.
pub(super) fn status(model: &Model) -> Option<String> {
    let playing = model.step.playing;
    let key = |action| model.keymap.key(action).unwrap_or_default();
    let (slower, faster, pause) = (key(Action::Slower), key(Action::Faster), key(Action::Play));
    playing
        .is_on()
        .then(|| format!("> playing, {}: {slower}/{faster} change the speed, {pause} pauses", playing.words()))
}
