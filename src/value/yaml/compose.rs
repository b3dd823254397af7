//! The parser's events into the graph of nodes: one document, anchors once, nesting within the limit.

use super::node::{self, Built, Id, List, Mapping, Node, Pairs, Place, Tag};
use super::rescan::{Reread, Written};
use super::source::{Mark, Source};
use super::{Fail, checks};
use crate::value::intern::Interner;
use crate::value::read::line_and_column;
use crate::value::{MAX_DEPTH, Str, Value};
use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// A document's nodes.
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    pub(super) root: Option<Id>,
    /// Texts that hold a lone surrogate, each an allocation of its own.
    pub(super) lone: Vec<Str>,
}

/// A list or mapping whose end has not come.
struct Open {
    id: Id,
    /// Whether it is written with brackets.
    flow: bool,
    /// The key that waits for its value, in a mapping.
    key: Option<Id>,
}

/// So often a text is put in other words for the parser before it is given up.
const MAX_EDITS: usize = 3;

/// Reads the one document of a text.
pub(super) fn compose(source: &Source<'_>) -> Result<Graph, Fail> {
    let mut edited;
    let mut source = source;
    for _ in 0..=MAX_EDITS {
        let (graph, edits) = read(source)?;
        if edits.is_empty() {
            return Ok(graph);
        }
        edited = source.spaced(&edits);
        source = &edited;
    }
    Err(Fail::at("too many `?` and `:` in a row", (1, 1)))
}

/// The graph, and the offsets where a space must come in so that the parser sees the same tokens as PyYAML does. With
/// such offsets the graph is not to be used.
fn read(source: &Source<'_>) -> Result<(Graph, Vec<usize>), Fail> {
    let mut options = granit_parser::options! {
        // just above ours, so that ours speaks
        flow_nesting_limit: MAX_DEPTH + 1,
        block_nesting_limit: MAX_DEPTH + 1,
        block_scalar_eof_without_line_feed: true,
        bom_inside_document_as_content: true,
        emit_anchor_events: true,
    };
    options.set_emit_comments(false);
    let mut composer = Composer {
        source,
        graph: Graph { nodes: Vec::new(), root: None, lone: Vec::new() },
        open: Vec::new(),
        anchors: HashMap::new(),
        names: HashSet::new(),
        documents: 0,
        interner: Interner::new(),
        passed: 0,
        edits: Vec::new(),
    };
    for event in Parser::new_from_str_with_options(&source.text, options) {
        match event {
            Ok((event, span)) => composer.event(event, span)?,
            // after an edit this may be no error
            Err(_) if !composer.edits.is_empty() => break,
            Err(error) => return Err(Fail::of_parser(error)),
        }
    }
    composer.gap(source.text.len())?;
    Ok((composer.graph, composer.edits))
}

struct Composer<'s> {
    source: &'s Source<'s>,
    graph: Graph,
    open: Vec<Open>,
    anchors: HashMap<usize, Id>,
    names: HashSet<String>,
    documents: usize,
    interner: Interner,
    /// Where the scalar read last ends.
    passed: usize,
    edits: Vec<usize>,
}

fn place(span: &Span) -> Place {
    (span.start.line() as u32, span.start.col() as u32 + 1)
}

