//! A program: its text and its syntax tree.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{AnyNodeRef, Decorator, ModModule, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextRange, TextSize};

use super::line_index::LineIndex;
use super::nodes;
use super::syntax;
use crate::source::Refusal;

/// A parsed module.
pub(crate) struct Program<'a> {
    text: &'a str,
    lines: LineIndex,
    module: Parsed<ModModule>,
}

impl<'a> Program<'a> {
    /// Parses the decoded text of a source file.
    pub(crate) fn parse(text: &'a str) -> Result<Self, Refusal> {
        Ok(Program { lines: LineIndex::new(text), module: syntax::parse(text)?, text })
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    pub(super) fn module(&self) -> &Parsed<ModModule> {
        &self.module
    }

    pub(crate) fn tokens(&self) -> &Tokens {
        self.module.tokens()
    }

    pub(crate) fn body(&self) -> &[Stmt] {
        &self.module.syntax().body
    }

    /// Every function wherever it is defined, each with the names of the classes and functions around it and its own.
    pub(crate) fn definitions(&self) -> Vec<(String, &StmtFunctionDef)> {
        let mut found = Vec::new();
        let mut open: Vec<_> = nodes::of_suite(self.body()).map(|node| (node, String::new())).collect();
        while let Some((node, outer)) = open.pop() {
            let outer = match node {
                AnyNodeRef::StmtFunctionDef(function) => {
                    let name = qualified(&outer, &function.name);
                    found.push((name.clone(), function));
                    name
                }
                AnyNodeRef::StmtClassDef(class) => qualified(&outer, &class.name),
                _ => outer,
            };
            // Only statements hold functions, and only statements, clauses, handlers and cases hold statements.
            let holders = nodes::children(node).into_iter().filter(|child| !child.is_expression());
            open.extend(holders.map(|child| (child, outer.clone())));
        }
        found
    }

    /// From a function's `def` (or `async`) to its end: without its decorators.
    pub(crate) fn span(&self, function: &StmtFunctionDef) -> TextRange {
        TextRange::new(self.keyword(&function.decorator_list, function.start()), function.end())
    }

    /// The line of a function's `def` (or `async`).
    pub(crate) fn line_of_function(&self, function: &StmtFunctionDef) -> u32 {
        self.lines.line(self.keyword(&function.decorator_list, function.start()))
    }

    /// The line of a class's `class`.
    pub(crate) fn line_of_class(&self, class: &StmtClassDef) -> u32 {
        self.lines.line(self.keyword(&class.decorator_list, class.start()))
    }

    /// Where the keyword of a definition is that starts at `start`, with its decorators if it has any.
    fn keyword(&self, decorators: &[Decorator], start: TextSize) -> TextSize {
        let is_keyword = |kind| matches!(kind, TokenKind::Async | TokenKind::Def | TokenKind::Class);
        let after = decorators.last().map(|last| self.module.tokens().after(last.end()));
        let keyword = after.and_then(|tokens| tokens.iter().find(|token| is_keyword(token.kind())));
        keyword.map_or(start, Ranged::start)
    }
}

fn qualified(outer: &str, name: &str) -> String {
    if outer.is_empty() { name.to_owned() } else { format!("{outer}.{name}") }
}
