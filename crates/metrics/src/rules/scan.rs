//! Matching the rules on one file, node by node.

use std::borrow::Borrow;

use ast_grep_config::RuleConfig;
use ast_grep_core::matcher::MatcherExt;
use ast_grep_language::SupportLang;
use tree_sitter::Node;

use super::dispatch::Dispatch;
use super::words::Occurrences;
use crate::file::Document;
use crate::measurement::Match;
use crate::tree::line_span;

/// The matches of one file so far.
pub(crate) struct Scan<'a> {
    general: Option<(&'a Dispatch<RuleConfig<SupportLang>>, Occurrences)>,
    by_path: (Dispatch<&'a RuleConfig<SupportLang>>, Occurrences),
    found: Matches<'a>,
}

struct Matches<'a> {
    path: &'a str,
    document: &'a Document,
    all: Vec<Match>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        path: &'a str,
        document: &'a Document,
        general: Option<&'a Dispatch<RuleConfig<SupportLang>>>,
        by_path: Dispatch<&'a RuleConfig<SupportLang>>,
    ) -> Self {
        let words = by_path.occurrences(document.source());
        Scan {
            general: general.map(|dispatch| (dispatch, dispatch.occurrences(document.source()))),
            by_path: (by_path, words),
            found: Matches { path, document, all: Vec::new() },
        }
    }

    /// Asks every rule that may match this node. Nodes must come in the order of their starts.
    pub(crate) fn visit(&mut self, node: Node<'a>) {
        if let Some((dispatch, words)) = &mut self.general {
            self.found.ask(node, dispatch, words);
        }
        let (dispatch, words) = &mut self.by_path;
        self.found.ask(node, dispatch, words);
    }

    /// The matches, by first line, last line and rule.
    pub(crate) fn finish(self) -> Vec<Match> {
        let mut all = self.found.all;
        all.sort();
        all
    }
}

impl<'a> Matches<'a> {
    fn ask<R: Borrow<RuleConfig<SupportLang>>>(
        &mut self,
        node: Node<'a>,
        rules: &Dispatch<R>,
        words: &mut Occurrences,
    ) {
        for rule in rules.candidates(node, words) {
            if let Some(matched) = rule.matcher.match_node(self.document.adopt(node)) {
                let (start_line, end_line) = line_span(&matched.get_inner_node());
                let (path, rule) = (self.path.to_owned(), rule.id.clone());
                self.all.push(Match { path, start_line, end_line, rule });
            }
        }
    }
}
