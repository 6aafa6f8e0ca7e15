//! How deeply the blocks of a Python function nest.
//!
//! The depth of a statement is the number of `if`, `for`, `while`, `with`, `try` and `match` statements around it within
//! the function; an `elif`, `else`, `except`, `finally` or `case` is as deep as what it belongs to. Functions and classes
//! in a function add no level, but what is in them counts, as it does in CC.

use ruff_python_ast::{AnyNodeRef, StmtFunctionDef};

use crate::python::nodes;

/// The depth of the deepest statement; 0 for straight-line code.
pub(crate) fn of_function(function: &StmtFunctionDef) -> u32 {
    let mut deepest = 0;
    let mut open: Vec<_> = nodes::of_suite(&function.body).map(|node| (node, 0)).collect();
    while let Some((node, depth)) = open.pop() {
        let depth = depth + u32::from(nests(node));
        deepest = deepest.max(depth);
        nodes::for_each_child(node, |child| {
            if nodes::may_hold_statements(child) {
                open.push((child, depth));
            }
        });
    }
    deepest
}

fn nests(node: AnyNodeRef<'_>) -> bool {
    matches!(
        node,
        AnyNodeRef::StmtIf(_)
            | AnyNodeRef::StmtFor(_)
            | AnyNodeRef::StmtWhile(_)
            | AnyNodeRef::StmtWith(_)
            | AnyNodeRef::StmtTry(_)
            | AnyNodeRef::StmtMatch(_)
    )
}
