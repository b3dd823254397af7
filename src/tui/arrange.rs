//! The panes of the screens about runs, cards and comparisons. A pure function of the size, as all layout is.

use super::layout::{SPLIT_FROM, THREE_FROM, TWO_FROM, columns};
use super::model::{Pane, Screen};
use ratatui::layout::Rect;

/// From this height on a wide pane is above two others.
const STORIES_FROM: u16 = 14;

/// The panes of a screen that has an arrangement of its own.
pub(super) fn panes(body: Rect, screen: Screen, focus: usize) -> Option<Vec<(Pane, Rect)>> {
    match (screen, screen.panes()) {
        (Screen::Runs, [list, about]) => Some(list_and_about(body, *list, *about, focus)),
        (Screen::Live, [a, b, c]) => Some(list_part_below(body, [*a, *b, *c], focus)),
        (Screen::Card | Screen::Pair, [a, b, c]) => Some(stories(body, [*a, *b, *c], focus)),
        (Screen::Compare | Screen::Files, [list, part]) => Some(list_and_part(body, *list, *part, focus)),
        _ => None,
    }
}

fn rows(body: Rect, above: u16) -> [Rect; 2] {
    let above = above.clamp(1, body.height.saturating_sub(1).max(1));
    [Rect { height: above, ..body }, Rect { y: body.y + above, height: body.height.saturating_sub(above), ..body }]
}

/// A list of long rows, and what is known of the selected one beside or below it.
fn list_and_about(body: Rect, list: Pane, about: Pane, focus: usize) -> Vec<(Pane, Rect)> {
    let [a, b] = if body.width >= THREE_FROM {
        columns(body, body.width * 3 / 5)
    } else if body.height >= SPLIT_FROM {
        rows(body, body.height / 2)
    } else {
        return vec![(if focus == 0 { list } else { about }, body)];
    };
    vec![(list, a), (about, b)]
}

/// A list with another pane below it, the selected part beside both; with less room, the list above the part.
fn list_part_below(body: Rect, [list, part, below]: [Pane; 3], focus: usize) -> Vec<(Pane, Rect)> {
    if body.width >= TWO_FROM && body.height >= STORIES_FROM {
        let [left, right] = columns(body, if body.width < THREE_FROM { 34 } else { body.width * 2 / 5 });
        let [top, bottom] = rows(left, left.height / 2);
        return vec![(list, top), (part, right), (below, bottom)];
    }
    if body.height >= SPLIT_FROM && focus < 2 {
        let [top, bottom] = rows(body, body.height * 2 / 5);
        return vec![(list, top), (part, bottom)];
    }
    vec![([list, part, below][focus.min(2)], body)]
}

/// A wide pane above two others; with less room, the focused one above the next.
fn stories(body: Rect, [a, b, c]: [Pane; 3], focus: usize) -> Vec<(Pane, Rect)> {
    if body.width >= TWO_FROM && body.height >= STORIES_FROM {
        let [top, below] = rows(body, body.height * 9 / 20);
        let [left, right] = columns(below, body.width * 9 / 20);
        return vec![(a, top), (b, left), (c, right)];
    }
    if body.height >= SPLIT_FROM && focus < 2 {
        let [top, below] = rows(body, body.height / 2);
        return if focus == 0 { vec![(a, top), (b, below)] } else { vec![(b, top), (c, below)] };
    }
    vec![([a, b, c][focus.min(2)], body)]
}

/// A list and the selected part of it; once the part has the focus it takes all the room.
fn list_and_part(body: Rect, list: Pane, part: Pane, focus: usize) -> Vec<(Pane, Rect)> {
    if focus > 0 {
        return vec![(part, body)];
    }
    if body.width >= TWO_FROM {
        let left = if body.width < THREE_FROM { 32 } else { 42 };
        let [a, b] = columns(body, left);
        return vec![(list, a), (part, b)];
    }
    if body.height >= SPLIT_FROM {
        let [a, b] = rows(body, body.height / 2);
        return vec![(list, a), (part, b)];
    }
    vec![(list, body)]
}
