//! Prefilters: what must hold of a node, and of the nodes around it, for a rule to match.
//!
//! A prefilter errs on one side only: where a node does not pass it, the rule cannot match; where it passes, the rule may.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::flat_tree::{Bloom, FlatTree};
use super::lazy_regex::LazyRegex;

/// A condition on one node of a flat tree.
#[derive(Debug, Clone, Default)]
pub(super) enum Prefilter {
    #[default]
    Anything,
    /// No node passes.
    Never,
    Kind(u16),
    /// The node's text is this.
    Text(String),
    /// The node's text matches.
    Regex(Arc<LazyRegex>),
    /// The node is in this position among its parent's named children, from 1, from the first or the last.
    Nth {
        position: usize,
        from_end: bool,
    },
    /// No child passes this, which must be exact: where a node with text passes it, what is negated does match.
    NoChild(Box<Prefilter>),
    All(Vec<Prefilter>),
    Any(Vec<GuardedPrefilter>),
    /// Among the children are some that pass these, in this order.
    Children(Vec<Prefilter>),
    /// A node that stands so to this one passes.
    Of(Relation, Box<GuardedPrefilter>),
}

/// A prefilter behind a Bloom filter, which tells sooner that a node does not pass.
#[derive(Debug, Clone)]
pub(super) struct GuardedPrefilter {
    bloom: Bloom,
    prefilter: Prefilter,
}

/// How a node stands to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Child,
    /// At any depth.
    Below,
    Parent,
    /// At any depth.
    Above,
    Next,
    Previous,
}

impl GuardedPrefilter {
    pub(super) fn new(prefilter: Prefilter) -> Self {
        GuardedPrefilter { bloom: prefilter.bloom(), prefilter }
    }

    #[cfg(test)]
    pub(super) fn prefilter(&self) -> &Prefilter {
        &self.prefilter
    }

    pub(super) fn passes(&self, tree: &FlatTree<'_>, node: usize) -> bool {
        tree.may_hold(node, self.bloom) && self.prefilter.passes(tree, node)
    }

    /// Whether a node that stands so to this one passes.
    fn passes_by(&self, relation: Relation, tree: &FlatTree<'_>, node: usize) -> bool {
        let passes = |other: usize| self.passes(tree, other);
        match relation {
            Relation::Child => tree.children(node).any(passes),
            Relation::Below => tree.below(node).any(passes),
            // As for `Nth`.
            _ if tree.is_empty(node) => true,
            Relation::Parent => tree.parent(node).is_some_and(passes),
            Relation::Above => tree.above(node).any(passes),
            Relation::Next => any_near(tree, tree.later_siblings(node), passes),
            Relation::Previous => any_near(tree, tree.earlier_siblings(node), passes),
        }
    }
}

impl Prefilter {
    pub(super) fn all(prefilters: impl IntoIterator<Item = Prefilter>) -> Prefilter {
        let mut all = Vec::new();
        for prefilter in prefilters {
            match prefilter {
                Prefilter::Anything => {}
                Prefilter::Never => return Prefilter::Never,
                Prefilter::All(prefilters) => all.extend(prefilters),
                prefilter => all.push(prefilter),
            }
        }
        all.sort_by_key(Prefilter::cost);
        if all.len() < 2 { all.pop().unwrap_or(Prefilter::Anything) } else { Prefilter::All(all) }
    }

    pub(super) fn any(prefilters: impl IntoIterator<Item = Prefilter>) -> Prefilter {
        let mut any = Vec::new();
        for prefilter in prefilters {
            match prefilter {
                Prefilter::Anything => return Prefilter::Anything,
                Prefilter::Never => {}
                prefilter => any.push(prefilter),
            }
        }
        if any.len() < 2 {
            return any.pop().unwrap_or(Prefilter::Never);
        }
        Prefilter::Any(any.into_iter().map(GuardedPrefilter::new).collect())
    }

    pub(super) fn of(relation: Relation, prefilter: Prefilter) -> Prefilter {
        match prefilter {
            // Whether there is such a node at all is not worth looking.
            Prefilter::Anything => Prefilter::Anything,
            Prefilter::Never => Prefilter::Never,
            prefilter => Prefilter::Of(relation, Box::new(GuardedPrefilter::new(prefilter))),
        }
    }

    /// Whether a node with text that passes does match what the prefilter was built from: a kind or a position.
    pub(super) fn is_exact(&self) -> bool {
        match self {
            // 0 is no kind, and what could not be parsed stands for every kind.
            Prefilter::Kind(kind) => !matches!(*kind, 0 | u16::MAX),
            prefilter => matches!(prefilter, Prefilter::Nth { .. }),
        }
    }

