//! Plays of the plain tasks: no episode, only what the input says.

use super::stage::{Cue, Play, Scene};
use crate::uhp::wire::error::Problem;
use crate::uhp::wire::event::Step;
use crate::uhp::wire::plain::{Plain, read, token};
use std::collections::VecDeque;

/// The play of a plain task, when the cue's input is one and its metadata names no planned task.
pub(super) fn open(cue: &Cue) -> Option<Box<dyn Play>> {
    let named = cue.choice.arm.is_some() || cue.choice.seed.is_some() || cue.choice.task.is_some();
    let plain = (!named).then(|| read(&cue.choice.text)).flatten()?;
    let say = |text: String| Scene::Tell(Step::Say(text));
    let scenes = match plain {
        Plain::Count(from, to) => return Some(Box::new(Count { next: Some(from), to })),
        Plain::Reply(text) => VecDeque::from([say(text)]),
        Plain::Create { name, text } => {
            let told = say(format!("Created {name}."));
            VecDeque::from([told, Scene::Write { name, bytes: text.into_bytes() }])
        }
        Plain::Token => {
            let found = cue.attachments.iter().rev().find_map(|a| token(&a.bytes));
            let none = if cue.attachments.is_empty() {
                "No file is attached."
            } else {
                "The attached file holds no token on a line of its own."
            };
            VecDeque::from([say(found.unwrap_or_else(|| none.to_owned()))])
        }
    };
    Some(Box::new(Told(scenes)))
}

/// Scenes known from the start.
struct Told(VecDeque<Scene>);

impl Play for Told {
    fn next(&mut self) -> Result<Option<Scene>, Problem> {
        Ok(self.0.pop_front())
    }
}

/// One number a line, up or down; told one by one, however far it goes.
struct Count {
    next: Option<i64>,
    to: i64,
}

impl Play for Count {
    fn next(&mut self) -> Result<Option<Scene>, Problem> {
        let Some(number) = self.next else { return Ok(None) };
        self.next = match number.cmp(&self.to) {
            std::cmp::Ordering::Less => Some(number + 1),
            std::cmp::Ordering::Greater => Some(number - 1),
            std::cmp::Ordering::Equal => None,
        };
        let end = if self.next.is_some() { "\n" } else { "" };
        Ok(Some(Scene::Tell(Step::Say(format!("{number}{end}")))))
    }
}
