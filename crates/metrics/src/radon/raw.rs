//! Raw counts: what radon 6.0.1 on Python 3.12 says about lines.
//!
//! radon strips the lines and puts them into groups, each the shortest run that tokenises on its own: a logical line, a
//! blank line or a comment. A group that is nothing but one comment or one string is no code; of any other group every
//! line that is not blank counts, comment lines between brackets too.

use ruff_python_ast::PySourceType;
use ruff_python_ast::token::{Token, TokenKind, Tokens};
use ruff_python_parser::{ParseOptions, parse_unchecked};
use ruff_text_size::Ranged;
use serde::{Deserialize, Serialize};

use crate::python::nesting;
use crate::text::is_space;

/// Lines, logical lines and comments. `loc = sloc + multi + single_comments + blank`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Raw {
    /// All lines, but for blank ones that a backslash joins to a lone string: radon counts these nowhere.
    pub loc: u64,
    /// Logical lines: 1 for each part between semicolons that holds code, 2 if more follows the last colon in it.
    ///
    /// radon means "is the colon the last token", but looks for it one place too early wherever a semicolon ends the
    /// part: there a part counts 2 unless exactly one token follows its last colon. So do we.
    pub lloc: u64,
    /// Lines of code.
    pub sloc: u64,
    /// Comments, wherever they stand.
    pub comments: u64,
    /// Lines that are not blank of strings that stand alone and span several lines, which are taken for docstrings.
    pub multi: u64,
    /// Blank lines, those within lone strings and brackets too.
    pub blank: u64,
    /// Lines that are nothing but one comment or one string.
    pub single_comments: u64,
}

/// radon's raw counts of a program, given its tokens.
///
/// One difference is known: where no statement is open and a line is nothing but a backslash, with a blank line below
/// it, radon counts the next group as one with them. Here it is a group of its own.
pub(crate) fn count(text: &str, tokens: &Tokens) -> Raw {
    count_resplit(text).unwrap_or_else(|| count_groups(text, tokens))
}

/// radon splits lines with `str.splitlines`, which also splits at form feeds and other rare characters: even within a
/// comment or a string. Where a text has such a character, its lines are stripped and tokenised anew.
///
/// `None` where there is none, or where the pieces do not tokenise: then radon itself gives up.
fn count_resplit(text: &str) -> Option<Raw> {
    let splits =
        |character| matches!(character, '\x0b' | '\x0c' | '\x1c'..='\x1e' | '\u{85}' | '\u{2028}' | '\u{2029}');
    // All but a few texts are done with here: a look at each byte is cheaper than at each character.
    let may_split = |byte| matches!(byte, 0x0b | 0x0c | 0x1c..=0x1e | 0xc2 | 0xe2);
    let has_any = |part: &[u8]| part.iter().fold(false, |found, &byte| found | may_split(byte));
    // In parts, and each to its end: that is a few instructions for many bytes.
    if !text.as_bytes().chunks(4096).any(has_any) || !text.contains(splits) {
        return None;
    }
    let mut lines = String::with_capacity(text.len());
    for line in text.split_terminator(|character| character == '\n' || splits(character)) {
        lines.push_str(line.trim_matches(is_space));
        lines.push('\n');
    }
    count_lines(&lines).or_else(|| {
        // A backslash in the last line, once in a comment, now wants a line to join. radon gives up there.
        lines.push('\n');
        count_lines(&lines)
    })
}

/// Counts text that need not be a program.
fn count_lines(lines: &str) -> Option<Raw> {
    // What was a comment or a string may be code now, and nested as deeply as it likes.
    nesting::check(lines).ok()?;
    let parsed = parse_unchecked(lines, ParseOptions::from(PySourceType::Python));
    let unknown = parsed.tokens().iter().any(|token| token.kind() == TokenKind::Unknown);
    (!unknown).then(|| count_groups(lines, parsed.tokens()))
}