    /// What is left of the prefilter where the node is known to be of this kind.
    pub(super) fn of_kind(&self, kind: u16) -> Prefilter {
        match self {
            Prefilter::Kind(needed) if *needed == kind => Prefilter::Anything,
            Prefilter::Kind(_) => Prefilter::Never,
            Prefilter::All(prefilters) => Prefilter::all(prefilters.iter().map(|prefilter| prefilter.of_kind(kind))),
            Prefilter::Any(prefilters) => {
                Prefilter::any(prefilters.iter().map(|guarded| guarded.prefilter.of_kind(kind)))
            }
            prefilter => prefilter.clone(),
        }
    }

    /// The kinds of all nodes that pass, where it says so.
    pub(super) fn kinds(&self) -> Option<BTreeSet<u16>> {
        match self {
            Prefilter::Never => Some(BTreeSet::new()),
            Prefilter::Kind(kind) => Some(BTreeSet::from([*kind])),
            Prefilter::All(prefilters) => {
                prefilters.iter().filter_map(Prefilter::kinds).reduce(|one, other| &one & &other)
            }
            Prefilter::Any(prefilters) => {
                let kinds = prefilters.iter().map(|guarded| guarded.prefilter.kinds());
                kinds.reduce(|one, other| Some(&one? | &other?)).flatten()
            }
            _ => None,
        }
    }

    /// The filter of everything that must be in the node or below it.
    fn bloom(&self) -> Bloom {
        match self {
            Prefilter::Never => Bloom::ALL,
            Prefilter::Kind(kind) => Bloom::of_kind(*kind),
            Prefilter::Text(text) => Bloom::of_text(text),
            Prefilter::All(prefilters) | Prefilter::Children(prefilters) => {
                prefilters.iter().fold(Bloom::default(), |all, prefilter| all | prefilter.bloom())
            }
            Prefilter::Any(prefilters) => {
                prefilters.iter().fold(Bloom::ALL, |common, guarded| common.and(guarded.bloom))
            }
            Prefilter::Of(Relation::Child | Relation::Below, guarded) => guarded.bloom,
            Prefilter::Anything
            | Prefilter::Regex(_)
            | Prefilter::Nth { .. }
            | Prefilter::NoChild(_)
            | Prefilter::Of(..) => Bloom::default(),
        }
    }

    fn passes(&self, tree: &FlatTree<'_>, node: usize) -> bool {
        match self {
            Prefilter::Anything => true,
            Prefilter::Never => false,
            Prefilter::Kind(kind) => tree.kind(node) == *kind,
            Prefilter::Text(text) => tree.text(node) == text,
            Prefilter::Regex(regex) => regex.may_match(tree.text(node)),
            // What is around a node without text depends on how one looks for it.
            Prefilter::Nth { position, from_end } => tree.is_empty(node) || tree.is_nth(node, *position, *from_end),
            Prefilter::NoChild(prefilter) => {
                tree.children(node).all(|child| tree.is_empty(child) || !prefilter.passes(tree, child))
            }
            Prefilter::All(prefilters) => prefilters.iter().all(|prefilter| prefilter.passes(tree, node)),
            Prefilter::Any(prefilters) => prefilters.iter().any(|guarded| guarded.passes(tree, node)),
            Prefilter::Children(prefilters) => {
                let mut children = tree.children(node);
                prefilters.iter().all(|prefilter| children.any(|child| prefilter.passes(tree, child)))
            }
            Prefilter::Of(relation, guarded) => guarded.passes_by(*relation, tree, node),
        }
    }

    /// The order in which prefilters are best tried, cheapest first.
    fn cost(&self) -> u8 {
        match self {
            Prefilter::Anything | Prefilter::Never | Prefilter::Kind(_) | Prefilter::Text(_) => 0,
            Prefilter::Of(Relation::Parent | Relation::Next, _) | Prefilter::Nth { .. } => 1,
            Prefilter::Any(_)
            | Prefilter::All(_)
            | Prefilter::Children(_)
            | Prefilter::NoChild(_)
            | Prefilter::Of(Relation::Child | Relation::Previous, _) => 2,
            Prefilter::Regex(_) | Prefilter::Of(Relation::Below | Relation::Above, _) => 3,
        }
    }
}

/// Whether the first sibling, or, since nodes without text are passed over or not, one up to the first with text does.
fn any_near(tree: &FlatTree<'_>, siblings: impl Iterator<Item = usize>, passes: impl Fn(usize) -> bool) -> bool {
    for sibling in siblings {
        if passes(sibling) {
            return true;
        }
        if !tree.is_empty(sibling) {
            return false;
        }
    }
    false
}
