//! What is drawn of a card and of a comparison.

use super::diff::Compared;
use crate::card::html::{Bar, Plot};
use crate::card::{Artifact, Cell};

/// Pass rate and calls an episode of every level of a card.
pub fn card_plots(artifact: &Artifact) -> Vec<Plot> {
    of(artifact.cells.iter().map(|cell| (cell.arm_id.to_string(), cell)).collect())
}

impl Compared {
    /// The same of both sides, level by level; nothing where the two cannot be compared.
    pub fn plots(&self) -> Vec<Plot> {
        let levels = self.comparison.levels.iter();
        of(levels
            .flat_map(|level| [(format!("{}  A", level.arm_id), &level.a), (format!("{}  B", level.arm_id), &level.b)])
            .collect())
    }
}

fn of(cells: Vec<(String, &Cell)>) -> Vec<Plot> {
    if cells.is_empty() {
        return Vec::new();
    }
    let bars = |value: fn(&Cell) -> (Option<f64>, Option<[f64; 2]>)| {
        let bar = |(name, cell): &(String, &Cell)| {
            let (value, interval) = value(cell);
            Bar { name: name.clone(), value, interval }
        };
        cells.iter().map(bar).collect::<Vec<_>>()
    };
    let most = cells.iter().filter_map(|(_, cell)| cell.tool_calls.mean).fold(1.0, f64::max).ceil();
    vec![
        Plot {
            title: "Pass rate by level, with its interval".to_owned(),
            most: 1.0,
            bars: bars(|cell| (cell.pass_at_1, cell.pass_interval)),
        },
        Plot {
            title: "Calls an episode, on average".to_owned(),
            most,
            bars: bars(|cell| (cell.tool_calls.mean, None)),
        },
    ]
}
