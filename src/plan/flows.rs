//! Flows: which field of one tool's answer is an argument of another, and the chains they make (rules 5.5).
use super::PlanError;
use super::set::ToolSet;
use crate::text::nearest;
use crate::value::{Str, Value};

/// A flow: a field of one tool's answer is an argument of another (rules 5.5).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Flow {
    /// From tool.
    pub from: String,
    /// Field path in its output.
    pub field: String,
    /// To tool.
    pub to: String,
    /// Parameter.
    pub param: String,
}

impl Flow {
    /// Parses `FROM.FIELD:TO.PARAM`. Tool names hold neither dots nor colons: the first dot ends FROM, and FIELD ends at
    /// the last colon after which a tool name and a dot follow.
    ///
    /// ```
    /// # use rehearsal::plan::Flow;
    /// let flow = Flow::parse("list_slots.slots[].slot_id:book.slot_id")?;
    /// assert_eq!((&*flow.from, &*flow.field, &*flow.to, &*flow.param), ("list_slots", "slots[].slot_id", "book", "slot_id"));
    /// # Ok::<(), rehearsal::plan::PlanError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Flow, PlanError> {
        let name = |text: &str| !text.is_empty() && !text.contains(['.', ':']);
        let split = |(from, rest): (&str, &str)| {
            let ends = rest.rmatch_indices(':').map(|(i, _)| (&rest[..i], &rest[i + 1..]));
            ends.into_iter().find_map(|(field, target)| {
                let (to, param) = target.split_once('.')?;
                (!field.is_empty() && name(to) && !param.is_empty()).then(|| Flow {
                    from: from.to_owned(),
                    field: field.to_owned(),
                    to: to.to_owned(),
                    param: param.to_owned(),
                })
            })
        };
        text.split_once('.').filter(|(from, _)| name(from)).and_then(split).ok_or_else(|| {
            PlanError(format!(
                "{text} is not a flow: write FROM.FIELD:TO.PARAM, as in get_order.id:refund_order.order_id"
            ))
        })
    }
}

impl std::fmt::Display for Flow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}:{}.{}", self.from, self.field, self.to, self.param)
    }
}

/// A checked flow between tools of a set.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) from: usize,
    pub(super) field: Str,
    pub(super) to: usize,
    /// Position of the parameter among the to-tool's arguments.
    pub(super) param: usize,
}

/// Checks a flow against the set it is declared on.
pub(super) fn check(flow: &Flow, set: &ToolSet) -> Result<Link, PlanError> {
    let fail = |why: String| PlanError(format!("flow {flow}: {why}"));
    let tool = |name: &str| {
        set.position(name).ok_or_else(|| {
            let by_title = set.tools.iter().find(|t| &*t.tool.original == name).map(|t| &*t.tool.name);
            let near = by_title.or_else(|| nearest(name, set.tools.iter().map(|t| &*t.tool.name)));
            fail(format!("no tool is named {name:?}{}", did_you_mean(near)))
        })
    };
    let (from, to) = (tool(&flow.from)?, tool(&flow.to)?);
    match &set.tools[from].tool.output_schema {
        Some(schema) => find_path(schema, &flow.field).map_err(fail)?,
        None if flow.field == "id" => {}
        None => return Err(fail(format!("{} has no output schema, so only its field \"id\" is known", flow.from))),
    }
    let param = set.tools[to].position(&flow.param).ok_or_else(|| {
        let near = nearest(&flow.param, set.tools[to].props.iter().map(|p| &*p.name));
        fail(format!("{} has no argument {:?}{}", flow.to, flow.param, did_you_mean(near)))
    })?;
    Ok(Link { from, field: Str::from(&*flow.field), to, param })
}

fn did_you_mean(near: Option<&str>) -> String {
    near.map_or_else(String::new, |n| format!("; did you mean {n:?}?"))
}

/// Whether the path exists in an output schema, with `[]` exactly at lists; the error says where it ends.
fn find_path(schema: &Value, path: &str) -> Result<(), String> {
    let mut here = schema;
    for part in path.split('.') {
        let (name, first) = part.strip_suffix("[]").map_or((part, false), |name| (name, true));
        let properties = here.get("properties").and_then(Value::as_object);
        let next = properties.and_then(|p| p.get(name)).ok_or_else(|| {
            let names = properties.into_iter().flat_map(|p| p.named().map(|(k, _)| &**k));
            format!("its answer has no field {path:?}: no {name:?}{}", did_you_mean(nearest(name, names)))
        })?;
        here = match (is_list(next), first) {
            (true, true) => next.get("items").unwrap_or(&Value::Null),
            (false, false) => next,
            (true, false) => {
                return Err(format!("{name:?} in {path:?} is a list: write {name}[] for its first entry"));
            }
            (false, true) => return Err(format!("{name:?} in {path:?} is not a list: write it without []")),
        };
    }
    Ok(())
}

