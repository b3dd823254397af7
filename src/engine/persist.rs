//! Persistent collections: a new version shares all but a path of the old one, so that an episode can keep the state
//! after every one of its calls.
use std::sync::Arc;

const BITS: u32 = 5;
const WIDTH: usize = 1 << BITS;
const MASK: usize = WIDTH - 1;

/// A list that only grows; `push` gives a new list and shares the old one's items.
#[derive(Debug)]
pub(super) struct List<T> {
    len: usize,
    /// Levels of inner nodes above the leaves.
    height: u32,
    root: Option<Arc<Node<T>>>,
    /// The last items, fewer than [`WIDTH`] unless full.
    tail: Arc<Vec<Arc<T>>>,
}

#[derive(Debug)]
enum Node<T> {
    Inner(Vec<Arc<Node<T>>>),
    Leaf(Arc<Vec<Arc<T>>>),
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        Self { len: self.len, height: self.height, root: self.root.clone(), tail: self.tail.clone() }
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { len: 0, height: 0, root: None, tail: Arc::default() }
    }
}

impl<T> List<T> {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn get(&self, index: usize) -> Option<&Arc<T>> {
        if index >= self.len {
            return None;
        }
        let in_tree = self.len - self.tail.len();
        if index >= in_tree {
            return self.tail.get(index - in_tree);
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            match node {
                Node::Leaf(items) => return items.get(index & MASK),
                Node::Inner(children) => {
                    node = children.get((index >> (BITS * level)) & MASK)?;
                    level = level.saturating_sub(1);
                }
            }
        }
    }

    pub(super) fn push(&self, item: T) -> Self {
        let mut next = self.clone();
        if self.tail.len() == WIDTH {
            next.store_tail();
        }
        let mut tail = Vec::with_capacity(next.tail.len() + 1);
        tail.extend(next.tail.iter().cloned());
        tail.push(Arc::new(item));
        next.tail = Arc::new(tail);
        next.len += 1;
        next
    }

    /// Moves the full tail into the tree.
    fn store_tail(&mut self) {
        let leaf = Arc::new(Node::Leaf(std::mem::take(&mut self.tail)));
        let index = self.len - WIDTH;
        let Some(root) = self.root.take() else {
            self.root = Some(leaf);
            return;
        };
        if index >> (BITS * (self.height + 1)) > 0 {
            self.height += 1;
            self.root = Some(Arc::new(Node::Inner(vec![root, branch(self.height - 1, leaf)])));
        } else {
            self.root = Some(insert(&root, self.height, index, leaf));
        }
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        (0..self.len).filter_map(|i| self.get(i).map(|item| &**item))
    }
}

/// A chain of one-child nodes of that height down to the leaf.
fn branch<T>(height: u32, leaf: Arc<Node<T>>) -> Arc<Node<T>> {
    (0..height).fold(leaf, |below, _| Arc::new(Node::Inner(vec![below])))
}

fn insert<T>(node: &Arc<Node<T>>, height: u32, index: usize, leaf: Arc<Node<T>>) -> Arc<Node<T>> {
    let Node::Inner(children) = &**node else { return leaf };
    let mut children = children.clone();
    let at = (index >> (BITS * height)) & MASK;
    match children.get_mut(at) {
        Some(child) => *child = insert(child, height - 1, index, leaf),
        None => children.push(branch(height - 1, leaf)),
    }
    Arc::new(Node::Inner(children))
}

/// A map from 64-bit hashes to small values; two things of one hash share an entry, and whoever looks up checks.
#[derive(Debug)]
pub(super) struct Table<V> {
    root: Option<Arc<Branch<V>>>,
}

#[derive(Debug, Clone)]
struct Branch<V> {
    /// Which of the 32 places are taken.
    taken: u32,
    entries: Vec<Entry<V>>,
}

#[derive(Debug, Clone)]
enum Entry<V> {
    One(u64, V),
    Many(Arc<Branch<V>>),
}

impl<V> Clone for Table<V> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone() }
    }
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self { root: None }
    }
}

