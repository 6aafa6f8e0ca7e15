//! A syntax tree in a flat array: kinds, places and kinship, without asking the parser.
//!
//! Nodes are numbered in the order of the text, each before those below it, so what is below a node is a range of
//! numbers. Reading an entry costs a nanosecond; asking the parser's tree the same, up to a microsecond.

use std::ops::{BitOr, BitOrAssign, Range};

use tree_sitter::Node;

use crate::language::NodeKind;

/// Longer texts are not in the filter.
const MAX_TEXT: usize = 24;

/// The tree of one file.
pub(super) struct FlatTree<'a> {
    text: &'a str,
    nodes: Vec<FlatNode>,
    parsed: Vec<Node<'a>>,
    /// The numbers of the nodes above the next one, from the root on.
    open: Vec<u32>,
}

struct FlatNode {
    kind: u16,
    named: bool,
    parent: u32,
    /// The number after the last node below this one.
    end: u32,
    bytes: (u32, u32),
    /// Of this node and of all below it.
    bloom: Bloom,
}

/// What may be in a tree, as a Bloom filter: a kind or text whose bit is not set is certainly not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Bloom {
    kinds: u64,
    texts: u64,
}

impl Bloom {
    /// Every bit: no tree holds all of it.
    pub(super) const ALL: Bloom = Bloom { kinds: u64::MAX, texts: u64::MAX };

    pub(super) fn of_kind(kind: u16) -> Bloom {
        Bloom { kinds: 1 << (kind % 64), texts: 0 }
    }

    pub(super) fn of_text(text: &str) -> Bloom {
        let bytes = text.as_bytes();
        let (Some(first), Some(middle), Some(last), true) =
            (bytes.first(), bytes.get(bytes.len() / 2), bytes.last(), bytes.len() <= MAX_TEXT)
        else {
            return Bloom::default();
        };
        let word = u32::from_le_bytes([*first, *middle, *last, bytes.len() as u8]);
        Bloom { kinds: 0, texts: 1 << (word.wrapping_mul(0x9e37_79b9) >> 26) }
    }

    pub(super) fn and(self, other: Bloom) -> Bloom {
        Bloom { kinds: self.kinds & other.kinds, texts: self.texts & other.texts }
    }

    fn has_all(self, others: Bloom) -> bool {
        others.kinds & !self.kinds == 0 && others.texts & !self.texts == 0
    }
}

impl BitOr for Bloom {
    type Output = Bloom;
    fn bitor(self, other: Bloom) -> Bloom {
        Bloom { kinds: self.kinds | other.kinds, texts: self.texts | other.texts }
    }
}

impl BitOrAssign for Bloom {
    fn bitor_assign(&mut self, other: Bloom) {
        *self = *self | other;
    }
}

impl<'a> FlatTree<'a> {
    /// An empty tree, with room for so many nodes.
    pub(super) fn with_capacity(text: &'a str, nodes: usize) -> Self {
        FlatTree { text, nodes: Vec::with_capacity(nodes), parsed: Vec::with_capacity(nodes), open: Vec::new() }
    }

    /// Adds the next node; `depth` is the number of nodes above it.
    pub(super) fn add(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        self.open.truncate(depth as usize);
        let number = self.nodes.len() as u32;
        let bytes = node.byte_range();
        let bloom = Bloom::of_kind(kind.id) | self.text.get(bytes.clone()).map(Bloom::of_text).unwrap_or_default();
        self.nodes.push(FlatNode {
            kind: kind.id,
            named: kind.named,
            parent: self.open.last().copied().unwrap_or(number),
            end: number + 1,
            bytes: (bytes.start as u32, bytes.end as u32),
            bloom,
        });
        self.parsed.push(node);
        self.open.push(number);
    }

    /// Completes what is known of each node by the nodes below it, once all are added.
    pub(super) fn close(&mut self) {
        for number in (1..self.nodes.len()).rev() {
            let FlatNode { parent, end, bloom, .. } = self.nodes[number]; // Below the length.
            if let Some(parent) = self.nodes.get_mut(parent as usize) {
                parent.end = parent.end.max(end);
                parent.bloom |= bloom;
            }
        }
    }

    /// The numbers of all nodes.
    pub(super) fn numbers(&self) -> Range<usize> {
        0..self.nodes.len()
    }

