//! The page that sets two runs or cards side by side, and the same as JSON.

use super::diff::{Compared, EpisodePair};
use super::trace::{Trace, TraceStep};
use crate::align::{Ended, Row};
use crate::card::page::{Block, Page, Table, interval, rate, signed};
use crate::card::produced::shown;
use crate::card::{Cell, Changed, card_page};
use crate::text;
use crate::value::{Map, Value, canonical};

/// Columns that a call or an answer may take in a table.
const WIDE: usize = 48;

impl Compared {
    /// The page; `episodes` is for how many changed attempts at most the two episodes are shown call by call. The error is
    /// one line.
    pub fn page(&self, episodes: usize) -> Result<Page, String> {
        let verdict = &self.comparison.verdict;
        let mut blocks = vec![
            Block::Title(format!("A: {}  B: {}", self.a.label, self.b.label)),
            Block::Text(format!("{}.", self.comparison.headline().trim_end_matches('.'))),
        ];
        blocks.extend(verdict.note.clone().map(Block::Text));
        if !verdict.is_ok() {
            blocks.push(Block::Heading("What produced each".into()));
            blocks.push(Block::Table(self.produced()));
            // No figure of one beside the other's: each document whole.
            for (name, source) in [("A", &self.a), ("B", &self.b)] {
                blocks.push(Block::Heading(format!("{name}: {}", source.label)));
                blocks.extend(card_page(&source.artifact, &source.about()).0);
            }
            return Ok(Page(blocks));
        }
        for (name, source) in [("A", &self.a), ("B", &self.b)] {
            let gates = source.artifact.gates();
            if !gates.is_empty() {
                blocks.push(Block::Text(format!("The card of {name} is not valid: {}.", gates.join("; "))));
            }
        }
        blocks.push(Block::Heading("Levels".into()));
        blocks.push(Block::Table(self.levels()));
        for (name, arms) in ["A", "B"].iter().zip(&self.comparison.only) {
            if !arms.is_empty() {
                blocks.push(Block::Text(format!("Only in {name}: {}.", arms.join(", "))));
            }
        }
        blocks.push(Block::Heading("Outcomes".into()));
        blocks.push(Block::Table(self.outcomes()));
        let [known, same] = self.comparison.chains;
        if known > 0 {
            let sentence = if same == known {
                format!("All {} took the same steps and got the same answers.", text::count(known, "episode"))
            } else {
                format!(
                    "{} of {} took the same steps and got the same answers.",
                    text::group(same as u64),
                    text::count(known, "episode")
                )
            };
            blocks.push(Block::Text(sentence));
        }
        blocks.extend(self.parted()?.map(Block::Text));
        self.changed(episodes, &mut blocks)?;
        blocks.push(Block::Heading("What produced each".into()));
        blocks.push(Block::Text(verdict.sentence.clone()));
        blocks.push(Block::Table(self.produced()));
        Ok(Page(blocks))
    }

    /// Where the first episode parts whose chained hashes do.
    fn parted(&self) -> Result<Option<String>, String> {
        let Some(parted) = &self.comparison.parted else { return Ok(None) };
        let place = self.episodes(parted)?.and_then(|pair| pair.parts_at());
        Ok(Some(format!("{}.", parted_words(parted, place))))
    }

    fn produced(&self) -> Table {
        let mut table = Table::new(&["", "", "A", "B"]);
        for row in &self.comparison.verdict.rows {
            let cell = |v: &Option<Value>| v.as_ref().map_or_else(|| "-".to_owned(), |v| shown(v).into_owned());
            let mark = if row.differs() { "~" } else { "" };
            table.row(vec![mark.into(), row.name.into(), cell(&row.a), cell(&row.b)]);
        }
        if table.rows.is_empty() {
            table.row(vec![String::new(), "record".into(), "none".into(), "none".into()]);
        }
        table
    }

    fn levels(&self) -> Table {
        let mut table = Table::new(&[
            "arm",
            ">A pass@1",
            "interval",
            ">B pass@1",
            "interval",
            ">B - A",
            "interval",
            "difference",
            ">A calls",
            ">B calls",
        ]);
        let calls = |cell: &Cell| cell.tool_calls.mean.map_or_else(|| "-".to_owned(), |m| format!("{m:.2}"));
        for level in &self.comparison.levels {
            table.row(vec![
                level.arm_id.to_string(),
                rate(level.a.pass_at_1),
                interval(level.a.pass_interval),
                rate(level.b.pass_at_1),
                interval(level.b.pass_interval),
                signed(level.delta),
                interval(level.interval),
                level.called(),
                calls(&level.a),
                calls(&level.b),
            ]);
        }
        table
    }

