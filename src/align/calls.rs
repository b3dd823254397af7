//! The calls of two episodes beside each other.

use crate::engine::{Change, Made, Outcome, WriteKind};
use crate::task::{Call, Task};
use crate::value::{Str, canonical};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// How a call's write counts in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    /// The expected write.
    Expected,
    /// A write no step expects.
    SideEffect,
    /// The expected write made again.
    Duplicate,
}

impl Stored {
    /// How the write of a call counts, when the store took one.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let index =
            outcome.changes.iter().find_map(|c| if let Change::Stored { index } = c { Some(*index) } else { None })?;
        Some(match outcome.state.writes().get(index)?.kind {
            WriteKind::Expected(_) => Stored::Expected,
            WriteKind::SideEffect => Stored::SideEffect,
            WriteKind::Duplicate(_) => Stored::Duplicate,
        })
    }

    /// The word in a trace.
    pub fn word(self) -> &'static str {
        match self {
            Stored::Expected => "expected",
            Stored::SideEffect => "side_effect",
            Stored::Duplicate => "duplicate",
        }
    }

    /// The word back.
    pub fn parse(word: &str) -> Option<Self> {
        [Stored::Expected, Stored::SideEffect, Stored::Duplicate].into_iter().find(|s| s.word() == word)
    }
}

/// One call of an episode as it was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The call.
    pub call: Call,
    /// The answer's text.
    pub answer: Str,
    /// The answer's error code.
    pub code: Option<Str>,
    /// Whether the call's tool reads; unknown of tools outside the block.
    pub read: Option<bool>,
    /// How its write counts, when the store took it.
    pub stored: Option<Stored>,
}

impl Played {
    /// A call of a task as it was made.
    pub fn of(task: &Task, made: &Made) -> Self {
        let answer = &made.outcome.answer;
        Self {
            call: made.call.clone(),
            answer: answer.text.clone(),
            code: answer.code.map(|code| code.word().into()),
            read: task.shown(&made.call.tool).map(|shown| shown.tool.effect.is_read()),
            stored: Stored::of(&made.outcome),
        }
    }
}

/// How an episode ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With a reply.
    Reply,
    /// At the turn limit.
    Limit,
    /// It did not.
    Open,
}

/// How the two calls of a row compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// The same call, the same answer.
    Same,
    /// The same call with another answer.
    Answer,
    /// The same tool, other arguments.
    Arguments,
    /// Only a made it.
    OnlyA {
        /// It repeats a call a had made before.
        repeated: bool,
    },
    /// Only b made it.
    OnlyB {
        /// It repeats a call b had made before.
        repeated: bool,
    },
    /// a's call that b made at another place: at that index of b's calls.
    MovedA(usize),
    /// b's call that a made at another place: at that index of a's calls.
    MovedB(usize),
}

impl RowKind {
    /// The sign before such a row.
    pub fn sign(self) -> char {
        match self {
            RowKind::Same => '=',
            RowKind::Answer | RowKind::Arguments => '~',
            RowKind::OnlyA { .. } => '-',
            RowKind::OnlyB { .. } => '+',
            RowKind::MovedA(_) | RowKind::MovedB(_) => '>',
        }
    }

    /// The word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            RowKind::Same => "same",
            RowKind::Answer => "answer",
            RowKind::Arguments => "arguments",
            RowKind::OnlyA { repeated: false } => "only_a",
            RowKind::OnlyA { repeated: true } => "repeated_a",
            RowKind::OnlyB { repeated: false } => "only_b",
            RowKind::OnlyB { repeated: true } => "repeated_b",
            RowKind::MovedA(_) | RowKind::MovedB(_) => "moved",
        }
    }
}

/// One row: the indices of the calls that stand beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Index into a's calls.
    pub a: Option<usize>,
    /// Index into b's calls.
    pub b: Option<usize>,
    /// How they compare.
    pub kind: RowKind,
}

impl Row {
    /// Whether both sides did the same and were told the same.
    pub fn is_same(&self) -> bool {
        self.kind == RowKind::Same
    }
}

/// The first row at which two episodes part.
pub fn first_divergence(rows: &[Row]) -> Option<usize> {
    rows.iter().position(|r| !r.is_same())
}

