//! Where everything is on a screen of a given size. A pure function: the same size, the same places, so that update knows
//! how much of a pane is seen without drawing it.

use super::arrange;
use super::model::{Pane, Screen};
use ratatui::layout::Rect;

/// The smallest screen that shows more than "too small".
pub const LEAST: (u16, u16) = (30, 8);

/// From this width on two panes are side by side.
pub(super) const TWO_FROM: u16 = 72;
/// From this width on all three are.
pub(super) const THREE_FROM: u16 = 108;
/// From this width on the store is beside the call, not below the calls.
const STORE_BESIDE_FROM: u16 = 112;
/// From this height on a narrow screen shows two panes one below the other.
pub(super) const SPLIT_FROM: u16 = 10;
/// From this height on the header has a second line.
const TALL_FROM: u16 = 14;
/// From this height on it may have a third one.
const THIRD_FROM: u16 = 20;

/// Where the parts of the screen are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// Name, facts and tabs: one line or two.
    pub header: Rect,
    /// The panes shown, from the left, those above before those below. The first line of each is its title.
    pub panes: Vec<(Pane, Rect)>,
    /// What is said between the panes and the status: of no lines when there is nothing to say.
    pub band: Rect,
    /// The rule under the panes, with what was just done.
    pub status: Rect,
    /// The keys.
    pub footer: Rect,
    /// Nothing but a message fits.
    pub too_small: bool,
    /// A pane whose rows have an empty line between them.
    pub spaced: Option<Pane>,
}

impl Layout {
    /// Where a pane is, when it is shown.
    pub fn pane(&self, pane: Pane) -> Option<Rect> {
        self.panes.iter().find(|(p, _)| *p == pane).map(|(_, rect)| *rect)
    }

    /// The part of a pane below its title: the columns beside the marker and the scrollbar, and the lines. A pane that is
    /// not shown has the size it would have when it is alone.
    pub fn inside(&self, pane: Pane) -> (u16, u16) {
        let rect = self.pane(pane).unwrap_or_else(|| self.panes.first().map_or(Rect::ZERO, |(_, rect)| *rect));
        (rect.width.saturating_sub(2), rect.height.saturating_sub(1).div_ceil(self.spacing(pane)))
    }

    /// How many lines a row of a pane takes.
    pub fn spacing(&self, pane: Pane) -> u16 {
        if self.spaced == Some(pane) { 2 } else { 1 }
    }

    /// Everything between header and band.
    pub fn body(&self) -> Rect {
        let bottom = self.band.y;
        Rect::new(0, self.header.height, self.header.width, bottom.saturating_sub(self.header.height))
    }
}

/// Lays out a screen whose pane `focus` (0 to 2) has the focus.
pub fn layout(size: (u16, u16), screen: Screen, focus: usize) -> Layout {
    layout_for(size, screen, focus, Wants { rows: usize::MAX, band: 0, third: false, presenting: false })
}

/// What a layout may go by beside the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wants {
    /// How many rows the first pane has: where another stands below it, it takes no more lines than it needs.
    pub rows: usize,
    /// How many lines are said between the panes and the status.
    pub band: u16,
    /// Whether the header has a third line where there is room.
    pub third: bool,
    /// Whether the screen is shown to a room: the first pane, with larger spacing, and one other.
    pub presenting: bool,
}

/// The same with what else it goes by.
pub fn layout_for((width, height): (u16, u16), screen: Screen, focus: usize, wants: Wants) -> Layout {
    let lines = match height {
        THIRD_FROM.. if wants.third => 3,
        TALL_FROM.. => 2,
        _ => 1,
    };
    let header = Rect::new(0, 0, width, lines);
    let footer = Rect::new(0, height.saturating_sub(1), width, 1.min(height));
    let status = Rect::new(0, height.saturating_sub(2), width, 1.min(height));
    let tall = wants.band.min(height.saturating_sub(header.height + 2));
    let band = Rect::new(0, status.y.saturating_sub(tall), width, tall);
    let body = Rect::new(0, header.height, width, height.saturating_sub(header.height + 2 + tall));
    let too_small = width < LEAST.0 || height < LEAST.1;
    let spaced = screen.panes().first().copied().filter(|_| wants.presenting);
    let panes = match (screen.panes(), too_small) {
        (_, true) => Vec::new(),
        ([a, b, c], false) if wants.presenting => two(body, *a, if focus == 2 { *c } else { *b }, focus.min(1)),
        _ => panes(body, screen, focus, wants.rows),
    };
    Layout { header, panes, band, status, footer, too_small, spaced }
}