    fn outcomes(&self) -> Table {
        let mut table = Table::new(&["", "arm", "A", "B"]);
        let mix = |cell: &Cell| {
            let counts: Vec<String> =
                cell.outcome_mix.iter().map(|(label, n)| format!("{} {label}", text::group(*n))).collect();
            counts.join(", ")
        };
        for level in &self.comparison.levels {
            let mark = if level.a.outcome_mix == level.b.outcome_mix { "" } else { "~" };
            table.row(vec![mark.into(), level.arm_id.to_string(), mix(&level.a), mix(&level.b)]);
        }
        table
    }

    fn changed(&self, episodes: usize, blocks: &mut Vec<Block>) -> Result<(), String> {
        let changed = &self.comparison.changed;
        blocks.push(Block::Heading("Tasks whose outcome changed".into()));
        if changed.is_empty() {
            blocks.push(Block::Text("None.".into()));
            return Ok(());
        }
        let passed_in = |label: &str, other: &str| label == "passed" && other != "passed";
        let lost = changed.iter().filter(|c| passed_in(&c.a, &c.b)).count();
        let won = changed.iter().filter(|c| passed_in(&c.b, &c.a)).count();
        blocks.push(Block::Text(format!(
            "{} at {}: {} passed only in A, {} passed only in B, {} failed in both, differently.",
            text::count(changed.len(), "attempt"),
            text::count(self.comparison.changed_tasks().len(), "task"),
            text::group(lost as u64),
            text::group(won as u64),
            text::group((changed.len() - lost - won) as u64),
        )));
        for one in changed.iter().take(episodes) {
            blocks.push(Block::Heading(format!(
                "{}, seed {}, attempt {}: {} in A, {} in B",
                one.arm_id, one.seed, one.attempt, one.a, one.b
            )));
            match self.episodes(one)? {
                None => blocks.push(Block::Text("One side did not record its calls.".into())),
                Some(pair) => {
                    blocks.extend(pair.cause.as_ref().map(|cause| Block::Text(format!("{cause}."))));
                    blocks.push(Block::Table(pair.table()));
                }
            }
        }
        if changed.len() > episodes {
            let more = text::count(changed.len() - episodes, "more changed attempt");
            blocks.push(Block::Text(format!("{more}; show all with --episodes {}.", changed.len())));
        }
        Ok(())
    }

    /// The comparison as JSON; with `rows` the aligned calls of every changed attempt too.
    pub fn to_value(&self) -> Result<Value, String> {
        let comparison = &self.comparison;
        let mut map = Map::from([
            ("a", Value::from(&self.a.label)),
            ("b", Value::from(&self.b.label)),
            ("verdict", comparison.verdict.to_value()),
        ]);
        if !comparison.verdict.is_ok() {
            map.insert("cards", vec![self.a.artifact.to_value(), self.b.artifact.to_value()]);
            return Ok(map.into());
        }
        map.insert("gates_a", self.a.artifact.gates());
        map.insert("gates_b", self.b.artifact.gates());
        map.insert("levels", comparison.levels.iter().map(crate::card::LevelRow::to_value).collect::<Vec<_>>());
        let arms = |i: usize| comparison.only[i].iter().map(Value::from).collect::<Vec<_>>();
        map.insert("only_a", arms(0));
        map.insert("only_b", arms(1));
        map.insert("episodes_with_chains", comparison.chains[0]);
        map.insert("episodes_with_equal_chains", comparison.chains[1]);
        map.insert("first_parted", self.parted_value()?);
        let changed = comparison.changed.iter().map(|c| self.changed_value(c));
        map.insert("changed", changed.collect::<Result<Vec<Value>, String>>()?);
        Ok(map.into())
    }

    /// The first episode whose chained hashes part, and at which call.
    fn parted_value(&self) -> Result<Value, String> {
        let Some(parted) = &self.comparison.parted else { return Ok(Value::Null) };
        let place = self.episodes(parted)?.and_then(|pair| pair.parts_at());
        Ok(Map::from([
            ("arm_id", Value::from(&parted.arm_id)),
            ("seed", Value::from(parted.seed)),
            ("attempt", Value::from(parted.attempt)),
            ("call", Value::from(place.map(|i| i + 1))),
        ])
        .into())
    }

