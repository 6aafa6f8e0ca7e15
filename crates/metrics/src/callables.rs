//! Callables: which functions are listed, and how complex and long each is.
//!
//! CC(f) = 1 + the decision points below f; mass(f) = CC(f) · √SLOC(f).

use tree_sitter::Node;

use crate::language::{Kind, Language, Roles};
use crate::measurement::Callable;
use crate::tree::{Visitor, line_span};

/// Collects the listed callables of one file.
pub(crate) struct Callables<'a> {
    language: &'a Language,
    text: &'a str,
    code: CodeLines,
    /// Decision points seen so far. A callable's own are the difference between its end and its start.
    decisions: u32,
    /// The depth of the node below which nothing is listed, while inside one.
    hidden_below: Option<u32>,
    scopes: Vec<Scope>,
    found: Vec<Callable>,
}

/// A class or callable that is being walked through.
struct Scope {
    depth: u32,
    qualified_name: String,
    /// Where in `found` the scope's callable is, if it is a listed one, and the decisions before it.
    listed: Option<(usize, u32)>,
}

impl<'a> Callables<'a> {
    pub(crate) fn new(language: &'a Language, text: &'a str) -> Self {
        Callables {
            language,
            text,
            code: CodeLines::new(text, language.comment),
            decisions: 0,
            hidden_below: None,
            scopes: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The callables by first line. Their `path` is still empty.
    pub(crate) fn finish(self) -> Vec<Callable> {
        self.found
    }

    fn open(&mut self, node: Node<'_>, kind: Kind, depth: u32) {
        let name = node.child_by_field_name(self.language.name_field);
        let name = name.and_then(|name| self.text.get(name.byte_range())).unwrap_or_default();
        let qualified_name = match self.scopes.last() {
            Some(outer) => format!("{}.{name}", outer.qualified_name),
            None => name.to_owned(),
        };
        let listed = kind.roles.any(Roles::CALLABLE).then(|| {
            self.found.push(self.callable(node, name, &qualified_name));
            (self.found.len() - 1, self.decisions)
        });
        self.scopes.push(Scope { depth, qualified_name, listed });
    }

    /// The callable, but for what is only known at its end.
    fn callable(&self, node: Node<'_>, name: &str, qualified_name: &str) -> Callable {
        let (start_line, end_line) = line_span(&node);
        Callable {
            path: String::new(),
            name: name.to_owned(),
            qualified_name: qualified_name.to_owned(),
            start_line,
            end_line,
            sloc: self.code.count(node),
            ..Callable::default()
        }
    }

    fn close(&mut self, scope: &Scope) {
        let Some((index, before)) = scope.listed else {
            return;
        };
        if let Some(callable) = self.found.get_mut(index) {
            callable.cc = 1 + self.decisions - before;
            callable.mass = f64::from(callable.cc) * f64::from(callable.sloc).sqrt();
        }
    }
}

impl<'tree> Visitor<'tree> for Callables<'_> {
    fn enter(&mut self, node: Node<'tree>, kind: Kind, depth: u32) {
        if kind.roles.any(Roles::DECISION) {
            self.decisions += 1;
        }
        if self.hidden_below.is_some() {
            return;
        }
        if kind.roles.any(Roles::CALLABLE | Roles::QUALIFIES) {
            self.open(node, kind, depth);
        }
        if !kind.roles.any(Roles::LISTS_CALLABLES) {
            self.hidden_below = Some(depth);
        }
    }

    fn leave(&mut self, _: Node<'tree>, _: Kind, depth: u32) {
        if self.hidden_below == Some(depth) {
            self.hidden_below = None;
        }
        if let Some(scope) = self.scopes.pop_if(|scope| scope.depth == depth) {
            self.close(&scope);
        }
    }
}

/// For each line, how many lines of code lie before it, so that a span is counted in one subtraction.
struct CodeLines {
    /// `before[n]`: lines of code among the first n lines.
    before: Vec<u32>,
    /// Where in the text each line's first character that is no white space is.
    content: Vec<usize>,
}

impl CodeLines {
    fn new(text: &str, comment: &str) -> Self {
        let mut lines = CodeLines { before: vec![0], content: Vec::new() };
        let (mut start, mut code) = (0, 0);
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            if !trimmed.is_empty() && !trimmed.starts_with(comment) {
                code += 1;
            }
            lines.before.push(code);
            lines.content.push(start + line.len() - trimmed.len());
            start += line.len();
        }
        lines
    }

    /// Lines of the node's text that, without white space around them, neither are empty nor start with a comment.
    fn count(&self, node: Node<'_>) -> u32 {
        let (first, last) = (node.start_position().row, node.end_position().row);
        let upto = |line: usize| self.before.get(line).or(self.before.last()).copied().unwrap_or(0);
        // Of its last line only what lies before its end belongs to the node.
        let reaches = self.content.get(last).is_some_and(|&content| content < node.end_byte());
        upto(if reaches { last + 1 } else { last }) - upto(first)
    }
}
