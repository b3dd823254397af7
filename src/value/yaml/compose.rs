//! The parser's events into the graph of nodes: one document, anchors once, nesting within the limit.

use super::Fail;
use super::node::{self, Built, Id, List, Mapping, Node, Pairs, Place, Tag};
use super::rescan::{Reread, Written};
use super::source::{Mark, Source};
use super::watch::Watch;
use crate::value::intern::Interner;
use crate::value::read::line_and_column;
use crate::value::{MAX_DEPTH, Str, Value};
use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span, StructureStyle};
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
    /// The key that waits for its value, in a mapping.
    key: Option<Id>,
}

/// How often a text is rewritten for the parser, and how many bytes are read again for it, before it is
/// given up: each time costs a reading of the whole.
const MAX_EDITS: usize = 256;
const MAX_REREAD: usize = 128 << 20;

/// Reads the one document of a text.
pub(super) fn compose(source: &Source<'_>) -> Result<Graph, Fail> {
    let mut edited;
    let mut source = source;
    for times in 0.. {
        let (graph, edits) = read(source)?;
        let Some(&first) = edits.first() else { return Ok(graph) };
        if times >= MAX_EDITS || times * source.text.len() > MAX_REREAD {
            let (line, column) = line_and_column(&source.text, first);
            return Err(Fail::at(
                "the last of too many signs without a space after them",
                (line as u32, column as u32),
            ));
        }
        edited = source.spaced(&edits);
        source = &edited;
    }
    Err(Fail::at("no document", (1, 1)))
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
        watch: Watch::new(source),
    };
    for event in Parser::new_from_str_with_options(&source.text, options) {
        match event {
            Ok((event, span)) => composer.event(event, span)?,
            Err(error) => {
                let edit =
                    mend(&error, &source.text).filter(|&at| composer.watch.edits.last().is_none_or(|&last| last < at));
                composer.watch.edits.extend(edit);
                if composer.watch.edits.is_empty() {
                    return Err(Fail::of_parser(error));
                }
                // after the edits this may be no error
                return Ok((composer.graph, composer.watch.edits));
            }
        }
    }
    composer.watch.gap(source.text.len())?;
    Ok((composer.graph, composer.watch.edits))
}

/// Where a space would mend what the parser refuses and PyYAML takes.
fn mend(error: &ScanError, text: &str) -> Option<usize> {
    let at = error.marker().byte_offset()?;
    match error.kind() {
        // `{a:[1]}`
        ErrorKind::FlowMappingValueAdjacentCollection => Some(at + 1),
        // `"a"#comment`
        ErrorKind::CommentNotSeparated if text[..at].ends_with(['"', '\'', ',', '[', ']', '{', '}']) => Some(at),
        _ => None,
    }
}

struct Composer<'s> {
    source: &'s Source<'s>,
    graph: Graph,
    open: Vec<Open>,
    anchors: HashMap<usize, Id>,
    names: HashSet<String>,
    documents: usize,
    interner: Interner,
    watch: Watch<'s>,
}

fn place(span: &Span) -> Place {
    (span.start.line() as u32, span.start.col() as u32 + 1)
}

impl Composer<'_> {
    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), Fail> {
        let Range { start, end } = span.byte_range().unwrap_or_default();
        if let Some(tag) = span.tag_span().and_then(|tag| tag.byte_range()) {
            self.watch.tag(tag.end)?;
        }
        if event.is_node() {
            self.watch.begins(start, span.tag_start().and_then(|tag| tag.byte_offset()))?;
        }
        match event {
            Event::StreamEnd if self.documents == 0 => self.watch.document(end),
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::DocumentStart(_, version) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(Fail::at("a second document", place(&span)));
                }
                if version.is_some_and(|version| version.major != 1) {
                    return Err(Fail::at("a YAML version other than 1", place(&span)));
                }
                self.watch.document(start)
            }
            Event::Anchor(_, name) => {
                self.watch.anchor(start, end)?;
                if !self.names.insert(name.into_owned()) {
                    return Err(Fail::at("an anchor that is there already", place(&span)));
                }
                Ok(())
            }
            Event::Alias(anchor) => {
                self.watch.name(start, end)?;
                let id = self.anchors.get(&anchor).copied();
                self.put(id.ok_or_else(|| Fail::at("an alias without its anchor", place(&span)))?, end);
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let before = self.watch.passed();
                let plain = style == ScalarStyle::Plain;
                let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                // a block scalar without text spans its header, which is no text either
                let text_end = if block && text.bytes().all(|b| b == b'\n') { start } else { end };
                self.watch.scalar(start, text_end, plain, anchor == 0 && tag.is_none())?;
                if block {
                    self.watch.block_scalar(before, start, span.start.col() == 0 && text_end > start)?;
                }
                let node = self.scalar(&text, style, &span, before..start, Tag::of(tag.as_deref()));
                let id = self.add(node, anchor);
                self.put(id, end);
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
                self.watch.closes()?;
                if let Some(done) = self.open.pop() {
                    self.put(done.id, end);
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
        self.watch.opens(matches!(node, Node::Mapping(_)), style == StructureStyle::Flow);
        let id = self.add(node, anchor);
        self.open.push(Open { id, key: None });
        Ok(())
    }

    /// Gives a node that ends at `end` to what is open around it.
    fn put(&mut self, id: Id, end: usize) {
        self.watch.ends(end);
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

    /// The node of a scalar; `gap` is what stands between the scalar before it and its beginning.
    fn scalar(&mut self, text: &str, style: ScalarStyle, span: &Span, gap: Range<usize>, tag: Tag) -> Node {
        let (plain, place) = (style == ScalarStyle::Plain, place(span));
        let range = span.byte_range().unwrap_or_default();
        // nothing at all is given as `~`
        let text = if plain && range.is_empty() { "" } else { text };
        let reread = match self.source.marks(gap.start..range.end) {
            [] => None,
            _ => self.reread(style, gap.start, range, span.start.col()),
        };
        if let Some(reread) = &reread
            && reread.lone
        {
            let text: Str = Arc::from(reread.text.as_str());
            self.graph.lone.push(text.clone());
            return node::scalar(tag, plain, &reread.text, place, || Value::Str(text));
        }
        let text = reread.as_ref().map_or(text, |reread| &reread.text);
        let interner = &mut self.interner;
        node::scalar(tag, plain, text, place, || Value::Str(interner.get(text)))
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