/// Pairs the calls of two episodes. Every call stands in exactly one row, and each side's calls stand in their order.
pub fn align(a: &[Played], b: &[Played]) -> Vec<Row> {
    let keys = |side: &[Played]| -> Vec<String> {
        side.iter().map(|p| format!("{}\u{1f}{}", p.call.tool, canonical::call_text(&p.call.arguments))).collect()
    };
    let (keys_a, keys_b) = (keys(a), keys(b));
    let ops = capture_diff_slices(Algorithm::Myers, &keys_a, &keys_b);
    let moves = Moves::find(&ops, &keys_a, &keys_b);
    let mut rows = Vec::with_capacity(a.len().max(b.len()));
    let mut gap = (0..0, 0..0);
    for op in ops {
        let (_, range_a, range_b) = op.as_tag_tuple();
        if let DiffOp::Equal { .. } = op {
            fill_gap(
                &mut rows,
                std::mem::replace(&mut gap, (range_a.end..range_a.end, range_b.end..range_b.end)),
                a,
                b,
                &moves,
            );
            for (i, j) in range_a.zip(range_b) {
                let told_the_same = a[i].answer == b[j].answer && a[i].code == b[j].code;
                let kind = if told_the_same { RowKind::Same } else { RowKind::Answer };
                rows.push(Row { a: Some(i), b: Some(j), kind });
            }
        } else {
            gap = (gap.0.start..range_a.end, gap.1.start..range_b.end);
        }
    }
    fill_gap(&mut rows, gap, a, b, &moves);
    mark_repeats(&mut rows, &keys_a, &keys_b);
    rows
}

/// Calls that both sides made, at other places.
struct Moves {
    of_a: HashMap<usize, usize>,
    of_b: HashMap<usize, usize>,
}

impl Moves {
    fn find(ops: &[DiffOp], keys_a: &[String], keys_b: &[String]) -> Self {
        let mut left: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
        let apart = |op: &&DiffOp| !matches!(op, DiffOp::Equal { .. });
        for j in ops.iter().filter(apart).flat_map(|op| op.as_tag_tuple().2) {
            left.entry(&keys_b[j]).or_default().push_back(j);
        }
        let mut moves = Self { of_a: HashMap::new(), of_b: HashMap::new() };
        for i in ops.iter().filter(apart).flat_map(|op| op.as_tag_tuple().1) {
            if let Some(j) = left.get_mut(&*keys_a[i]).and_then(VecDeque::pop_front) {
                moves.of_a.insert(i, j);
                moves.of_b.insert(j, i);
            }
        }
        moves
    }
}

/// Between two equal stretches: calls of one tool stand beside each other in order, the rest alone.
fn fill_gap(
    rows: &mut Vec<Row>,
    gap: (std::ops::Range<usize>, std::ops::Range<usize>),
    a: &[Played],
    b: &[Played],
    moves: &Moves,
) {
    let (gap_a, gap_b) = gap;
    let mut j = gap_b.start;
    for i in gap_a {
        if let Some(&to) = moves.of_a.get(&i) {
            rows.push(Row { a: Some(i), b: None, kind: RowKind::MovedA(to) });
            continue;
        }
        let partner = (j..gap_b.end).find(|&k| !moves.of_b.contains_key(&k) && a[i].call.tool == b[k].call.tool);
        let Some(partner) = partner else {
            rows.push(Row { a: Some(i), b: None, kind: RowKind::OnlyA { repeated: false } });
            continue;
        };
        (j..partner).for_each(|k| rows.push(alone_b(k, moves)));
        rows.push(Row { a: Some(i), b: Some(partner), kind: RowKind::Arguments });
        j = partner + 1;
    }
    (j..gap_b.end).for_each(|k| rows.push(alone_b(k, moves)));
}

fn alone_b(j: usize, moves: &Moves) -> Row {
    let kind = moves.of_b.get(&j).map_or(RowKind::OnlyB { repeated: false }, |&from| RowKind::MovedB(from));
    Row { a: None, b: Some(j), kind }
}

