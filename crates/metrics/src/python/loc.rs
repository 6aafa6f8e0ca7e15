//! LOC: what radon 6.0.1 on Python 3.12 calls `sloc`.
//!
//! radon strips the lines and puts them into groups, each the shortest run that tokenises on its own: a logical line, a
//! blank line or a comment. A group that is nothing but one comment or one string is no code; of any other group every
//! line that is not blank counts, comment lines between brackets too.

use ruff_python_ast::PySourceType;
use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_parser::{ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;

use super::{is_space, nesting};

/// radon's `sloc` of a program, given its tokens.
pub(super) fn count(text: &str, tokens: &Tokens) -> u64 {
    count_resplit(text).unwrap_or_else(|| code_lines(text, tokens))
}

/// radon splits lines with `str.splitlines`, which also splits at form feeds and other rare characters: even within a
/// comment or a string. Where a text has such a character, its lines are stripped and tokenised anew.
///
/// `None` where there is none, or where the pieces do not tokenise: then radon itself gives up.
fn count_resplit(text: &str) -> Option<u64> {
    let splits =
        |character| matches!(character, '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}');
    if !text.contains(splits) {
        return None;
    }
    let mut lines = String::with_capacity(text.len());
    for line in text.split(|character| character == '\n' || splits(character)) {
        lines.push_str(line.trim_matches(is_space));
        lines.push('\n');
    }
    // What was a comment or a string may be code now, and nested as deeply as it likes.
    nesting::check(&lines).ok()?;
    let parsed = parse_unchecked(&lines, ParseOptions::from(PySourceType::Python));
    let unknown = parsed.tokens().iter().any(|token| token.kind() == TokenKind::Unknown);
    (!unknown).then(|| code_lines(&lines, parsed.tokens()))
}

fn code_lines(text: &str, tokens: &Tokens) -> u64 {
    use TokenKind::{Dedent, EndOfFile, Indent, Lbrace, Lpar, Lsqb, Newline, NonLogicalNewline, Rbrace, Rpar, Rsqb};
    let mut total = 0;
    let mut depth = 0_u32;
    let mut group = Group::starting_at(0);
    for token in tokens {
        match token.kind() {
            Indent | Dedent | EndOfFile => continue,
            Newline if is_continued(text, token.start().to_usize()) => continue,
            Newline | NonLogicalNewline if depth == 0 => {
                let end = token.end().to_usize();
                total += group.code_lines(text, end);
                group = Group::starting_at(end);
                continue;
            }
            NonLogicalNewline => continue,
            Lpar | Lsqb | Lbrace => depth += 1,
            Rpar | Rsqb | Rbrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        group.add(token.kind());
    }
    total + group.code_lines(text, text.len())
}

/// Whether the line that ends here is blank and a backslash stands before it. To Python the logical line is over, but
/// radon, which never sees what follows, takes the next line for a part of it.
fn is_continued(text: &str, newline: usize) -> bool {
    let before = text.get(..newline).unwrap_or_default();
    before.trim_end_matches([' ', '\t', '\x0c']).ends_with("\\\n")
}

/// Lines that radon looks at together.
struct Group {
    start: usize,
    tokens: usize,
    first: Option<TokenKind>,
}

impl Group {
    fn starting_at(start: usize) -> Self {
        Group { start, tokens: 0, first: None }
    }

    fn add(&mut self, token: TokenKind) {
        self.tokens += 1;
        self.first.get_or_insert(token);
    }

    fn code_lines(&self, text: &str, end: usize) -> u64 {
        let alone = self.tokens == 1 && matches!(self.first, Some(TokenKind::Comment | TokenKind::String));
        let lines = text.get(self.start..end).unwrap_or_default().split('\n');
        if alone { 0 } else { lines.filter(|line| !line.trim_matches(is_space).is_empty()).count() as u64 }
    }
}
