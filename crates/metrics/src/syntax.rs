//! What the syntax tree says about a file's lines, for languages without a parser of their own.
//!
//! A line of code holds anything but white space and comments; the lines of a string over several lines are lines of
//! code. No comment is a docstring, and no string is.
//!
//! These grammars recover from what they do not know: macros that are no expressions, syntax newer than the grammar,
//! plain errors. The file is measured all the same, and the lines that they could not make sense of are counted; where
//! these are all, it is refused.
//!
//! What recovery may cost is bounded in [`crate::parse`].

use std::ops::Range;

use slopbench_text::line_ends;
use tree_sitter::Node;

use crate::language::{Facts, NodeKind, NodeKinds, Roles};
use crate::line_set::LineSet;
use crate::refusal::{Refusal, RefusalReason};
use crate::tree::{self, Visitor, line_span};

/// Deeper trees are refused. Rules look for what is around a node by going down from the root, so that their time is
/// this much times the file's size at worst; some recur as deep as the tree.
const MAX_DEPTH: u32 = 5_000;

/// The lines of a file, by its tree.
pub(crate) fn facts(text: &str, root: Node<'_>, kinds: &NodeKinds) -> Result<Facts, Refusal> {
    let mut survey = Survey { has_error: root.has_error(), ..Survey::default() };
    tree::walk(root, kinds, &mut survey);
    if let Some(line) = survey.too_deep {
        let detail = format!("nested more than {MAX_DEPTH} levels deep");
        return Err(Refusal::at(RefusalReason::TooDeep, line, detail));
    }
    let code = code_lines(text, &survey.comments);
    let unparsed = common(&survey.unparsed, &code);
    if !unparsed.is_empty() && unparsed == code {
        return Err(Refusal::new(RefusalReason::Syntax, "the grammar makes sense of none of its lines"));
    }
    Ok(Facts { loc: code.len(), sloc: code.clone(), code, unparsed, extra: None })
}

/// The lines, of these, that the grammar could make no sense of. In a language with a parser of its own that is the
/// grammar's fault, and what is counted in the tree is counted wrongly there.
pub(crate) fn unparsed(root: Node<'_>, kinds: &NodeKinds, of: &LineSet) -> LineSet {
    if !root.has_error() {
        return LineSet::default();
    }
    let mut survey = Survey { has_error: true, ..Survey::default() };
    tree::walk(root, kinds, &mut survey);
    common(&survey.unparsed, of)
}

fn common(lines: &LineSet, of: &LineSet) -> LineSet {
    lines.iter().filter(|&line| of.contains(line)).collect()
}

#[derive(Default)]
struct Survey {
    comments: Vec<Range<usize>>,
    has_error: bool,
    unparsed: LineSet,
    /// The last line of `unparsed`.
    upto: u32,
    /// The line of the first node that is too deep.
    too_deep: Option<u32>,
}

impl<'tree> Visitor<'tree> for Survey {
    fn enter(&mut self, node: Node<'tree>, kind: NodeKind, depth: u32) {
        if kind.roles.any(Roles::COMMENT) {
            self.comments.push(node.byte_range());
        }
        if depth > MAX_DEPTH {
            self.too_deep.get_or_insert_with(|| line_span(&node).0);
        }
        if self.has_error && (node.is_error() || node.is_missing()) {
            // Errors may lie in errors; no line is looked at twice.
            let (first, last) = line_span(&node);
            self.unparsed.insert_span(first.max(self.upto + 1)..=last);
            self.upto = self.upto.max(last);
        }
    }

    fn leave(&mut self, _: Node<'tree>, _: NodeKind, _: u32) {}
}

/// Lines with anything but white space outside of the comments, which are in the order of the text.
fn code_lines(text: &str, comments: &[Range<usize>]) -> LineSet {
    let mut lines = LineSet::default();
    let (mut start, mut line) = (0, 1);
    for comment in comments {
        insert_code(text.get(start..comment.start).unwrap_or_default(), line, &mut lines);
        let passed = text.as_bytes().get(start..comment.end).unwrap_or_default();
        line += line_ends(passed);
        start = start.max(comment.end);
    }
    insert_code(text.get(start..).unwrap_or_default(), line, &mut lines);
    lines
}

fn insert_code(text: &str, first: u32, lines: &mut LineSet) {
    let code = (first..).zip(text.split('\n')).filter(|(_, part)| !part.trim().is_empty());
    code.for_each(|(line, _)| lines.insert(line));
}
