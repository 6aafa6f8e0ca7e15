//! Dispatch: which rules are worth asking about a node. For most nodes there is none.
//!
//! Asking the engine whether a rule matches costs about a microsecond, and of a thousand answers one is yes. So each rule
//! has a [`Prefilter`], built once from what it says ([`super::prefilter_builder`]) of kinds, texts and patterns in the node
//! and around it. For each file the tree is copied into a [`FlatTree`] on the walk. Then a node is looked at in three
//! steps, each for what the one before has left: the rules of its kind, as the engine itself names them; of these, those
//! whose Bloom filter of what must be below the node it passes; of these, those whose prefilter it passes. Only what is
//! left is asked, and only the engine's answer counts: a prefilter may be passed in vain, but where it is not, the rule
//! cannot match. `scan.rs` has the test that holds both against each other.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use ast_grep_config::RuleConfig;
use ast_grep_language::SupportLang;

use super::flat_tree::FlatTree;
use super::lazy_rule::LazyRule;
use super::prefilter::{GuardedPrefilter, Prefilter};

/// The rules of one language.
pub(super) struct LanguageRules {
    pub(super) language: SupportLang,
    rules: Vec<LazyRule>,
    /// Made for the first file in the language.
    dispatch: OnceLock<Dispatch>,
}

impl LanguageRules {
    /// The rules, by language.
    pub(super) fn group(rules: Vec<LazyRule>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for rule in rules {
            match groups.iter_mut().find(|group| group.language == rule.language) {
                Some(group) => group.rules.push(rule),
                None => groups.push(Self { language: rule.language, rules: vec![rule], dispatch: OnceLock::new() }),
            }
        }
        groups
    }

    pub(super) fn dispatch(&self) -> &Dispatch {
        self.dispatch.get_or_init(|| Dispatch::new(self.rules.iter().map(LazyRule::prefilter)))
    }

    /// The rule with this number, compiled.
    pub(super) fn rule(&self, number: usize) -> Option<&RuleConfig<SupportLang>> {
        self.rules.get(number)?.get()
    }

    #[cfg(test)]
    pub(super) fn rules(&self) -> &[LazyRule] {
        &self.rules
    }
}

/// Which of some rules of one language may match a node.
pub(super) struct Dispatch {
    /// For each of the grammar's kinds, the numbers of the rules that can match it.
    by_kind: Vec<Vec<(GuardedPrefilter, usize)>>,
}

impl Dispatch {
    /// Of rules in their order, each with its prefilter and the kinds that it can match.
    pub(super) fn new(rules: impl Iterator<Item = (Prefilter, BTreeSet<u16>)>) -> Self {
        let mut by_kind: Vec<Vec<_>> = Vec::new();
        for (number, (prefilter, kinds)) in rules.enumerate() {
            for kind in kinds {
                let (prefilter, kind) = (prefilter.of_kind(kind), usize::from(kind));
                if by_kind.len() <= kind {
                    by_kind.resize_with(kind + 1, Vec::new);
                }
                if !matches!(prefilter, Prefilter::Never) {
                    by_kind[kind].push((GuardedPrefilter::new(prefilter), number)); // Made long enough above.
                }
            }
        }
        Dispatch { by_kind }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }

    /// The numbers of the rules that may match the node.
    pub(super) fn candidates<'a>(&'a self, tree: &'a FlatTree<'_>, node: usize) -> impl Iterator<Item = usize> + 'a {
        let candidates = self.by_kind.get(usize::from(tree.kind(node))).into_iter().flatten();
        candidates.filter(move |(prefilter, _)| prefilter.passes(tree, node)).map(|&(_, number)| number)
    }
}
