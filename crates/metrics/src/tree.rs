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
///
/// To look for a child or sibling that is not there costs the cursor as much as to go to one that is, so children are
/// counted.
pub(crate) fn walk<'tree>(root: Node<'tree>, kinds: &NodeKinds, visitor: &mut impl Visitor<'tree>) {
    let mut cursor = root.walk();
    let mut above: Vec<Entered<'tree>> = Vec::new();
    loop {
        let node = cursor.node();
        let kind = kinds.get(node.kind_id());
        visitor.enter(node, kind, above.len() as u32);
        let children = node.child_count();
        if children > 0 && cursor.goto_first_child() {
            above.push(Entered { node, kind, left: children - 1 });
            continue;
        }
        visitor.leave(node, kind, above.len() as u32);
        loop {
            let Some(parent) = above.last_mut() else {
                return;
            };
            if parent.left > 0 && cursor.goto_next_sibling() {
                parent.left -= 1;
                break;
            }
            cursor.goto_parent();
            if let Some(Entered { node, kind, .. }) = above.pop() {
                visitor.leave(node, kind, above.len() as u32);
            }
        }
    }
}

/// A node whose children are being visited.
struct Entered<'tree> {
    node: Node<'tree>,
    kind: NodeKind,
    /// How many children come after the current one.
    left: u32,
}

/// The physical lines of a node, from 1, first and last.
///
/// A node that ends in column 0 holds nothing of that line but its beginning, so the line before is its last.
pub(crate) fn line_span(node: &Node<'_>) -> (u32, u32) {
    let (start, end) = (node.start_position(), node.end_position());
    let last = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
    (start.row as u32 + 1, last as u32 + 1)
}