impl<V: Copy> Table<V> {
    pub(super) fn get(&self, hash: u64) -> Option<V> {
        let mut branch = self.root.as_deref()?;
        let mut shift = 0;
        loop {
            let bit = place(hash, shift);
            if branch.taken & bit == 0 {
                return None;
            }
            match &branch.entries[branch.before(bit)] {
                Entry::One(found, value) => return (*found == hash).then_some(*value),
                Entry::Many(below) => branch = below,
            }
            shift += BITS;
        }
    }

    /// Sets an entry here and in no older version: what is shared with one is copied first, what is not is changed in
    /// place, so that many entries set in a row copy each branch once.
    pub(super) fn insert(&mut self, hash: u64, value: V) {
        let root = self.root.get_or_insert_with(|| Arc::new(Branch { taken: 0, entries: Vec::new() }));
        Arc::make_mut(root).insert(0, hash, value);
    }
}

impl<V: Copy> Branch<V> {
    /// How many entries stand before the place of a bit.
    fn before(&self, bit: u32) -> usize {
        (self.taken & (bit - 1)).count_ones() as usize
    }

    /// Sets an entry; `shift` bits of the hash lead to this branch.
    fn insert(&mut self, shift: u32, hash: u64, value: V) {
        let bit = place(hash, shift);
        let at = self.before(bit);
        if self.taken & bit == 0 {
            self.taken |= bit;
            self.entries.insert(at, Entry::One(hash, value));
            return;
        }
        let below = match &mut self.entries[at] {
            Entry::Many(below) => return Arc::make_mut(below).insert(shift + BITS, hash, value),
            Entry::One(other, old) if *other == hash => {
                *old = value;
                return;
            }
            Entry::One(other, old) => {
                let mut below = Branch { taken: place(*other, shift + BITS), entries: vec![Entry::One(*other, *old)] };
                below.insert(shift + BITS, hash, value);
                below
            }
        };
        self.entries[at] = Entry::Many(Arc::new(below));
    }
}

/// The bit of the place a hash takes in a branch that `shift` bits lead to. Two different hashes part within 64 bits.
fn place(hash: u64, shift: u32) -> u32 {
    1 << ((hash >> shift) & MASK as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_keeps_every_version() {
        let mut versions = vec![List::default()];
        for i in 0..3000usize {
            let next = versions[i].push(i);
            versions.push(next);
        }
        for (n, version) in versions.iter().enumerate() {
            assert_eq!(version.len(), n);
            assert!(version.get(n).is_none());
            for i in [0, 31, 32, 33, 1023, 1024, 1055, 1056, 2047, n.saturating_sub(1)] {
                assert_eq!(version.get(i).map(|x| **x), (i < n).then_some(i), "{i} of {n}");
            }
        }
        let last = &versions[3000];
        assert!(last.iter().copied().eq(0..3000));
        assert!(last.iter().rev().copied().eq((0..3000).rev()));
    }

    #[test]
    fn a_list_grows_past_three_levels() {
        let mut list = List::default();
        for i in 0..40_000usize {
            list = list.push(i);
        }
        assert!(list.iter().copied().eq(0..40_000));
    }

    #[test]
    fn a_table_keeps_every_version() {
        let key = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut versions = vec![Table::default()];
        for i in 0..2000u64 {
            let mut next = versions[i as usize].clone();
            next.insert(key(i), i);
            versions.push(next);
        }
        for n in [0usize, 1, 2, 40, 500, 2000] {
            for i in 0..2000u64 {
                assert_eq!(versions[n].get(key(i)), ((i as usize) < n).then_some(i));
            }
        }
        let mut changed = versions[2000].clone();
        changed.insert(key(7), 99);
        assert_eq!((changed.get(key(7)), versions[2000].get(key(7))), (Some(99), Some(7)));
    }

    #[test]
    fn hashes_that_differ_in_the_last_bits_alone_are_told_apart() {
        let mut table = Table::default();
        for (hash, value) in [(1, 'a'), (1 | 1 << 63, 'b'), (1 | 1 << 60, 'c')] {
            table.insert(hash, value);
        }
        assert_eq!(table.get(1), Some('a'));
        assert_eq!(table.get(1 | 1 << 63), Some('b'));
        assert_eq!(table.get(1 | 1 << 60), Some('c'));
        assert_eq!(table.get(1 | 1 << 61), None);
    }
}
