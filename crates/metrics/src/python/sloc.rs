//! SLOC lines: lines on which code starts that is no docstring.

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::{ExceptHandler, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};

use super::program::Program;
use crate::line_set::LineSet;

/// Lines on which some token starts (comments and layout are none), minus every line of a docstring. Of a string over
/// several lines, only the first counts.
pub(super) fn lines(text: &str, program: &Program) -> LineSet {
    let mut lines = LineSet::default();
    token_lines(text, program, &mut lines);
    for docstring in docstrings(program.body()) {
        let [first, last] = [docstring.start(), docstring.end()].map(|offset| program.lines().line(offset.to_usize()));
        lines.remove_span(first..=last);
    }
    lines
}

fn token_lines(text: &str, program: &Program, lines: &mut LineSet) {
    let mut cursor = program.lines().cursor();
    for token in program.tokens().iter().filter(|token| is_code(token.kind())) {
        let start = token.start().to_usize();
        lines.insert(cursor.line(start));
        if token.kind() == TokenKind::FStringMiddle {
            for part in later_parts(text, token) {
                lines.insert(cursor.line(start + part));
            }
        }
    }
}

fn is_code(kind: TokenKind) -> bool {
    use TokenKind::{Comment, Dedent, EndOfFile, Indent, Newline, NonLogicalNewline};
    !matches!(kind, Comment | NonLogicalNewline | Newline | Indent | Dedent | EndOfFile)
}

/// Where CPython's tokenizer starts another token within what is one here: it cuts the literal text of an f-string
/// after each doubled brace and each `\N{...}`.
fn later_parts(text: &str, token: &Token) -> Vec<usize> {
    let bytes = text.as_bytes().get(token.start().to_usize()..token.end().to_usize()).unwrap_or_default();
    let raw = token.string_flags().is_some_and(|flags| ruff_python_ast::StringFlags::prefix(flags).is_raw());
    let mut cuts = Vec::new();
    let mut at = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let (taken, cut) = match rest {
            [b'{', b'{', ..] | [b'}', b'}', ..] => (2, true),
            [b'\\', b'N', b'{', ..] if !raw => {
                (rest.iter().position(|&byte| byte == b'}').map_or(rest.len(), |end| end + 1), true)
            }
            [b'\\', b'{' | b'}', ..] => (1, false),
            [b'\\', _, ..] if !raw => (2, false),
            _ => (1, false),
        };
        at += taken;
        if cut && at < bytes.len() {
            cuts.push(at);
        }
    }
    cuts
}

/// The string constants that stand first in the `body` of a module, class, function, `if`, loop, `with`, `try`,
/// handler or case. (`else` and `finally` are no `body`; an `elif` is an `if` with a body of its own.)
fn docstrings(module: &[Stmt]) -> Vec<TextRange> {
    let mut found = Vec::new();
    let mut suites = vec![(module, true)];
    while let Some((suite, is_body)) = suites.pop() {
        if let (true, Some(Stmt::Expr(first))) = (is_body, suite.first())
            && let Expr::StringLiteral(docstring) = &*first.value
        {
            found.push(docstring.range());
        }
        suite.iter().for_each(|statement| inner_suites(statement, &mut suites));
    }
    found
}

/// The suites of a compound statement, each with whether it is a `body`.
fn inner_suites<'a>(statement: &'a Stmt, suites: &mut Vec<(&'a [Stmt], bool)>) {
    match statement {
        Stmt::FunctionDef(function) => suites.push((&function.body, true)),
        Stmt::ClassDef(class) => suites.push((&class.body, true)),
        Stmt::With(with) => suites.push((&with.body, true)),
        Stmt::For(each) => suites.extend([(&*each.body, true), (&*each.orelse, false)]),
        Stmt::While(again) => suites.extend([(&*again.body, true), (&*again.orelse, false)]),
        Stmt::Match(choice) => suites.extend(choice.cases.iter().map(|case| (&*case.body, true))),
        Stmt::If(condition) => {
            suites.push((&condition.body, true));
            suites.extend(condition.elif_else_clauses.iter().map(|clause| (&*clause.body, clause.test.is_some())));
        }
        Stmt::Try(attempt) => {
            suites.extend([(&*attempt.body, true), (&*attempt.orelse, false), (&*attempt.finalbody, false)]);
            let handlers = attempt.handlers.iter();
            suites.extend(handlers.map(|ExceptHandler::ExceptHandler(handler)| (&*handler.body, true)));
        }
        _ => {}
    }
}