fn panes(body: Rect, screen: Screen, focus: usize, rows: usize) -> Vec<(Pane, Rect)> {
    if let Some(panes) = arrange::panes(body, screen, focus) {
        return panes;
    }
    let [a, b, c] = match screen.panes() {
        [a, b, c] => [*a, *b, *c],
        [a, b] if screen == Screen::Sides => return above(body, *a, *b, focus, rows),
        [a, b] => return two(body, *a, *b, focus),
        panes => return panes.get(focus).map(|pane| (*pane, body)).into_iter().collect(),
    };
    if body.width < TWO_FROM {
        // The list with what is selected in it below, as far as there is room; any other pane alone.
        if focus == 0 && body.height >= SPLIT_FROM {
            let list = body.height * 9 / 20;
            let below = if screen == Screen::Plan { c } else { b };
            let rest = Rect { y: body.y + list, height: body.height - list, ..body };
            return vec![(a, Rect { height: list, ..body }), (below, rest)];
        }
        return vec![(screen.panes()[focus.min(2)], body)];
    }
    if screen == Screen::Plan {
        // Dials above seeds, the task beside both.
        let left = if body.width < THREE_FROM { 31 } else { 38 };
        let [left, right] = columns(body, left);
        let dials = 14.min(left.height.saturating_sub(4));
        let (top, below) = if left.height < 12 {
            // Too low for both: the focused one.
            return vec![(if focus == 1 { b } else { a }, left), (c, right)];
        } else {
            (Rect { height: dials, ..left }, Rect { y: left.y + dials, height: left.height - dials, ..left })
        };
        return vec![(a, top), (b, below), (c, right)];
    }
    if screen == Screen::Step && body.width < STORE_BESIDE_FROM && body.height >= SPLIT_FROM {
        // The store below the calls, which take no more lines than they need; the call beside both.
        let [left, right] = columns(body, body.width * 9 / 20);
        let needed = u16::try_from(rows.saturating_add(1)).unwrap_or(u16::MAX);
        let above = needed.clamp(4, body.height * 9 / 20);
        let below = Rect { y: left.y + above, height: left.height - above, ..left };
        return vec![(a, Rect { height: above, ..left }), (b, right), (c, below)];
    }
    if body.width < THREE_FROM {
        let [left, right] = columns(body, body.width * 2 / 5);
        return vec![(a, left), (if focus == 2 { c } else { b }, right)];
    }
    let (first, third) = match screen {
        Screen::Tools => (body.width / 3, body.width / 3),
        _ => (body.width * 3 / 10, body.width * 3 / 10),
    };
    let [left, rest] = columns(body, first);
    let [middle, right] = columns(rest, rest.width - third);
    vec![(a, left), (b, middle), (c, right)]
}

/// Two panes: side by side, else one below the other, else the focused one.
fn two(body: Rect, a: Pane, b: Pane, focus: usize) -> Vec<(Pane, Rect)> {
    if body.width >= TWO_FROM {
        let [left, right] = columns(body, body.width / 2);
        return vec![(a, left), (b, right)];
    }
    if body.height >= SPLIT_FROM {
        let above = body.height / 2;
        let below = Rect { y: body.y + above, height: body.height - above, ..body };
        return vec![(a, Rect { height: above, ..body }), (b, below)];
    }
    vec![(if focus == 0 { a } else { b }, body)]
}

/// Two panes one below the other at any width, the lower one larger; when there is no room, the focused one.
fn above(body: Rect, a: Pane, b: Pane, focus: usize, rows: usize) -> Vec<(Pane, Rect)> {
    if body.height < SPLIT_FROM - 1 {
        return vec![(if focus == 0 { a } else { b }, body)];
    }
    let needed = u16::try_from(rows.saturating_add(2)).unwrap_or(u16::MAX);
    let above = (body.height * 2 / 5).clamp(4, 14).min(needed.max(4));
    let below = Rect { y: body.y + above, height: body.height - above, ..body };
    vec![(a, Rect { height: above, ..body }), (b, below)]
}

/// Two columns with one between them for a rule.
pub(super) fn columns(body: Rect, left: u16) -> [Rect; 2] {
    let left = left.min(body.width.saturating_sub(2));
    [Rect { width: left, ..body }, Rect { x: body.x + left + 1, width: body.width - left - 1, ..body }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overlaps_or_leaves_the_screen_at_any_size() {
        for width in 0..=130 {
            for height in 0..=45 {
                for screen in Screen::ALL {
                    for focus in 0..screen.panes().len() {
                        let all = Rect::new(0, 0, width, height);
                        let l = layout((width, height), screen, focus);
                        assert_eq!(l.too_small, width < LEAST.0 || height < LEAST.1);
                        if l.too_small {
                            continue;
                        }
                        let mut parts: Vec<Rect> = l.panes.iter().map(|(_, r)| *r).collect();
                        parts.extend([l.header, l.status, l.footer]);
                        for (i, a) in parts.iter().enumerate() {
                            assert!(a.area() > 0 && all.intersection(*a) == *a, "{screen:?} {width}x{height} {a:?}");
                            for b in &parts[i + 1..] {
                                assert!(!a.intersects(*b), "{screen:?} {width}x{height} {a:?} {b:?}");
                            }
                        }
                        let focused = screen.panes()[focus];
                        assert!(l.pane(focused).is_some(), "{screen:?} {width}x{height} hides {focused:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn breakpoints() {
        let count = |w, h, s| layout((w, h), s, 0).panes.len();
        assert_eq!(count(120, 40, Screen::Step), 3);
        assert_eq!(count(80, 24, Screen::Step), 3);
        let step = layout((80, 24), Screen::Step, 0);
        let (calls, store) = (step.pane(Pane::Calls).unwrap(), step.pane(Pane::Store).unwrap());
        assert_eq!((calls.x, calls.bottom()), (store.x, store.y));
        assert_eq!(count(50, 15, Screen::Step), 2);
        assert_eq!(count(40, 12, Screen::Step), 1);
        assert_eq!(count(80, 24, Screen::Plan), 3);
    }
}