    /// The parser's node.
    pub(super) fn node(&self, node: usize) -> Node<'a> {
        self.parsed[node]
    }

    pub(super) fn kind(&self, node: usize) -> u16 {
        self.nodes[node].kind
    }

    pub(super) fn is_named(&self, node: usize) -> bool {
        self.nodes[node].named
    }

    pub(super) fn text(&self, node: usize) -> &'a str {
        let (start, end) = self.nodes[node].bytes;
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Whether the node and those below it hold everything that the filter names.
    pub(super) fn may_hold(&self, node: usize, bloom: Bloom) -> bool {
        self.nodes[node].bloom.has_all(bloom)
    }

    pub(super) fn is_empty(&self, node: usize) -> bool {
        let (start, end) = self.nodes[node].bytes;
        start == end
    }

    pub(super) fn below(&self, node: usize) -> Range<usize> {
        node + 1..self.nodes[node].end as usize
    }

    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.row(node + 1, self.nodes[node].end)
    }

    pub(super) fn later_siblings(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.parent(node).map_or(0, |parent| self.nodes[parent].end);
        self.row(self.nodes[node].end as usize, end)
    }

    /// The nearest first.
    pub(super) fn earlier_siblings(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let parent = self.parent(node);
        let before = move |node: usize| {
            let last = node.checked_sub(1).filter(|&last| Some(last) != parent && parent.is_some())?;
            std::iter::successors(Some(last), |&node| self.parent(node)).find(|&node| self.parent(node) == parent)
        };
        std::iter::successors(before(node), move |&node| before(node))
    }

    /// Whether the node is in this position among its parent's named children, from 1 and from the first or the last.
    pub(super) fn is_nth(&self, node: usize, position: usize, from_end: bool) -> bool {
        // No further than needed: a parent may have thousands.
        let named = |siblings: &mut dyn Iterator<Item = usize>| {
            siblings.filter(|&sibling| self.is_named(sibling)).take(position).count()
        };
        let before = match from_end {
            true => named(&mut self.later_siblings(node)),
            false => named(&mut self.earlier_siblings(node)),
        };
        self.is_named(node) && self.parent(node).is_some() && before + 1 == position
    }

    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        let parent = self.nodes[node].parent as usize;
        (parent != node).then_some(parent)
    }

    /// From the parent to the root.
    pub(super) fn above(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(node), |&node| self.parent(node))
    }

    /// Siblings from `first` to those that end at `end`.
    fn row(&self, first: usize, end: u32) -> impl Iterator<Item = usize> + '_ {
        let mut next = first;
        std::iter::from_fn(move || {
            let node = next;
            next = self.nodes.get(node).filter(|_| node < end as usize)?.end as usize;
            Some(node)
        })
    }
}

#[cfg(test)]
mod tests {
    use ast_grep_language::{LanguageExt, SupportLang};

    use super::*;
    use crate::languages;
    use crate::tree::{self, Visitor};

    impl<'a> Visitor<'a> for FlatTree<'a> {
        fn enter(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
            self.add(node, kind, depth);
        }
        fn leave(&mut self, _: Node<'a>, _: NodeKind, _: u32) {}
    }

    #[test]
    fn a_flat_tree_has_the_trees_kinship() {
        let text = "def f(a, b):\n    x = a.b(c)[1] # comment\n    return [x, *b]\nclass C: pass\n";
        let document = SupportLang::Python.ast_grep(text);
        let root = document.root().get_inner_node();
        let mut tree = FlatTree::with_capacity(text, 0);
        let language = languages::of_path("a.py".as_ref()).expect("a known language");
        tree::walk(root, language.kinds(), &mut tree);
        tree.close();
        let shown = |node: Node<'_>| (node.kind_id(), &text[node.byte_range()]);
        for number in tree.numbers() {
            let node = tree.node(number);
            let ours = |number: usize| (tree.kind(number), tree.text(number));
            assert_eq!(ours(number), shown(node));
            assert_eq!(tree.parent(number).map(ours), node.parent().map(shown));
            assert_eq!(tree.later_siblings(number).next().map(ours), node.next_sibling().map(shown));
            assert_eq!(tree.earlier_siblings(number).next().map(ours), node.prev_sibling().map(shown));
            assert_eq!(tree.is_named(number), node.is_named());
            let named = node.parent().map(|parent| parent.named_children(&mut parent.walk()).collect::<Vec<_>>());
            let place = named.and_then(|named| Some((named.iter().position(|&one| one == node)? + 1, named.len())));
            for position in 0..9 {
                let (first, last) = (place.map(|(place, _)| place), place.map(|(place, count)| count + 1 - place));
                assert_eq!(tree.is_nth(number, position, false), first == Some(position));
                assert_eq!(tree.is_nth(number, position, true), last == Some(position));
            }
            let children: Vec<_> = node.children(&mut node.walk()).map(shown).collect();
            assert_eq!(tree.children(number).map(ours).collect::<Vec<_>>(), children);
            assert_eq!(tree.below(number).len() + 1, node.descendant_count());
            assert!(tree.below(number).all(|below| tree.may_hold(number, Bloom::of_kind(tree.kind(below)))));
        }
    }
}