impl Composer<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fail> {
        match event {
            Event::StreamEnd if self.documents == 0 && checks::ends_before_beginning(&self.source.text) => {
                Err(Fail::at("`...` before any document", place(&span)))
            }
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_, version) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(Fail::at("a second document", place(&span)));
                }
                if checks::ends_before_beginning(&self.source.text[..span.byte_range().unwrap_or_default().start]) {
                    return Err(Fail::at("`...` before any document", place(&span)));
                }
                if version.is_some_and(|version| version.major != 1) {
                    return Err(Fail::at("a YAML version other than 1", place(&span)));
                }
                Ok(())
            }
            Event::Anchor(_, name) => {
                checks::anchor_name(&name, place(&span))?;
                if !self.names.insert(name.into_owned()) {
                    return Err(Fail::at("an anchor that is there already", place(&span)));
                }
                Ok(())
            }
            Event::Alias(anchor) => {
                let name = span.slice(&self.source.text).unwrap_or_default();
                checks::anchor_name(name.trim_start_matches('*'), place(&span))?;
                let id = self.anchors.get(&anchor).copied();
                self.put(id.ok_or_else(|| Fail::at("an alias without its anchor", place(&span)))?);
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let node = self.scalar(&text, style, &span, Tag::of(tag.as_deref()))?;
                let id = self.add(node, anchor);
                self.put(id);
                Ok(())
            }
            Event::SequenceStart(style, anchor, tag) => {
                let (tag, place) = (Tag::of(tag.as_deref()), place(&span));
                let node = Node::List(Box::new(List { items: Vec::new(), tag, place, built: Built::Not }));
                self.begin(node, style, anchor, place)
            }
            Event::MappingStart(style, anchor, tag) => {
                let (tag, place) = (Tag::of(tag.as_deref()), place(&span));
                let pairs = Pairs::Raw(Vec::new());
                let node = Node::Mapping(Box::new(Mapping { pairs, tag, place, built: Built::Not }));
                self.begin(node, style, anchor, place)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(done) = self.open.pop() {
                    self.put(done.id);
                }
                Ok(())
            }
            _ => Err(Fail::at("something that YAML 1.1 does not have", place(&span))),
        }
    }

    fn add(&mut self, node: Node, anchor: usize) -> Id {
        let id = self.graph.nodes.len();
        self.graph.nodes.push(node);
        if anchor > 0 {
            self.anchors.insert(anchor, id);
        }
        id
    }

    fn begin(&mut self, node: Node, style: StructureStyle, anchor: usize, place: Place) -> Result<(), Fail> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Fail::too_deep(place));
        }
        let id = self.add(node, anchor);
        self.open.push(Open { id, flow: style == StructureStyle::Flow, key: None });
        Ok(())
    }

    /// Gives a finished node to what is open around it.
    fn put(&mut self, id: Id) {
        let Some(open) = self.open.last_mut() else {
            self.graph.root = Some(id);
            return;
        };
        match &mut self.graph.nodes[open.id] {
            Node::List(list) => list.items.push(id),
            Node::Mapping(mapping) => match (open.key.take(), &mut mapping.pairs) {
                (Some(key), Pairs::Raw(pairs)) => pairs.push((key, id)),
                _ => open.key = Some(id),
            },
            _ => {}
        }
    }

    /// Checks what stands between the scalar read last and `end`.
    fn gap(&mut self, end: usize) -> Result<(), Fail> {
        let Some(gap) = self.source.text.get(self.passed..end) else { return Ok(()) };
        let Some(tab) = checks::tab(gap) else { return Ok(()) };
        let (line, column) = line_and_column(&self.source.text, self.passed + tab);
        Err(Fail::at("a tab where only spaces may stand", (line as u32, column as u32)))
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: &Span, tag: Tag) -> Result<Node, Fail> {
        let plain = style == ScalarStyle::Plain;
        let place = place(span);
        let range = span.byte_range().unwrap_or_default();
        let written = self.source.text.get(range.clone()).unwrap_or_default();
        // nothing at all is given as `~`
        let text = if plain && written.is_empty() { "" } else { text };
        if !written.is_empty() {
            self.gap(range.start)?;
        }
        let flow = self.open.last().is_some_and(|open| open.flow);
        if plain && written.contains('\t') {
            return Err(Fail::at("a tab inside a plain scalar", place));
        }
        if plain
            && written.is_empty()
            && tag == Tag::None
            && !flow
            && self.awaits_key()
            && !self.after_sign(range.start)
        {
            return Err(Fail::at("`:` without a key", place));
        }
        if plain && flow {
            self.flow_plain(written, range.start, place)?;
        }
        let before = self.passed;
        self.passed = range.end.max(before);
        let reread = match self.source.marks(before..range.end) {
            [] => None,
            _ => self.reread(style, before, range, span.start.col()),
        };
        if let Some(reread) = &reread
            && reread.lone
        {
            let text: Str = Arc::from(reread.text.as_str());
            self.graph.lone.push(text.clone());
            return Ok(node::scalar(tag, plain, &reread.text, place, || Value::Str(text)));
        }
        let text = reread.as_ref().map_or(text, |reread| &reread.text);
        let interner = &mut self.interner;
        Ok(node::scalar(tag, plain, text, place, || Value::Str(interner.get(text))))
    }

    /// Whether the next node is a key of a mapping.
    fn awaits_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.key.is_none() && matches!(self.graph.nodes[open.id], Node::Mapping(_)))
    }

    /// Whether the sign of a key, an anchor or anything else but comments stands between the last scalar and `at`.
    fn after_sign(&self, at: usize) -> bool {
        let gap = self.source.text.get(self.passed..at).unwrap_or_default();
        gap.lines().any(|line| line.split('#').next().is_some_and(|line| line.contains(['?', '&', '!'])))
    }

    /// Inside brackets PyYAML takes `?` for the sign of a key wherever it stands, and `:` for that of a value wherever a
    /// scalar could begin.
    fn flow_plain(&mut self, written: &str, start: usize, place: Place) -> Result<(), Fail> {
        if written.len() > 1 && written.starts_with(['?', ':']) {
            self.edits.push(start + 1);
        } else if written.get(1..).is_some_and(|rest| rest.contains('?')) {
            return Err(Fail::at("`?` inside a plain scalar inside brackets", place));
        }
        Ok(())
    }

    /// A scalar whose text, or whose header's line, has marks in it; nothing when only something before it has.
    fn reread(&self, style: ScalarStyle, before: usize, range: Range<usize>, column: usize) -> Option<Reread> {
        let text = &*self.source.text;
        let written = |range: Range<usize>| {
            let marks = self.source.marks(range.clone());
            let marks = marks.iter().map(|mark| Mark { at: mark.at - range.start, ..*mark }).collect();
            Written { text: &text[range], marks }
        };
        let inside = !self.source.marks(range.clone()).is_empty();
        match style {
            ScalarStyle::Plain => inside.then(|| written(range).folded(false)),
            ScalarStyle::SingleQuoted => inside.then(|| written(range.start + 1..range.end - 1).folded(true)),
            ScalarStyle::DoubleQuoted => inside.then(|| written(range.start + 1..range.end - 1).double_quoted()),
            ScalarStyle::Literal | ScalarStyle::Folded => {
                // blank lines at the beginning stand between the header and the span
                let gap = text[before..range.start].trim_end_matches([' ', '\n', '\r']);
                let header = &gap[gap.rfind(['\n', '\r']).map_or(0, |i| i + 1)..];
                let content = before + gap.len();
                let content = content + text[content..].find(['\n', '\r'])?;
                let content = content + if text[content..].starts_with("\r\n") { 2 } else { 1 };
                if self.source.marks(content..range.end).is_empty() {
                    return None;
                }
                let header = header.split('#').next().unwrap_or_default();
                let indicator = header.rfind(['|', '>'])?;
                let keep = match &header[indicator..] {
                    header if header.contains('+') => Some(true),
                    header if header.contains('-') => Some(false),
                    _ => None,
                };
                Some(written(content..range.end).block(style == ScalarStyle::Folded, column, keep))
            }
        }
    }
}