/// Whether an output property answers with a list.
fn is_list(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::Str(kind)) => &**kind == "array",
        Some(Value::Array(kinds)) => kinds.iter().any(|k| k.as_str() == Some("array")),
        _ => {
            schema.get("properties").is_none() && (schema.get("items").is_some() || schema.get("prefixItems").is_some())
        }
    }
}

/// A walk over the links that ends at a target tool: at least two tools, none twice.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    /// Positions of the tools, first to last.
    pub(super) tools: Vec<usize>,
    /// The links between them, one fewer than the tools.
    pub(super) links: Vec<usize>,
}

impl Chain {
    /// Whether nothing was found.
    fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    /// The last `n` tools of it, for `n` not above their number.
    pub(super) fn last(&self, n: usize) -> Chain {
        let cut = self.tools.len().saturating_sub(n);
        Chain { tools: self.tools[cut..].to_vec(), links: self.links[cut.min(self.links.len())..].to_vec() }
    }
}

/// The two chains that dials are planned on.
#[derive(Debug, Default)]
pub(super) struct Chains {
    /// The longest usable chain.
    pub(super) longest: Option<Chain>,
    /// The longest usable chain whose first tool has a checkable argument.
    pub(super) checkable: Option<Chain>,
}

/// Walks looked at before the search is given up: flows that join everything with everything make more than anyone can
/// look at.
const MOST_WALKS: usize = 200_000;

/// Finds the chains, or says why there are too many to look at.
pub(super) fn chains(set: &ToolSet, links: &[Link]) -> Result<Chains, String> {
    let mut out = vec![Vec::new(); set.tools.len()];
    for (i, link) in links.iter().enumerate() {
        let to = &set.tools[link.to];
        if set.tools[link.from].ready && to.ready && to.props[link.param].drawable {
            out[link.from].push(i);
        }
    }
    // in the order of the rules: by the file position of the next tool, then by the order of the flows; so the first
    // chain found of a length is the one that counts
    for next in &mut out {
        next.sort_by_key(|&i| (links[i].to, i));
    }
    let mut search = Search { set, links, out, walk: Chain::default(), walks: 0, found: Default::default() };
    for start in 0..set.tools.len() {
        if !search.out[start].is_empty() {
            search.walk.tools.push(start);
            search.extend()?;
            search.walk.tools.pop();
        }
    }
    let [longest, checkable] = search.found.map(|c| (!c.is_empty()).then_some(c));
    Ok(Chains { longest, checkable })
}

struct Search<'a> {
    set: &'a ToolSet,
    links: &'a [Link],
    out: Vec<Vec<usize>>,
    walk: Chain,
    walks: usize,
    found: [Chain; 2],
}

impl Search<'_> {
    /// Looks at every walk that goes on from here; as deep as there are tools (at most 256).
    fn extend(&mut self) -> Result<(), String> {
        let Some(&last) = self.walk.tools.last() else { return Ok(()) };
        for k in 0..self.out[last].len() {
            let link = self.out[last][k];
            let to = self.links[link].to;
            if self.walk.tools.contains(&to) {
                continue;
            }
            self.walks += 1;
            if self.walks > MOST_WALKS {
                return Err(format!("the flows make more than {MOST_WALKS} chains: declare fewer flows"));
            }
            self.walk.tools.push(to);
            self.walk.links.push(link);
            self.keep();
            self.extend()?;
            self.walk.tools.pop();
            self.walk.links.pop();
        }
        Ok(())
    }

    /// Keeps the walk when it ends at a target and is longer than what was found before.
    fn keep(&mut self) {
        let (Some(first), Some(last)) = (self.walk.tools.first(), self.walk.tools.last()) else { return };
        if !self.set.targets.contains(last) {
            return;
        }
        let starts_checkable = !self.set.tools[*first].checkable.is_empty();
        for (i, open) in [true, starts_checkable].into_iter().enumerate() {
            if open && self.walk.tools.len() > self.found[i].tools.len() {
                self.found[i] = self.walk.clone();
            }
        }
    }
}
