//! `card.md`: what was measured on what, the levels, the pairs, the outcomes, and what the card does not say.

use super::artifact::Artifact;
use super::cell::Cell;
use super::near::NearPair;
use super::page::{Block, Page, Table, bar, interval, rate, signed};
use super::produced::row;
use crate::episode::chain::Chain;
use crate::text;
use crate::value::{Str, Value};
use std::collections::BTreeSet;

/// What a page knows beside the artifact.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The chained hash over every episode.
    pub chain: Option<Chain>,
    /// The two names hardest to tell apart.
    pub names: Option<NearPair>,
    /// The two descriptions hardest to tell apart.
    pub descriptions: Option<NearPair>,
}

/// How the points about names in the tool file begin.
pub const OF_NAMES: &str = "- Whether tools are mistaken for one another";

/// Width of a bar in the table of levels.
const BAR: usize = 21;

/// The page of a card.
pub fn page(artifact: &Artifact, about: &About) -> Page {
    let mut blocks = vec![Block::Title(title(artifact)), Block::Table(measured(artifact, about))];
    let gates = artifact.gates();
    if !gates.is_empty() {
        blocks.push(Block::Heading("This card is refused".into()));
        blocks.push(Block::List(gates));
    }
    blocks.push(Block::Heading("Levels".into()));
    blocks.push(Block::Table(levels(artifact)));
    if !artifact.pairs.is_empty() {
        let heading = if artifact.design.own { "Each level against its dial's first" } else { "Adjacent levels" };
        blocks.push(Block::Heading(heading.into()));
        blocks.push(Block::Table(pairs(artifact)));
        blocks.extend(harder(artifact).map(Block::Text));
    }
    blocks.push(Block::Heading("Outcomes".into()));
    blocks.push(Block::Table(outcomes(artifact)));
    if let Some(table) = slips(artifact) {
        blocks.push(Block::Heading("What went wrong on the way".into()));
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::Heading("What this card does not say".into()));
    blocks.push(Block::List(silence(artifact, about)));
    Page(blocks)
}

fn provenance<'a>(artifact: &'a Artifact, key: &str) -> Option<&'a Value> {
    artifact.provenance.get(key).filter(|v| !v.is_null())
}

fn title(artifact: &Artifact) -> String {
    let mut models: BTreeSet<&str> = artifact.cells.iter().map(|c| &*c.model).collect();
    if models.is_empty() {
        let declared = provenance(artifact, "models").and_then(Value::as_array).unwrap_or_default();
        models.extend(declared.iter().filter_map(|model| model.get("id")?.as_str()));
    }
    let models: Vec<&str> = models.into_iter().collect();
    let on = provenance(artifact, "tools").and_then(|t| t.get("name")).and_then(Value::as_str);
    format!("Card of {} on {}", models.join(", "), on.unwrap_or("built-in tasks"))
}

/// What was measured on what.
fn measured(artifact: &Artifact, about: &About) -> Table {
    let mut table = Table::new(&["", ""]);
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            table.row(vec![name.to_owned(), value]);
        }
    };
    let tools = provenance(artifact, "tools");
    let record = provenance(artifact, "produced_by");
    let text = |value: Option<&Value>| value.map(|v| super::produced::shown(v).into_owned());
    let of_record = |name: &str| text(record.and_then(|r| row(r, name)));
    let member = |key: &str| text(tools.and_then(|t| t.get(key)).filter(|v| !v.is_null()));
    put(
        "tool file",
        member("source_format").zip(member("tools")).map(|(format, n)| format!("{format}, {n} usable tools")),
    );
    put("file hash", of_record("file hash").or_else(|| member("file_digest")));
    put("contract hash", of_record("contract hash"));
    put("generator", of_record("generator").or_else(|| member("generator")));
    put("generator hash", of_record("generator hash").or_else(|| text(provenance(artifact, "generator_hash"))));
    put("plan hash", of_record("plan hash"));
    let design = &artifact.design;
    let arms = artifact.cells.iter().map(|c| &c.arm_id).collect::<BTreeSet<_>>().len();
    let dials = artifact.cells.iter().filter_map(|c| Some(&*c.name.as_ref()?.knob)).collect::<BTreeSet<_>>().len();
    put(
        "plan",
        Some(format!(
            "{}, {}, {}, {} at each task",
            text::count(dials, "dial"),
            text::count(arms, "arm"),
            text::count(design.s, "seed"),
            text::count(design.n, "attempt")
        )),
    );
    put("turn limit", text(provenance(artifact, "max_model_calls")));
    put("version", of_record("version").or_else(|| text(provenance(artifact, "package_version"))));
    put("episodes scored", Some(text::group(artifact.cells.iter().map(|c| c.scored).sum::<u64>())));
    let owed = artifact.owed();
    put("episodes owed", (owed > 0).then(|| text::group(owed)));
    put("run chain", about.chain.map(Chain::hex));
    table
}

