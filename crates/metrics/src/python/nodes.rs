//! Walking a syntax tree without recursion: a tree may be as deep as its file is long.

use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{AnyNodeRef, Stmt};

/// The nodes directly below this one, in the order of the text.
pub(crate) fn children(node: AnyNodeRef<'_>) -> Vec<AnyNodeRef<'_>> {
    let mut children = Children(Vec::new());
    node.visit_source_order(&mut children);
    children.0
}

struct Children<'a>(Vec<AnyNodeRef<'a>>);

impl<'a> SourceOrderVisitor<'a> for Children<'a> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        self.0.push(node);
        TraversalSignal::Skip
    }
}

/// The statements as nodes.
pub(crate) fn of_suite(suite: &[Stmt]) -> impl Iterator<Item = AnyNodeRef<'_>> {
    suite.iter().map(AnyNodeRef::from)
}

/// Every node at or below these, each before those below it, in no other order. Nothing below a node is visited unless
/// `enters` says so.
pub(crate) fn walk<'a>(
    roots: impl IntoIterator<Item = AnyNodeRef<'a>>,
    mut enters: impl FnMut(AnyNodeRef<'a>) -> bool,
) {
    let mut open: Vec<_> = roots.into_iter().collect();
    while let Some(node) = open.pop() {
        if enters(node) {
            open.extend(children(node));
        }
    }
}