    fn changed_value(&self, changed: &Changed) -> Result<Value, String> {
        let mut map = Map::from([
            ("arm_id", Value::from(&changed.arm_id)),
            ("seed", Value::from(changed.seed)),
            ("attempt", Value::from(changed.attempt)),
            ("a", Value::from(&changed.a)),
            ("b", Value::from(&changed.b)),
            ("flipped", Value::from(changed.flipped)),
        ]);
        if let Some(pair) = self.episodes(changed)? {
            pair.insert_into(&mut map);
        }
        Ok(map.into())
    }
}

/// Where two episodes part, in a sentence without its full stop.
pub(super) fn parted_words(parted: &Changed, place: Option<usize>) -> String {
    let call = place.map_or_else(String::new, |i| format!(", call {}", i + 1));
    format!("The first divergence: {}, seed {}, attempt {}{call}", parted.arm_id, parted.seed, parted.attempt)
}

fn row_value(pair: &EpisodePair, row: &Row) -> Value {
    let call = |steps: &[TraceStep], i: Option<usize>| -> Value {
        let step = i.and_then(|i| steps.get(i).map(|s| (i, s)));
        step.map(|(i, step)| {
            Map::from([
                ("call", Value::from(i + 1)),
                ("tool", Value::from(&step.played.call.tool)),
                ("arguments", step.played.call.arguments.clone()),
                ("answer", Value::from(&step.played.answer)),
                ("code", step.played.code.as_ref().map(Value::from).into()),
                ("stored", step.played.stored.map(crate::align::Stored::word).into()),
            ])
        })
        .into()
    };
    Map::from([
        ("kind", Value::from(row.kind.word())),
        ("a", call(&pair.a.steps, row.a)),
        ("b", call(&pair.b.steps, row.b)),
    ])
    .into()
}

impl EpisodePair {
    /// The first call, by index, at which the chained hashes of the two part; as many as there are calls when only the
    /// endings do.
    pub fn parts_at(&self) -> Option<usize> {
        let chains = |trace: &Trace| trace.steps.iter().map(|s| s.chain).collect::<Vec<_>>();
        let (a, b) = (chains(&self.a), chains(&self.b));
        let same = a.iter().zip(&b).take_while(|(x, y)| x.is_some() && x == y).count();
        (same < a.len().max(b.len()) || self.a.chain != self.b.chain).then_some(same)
    }

    /// The calls of both, a row each, as a table.
    pub fn table(&self) -> Table {
        let mut table = Table::new(&["", ">A", "call and answer", ">B", "call and answer"]);
        let number = |i: Option<usize>| i.map_or_else(String::new, |i| (i + 1).to_string());
        let call =
            |steps: &[TraceStep], i: Option<usize>| i.and_then(|i| steps.get(i)).map_or_else(String::new, step_text);
        for row in &self.rows {
            table.row(vec![
                row.kind.sign().to_string(),
                number(row.a),
                call(&self.a.steps, row.a),
                number(row.b),
                call(&self.b.steps, row.b),
            ]);
        }
        let ending = |ended: Ended| match ended {
            Ended::Reply => "reply",
            Ended::Limit => "turn limit",
            Ended::Open => "no end",
        };
        let mark = if self.a.ended == self.b.ended { "=" } else { "~" };
        let (a, b) = (ending(self.a.ended), ending(self.b.ended));
        table.row(vec![mark.into(), String::new(), a.into(), String::new(), b.into()]);
        table
    }

    /// Puts the cause, the first row at which they part and all rows into a JSON object.
    pub fn insert_into(&self, map: &mut Map) {
        map.insert("cause", self.cause.clone());
        map.insert("first_divergence", self.first);
        map.insert("rows", self.rows.iter().map(|row| row_value(self, row)).collect::<Vec<Value>>());
    }
}

/// A call and how it was answered, in a few columns.
fn step_text(step: &TraceStep) -> String {
    let call = format!("{} {}", step.played.call.tool, canonical::spaced(&step.played.call.arguments));
    let answer = match (&step.played.code, step.played.stored) {
        (Some(code), None) => format!("! {code}"),
        (Some(code), Some(stored)) => format!("! {code}, stored as {}", stored.word()),
        (None, Some(stored)) => format!("stored as {}", stored.word()),
        (None, None) => step.played.answer.to_string(),
    };
    let (call, answer) = (text::safe(&call).into_owned(), text::safe(&answer).into_owned());
    format!("{} -> {}", text::cut(&call, WIDE), text::cut(&answer, WIDE))
}
