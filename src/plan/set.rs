//! The tools of a set as the generator sees them (rules 5.1): what can be drawn, checked, read and written.
use super::draws::value;
use crate::schema::{DrawKey, cleaned, is_free_text, is_object_schema};
use crate::task::Call;
use crate::toolfile::Tool;
use crate::value::{Map, Str, Value};
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

/// One argument of a tool.
#[derive(Debug)]
pub(super) struct Prop {
    /// Its name.
    pub(super) name: Str,
    /// Its schema as written.
    pub(super) schema: Value,
    /// Its schema without the keywords that are not drawn by.
    pub(super) cleaned: Value,
    /// Whether the tool requires it.
    pub(super) required: bool,
    /// Whether a value of it can be drawn.
    pub(super) drawable: bool,
    /// Whether it is drawable and more than free text, so that a call's value can be told right from wrong.
    pub(super) checkable: bool,
}

impl Prop {
    /// The text under `type`, when it is text.
    pub(super) fn kind(&self) -> Option<&str> {
        self.schema.get("type").and_then(Value::as_str)
    }
}

/// A tool with everything about it that no seed changes.
#[derive(Debug)]
pub(super) struct Prepared {
    /// The tool.
    pub(super) tool: Arc<Tool>,
    /// Its arguments in schema order.
    pub(super) props: Vec<Prop>,
    /// Positions of the required arguments, in the order of the `required` list.
    pub(super) required: Vec<usize>,
    /// Positions of the drawable arguments, in schema order.
    pub(super) drawable: Vec<usize>,
    /// Positions of the checkable arguments, in schema order.
    pub(super) checkable: Vec<usize>,
    /// Every required name is an argument that can be drawn.
    pub(super) ready: bool,
    /// The top-level field of its answer that can serve a text (rules 5.1).
    pub(super) answer_field: Option<Str>,
    /// Arguments that break its schema, found when first asked for.
    pub(super) breaking: OnceLock<Option<Value>>,
}

impl Prepared {
    fn new(tool: &Arc<Tool>, probe: &DrawKey) -> Self {
        let listed = tool.required();
        let required_names: HashSet<&str> = listed.iter().map(|n| &**n).collect();
        let props: Vec<Prop> = tool
            .properties()
            .into_iter()
            .map(|(name, schema)| {
                let mut prop = Prop {
                    required: required_names.contains(&*name),
                    cleaned: cleaned(&schema),
                    name,
                    schema,
                    drawable: false,
                    checkable: false,
                };
                prop.drawable = value(probe, &prop, "drawable").is_some();
                prop.checkable = prop.drawable && !is_free_text(&prop.schema);
                prop
            })
            .collect();
        let mut required = Vec::new();
        let mut ready = true;
        for name in &listed {
            match props.iter().position(|p| p.name == *name) {
                Some(at) if required.contains(&at) => {}
                Some(at) => {
                    ready &= props[at].drawable;
                    required.push(at);
                }
                None => ready = false,
            }
        }
        let drawable = (0..props.len()).filter(|&i| props[i].drawable).collect();
        let checkable = (0..props.len()).filter(|&i| props[i].checkable).collect();
        let answer_field = match &tool.output_schema {
            None => Some(Str::from("id")),
            Some(schema) => answer_field(schema, |_| true).map(|(name, _)| name.clone()),
        };
        Prepared {
            tool: tool.clone(),
            props,
            required,
            drawable,
            checkable,
            ready,
            answer_field,
            breaking: OnceLock::new(),
        }
    }

