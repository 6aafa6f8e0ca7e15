//! Suppression by comment: `# slopbench: ignore[rule, other] reason`.
//!
//! At the end of the first line of a match it takes the match out of the figures; on a line of its own it speaks of the
//! next line that holds anything else. `ignore-file` speaks of the whole file. Rule matches can be suppressed, complexity
//! and clones cannot: they are properties of a file and not places where a rule may be wrong. Every suppression names its
//! rules and gives a reason; one that does not, or that suppresses nothing, is a [`Misfit`].

use slopbench_text::line_ends;

use crate::configuration::Configuration;
use crate::language::Language;
use crate::measurement::Match;
use crate::overrides::{Misfit, Suppressed, SuppressedBy};
use crate::parse::Document;

const MARKER: &str = "slopbench:";

/// The matches of one file, checked against the suppressions.
#[derive(Default)]
pub(crate) struct CheckedMatches {
    pub(crate) kept: Vec<Match<()>>,
    pub(crate) suppressed: Vec<Suppressed<()>>,
    pub(crate) misfits: Vec<Misfit<()>>,
}

/// Takes out the matches that a comment or the configuration accepts.
pub(crate) fn check(
    matches: Vec<Match<()>>,
    path: &str,
    document: &Document,
    language: &Language,
    configuration: &Configuration,
) -> CheckedMatches {
    let mut checked = CheckedMatches::default();
    let mut ignores = Vec::new();
    for comment in comments(document, language) {
        match Ignore::parse(&comment) {
            Ok(parsed) => ignores.extend(parsed),
            Err(problem) => checked.misfits.push(Misfit { path: (), line: comment.line, detail: problem }),
        }
    }
    for found in matches {
        let mut by_comment = ignores.iter_mut().filter(|ignore| ignore.covers(&found)).peekable();
        let accepted = match by_comment.peek() {
            Some(first) => Some((SuppressedBy::Comment, first.reason.to_owned())),
            None => {
                configuration.accepts(path, &found.rule).map(|reason| (SuppressedBy::Configuration, reason.to_owned()))
            }
        };
        by_comment.for_each(|ignore| ignore.is_used = true);
        match accepted {
            Some((by, reason)) => checked.suppressed.push(Suppressed { found, by, reason }),
            None => checked.kept.push(found),
        }
    }
    let unused = ignores.iter().filter(|ignore| !ignore.is_used);
    checked.misfits.extend(unused.map(|ignore| Misfit::unused((), ignore.line, ignore.rule)));
    checked.misfits.sort();
    checked
}

/// A comment that speaks to us.
struct Comment<'a> {
    line: u32,
    /// What stands behind the marker.
    text: &'a str,
    /// The line it speaks of, if it speaks of one.
    target: u32,
}

/// The comments with a marker, in their order. Files without one, nearly all, cost a search of their text.
fn comments<'a>(document: &'a Document, language: &Language) -> Vec<Comment<'a>> {
    let source = document.source();
    let mut comments: Vec<(Comment<'_>, bool)> =
        source.match_indices(MARKER).filter_map(|(at, _)| comment(document, language, at)).collect();
    let mut next: Option<(u32, u32)> = None;
    for (comment, is_alone) in comments.iter_mut().rev() {
        comment.target = match next {
            _ if !*is_alone => comment.line,
            Some((line, target)) if line == comment.line + 1 => target,
            _ => comment.line + 1,
        };
        next = is_alone.then_some((comment.line, comment.target));
    }
    comments.into_iter().map(|(comment, _)| comment).collect()
}

/// The comment whose marker is at `at`, and whether it is alone on its line. In a string there is no comment.
fn comment<'a>(document: &'a Document, language: &Language, at: usize) -> Option<(Comment<'a>, bool)> {
    let source = document.source();
    let root = document.root().get_inner_node();
    let node = root.descendant_for_byte_range(at, at + MARKER.len())?;
    // In every grammar comments may stand anywhere, and nothing else that holds text may.
    let before = source.get(node.start_byte()..at).filter(|_| node.is_extra())?;
    if !before.trim_end().ends_with(language.comment) {
        return None;
    }
    let line_start = source.get(..node.start_byte())?.rfind('\n').map_or(0, |end| end + 1);
    let is_alone = source.get(line_start..node.start_byte())?.trim().is_empty();
    let line = node.start_position().row as u32 + 1 + line_ends(before.as_bytes());
    let text = source.get(at + MARKER.len()..node.end_byte())?.trim();
    Some((Comment { line, text, target: line }, is_alone))
}

/// One rule in one comment.
struct Ignore<'a> {
    /// The comment's.
    line: u32,
    rule: &'a str,
    reason: &'a str,
    /// The first line of the matches that it speaks of; absent if it speaks of all.
    target: Option<u32>,
    is_used: bool,
}

impl<'a> Ignore<'a> {
    fn parse(comment: &Comment<'a>) -> Result<Vec<Self>, String> {
        let shape = || format!("expected `{MARKER} ignore[rule] reason`, or `ignore-file`; got `{}`", comment.text);
        let (verb, rest) = comment.text.split_once('[').ok_or_else(shape)?;
        let (rules, reason) = rest.split_once(']').ok_or_else(shape)?;
        let target = match verb.trim_end() {
            "ignore" => Some(comment.target),
            "ignore-file" => None,
            _ => return Err(shape()),
        };
        let rules: Vec<_> = rules.split(',').map(str::trim).collect();
        if rules.contains(&"") {
            return Err(shape());
        }
        let reason = reason.trim();
        if reason.is_empty() {
            return Err(format!("`{}` gives no reason; write one behind the bracket", comment.text));
        }
        let of_rule = |rule| Self { line: comment.line, rule, reason, target, is_used: false };
        Ok(rules.into_iter().map(of_rule).collect())
    }

    fn covers(&self, found: &Match<()>) -> bool {
        self.rule == found.rule && self.target.is_none_or(|line| line == found.start_line)
    }
}