fn count_groups(text: &str, tokens: &Tokens) -> Raw {
    use TokenKind::{Dedent, EndOfFile, Indent, Lbrace, Lpar, Lsqb, Newline, NonLogicalNewline, Rbrace, Rpar, Rsqb};
    let mut raw = Raw::default();
    let mut depth = 0_u32;
    let mut group = Group::starting_at(0);
    for token in tokens {
        match token.kind() {
            Indent | Dedent | EndOfFile => continue,
            Newline if is_continued(text, token.start().to_usize()) => continue,
            Newline | NonLogicalNewline if depth == 0 => {
                let end = token.end().to_usize();
                group.finish(text, end, &mut raw);
                group = Group::starting_at(end);
                continue;
            }
            NonLogicalNewline => continue,
            Lpar | Lsqb | Lbrace => depth += 1,
            Rpar | Rsqb | Rbrace => depth = depth.saturating_sub(1),
            _ => {}
        }
        group.add(token);
    }
    group.finish(text, text.len(), &mut raw);
    raw.loc = raw.sloc + raw.multi + raw.single_comments + raw.blank;
    raw
}

/// Whether the line that ends here is blank and a backslash stands before it. To Python the logical line is over, but
/// radon, which never sees what follows, takes the next line for a part of it.
fn is_continued(text: &str, newline: usize) -> bool {
    let before = text.get(..newline).unwrap_or_default();
    before.trim_end_matches([' ', '\t', '\x0c']).ends_with("\\\n")
}

/// Lines that radon looks at together.
struct Group<'a> {
    start: usize,
    tokens: usize,
    first: Option<&'a Token>,
    comments: u64,
    /// Logical lines of the parts before the current one.
    lloc: u64,
    part: Part,
}

impl<'a> Group<'a> {
    fn starting_at(start: usize) -> Self {
        Group { start, tokens: 0, first: None, comments: 0, lloc: 0, part: Part::default() }
    }

    fn add(&mut self, token: &'a Token) {
        self.tokens += 1;
        self.first.get_or_insert(token);
        match token.kind() {
            TokenKind::Comment => self.comments += 1,
            TokenKind::Semi => self.lloc += std::mem::take(&mut self.part).logical_lines(1),
            kind => self.part.add(kind),
        }
    }

    fn finish(self, text: &str, end: usize, raw: &mut Raw) {
        let source = |from, to| text.get(from..to).unwrap_or_default();
        let lines = slopbench_text::lines(source(self.start, end));
        let (blank, filled) = lines.fold((0, 0), |(blank, filled), line| match line.chars().all(is_space) {
            true => (blank + 1, filled),
            false => (blank, filled + 1),
        });
        raw.comments += self.comments;
        raw.lloc += self.lloc + self.part.logical_lines(0);
        let alone = self.first.filter(|_| self.tokens == 1);
        match alone.map(|token| (token.kind(), source(token.start().to_usize(), token.end().to_usize()))) {
            Some((TokenKind::String, string)) if string.contains('\n') => {
                raw.multi += filled;
                raw.blank += blank;
            }
            Some((TokenKind::Comment | TokenKind::String, _)) => raw.single_comments += 1,
            _ => {
                raw.sloc += filled;
                raw.blank += blank;
            }
        }
    }
}

/// What stands between two semicolons, comments aside.
#[derive(Default)]
struct Part {
    tokens: usize,
    /// Tokens after the last colon.
    after_colon: Option<usize>,
}

impl Part {
    fn add(&mut self, kind: TokenKind) {
        self.tokens += 1;
        self.after_colon = match kind {
            TokenKind::Colon => Some(0),
            _ => self.after_colon.map(|tokens| tokens + 1),
        };
    }

    /// Logical lines, where `expected` tokens are to follow a colon that counts as final.
    fn logical_lines(&self, expected: usize) -> u64 {
        match self.after_colon {
            Some(tokens) if tokens != expected => 2,
            _ => u64::from(self.tokens > 0),
        }
    }
}
