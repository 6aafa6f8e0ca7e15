//! Walking a syntax tree without recursion: a tree may be as deep as its file is long.

use ruff_python_ast::visitor::source_order::{SourceOrderVisitor, TraversalSignal};
use ruff_python_ast::{AnyNodeRef, Stmt};

/// Does something with each node directly below this one, in the order of the text.
pub(crate) fn for_each_child<'a>(node: AnyNodeRef<'a>, each: impl FnMut(AnyNodeRef<'a>)) {
    node.visit_source_order(&mut Children(each));
}

struct Children<F>(F);

impl<'a, F: FnMut(AnyNodeRef<'a>)> SourceOrderVisitor<'a> for Children<F> {
    fn enter_node(&mut self, node: AnyNodeRef<'a>) -> TraversalSignal {
        (self.0)(node);
        TraversalSignal::Skip
    }
}

/// The statements as nodes.
pub(crate) fn of_suite(suite: &[Stmt]) -> impl Iterator<Item = AnyNodeRef<'_>> {
    suite.iter().map(AnyNodeRef::from)
}

/// Whether the node is a statement, or a clause, handler or case: only these hold statements.
pub(crate) fn may_hold_statements(node: AnyNodeRef<'_>) -> bool {
    node.is_statement()
        || matches!(
            node,
            AnyNodeRef::ElifElseClause(_) | AnyNodeRef::ExceptHandlerExceptHandler(_) | AnyNodeRef::MatchCase(_)
        )
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
            for_each_child(node, |child| open.push(child));
        }
    }
}
