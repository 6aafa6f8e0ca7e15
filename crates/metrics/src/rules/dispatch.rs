//! Which rules can match a node, by the node's kind: most nodes are then asked nothing.

use std::borrow::Borrow;

use ast_grep_config::RuleConfig;
use ast_grep_core::Matcher;
use ast_grep_language::SupportLang;

/// Rules of one language; `R` is a rule or a reference to one.
pub(super) struct Dispatch<R> {
    rules: Vec<R>,
    /// For each of the grammar's kinds, the rules that can match it.
    by_kind: Vec<Vec<usize>>,
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
        Dispatch { rules, by_kind }
    }

    /// The rules that can match a node of the kind with this number.
    pub(super) fn of_kind(&self, kind: u16) -> impl Iterator<Item = &RuleConfig<SupportLang>> {
        let indices = self.by_kind.get(usize::from(kind)).into_iter().flatten();
        indices.filter_map(|&index| self.rules.get(index)).map(Borrow::borrow)
    }
}
