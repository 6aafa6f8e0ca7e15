//! Matching the rules on one file, node by node.

use ast_grep_config::RuleConfig;
use ast_grep_core::matcher::MatcherExt;
use ast_grep_language::SupportLang;
use tree_sitter::Node;

use super::dispatch::Dispatch;
use crate::file::Document;
use crate::measurement::Match;
use crate::tree::line_span;

/// The matches of one file so far.
pub(crate) struct Scan<'a> {
    path: &'a str,
    document: &'a Document,
    general: Option<&'a Dispatch<RuleConfig<SupportLang>>>,
    by_path: Dispatch<&'a RuleConfig<SupportLang>>,
    found: Vec<Match>,
}

impl<'a> Scan<'a> {
    pub(super) fn new(
        path: &'a str,
        document: &'a Document,
        general: Option<&'a Dispatch<RuleConfig<SupportLang>>>,
        by_path: Dispatch<&'a RuleConfig<SupportLang>>,
    ) -> Self {
        Scan { path, document, general, by_path, found: Vec::new() }
    }

    /// Asks every rule that can match this node.
    pub(crate) fn visit(&mut self, node: Node<'a>) {
        let kind = node.kind_id();
        let general = self.general.into_iter().flat_map(|dispatch| dispatch.of_kind(kind));
        for rule in general.chain(self.by_path.of_kind(kind)) {
            if let Some(matched) = rule.matcher.match_node(self.document.adopt(node)) {
                let (start_line, end_line) = line_span(&matched.get_inner_node());
                self.found.push(Match { path: self.path.to_owned(), start_line, end_line, rule: rule.id.clone() });
            }
        }
    }

    /// The matches, by first line, last line and rule.
    pub(crate) fn finish(mut self) -> Vec<Match> {
        self.found.sort();
        self.found
    }
}
