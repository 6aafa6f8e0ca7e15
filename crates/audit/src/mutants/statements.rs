//! Which statements a program has, and which of them it executes.
//!
//! A copy of the program says so itself: in front of each statement stands a call that writes the statement's number to
//! standard error when it is executed for the first time. That works in any version of Python, costs little in loops,
//! and
//! survives a server that is killed. What is written is taken out again before anything is judged.

use std::{
    collections::BTreeSet,
    mem,
    sync::{Mutex, PoisonError},
};

use slopbench_sandbox::{Observation, Task};
use tree_sitter::{Node, Parser, Tree};

use crate::wrapped::Wrapping;

/// The call in front of statements.
const CALL: &str = "__slopbench_hit__";

/// Before a statement's number on standard error.
const BEGIN: u8 = 0x1e;

/// Behind it.
const END: u8 = 0x1f;

/// Makes the call known to all modules of the program.
const PREAMBLE: &str = r#"exec("import builtins, os\nfd, seen = os.dup(2), set()\ndef hit(number):\n if number not in seen:\n  seen.add(number)\n  try: os.write(fd, b'\\x1e%d\\x1f' % number)\n  except OSError: pass\nbuiltins.__slopbench_hit__ = hit", {})"#;

/// How much longer a program may take that says what it executes.
const SLOWER: u32 = 10;

/// A statement: something in a block that is executed as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// Offsets into the source.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// From 1.
    pub(crate) line: u32,
    /// What stands before it on its line, in bytes, where it has blocks of its own.
    indent: Option<usize>,
}

const COMPOUND: [&str; 9] = [
    "class_definition",
    "decorated_definition",
    "for_statement",
    "function_definition",
    "if_statement",
    "match_statement",
    "try_statement",
    "while_statement",
    "with_statement",
];

pub(crate) fn parse(source: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).ok()?;
    parser.parse(source, None).filter(|tree| !tree.root_node().has_error())
}

/// The nodes below `node` and itself, parents first, in their order.
pub(crate) fn descendants(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut found, mut left) = (Vec::new(), vec![node]);
    while let Some(node) = left.pop() {
        found.push(node);
        let children: Vec<_> = (0..node.child_count()).rev().filter_map(|index| node.child(index)).collect();
        left.extend(children);
    }
    found
}

/// The statements of a program that something can be put in front of, in their order.
pub(crate) fn statements(tree: &Tree) -> Vec<Statement> {
    let is_one = |node: &Node<'_>| {
        let parent = node.parent().map_or("", |parent| parent.kind());
        let is_inside = ["block", "module"].contains(&parent) && node.is_named();
        // Nothing can stand between the cases of a `match`, though they are in a block.
        let is_apart = ["case_clause", "comment", "future_import_statement"].contains(&node.kind());
        is_inside && !is_apart && !is_text(*node)
    };
    let statement = |node: Node<'_>| {
        let position = node.start_position();
        let indent = COMPOUND.contains(&node.kind()).then_some(position.column);
        Statement { start: node.start_byte(), end: node.end_byte(), line: position.row as u32 + 1, indent }
    };
    descendants(tree.root_node()).into_iter().filter(is_one).map(statement).collect()
}

/// A string that stands alone, as documentation does.
pub(crate) fn is_text(node: Node<'_>) -> bool {
    let only = Some(node).filter(|node| node.kind() == "expression_statement" && node.named_child_count() == 1);
    let inner = only.and_then(|node| node.named_child(0));
    inner.is_some_and(|inner| ["string", "concatenated_string"].contains(&inner.kind()))
}

/// The program with a call in front of each of its statements, the first of which has the number `first`. The file that
/// is started has to make the call known.
pub(crate) fn instrumented(source: &str, statements: &[Statement], first: usize, is_entry: bool) -> String {
    let (mut text, mut at) = (String::with_capacity(2 * source.len()), 0);
    if statements.is_empty() && is_entry {
        return format!("{source}\n{PREAMBLE}\n");
    }
    for (number, statement) in (first..).zip(statements) {
        text += source.get(at..statement.start).unwrap_or_default();
        at = statement.start;
        if is_entry && number == first {
            text += &format!("{PREAMBLE}\n");
        }
        match statement.indent {
            None => text += &format!("{CALL}({number}); "),
            Some(indent) => {
                let indent = source.get(at.saturating_sub(indent)..at).unwrap_or_default();
                text += &format!("{CALL}({number})\n{indent}");
            }
        }
    }
    text + source.get(at..).unwrap_or_default()
}

/// Reads from standard error which statements were executed.
#[derive(Default)]
pub(crate) struct Trace(Mutex<BTreeSet<usize>>);

impl Trace {
    /// The numbers of the statements that were executed.
    pub(crate) fn into_executed(self) -> BTreeSet<usize> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wrapping for Trace {
    fn before(&self, task: &mut Task) {
        task.limits.cpu *= SLOWER;
        task.limits.wall *= SLOWER;
        task.limits.output *= u64::from(SLOWER);
    }

    fn after(&self, seen: &mut Observation) {
        let (said, numbers) = without_numbers(&mem::take(&mut seen.stderr));
        seen.stderr = said;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(numbers);
    }
}

/// What a program wrote, and the numbers of statements that stood in it.
fn without_numbers(written: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let (mut said, mut numbers) = (Vec::new(), Vec::new());
    let mut left = written;
    while let Some(begin) = left.iter().position(|byte| *byte == BEGIN) {
        let (before, rest) = left.split_at(begin);
        said.extend_from_slice(before);
        left = rest;
        let Some(end) = rest.iter().position(|byte| *byte == END) else { break };
        let digits = rest.get(1..end).and_then(|digits| str::from_utf8(digits).ok());
        numbers.extend(digits.and_then(|digits| digits.parse::<usize>().ok()));
        left = rest.get(end + 1..).unwrap_or_default();
    }
    said.extend_from_slice(left);
    (said, numbers)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    const SOURCE: &str = r#""""What it is for."""
from __future__ import annotations
import sys

@property
def f(x):
    """Says."""
    if x: return 1
    elif x is None:
        pass
    for y in x:
        y += 1; x = y
    match x:
        case [y]: pass
        case _:
            y = 0
    return (
        x
    )
"#;

    #[test]
    fn a_call_stands_in_front_of_every_statement() {
        let tree = parse(SOURCE).unwrap();
        let statements = statements(&tree);
        let text = instrumented(SOURCE, &statements, 7, true);
        assert!(parse(&text).is_some(), "{text}");
        assert_eq!(text.matches("__slopbench_hit__(").count(), statements.len());
        for expected in [
            "annotations\nexec(",
            "__slopbench_hit__(7); import sys",
            "__slopbench_hit__(8)\n@property\ndef f(x):\n    \"\"\"Says.\"\"\"\n",
            "    if x: __slopbench_hit__(",
            "        __slopbench_hit__(13); y += 1; __slopbench_hit__(14); x = y",
            "    __slopbench_hit__(15)\n    match x:\n        case [y]: __slopbench_hit__(16); pass\n        case _:\n            __slopbench_hit__(17); y = 0\n",
        ] {
            assert!(text.contains(expected), "{expected}: {text}");
        }
    }

    #[test]
    fn numbers_are_taken_out_of_what_a_program_says() {
        let (said, numbers) = without_numbers(b"\x1e1\x1foo\x1e23\x1fps\n\x1e4");
        assert_eq!((said.as_slice(), numbers), (b"oops\n\x1e4".as_slice(), vec![1, 23]));
    }
}