    /// The position of an argument.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.props.iter().position(|p| &*p.name == name)
    }

    /// Effect read, and every required name can be drawn.
    pub(super) fn is_read(&self) -> bool {
        self.tool.effect.is_read() && self.ready
    }

    /// Whether tasks can ask for it (rules 5.1, *target tools*).
    fn is_target(&self) -> bool {
        !self.tool.effect.is_read() && self.ready && !self.checkable.is_empty()
    }

    /// The top-level output property of that name; `None` without an output schema too.
    pub(super) fn output_property(&self, name: &str) -> Option<&Value> {
        self.tool.output_schema.as_ref()?.get("properties")?.get(name)
    }

    /// Whether its answers can be told apart by what they say (rules 7.5, *record read*).
    pub(super) fn is_record_read(&self) -> bool {
        let open = |s: &Value| {
            is_object_schema(s) && ["const", "enum", "anyOf", "oneOf"].into_iter().all(|k| s.get(k).is_none())
        };
        self.is_read() && !self.checkable.is_empty() && self.tool.output_schema.as_ref().is_none_or(open)
    }

    /// Positions of the required arguments and the first checkable one, in schema order: a call that names one record.
    pub(super) fn key_call(&self) -> Vec<usize> {
        let first = self.checkable.first();
        (0..self.props.len()).filter(|i| self.props[*i].required || Some(i) == first).collect()
    }

    /// The call with the values at `positions`; a value that could not be drawn stands as null.
    pub(super) fn call(&self, shown: &Str, positions: &[usize], values: &[Option<Value>]) -> Call {
        let mut arguments = Map::with_capacity(positions.len());
        for &i in positions {
            arguments.insert(&self.props[i].name, values[i].clone().unwrap_or_default());
        }
        Call { tool: shown.clone(), arguments: Value::object(arguments) }
    }

    /// Name and value of the arguments at `positions`.
    pub(super) fn pairs(&self, positions: &[usize], values: &[Option<Value>]) -> Vec<(Str, Value)> {
        positions.iter().map(|&i| (self.props[i].name.clone(), values[i].clone().unwrap_or_default())).collect()
    }

    /// *stated(t, carried)* of rules 5.1: positions of the drawable arguments but the carried one.
    pub(super) fn stated(&self, carried: Option<usize>) -> Vec<usize> {
        self.drawable.iter().copied().filter(|&i| Some(i) != carried).collect()
    }

    /// *call(t)* of rules 5.1: positions of what is required, stated or carried.
    pub(super) fn called(&self, stated: &[usize], carried: Option<usize>) -> Vec<usize> {
        (0..self.props.len()).filter(|i| self.props[*i].required || Some(*i) == carried || stated.contains(i)).collect()
    }

    /// The `match` of rules 5.6: positions of what is checkable and stated or carried.
    pub(super) fn matched(&self, stated: &[usize], carried: Option<usize>) -> Vec<usize> {
        self.checkable.iter().copied().filter(|i| Some(*i) == carried || stated.contains(i)).collect()
    }
}

/// The answer field of rules 5.1 among the top-level properties that `open` lets through: the first whose type is
/// exactly `string` that is free text without a pattern, else the first string.
///
/// A name that cannot be written as a path (rules 4.6) is skipped: nothing could be served there.
pub(super) fn answer_field(output: &Value, open: impl Fn(&str) -> bool) -> Option<(&Str, &Value)> {
    let properties = output.get("properties")?.as_object()?;
    let mut strings = properties
        .named()
        .filter(|(name, schema)| has_type(schema, "string") && is_path_part(name) && open(name))
        .peekable();
    let first = strings.peek().copied();
    strings.find(|(_, schema)| is_free_text(schema) && schema.get("pattern").is_none()).or(first)
}

/// Whether the schema's `type` is exactly that word.
pub(super) fn has_type(schema: &Value, word: &str) -> bool {
    schema.get("type").and_then(Value::as_str) == Some(word)
}

/// Whether a property name can stand as one part of a path.
pub(super) fn is_path_part(name: &str) -> bool {
    !name.is_empty() && !name.contains('.') && !name.ends_with("[]")
}

/// All tools of a set, prepared.
#[derive(Debug)]
pub(super) struct ToolSet {
    /// In file order.
    pub(super) tools: Vec<Prepared>,
    /// Positions of the tools that tasks can ask for.
    pub(super) targets: Vec<usize>,
    /// Positions of the reads.
    pub(super) reads: Vec<usize>,
    /// Positions of the reads with a checkable argument and an answer field.
    pub(super) keyed: Vec<usize>,
}

impl ToolSet {
    /// Prepares the tools.
    pub(super) fn new(tools: &[Arc<Tool>], probe: &DrawKey) -> Self {
        let tools: Vec<Prepared> = tools.iter().map(|t| Prepared::new(t, probe)).collect();
        let which = |test: &dyn Fn(&Prepared) -> bool| (0..tools.len()).filter(|&i| test(&tools[i])).collect();
        ToolSet {
            targets: which(&Prepared::is_target),
            reads: which(&Prepared::is_read),
            keyed: which(&|t| t.is_read() && !t.checkable.is_empty() && t.answer_field.is_some()),
            tools,
        }
    }

    /// The position of a tool by its name.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.tools.iter().position(|t| &*t.tool.name == name)
    }
}