fn mark_repeats(rows: &mut [Row], keys_a: &[String], keys_b: &[String]) {
    let (firsts_a, firsts_b) = (firsts(keys_a), firsts(keys_b));
    for row in rows {
        match row {
            Row { a: Some(i), kind: RowKind::OnlyA { repeated }, .. } => *repeated = firsts_a[keys_a[*i].as_str()] < *i,
            Row { b: Some(j), kind: RowKind::OnlyB { repeated }, .. } => *repeated = firsts_b[keys_b[*j].as_str()] < *j,
            _ => {}
        }
    }
}

fn firsts(keys: &[String]) -> HashMap<&str, usize> {
    let mut firsts = HashMap::with_capacity(keys.len());
    for (i, key) in keys.iter().enumerate() {
        firsts.entry(key.as_str()).or_insert(i);
    }
    firsts
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::value::Map;

    /// `w:1` is a call of the write tool w with argument 1; `r:1!timeout` a read answered with that code.
    pub(crate) fn played(words: &str) -> Vec<Played> {
        words
            .split_whitespace()
            .map(|word| {
                let (call, code) = word.split_once('!').map_or((word, None), |(c, e)| (c, Some(e)));
                let (call, answer) = call.split_once('=').unwrap_or((call, ""));
                let (tool, argument) = call.split_once(':').unwrap_or((call, ""));
                Played {
                    call: Call { tool: tool.into(), arguments: Map::from([("v", argument)]).into() },
                    answer: answer.into(),
                    code: code.map(Into::into),
                    read: Some(tool.starts_with('r')),
                    stored: (tool.starts_with('w') && code.is_none()).then_some(Stored::Expected),
                }
            })
            .collect()
    }

    fn kinds(a: &str, b: &str) -> Vec<(Option<usize>, Option<usize>, RowKind)> {
        let (a, b) = (played(a), played(b));
        let rows = align(&a, &b);
        // Whatever the pairing, each side's calls are there once and in order.
        assert!(rows.iter().filter_map(|r| r.a).eq(0..a.len()));
        assert!(rows.iter().filter_map(|r| r.b).eq(0..b.len()));
        rows.into_iter().map(|r| (r.a, r.b, r.kind)).collect()
    }

    #[test]
    fn equal_calls_stand_side_by_side() {
        assert_eq!(
            kinds("r:1 w:2", "r:1 w:2=x"),
            [(Some(0), Some(0), RowKind::Same), (Some(1), Some(1), RowKind::Answer)]
        );
        assert!(kinds("", "").is_empty());
    }

    #[test]
    fn a_missing_call_and_a_repeated_one() {
        assert_eq!(
            kinds("r:1 r:1 w:2", "r:1 w:2"),
            [
                (Some(0), Some(0), RowKind::Same),
                (Some(1), None, RowKind::OnlyA { repeated: true }),
                (Some(2), Some(1), RowKind::Same)
            ]
        );
        assert_eq!(kinds("", "w:1"), [(None, Some(0), RowKind::OnlyB { repeated: false })]);
    }

    #[test]
    fn other_arguments_of_one_tool_stand_side_by_side() {
        assert_eq!(
            kinds("r:1 w:2 r:3", "r:1 x:0 w:9 r:3"),
            [
                (Some(0), Some(0), RowKind::Same),
                (None, Some(1), RowKind::OnlyB { repeated: false }),
                (Some(1), Some(2), RowKind::Arguments),
                (Some(2), Some(3), RowKind::Same)
            ]
        );
    }

    #[test]
    fn a_moved_call_is_known_on_both_sides() {
        let rows = kinds("r:1 r:2 r:3 w:4", "r:2 r:3 r:1 w:4");
        assert!(rows.contains(&(Some(0), None, RowKind::MovedA(2))), "{rows:?}");
        assert!(rows.contains(&(None, Some(2), RowKind::MovedB(0))), "{rows:?}");
    }

    #[test]
    fn long_episodes_align() {
        let many = |skip: usize| (0..10_000).filter(|i| *i != skip).map(|i| format!("r:{i} ")).collect::<String>();
        let rows = align(&played(&many(5000)), &played(&many(10_001)));
        assert_eq!(rows.len(), 10_000);
        assert_eq!(first_divergence(&rows), Some(5000));
    }
}
