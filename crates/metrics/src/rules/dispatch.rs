//! Which rules can match a node: by its kind, and by the words in it. Most nodes are then asked nothing.

use std::borrow::Borrow;

use ast_grep_config::RuleConfig;
use ast_grep_core::Matcher;
use ast_grep_language::SupportLang;
use tree_sitter::Node;

use super::need::Need;
use super::words::{Occurrences, Vocabulary};

/// Rules of one language; `R` is a rule or a reference to one.
pub(super) struct Dispatch<R> {
    rules: Vec<(R, Need)>,
    /// For each of the grammar's kinds, the rules that can match it.
    by_kind: Vec<Vec<usize>>,
    vocabulary: Vocabulary,
}

impl<R: Borrow<RuleConfig<SupportLang>>> Dispatch<R> {
    pub(super) fn new(rules: Vec<R>) -> Self {
        let mut by_kind: Vec<Vec<usize>> = Vec::new();
        for (index, rule) in rules.iter().enumerate() {
            // The engine refuses to load a rule that names no kind.
            for kind in &rule.borrow().matcher.potential_kinds().unwrap_or_default() {
                if by_kind.len() <= kind {
                    by_kind.resize(kind + 1, Vec::new());
                }
                by_kind[kind].push(index); // The line above made it long enough.
            }
        }
        let mut vocabulary = Vocabulary::default();
        let with_need = |rule: R| {
            let need = Need::of_rule(rule.borrow(), &mut vocabulary);
            (rule, need)
        };
        Dispatch { rules: rules.into_iter().map(with_need).collect(), by_kind, vocabulary }
    }

    /// Where the words are that the rules need.
    pub(super) fn occurrences(&self, text: &str) -> Occurrences {
        Occurrences::new(&self.vocabulary, text)
    }

    /// The rules that may match the node. Nodes must come in the order of their starts.
    pub(super) fn candidates<'a>(
        &'a self,
        node: Node<'_>,
        occurrences: &'a mut Occurrences,
    ) -> impl Iterator<Item = &'a RuleConfig<SupportLang>> {
        let indices = self.by_kind.get(usize::from(node.kind_id())).into_iter().flatten();
        let end = node.end_byte();
        occurrences.move_to(node.start_byte());
        let rules = indices.filter_map(|&index| self.rules.get(index));
        rules.filter(move |(_, need)| need.is_met(occurrences, end)).map(|(rule, _)| rule.borrow())
    }
}
