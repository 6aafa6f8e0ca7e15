//! Which rules are worth asking about a node: those whose needs it meets. Most nodes are then asked nothing.
//!
//! Asking the engine whether a rule matches costs about a microsecond, and of a thousand answers one is yes. So what a
//! rule needs is read off it once ([`super::reader`]): the kind that the engine itself names, and what the rule says of
//! kinds, texts and patterns in the node and around it, which makes a [`Need`]. For each file the tree is copied into
//! an [`Outline`] on the walk. Then a node is looked at in three steps, each for what the one before has left: the rules
//! of its kind; of these, the ones whose marks (a Bloom filter of what must be below) it has; of these, the ones whose
//! need it meets. Only what is left is asked, and only the engine's answer counts: a need may be met in vain, but where it
//! is not met the rule cannot match. `scan.rs` has the test that holds both against each other.

use std::borrow::Borrow;

use ast_grep_config::RuleConfig;
use ast_grep_core::Matcher;
use ast_grep_language::SupportLang;

use super::need::{Marked, Need};
use super::outline::Outline;

/// Rules of one language; `R` is a rule or a reference to one.
pub(super) struct Dispatch<R> {
    pub(super) rules: Vec<R>,
    /// For each of the grammar's kinds, the rules that can match it.
    by_kind: Vec<Vec<(Marked, usize)>>,
}

impl<R: Borrow<RuleConfig<SupportLang>>> Dispatch<R> {
    /// Rules, each with its need.
    pub(super) fn new(rules: Vec<(R, Need)>) -> Self {
        let mut by_kind: Vec<Vec<_>> = Vec::new();
        for (index, (rule, need)) in rules.iter().enumerate() {
            // The engine refuses to load a rule that names no kind.
            for kind in &rule.borrow().matcher.potential_kinds().unwrap_or_default() {
                let need = need.of_kind(kind as u16); // The grammar counts its kinds in 16 bits.
                if by_kind.len() <= kind {
                    by_kind.resize_with(kind + 1, Vec::new);
                }
                if !matches!(need, Need::Never) {
                    by_kind[kind].push((Marked::new(need), index)); // Made long enough above.
                }
            }
        }
        Dispatch { rules: rules.into_iter().map(|(rule, _)| rule).collect(), by_kind }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The rules that may match the node.
    pub(super) fn candidates<'a>(
        &'a self,
        outline: &'a Outline<'_>,
        node: usize,
    ) -> impl Iterator<Item = &'a RuleConfig<SupportLang>> {
        let candidates = self.by_kind.get(usize::from(outline.kind(node))).into_iter().flatten();
        let candidates = candidates.filter(move |(need, _)| need.is_met(outline, node));
        candidates.filter_map(|&(_, rule)| self.rules.get(rule)).map(Borrow::borrow)
    }
}
