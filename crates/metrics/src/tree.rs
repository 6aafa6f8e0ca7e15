//! One walk over a syntax tree, without recursion: a tree may be as deep as its file is long.

use tree_sitter::Node;

use crate::language::{NodeKind, NodeKinds};

/// What is done on the way through a tree.
pub(crate) trait Visitor<'tree> {
    /// Called before a node's children. `depth` is the number of nodes above it.
    fn enter(&mut self, node: Node<'tree>, kind: NodeKind, depth: u32);
    /// Called after a node's children, with what [`Self::enter`] was called with.
    fn leave(&mut self, node: Node<'tree>, kind: NodeKind, depth: u32);
}

/// Visits every node below `root`, and `root` itself, in the order of the text.
pub(crate) fn walk<'tree>(root: Node<'tree>, kinds: &NodeKinds, visitor: &mut impl Visitor<'tree>) {
    let mut cursor = root.walk();
    let mut above: Vec<(Node<'tree>, NodeKind)> = Vec::new();
    loop {
        let node = cursor.node();
        let kind = kinds.get(node.kind_id());
        visitor.enter(node, kind, above.len() as u32);
        if cursor.goto_first_child() {
            above.push((node, kind));
            continue;
        }
        visitor.leave(node, kind, above.len() as u32);
        while !cursor.goto_next_sibling() {
            cursor.goto_parent();
            let Some((parent, kind)) = above.pop() else {
                return;
            };
            visitor.leave(parent, kind, above.len() as u32);
        }
    }
}

/// The physical lines of a node, from 1, first and last.
///
/// A node that ends in column 0 holds nothing of that line but its beginning, so the line before is its last.
pub(crate) fn line_span(node: &Node<'_>) -> (u32, u32) {
    let (start, end) = (node.start_position(), node.end_position());
    let last = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
    (start.row as u32 + 1, last as u32 + 1)
}