fn levels(artifact: &Artifact) -> Table {
    let largest = artifact.design.k_values.iter().copied().max().filter(|k| *k > 1);
    let mut head = vec!["arm", ">pass@1", "0         0.5         1", "interval"];
    let at_k = largest.map(|k| format!(">pass@{k}"));
    head.extend(at_k.as_deref());
    head.extend([">leaky@1", ">episodes", ">calls", ""]);
    let mut table = Table::new(&head);
    for cell in &artifact.cells {
        let mut cells = vec![
            cell.arm_id.to_string(),
            rate(cell.pass_at_1),
            bar(cell.pass_at_1, cell.pass_interval, BAR),
            interval(cell.pass_interval),
        ];
        if let Some(k) = largest {
            cells.push(rate(cell.pass_at_k.iter().find(|(at, _)| *at == k).map(|(_, v)| *v)));
        }
        cells.extend([
            rate(cell.leaky_at_1),
            text::group(cell.scored),
            cell.tool_calls.mean.map_or_else(|| "-".into(), |m| format!("{m:.2}")),
            remarks(cell),
        ]);
        table.row(cells);
    }
    table
}

fn remarks(cell: &Cell) -> String {
    let mut remarks = Vec::new();
    if cell.saturated {
        remarks.push("saturated");
    }
    if cell.incomplete {
        remarks.push("incomplete");
    }
    if cell.name.as_ref().is_some_and(|n| n.control) {
        remarks.push("control");
    }
    remarks.join(", ")
}

fn pairs(artifact: &Artifact) -> Table {
    let mut table = Table::new(&["dial", "level", "against", ">difference", "interval", "called"]);
    let leaky = artifact.reach_pairs.iter().map(|pair| (pair, ", leaky"));
    for (pair, on) in artifact.pairs.iter().map(|pair| (pair, "")).chain(leaky) {
        let called = match &pair.reason {
            Some(reason) => format!("{} ({reason})", pair.call.words()),
            None => pair.call.words().to_owned(),
        };
        table.row(vec![
            format!("{}{on}", pair.knob),
            pair.arms[0].clone(),
            pair.arms[1].clone(),
            signed(pair.delta),
            interval(pair.interval),
            called,
        ]);
    }
    table
}

/// Which dials made tasks harder: one of their levels is called lower than the first.
fn harder(artifact: &Artifact) -> Option<String> {
    if !artifact.design.own {
        return None;
    }
    let harder: BTreeSet<&str> = (artifact.pairs.iter())
        .filter(|p| p.call == super::Call::Distinguishable && p.delta.is_some_and(|d| d < 0.0))
        .map(|p| &*p.knob)
        .collect();
    Some(if harder.is_empty() {
        "No dial made tasks harder by as much as this design can call.".into()
    } else {
        format!("Made tasks harder: {}.", harder.into_iter().collect::<Vec<_>>().join(", "))
    })
}

fn outcomes(artifact: &Artifact) -> Table {
    let labels: BTreeSet<&Str> = artifact.cells.iter().flat_map(|c| c.outcome_mix.keys()).collect();
    let figures: Vec<String> = labels.iter().map(|l| format!(">{l}")).collect();
    let head: Vec<&str> = ["arm"].into_iter().chain(figures.iter().map(String::as_str)).collect();
    let mut table = Table::new(&head);
    for cell in &artifact.cells {
        let counts = labels.iter().map(|l| cell.outcome_mix.get(*l).map_or_else(|| "-".into(), |n| text::group(*n)));
        table.row([cell.arm_id.to_string()].into_iter().chain(counts).collect());
    }
    table
}

fn slips(artifact: &Artifact) -> Option<Table> {
    let mut table = Table::new(&[
        "arm",
        ">duplicate writes",
        ">bad reads believed",
        ">stale reads acted on",
        ">gave up after a fault",
    ]);
    let count = |n: Option<u64>| n.map_or_else(|| "-".into(), text::group);
    for cell in &artifact.cells {
        let Some(slips) = cell.slips else { continue };
        let counted =
            [Some(slips.duplicate_writes), slips.bad_reads_believed, slips.stale_reads_acted_on, cell.gave_up];
        if counted.iter().flatten().any(|n| *n > 0) {
            table.row([cell.arm_id.to_string()].into_iter().chain(counted.map(count)).collect());
        }
    }
    (!table.rows.is_empty()).then_some(table)
}

fn silence(artifact: &Artifact, about: &About) -> Vec<String> {
    let mut points = Vec::new();
    let simulated = provenance(artifact, "harness_id").and_then(Value::as_str) == Some("rehearsal");
    if simulated {
        points.push(
            "How a model would do: a player is a policy of a few rules, and its figures are facts about the tasks."
                .into(),
        );
        points.push("Tokens, dollars and seconds: a player spends none, so none are given.".into());
    }
    points.push("How the tools themselves behave: answers come from an engine, not from the tools.".into());
    points.push(format!(
        "Anything about differences smaller than {} or whose interval holds 0: this design cannot call them.",
        artifact.design.delta_star
    ));
    points.push("How the dials add up: every arm turns one dial and leaves the others alone.".into());
    points.push(
        "Anything about other bytes: a reformatted file has other tasks, and its figures do not stand beside these."
            .into(),
    );
    for (what, pair) in [("names", &about.names), ("descriptions", &about.descriptions)] {
        if let Some(pair) = pair {
            points.push(format!(
                "Whether tools are mistaken for one another beyond the similarity dial: the {what} nearest to each other are \
                 those of {} and {}, {:.2} apart on a scale of 0 to 1.",
                pair.a, pair.b, pair.distance
            ));
        }
    }
    points
}
