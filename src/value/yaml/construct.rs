//! Nodes into values: merges, keys that are one key, aliases shared, cycles (rules 2.5).

use super::Fail;
use super::compose::Graph;
use super::key::Identity;
use super::node::{Built, Id, Node, Pairs, Place, Tag};
use crate::value::{Key, MAX_DEPTH, Map, Odd, Value};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::sync::Arc;

/// Most entries merged into mappings altogether: merging a growing mapping again and again has no other end.
const MAX_MERGED: usize = 1_000_000;

/// The value of a graph; of an empty document, null.
pub(super) fn construct(graph: &mut Graph) -> Result<Value, Fail> {
    let mut constructor = Constructor { nodes: &mut graph.nodes, merged: 0, overwritten: Vec::new() };
    let Some(root) = graph.root else { return Ok(Value::Null) };
    let (value, _) = constructor.value(root, 0)?;
    // a value that another took the place of must be one all the same
    while let Some(id) = constructor.overwritten.pop() {
        constructor.value(id, 0)?;
    }
    Ok(value)
}

struct Constructor<'g> {
    nodes: &'g mut Vec<Node>,
    merged: usize,
    overwritten: Vec<Id>,
}

impl Constructor<'_> {
    /// A node's value and its height; `depth` lists and mappings are around it.
    fn value(&mut self, id: Id, depth: usize) -> Result<(Value, usize), Fail> {
        let (built, place) = match &mut self.nodes[id] {
            Node::Scalar(value) => return Ok((value.clone(), 0)),
            Node::Binary(_) => return Ok((Value::Odd(Arc::new(Odd::Binary)), 0)),
            Node::Merge(place) => return Err(Fail::at("`<<` that is not a key", *place)),
            Node::Equals(place) => return Err(Fail::at("`=` that is not a key", *place)),
            Node::Bad(what, place) => return Err(Fail::at(what, *place)),
            Node::List(list) => (&mut list.built, list.place),
            Node::Mapping(mapping) => (&mut mapping.built, mapping.place),
        };
        match built {
            Built::Begun => return Ok((Value::Odd(Arc::new(Odd::Cycle)), 0)),
            // what stands inside an alias counts as nested where the alias stands
            Built::Done(value, height) if depth + *height <= MAX_DEPTH => return Ok((value.clone(), *height)),
            Built::Done(..) => return Err(Fail::too_deep(place)),
            Built::Not if depth >= MAX_DEPTH => return Err(Fail::too_deep(place)),
            Built::Not => *built = Built::Begun,
        }
        let (value, height) = match &self.nodes[id] {
            Node::List(list) => {
                // a merge may still ask for the items
                let (items, tag) = (list.items.clone(), list.tag);
                self.list(&items, tag, place, depth + 1)?
            }
            _ => self.mapping(id, place, depth + 1)?,
        };
        let height = height + 1;
        match &mut self.nodes[id] {
            Node::List(list) => list.built = Built::Done(value.clone(), height),
            Node::Mapping(mapping) => mapping.built = Built::Done(value.clone(), height),
            _ => {}
        }
        Ok((value, height))
    }

    fn list(&mut self, items: &[Id], tag: Tag, place: Place, depth: usize) -> Result<(Value, usize), Fail> {
        match tag {
            Tag::None | Tag::ByForm | Tag::List => {}
            Tag::Omap | Tag::Pairs => return self.pairs(items, place, depth),
            Tag::Unknown => return Err(Fail::at("a tag that YAML 1.1 does not have", place)),
            _ => return Err(Fail::at("a list under another tag", place)),
        }
        let (mut values, mut height) = (Vec::with_capacity(items.len()), 0);
        for &item in items {
            let (value, inside) = self.value(item, depth)?;
            values.push(value);
            height = height.max(inside);
        }
        Ok((Value::array(values), height))
    }

    /// `!!omap` and `!!pairs`: a list of mappings of one entry each, whose keys may be anything.
    fn pairs(&mut self, items: &[Id], place: Place, depth: usize) -> Result<(Value, usize), Fail> {
        let mut height = 0;
        for &item in items {
            let Node::Mapping(mapping) = &self.nodes[item] else {
                return Err(Fail::at("pairs that are no mappings", place));
            };
            let pair = match &mapping.pairs {
                Pairs::Raw(pairs) => pairs.as_slice(),
                Pairs::Merged(pairs) => pairs,
            };
            let &[(key, value)] = pair else { return Err(Fail::at("a pair of more or less than one entry", place)) };
            height = height.max(self.value(key, depth)?.1).max(self.value(value, depth)?.1);
        }
        Ok((Value::Odd(Arc::new(Odd::Pairs)), height))
    }

    fn mapping(&mut self, id: Id, place: Place, depth: usize) -> Result<(Value, usize), Fail> {
        let tag = if let Node::Mapping(mapping) = &self.nodes[id] { mapping.tag } else { Tag::Unknown };
        match tag {
            Tag::None | Tag::ByForm | Tag::Mapping | Tag::Set => {}
            Tag::Unknown => return Err(Fail::at("a tag that YAML 1.1 does not have", place)),
            _ => return Err(Fail::at("a mapping under another tag", place)),
        }
        let pairs = self.merge(id, 0)?;
        let mut map = Map::with_capacity(pairs.len());
        let mut height = 0;
        // only once a key is no text is there more to compare than texts
        let mut places: Option<HashMap<Identity, usize>> = None;
        for (i, &(key, value)) in pairs.iter().enumerate() {
            let (key, identity) = self.key(key, place)?;
            let (value, inside) = self.value(value, depth)?;
            height = height.max(inside);
            if places.is_none() && matches!(key, Key::Other(_)) {
                let texts = map.named().enumerate().map(|(i, (name, _))| (Identity::Text(name.clone()), i));
                places = Some(texts.collect());
            }
            if let Some(places) = &mut places {
                let identity = match (&key, identity) {
                    (Key::Text(text), _) => Identity::Text(text.clone()),
                    (_, Some(identity)) => identity,
                    (_, None) => Identity::Alone(i),
                };
                if let Some(old) = places.get(&identity).and_then(|&at| map.value_mut(at)) {
                    *old = value;
                    continue;
                }
                places.insert(identity, map.len());
            }
            map.insert(key, value);
        }
        let value = if tag == Tag::Set { Value::Odd(Arc::new(Odd::Set)) } else { Value::object(map) };
        Ok((value, height))
    }

    /// A key, and what makes it the same as another when it is not text.
    fn key(&self, id: Id, place: Place) -> Result<(Key, Option<Identity>), Fail> {
        match &self.nodes[id] {
            Node::Scalar(Value::Str(text)) => Ok((Key::Text(text.clone()), None)),
            Node::Scalar(value) => Ok((Key::Other(Box::new(value.clone())), Identity::of(value))),
            Node::Binary(bytes) => {
                let value = Value::Odd(Arc::new(Odd::Binary));
                Ok((Key::Other(Box::new(value)), Some(Identity::Bytes(bytes.clone()))))
            }
            Node::Equals(_) => Ok((Key::Text(Arc::from("=")), None)),
            Node::Merge(place) => Err(Fail::at("`<<` that merges nothing", *place)),
            Node::Bad(what, place) => Err(Fail::at(what, *place)),
            Node::List(_) | Node::Mapping(_) => Err(Fail::at("a list or mapping as a key", place)),
        }
    }

    /// The entries of a mapping with what it merges: merged ones first, of which the earlier wins, then its own, which win
    /// over all.
    fn merge(&mut self, id: Id, depth: usize) -> Result<Rc<[(Id, Id)]>, Fail> {
        let Node::Mapping(mapping) = &mut self.nodes[id] else { return Ok(Rc::from([])) };
        let place = mapping.place;
        if depth > MAX_DEPTH {
            return Err(Fail::too_deep(place));
        }
        let raw = match &mut mapping.pairs {
            Pairs::Merged(pairs) => return Ok(pairs.clone()),
            Pairs::Raw(pairs) => std::mem::take(pairs),
        };
        let is_merge = |nodes: &[Node], key: Id| matches!(nodes[key], Node::Merge(_));
        if !raw.iter().any(|&(key, _)| is_merge(self.nodes, key)) {
            return Ok(self.merged(id, raw));
        }
        let (merges, own): (Vec<_>, Vec<_>) = raw.into_iter().partition(|&(key, _)| is_merge(self.nodes, key));
        // a mapping that merges itself finds its own entries, without the merge that is being done
        if let Node::Mapping(mapping) = &mut self.nodes[id] {
            mapping.pairs = Pairs::Merged(own.clone().into());
        }
        let mut all = Vec::new();
        for (_, from) in merges {
            let sources = match &self.nodes[from] {
                Node::Mapping(_) => vec![from],
                Node::List(list) => list.items.clone(),
                _ => return Err(Fail::at("`<<` over something other than a mapping", place)),
            };
            for source in sources {
                if !matches!(self.nodes[source], Node::Mapping(_)) {
                    return Err(Fail::at("`<<` over something other than a mapping", place));
                }
                let part = self.merge(source, depth + 1)?;
                self.merged += part.len() + 1;
                if self.merged > MAX_MERGED {
                    return Err(Fail::at("more than 1,000,000 merged entries", place));
                }
                all.extend(part.iter().copied());
            }
        }
        let from = all.len();
        all.extend(own);
        let all = self.distinct(all, from);
        Ok(self.merged(id, all))
    }

    fn merged(&mut self, id: Id, pairs: Vec<(Id, Id)>) -> Rc<[(Id, Id)]> {
        let pairs: Rc<[(Id, Id)]> = pairs.into();
        if let Node::Mapping(mapping) = &mut self.nodes[id] {
            mapping.pairs = Pairs::Merged(pairs.clone());
        }
        pairs
    }

    /// Entries without repeated keys: the first key stays in its place; of the entries before `own` the first value
    /// stays too, and the last one from there on takes its place.
    fn distinct(&mut self, pairs: Vec<(Id, Id)>, own: usize) -> Vec<(Id, Id)> {
        let mut places: HashMap<Identity, usize> = HashMap::with_capacity(pairs.len());
        let mut kept: Vec<(Id, Id)> = Vec::with_capacity(pairs.len());
        for (i, (key, value)) in pairs.into_iter().enumerate() {
            let identity = match &self.nodes[key] {
                Node::Scalar(scalar) => Identity::of(scalar),
                Node::Binary(bytes) => Some(Identity::Bytes(bytes.clone())),
                Node::Equals(_) => Some(Identity::Text(Arc::from("="))),
                _ => None,
            };
            match places.entry(identity.unwrap_or(Identity::Alone(key))) {
                Entry::Occupied(place) => {
                    let kept = &mut kept[*place.get()].1;
                    let gone = if i < own { value } else { std::mem::replace(kept, value) };
                    if !matches!(self.nodes[gone], Node::Scalar(_)) {
                        self.overwritten.push(gone);
                    }
                }
                Entry::Vacant(place) => {
                    place.insert(kept.len());
                    kept.push((key, value));
                }
            }
        }
        kept
    }
}
