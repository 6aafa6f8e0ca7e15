//! A program: its syntax tree, and where its lines end.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{Decorator, ModModule, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextRange, TextSize};
use slopbench_text::LineIndex;

use super::syntax;
use crate::refusal::Refusal;

/// A parsed module.
pub(crate) struct Program {
    lines: LineIndex,
    module: Parsed<ModModule>,
}

impl Program {
    /// Parses the decoded text of a source file.
    pub(crate) fn parse(text: &str) -> Result<Self, Refusal> {
        Ok(Program { lines: LineIndex::new(text.as_bytes()), module: syntax::parse(text)? })
    }

    pub(super) fn lines(&self) -> &LineIndex {
        &self.lines
    }

    pub(crate) fn tokens(&self) -> &Tokens {
        self.module.tokens()
    }

    pub(crate) fn body(&self) -> &[Stmt] {
        &self.module.syntax().body
    }

    /// The functions reached through the bodies of the module, classes and functions alone: those that are listed as
    /// callables. In no order.
    pub(crate) fn listed(&self) -> Vec<Listed<'_>> {
        let mut found = Vec::new();
        let mut bodies = vec![(self.body(), false)];
        while let Some((body, of_class)) = bodies.pop() {
            for statement in body {
                match statement {
                    Stmt::FunctionDef(function) => {
                        found.push(Listed { function, line: self.line_of_function(function), is_method: of_class });
                        bodies.push((&function.body, false));
                    }
                    Stmt::ClassDef(class) => bodies.push((&class.body, true)),
                    _ => {}
                }
            }
        }
        found
    }

    /// From a function's `def` (or `async`) to its end: without its decorators.
    pub(crate) fn span(&self, function: &StmtFunctionDef) -> TextRange {
        TextRange::new(self.keyword(&function.decorator_list, function.start()), function.end())
    }

    /// The line of a function's `def` (or `async`).
    pub(crate) fn line_of_function(&self, function: &StmtFunctionDef) -> u32 {
        self.lines.line(self.keyword(&function.decorator_list, function.start()).to_usize())
    }

    /// The line of a class's `class`.
    pub(crate) fn line_of_class(&self, class: &StmtClassDef) -> u32 {
        self.lines.line(self.class_keyword(class).to_usize())
    }

    /// Where a class's `class` is.
    pub(super) fn class_keyword(&self, class: &StmtClassDef) -> TextSize {
        self.keyword(&class.decorator_list, class.start())
    }

    /// Where the keyword of a definition is that starts at `start`, with its decorators if it has any.
    fn keyword(&self, decorators: &[Decorator], start: TextSize) -> TextSize {
        let is_keyword = |kind| matches!(kind, TokenKind::Async | TokenKind::Def | TokenKind::Class);
        let after = decorators.last().map(|last| self.module.tokens().after(last.end()));
        let keyword = after.and_then(|tokens| tokens.iter().find(|token| is_keyword(token.kind())));
        keyword.map_or(start, Ranged::start)
    }
}

/// A function that is listed as a callable.
pub(crate) struct Listed<'a> {
    pub(crate) function: &'a StmtFunctionDef,
    /// The line of its `def` (or `async`).
    pub(crate) line: u32,
    /// Whether it is directly in a class.
    pub(crate) is_method: bool,
}
