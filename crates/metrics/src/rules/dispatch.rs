//! Dispatch: which rules are worth asking about a node. For most nodes there is none.
//!
//! Asking the engine whether a rule matches costs about a microsecond, and of a thousand answers one is yes. So each rule
//! has a [`Prefilter`], built once from what it says ([`super::prefilter_builder`]) of kinds, texts and patterns in the node
//! and around it. For each file the tree is copied into a [`FlatTree`] on the walk. Then a node is looked at in three
//! steps, each for what the one before has left: the rules of its kind, as the engine itself names them; of these, those
//! whose Bloom filter of what must be below the node it passes; of these, those whose prefilter it passes. Only what is
//! left is asked, and only the engine's answer counts: a prefilter may be passed in vain, but where it is not, the rule
//! cannot match. `scan.rs` has the test that holds both against each other.

use std::borrow::Borrow;

use ast_grep_config::RuleConfig;
use ast_grep_core::Matcher;
use ast_grep_language::SupportLang;

use super::flat_tree::FlatTree;
use super::prefilter::{GuardedPrefilter, Prefilter};

/// Rules of one language; `R` is a rule or a reference to one.
pub(super) struct Dispatch<R> {
    pub(super) rules: Vec<R>,
    /// For each of the grammar's kinds, the rules that can match it.
    by_kind: Vec<Vec<(GuardedPrefilter, usize)>>,
}

impl<R: Borrow<RuleConfig<SupportLang>>> Dispatch<R> {
    /// Rules, each with its prefilter.
    pub(super) fn new(rules: Vec<(R, Prefilter)>) -> Self {
        let mut by_kind: Vec<Vec<_>> = Vec::new();
        for (index, (rule, prefilter)) in rules.iter().enumerate() {
            // The engine refuses to load a rule that names no kind.
            for kind in &rule.borrow().matcher.potential_kinds().unwrap_or_default() {
                let prefilter = prefilter.of_kind(kind as u16); // The grammar counts its kinds in 16 bits.
                if by_kind.len() <= kind {
                    by_kind.resize_with(kind + 1, Vec::new);
                }
                if !matches!(prefilter, Prefilter::Never) {
                    by_kind[kind].push((GuardedPrefilter::new(prefilter), index)); // Made long enough above.
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
        tree: &'a FlatTree<'_>,
        node: usize,
    ) -> impl Iterator<Item = &'a RuleConfig<SupportLang>> {
        let candidates = self.by_kind.get(usize::from(tree.kind(node))).into_iter().flatten();
        let candidates = candidates.filter(move |(prefilter, _)| prefilter.passes(tree, node));
        candidates.filter_map(|&(_, rule)| self.rules.get(rule)).map(Borrow::borrow)
    }
}
