//! Two tool files compared: bytes, contracts, and the tools they give.
use super::differences::{Difference, Differences, differences};
use super::names::rename;
use super::reading::Reading;
use super::source::Source;
use super::tool::Tool;
use crate::text::{count, count_of, group};
use crate::value::{Map, Str, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Most differences listed; after them, how many are left out.
pub const MOST_TOLD: usize = 50;

/// Two files as what they say.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Whether every byte is the same.
    pub same_bytes: bool,
    /// Whether the contract hashes are the same; `None` when one of them is refused.
    pub same_contract: Option<bool>,
    /// Where the files say something else, at most [`MOST_TOLD`] places.
    pub differences: Vec<Difference>,
    /// How many more places there are.
    pub more: u64,
}

impl Comparison {
    /// What this means, in one line.
    pub fn sentence(&self) -> String {
        let all = (self.differences.len() as u64).saturating_add(self.more);
        let places = count_of(usize::try_from(all).unwrap_or(usize::MAX), "place", "places");
        match (self.same_bytes, self.same_contract) {
            (true, _) => "same bytes, so the same contract and the same tasks".to_owned(),
            (false, Some(true)) => {
                "same contract, different bytes: tasks are drawn from the bytes, so they differ".to_owned()
            }
            (false, Some(false)) => format!("the contracts differ in {places}"),
            (false, None) if all == 0 => {
                "different bytes; a contract hash is refused, so the contracts cannot be compared".to_owned()
            }
            (false, None) => format!("different bytes; a contract hash is refused; the files differ in {places}"),
        }
    }
}

/// Compares two files. Files that cannot be parsed have no differences to tell.
pub fn compare(left: &Source, right: &Source) -> Comparison {
    let same_bytes = left.file_hash() == right.file_hash();
    let contracts = (left.contract(), right.contract());
    let same_contract = match contracts {
        (Some(Ok(left)), Some(Ok(right))) => Some(left == right),
        _ => None,
    };
    let found = match (left.document(), right.document()) {
        (Ok(left), Ok(right)) if !same_bytes && same_contract != Some(true) => {
            differences(&left.root, &right.root, MOST_TOLD)
        }
        _ => Differences::default(),
    };
    Comparison { same_bytes, same_contract, differences: found.first, more: found.more }
}

/// A usable tool that both files have and that is not the same in both.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolChange {
    /// Its name.
    pub name: Str,
    /// JSON pointer of its definition in the left file.
    pub left_at: String,
    /// JSON pointer of its definition in the right file.
    pub right_at: String,
    /// Where it differs. Pointers begin with the part: `/title`, `/description`, `/effect`, `/input_schema` or
    /// `/output_schema`, and go on inside the schema.
    pub differences: Vec<Difference>,
    /// How many more places there are.
    pub more: u64,
}

/// What became of a tool that only one side can use while the other refuses it.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnedTool {
    /// Its name, as renamed.
    pub name: Str,
    /// Why it is refused, where it is.
    pub reason: String,
}

/// The tools of two files compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolChanges {
    /// Usable tools that only the right file has, in its order.
    pub added: Vec<Str>,
    /// Usable tools that only the left file has, in its order.
    pub removed: Vec<Str>,
    /// Usable on the left, refused on the right.
    pub now_refused: Vec<TurnedTool>,
    /// Refused on the left, usable on the right.
    pub now_usable: Vec<TurnedTool>,
    /// Usable in both and not the same, in the left file's order.
    pub changed: Vec<ToolChange>,
    /// How many are the same in both.
    pub same: usize,
    /// Whether the tools of both stand in another order.
    pub reordered: bool,
}

impl ToolChanges {
    /// Whether anything differs.
    pub fn is_empty(&self) -> bool {
        let lists = self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty();
        lists && self.now_refused.is_empty() && self.now_usable.is_empty() && !self.reordered
    }

    /// What changed, counted, in one line.
    pub fn sentence(&self) -> String {
        let parts = [
            (self.added.len(), "added"),
            (self.removed.len(), "removed"),
            (self.changed.len(), "changed"),
            (self.now_refused.len(), "now refused"),
            (self.now_usable.len(), "now usable"),
        ];
        let parts: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", group(*n as u64))).collect();
        let order = if self.reordered { ", reordered" } else { "" };
        let changes = if parts.is_empty() { String::new() } else { format!("{}; ", parts.join(", ")) };
        format!("{changes}{} the same{order}", count(self.same, "tool"))
    }
}

/// Compares the tools of two readings, paired by their names.
pub fn compare_tools(left: &Reading, right: &Reading) -> ToolChanges {
    let (left_index, right_index) = (Index::of(left), Index::of(right));
    let mut changes = ToolChanges::default();
    let mut places = Vec::new();
    for tool in &left.tools {
        match (right_index.tools.get(&*tool.name), right_index.refused.get(&*tool.name)) {
            (Some((place, other)), _) => {
                places.push(*place);
                match changed(tool, other) {
                    Some(change) => changes.changed.push(change),
                    None => changes.same += 1,
                }
            }
            (None, Some(reason)) => changes.now_refused.push(turned(tool, reason)),
            (None, None) => changes.removed.push(tool.name.clone()),
        }
    }
    for tool in right.tools.iter().filter(|tool| !left_index.tools.contains_key(&*tool.name)) {
        match left_index.refused.get(&*tool.name) {
            Some(reason) => changes.now_usable.push(turned(tool, reason)),
            None => changes.added.push(tool.name.clone()),
        }
    }
    changes.reordered = !places.is_sorted();
    changes
}

fn turned(tool: &Tool, reason: &&str) -> TurnedTool {
    TurnedTool { name: tool.name.clone(), reason: (*reason).to_owned() }
}

/// A reading's tools by their name as sent.
struct Index<'a> {
    tools: HashMap<&'a str, (usize, &'a Arc<Tool>)>,
    /// Reasons of the refused ones.
    refused: HashMap<String, &'a str>,
}

impl<'a> Index<'a> {
    fn of(reading: &'a Reading) -> Self {
        let tools = reading.tools.iter().enumerate();
        Self {
            tools: tools.map(|(i, tool)| (&*tool.name, (i, tool))).collect(),
            refused: reading.refused.iter().map(|refused| (rename(&refused.name), refused.reason.as_str())).collect(),
        }
    }
}

fn changed(left: &Arc<Tool>, right: &Arc<Tool>) -> Option<ToolChange> {
    let found = differences(&parts(left), &parts(right), MOST_TOLD);
    (!found.first.is_empty()).then(|| ToolChange {
        name: left.name.clone(),
        left_at: left.at.clone(),
        right_at: right.at.clone(),
        differences: found.first,
        more: found.more,
    })
}

/// What an agent sees of a tool and what counts in a task, as one value.
fn parts(tool: &Tool) -> Value {
    let mut map = Map::from([
        ("description", Value::from(&tool.description)),
        ("effect", Value::from(tool.effect.word())),
        ("input_schema", tool.input_schema.clone()),
    ]);
    if let Some(title) = &tool.title {
        map.insert("title", title);
    }
    if let Some(output) = &tool.output_schema {
        map.insert("output_schema", output.clone());
    }
    map.into()
}
