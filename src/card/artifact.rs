//! `artifact.json`: figures built from records and a provenance (rules 8.3).

use super::bootstrap::Bootstrap;
use super::cell::{Cell, Pending, Tallies};
use super::design::Design;
use super::gather::Gather;
use super::pairs::{Ordering, Pair, PendingPairs, agreements, orderings};
use super::record::Record;
use crate::value::{Map, Value};

/// Most attempts at one task: pass@k is worked out exactly for every k up to their number, which grows with its cube.
pub const MOST_ATTEMPTS: u64 = 1000;

/// The figures of a card.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// One per arm and model.
    pub cells: Vec<Cell>,
    /// Levels beside each other.
    pub pairs: Vec<Pair>,
    /// Depth's levels beside each other, on leaky passes.
    pub reach_pairs: Vec<Pair>,
    /// Dials whose rates fall or do not, with the agreement of models.
    pub orderings: Vec<Ordering>,
    /// What the figures were made from, as it was given.
    pub provenance: Value,
    /// The same, as the figures use it.
    pub design: Design,
    /// How many episodes may be in no card, because a person held their calls.
    pub held: u64,
}

impl Artifact {
    /// Builds every figure. The error says what the provenance lacks.
    pub fn build(records: &[Record], provenance: Value, tallies: &Tallies) -> Result<Self, String> {
        Self::of(Gather::of(records)?, provenance, tallies, &mut |_, _| true)
    }

    /// Builds every figure from records that were added up. `tell` hears how many of how many draws are done, and stops
    /// the drawing when it gives false. The error says what the provenance lacks.
    pub fn of(
        gather: Gather,
        provenance: Value,
        tallies: &Tallies,
        tell: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Self, String> {
        let design = Design::read(&provenance)?;
        let bootstrap = Bootstrap::new(design.bootstrap_seed, design.resamples);
        Self::draw(gather, provenance, design, tallies, bootstrap, tell)
    }

    /// The same without intervals, and what is called by them: rates, outcomes and gates need none.
    pub fn without_intervals(gather: Gather, provenance: Value, tallies: &Tallies) -> Result<Self, String> {
        let design = Design::read(&provenance)?;
        let bootstrap = Bootstrap::new(design.bootstrap_seed, 0);
        Self::draw(gather, provenance, design, tallies, bootstrap, &mut |_, _| true)
    }

    fn draw(
        gather: Gather,
        provenance: Value,
        design: Design,
        tallies: &Tallies,
        mut bootstrap: Bootstrap,
        tell: &mut dyn FnMut(u64, u64) -> bool,
    ) -> Result<Self, String> {
        let pending = Pending::of(gather, &design, tallies, &mut bootstrap);
        let pending_pairs = PendingPairs::of(pending.cells(), &design, &mut bootstrap);
        let intervals = bootstrap.run_telling(tell).ok_or("stopped")?;
        let cells = pending.finish(&intervals);
        let (pairs, reach_pairs) = pending_pairs.finish(&intervals, &design);
        let orderings = orderings(&cells, &design);
        Ok(Self { cells, pairs, reach_pairs, orderings, provenance, design, held: 0 })
    }

    /// The cell of an arm (of the first model that has it).
    pub fn cell(&self, arm_id: &str) -> Option<&Cell> {
        self.cells.iter().find(|c| &*c.arm_id == arm_id)
    }

    /// The artifact as one value.
    pub fn to_value(&self) -> Value {
        let mut m = Map::with_capacity(5);
        m.insert("cells", self.cells.iter().map(Cell::to_value).collect::<Vec<Value>>());
        m.insert("pairs", self.pairs.iter().map(Pair::to_value).collect::<Vec<Value>>());
        m.insert("reach_pairs", self.reach_pairs.iter().map(Pair::to_value).collect::<Vec<Value>>());
        let mut rows: Vec<Value> = self.orderings.iter().map(Ordering::to_value).collect();
        rows.extend(agreements(&self.orderings));
        m.insert("orderings", rows);
        m.insert("provenance", self.provenance.clone());
        Value::object(m)
    }

    /// The bytes of `artifact.json`: two spaces of indent, sorted keys, a final newline.
    pub fn text(&self) -> String {
        let text = crate::value::canonical::pretty(&self.to_value(), true);
        let mut text = crate::text::safe_json(&text).into_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    /// Why the card is refused: one line per cell and gate (rules 8.4). Empty: it stands.
    pub fn gates(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.held > 0 {
            let says = crate::text::count(usize::try_from(self.held).unwrap_or(usize::MAX), "episode");
            lines.push(format!("{says} left out: a person held calls of it"));
        }
        if self.cells.is_empty() {
            lines.push("no episode was recorded".to_owned());
        }
        for cell in &self.cells {
            if cell.instrument_rate > self.design.instrument_threshold {
                lines.push(format!(
                    "{}: the instrument failed {} of {} episodes, over the share of {}",
                    cell.arm_id,
                    cell.instrument_count,
                    cell.scored + cell.instrument_count,
                    self.design.instrument_threshold
                ));
            }
            if cell.scored == 0 {
                lines.push(format!("{}: no episode was scored", cell.arm_id));
            }
            if cell.share(cell.no_call).is_some_and(|s| s > self.design.no_call_threshold) {
                lines.push(format!(
                    "{}: {} of {} episodes made no tool call, over the share of {}",
                    cell.arm_id, cell.no_call, cell.scored, self.design.no_call_threshold
                ));
            }
        }
        lines
    }

    /// Episodes still owed: what every cell lacks, and the whole design of declared arms that were never run.
    pub fn owed(&self) -> u64 {
        // What a card from elsewhere declares may be any number.
        let of_cells = self.cells.iter().map(Cell::owed).fold(0, u64::saturating_add);
        let never_run = self.design.arms.iter().flatten().filter(|arm| self.cell(arm).is_none()).count();
        of_cells.saturating_add(never_run.saturating_mul(self.design.s).saturating_mul(self.design.n) as u64)
    }
}
