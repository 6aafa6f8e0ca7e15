//! A program: its text and its syntax tree.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::{ModModule, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_python_parser::Parsed;
use ruff_text_size::{Ranged, TextSize};

use super::line_index::LineIndex;
use super::syntax;
use crate::source::{self, Refusal};

/// A parsed module.
pub(crate) struct Program {
    text: String,
    lines: LineIndex,
    module: Parsed<ModModule>,
}

impl Program {
    /// Parses what a source file holds.
    pub(crate) fn parse(text: &str) -> Result<Self, Refusal> {
        let text = source::decode(text.as_bytes().to_vec())?;
        let module = syntax::parse(&text)?;
        Ok(Program { lines: LineIndex::new(&text), text, module })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn tokens(&self) -> &Tokens {
        self.module.tokens()
    }

    pub(crate) fn body(&self) -> &[Stmt] {
        &self.module.syntax().body
    }

    /// The line of a function's `def` (or `async`).
    pub(crate) fn line_of_function(&self, function: &StmtFunctionDef) -> u32 {
        let decorated = function.decorator_list.last().map(Ranged::end);
        self.line_of_keyword(decorated, function.start())
    }

    /// The line of a class's `class`.
    pub(crate) fn line_of_class(&self, class: &StmtClassDef) -> u32 {
        let decorated = class.decorator_list.last().map(Ranged::end);
        self.line_of_keyword(decorated, class.start())
    }

    /// The line of the keyword of a definition that starts at `start`, after its decorators if it has any.
    fn line_of_keyword(&self, decorated: Option<TextSize>, start: TextSize) -> u32 {
        let is_keyword = |kind| matches!(kind, TokenKind::Async | TokenKind::Def | TokenKind::Class);
        let keyword = decorated.and_then(|end| self.tokens().after(end).iter().find(|token| is_keyword(token.kind())));
        self.lines.line(keyword.map_or(start, Ranged::start))
    }
}
