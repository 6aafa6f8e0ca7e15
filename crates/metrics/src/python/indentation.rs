//! Whether tabs and spaces are mixed in a way that CPython refuses.
//!
//! CPython measures each indentation twice, with tabs to every eighth and to every column, and wants both to agree on
//! which lines belong together. The parser that we use takes other widths, and so lets a few programs pass.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_text_size::{Ranged, TextRange};

const TAB: usize = 8;

/// A width with tabs of [`TAB`] columns, and one with tabs of a single column.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Widths {
    wide: usize,
    narrow: usize,
}

/// The first logical line whose indentation is inconsistent with the lines before it.
pub(super) fn first_error(text: &str, tokens: &Tokens) -> Option<(TextRange, String)> {
    if !text.contains('\t') {
        return None;
    }
    let mut levels = vec![Widths::default()];
    let mut found = logical_lines(tokens);
    let line = found.find(|line| !enter(&mut levels, widths(text, line.start().to_usize())))?;
    let message = "inconsistent use of tabs and spaces in indentation";
    Some((line, message.to_owned()))
}

/// The first token of each logical line.
fn logical_lines(tokens: &Tokens) -> impl Iterator<Item = TextRange> + '_ {
    use TokenKind::{Comment, Dedent, EndOfFile, Indent, Newline, NonLogicalNewline};
    let layout = |kind| matches!(kind, Comment | NonLogicalNewline | Indent | Dedent | EndOfFile);
    let mut at_start = true;
    tokens.iter().filter_map(move |token| {
        if layout(token.kind()) {
            return None;
        }
        let first = at_start && token.kind() != Newline;
        at_start = token.kind() == Newline;
        first.then(|| token.range())
    })
}

fn widths(text: &str, start: usize) -> Widths {
    let before = text.get(..start).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.chars().fold(Widths::default(), |Widths { wide, narrow }, character| match character {
        '\t' => Widths { wide: (wide / TAB + 1) * TAB, narrow: narrow + 1 },
        '\x0c' => Widths::default(),
        _ => Widths { wide: wide + 1, narrow: narrow + 1 },
    })
}

/// Goes to the level with these widths. `false` if there is none, or if the two widths do not agree.
fn enter(levels: &mut Vec<Widths>, line: Widths) -> bool {
    while levels.len() > 1 && levels.last().is_some_and(|level| level.wide > line.wide) {
        levels.pop();
    }
    let level = levels.last().copied().unwrap_or_default();
    if line.wide > level.wide {
        levels.push(line);
        return line.narrow > level.narrow;
    }
    line == level
}

#[cfg(test)]
mod tests {
    use super::super::syntax::parse;

    fn is_accepted(text: &str) -> bool {
        parse(text).is_ok()
    }

    #[test]
    fn tabs_may_be_mixed_only_where_their_width_does_not_matter() {
        assert!(is_accepted("if 1:\n\tif 2:\n\t    3\n\t4\n"));
        assert!(!is_accepted("if 1:\n\t\t1\n\t        2\n"), "16 columns, but 2 or 9 characters");
        assert!(!is_accepted("if 1:\n        1\n\t2\n"));
    }

    #[test]
    fn blank_lines_comments_and_continuations_have_no_indentation() {
        assert!(is_accepted("if 1:\n    a = (\n\t1)\n\t# comment\n\t\n    2\n"));
    }
}
