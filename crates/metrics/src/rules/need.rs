//! What a rule needs of a node and of the nodes around it.
//!
//! A need errs on one side only: where it is not met, the rule cannot match.

use regex::Regex;

use super::outline::{Marks, Outline};

/// A condition on one node of an outline.
#[derive(Debug, Clone)]
pub(super) enum Need {
    Anything,
    /// No node meets this.
    Never,
    Kind(u16),
    /// The node's text is this.
    Text(String),
    /// The node's text matches.
    Regex(Regex),
    All(Vec<Need>),
    Any(Vec<Marked>),
    /// Among the children are some that meet these, in this order.
    Children(Vec<Need>),
    /// A node that stands so to this one meets the need.
    Of(Relation, Box<Marked>),
}

/// A need, and the marks that tell soonest that a node does not meet it.
#[derive(Debug, Clone)]
pub(super) struct Marked {
    marks: Marks,
    need: Need,
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

impl Marked {
    pub(super) fn new(need: Need) -> Self {
        Marked { marks: need.marks(), need }
    }

    #[cfg(test)]
    pub(super) fn need(&self) -> &Need {
        &self.need
    }

    pub(super) fn is_met(&self, outline: &Outline<'_>, node: usize) -> bool {
        outline.has_marks(node, self.marks) && self.need.is_met(outline, node)
    }

    /// Whether a node that stands so to this one meets the need.
    fn is_met_by(&self, relation: Relation, outline: &Outline<'_>, node: usize) -> bool {
        let meets = |other: usize| self.is_met(outline, other);
        match relation {
            Relation::Child => outline.children(node).any(meets),
            Relation::Below => outline.below(node).any(meets),
            // What is around a node without text depends on how one looks for it.
            _ if outline.is_empty(node) => true,
            Relation::Parent => outline.parent(node).is_some_and(meets),
            Relation::Above => outline.above(node).any(meets),
            Relation::Next => any_near(outline, outline.later_siblings(node), meets),
            Relation::Previous => any_near(outline, outline.earlier_siblings(node), meets),
        }
    }
}

impl Need {
    pub(super) fn all(needs: impl IntoIterator<Item = Need>) -> Need {
        let mut all = Vec::new();
        for need in needs {
            match need {
                Need::Anything => {}
                Need::Never => return Need::Never,
                Need::All(needs) => all.extend(needs),
                need => all.push(need),
            }
        }
        all.sort_by_key(Need::cost);
        if all.len() < 2 { all.pop().unwrap_or(Need::Anything) } else { Need::All(all) }
    }

    pub(super) fn any(needs: impl IntoIterator<Item = Need>) -> Need {
        let mut any = Vec::new();
        for need in needs {
            match need {
                Need::Anything => return Need::Anything,
                Need::Never => {}
                need => any.push(need),
            }
        }
        if any.len() < 2 {
            return any.pop().unwrap_or(Need::Never);
        }
        Need::Any(any.into_iter().map(Marked::new).collect())
    }

    pub(super) fn of(relation: Relation, need: Need) -> Need {
        match need {
            // Whether there is such a node at all is not worth looking.
            Need::Anything => Need::Anything,
            Need::Never => Need::Never,
            need => Need::Of(relation, Box::new(Marked::new(need))),
        }
    }

    /// What is left of the need where the node is known to be of this kind.
    pub(super) fn of_kind(&self, kind: u16) -> Need {
        match self {
            Need::Kind(needed) if *needed == kind => Need::Anything,
            Need::Kind(_) => Need::Never,
            Need::All(needs) => Need::all(needs.iter().map(|need| need.of_kind(kind))),
            Need::Any(needs) => Need::any(needs.iter().map(|marked| marked.need.of_kind(kind))),
            need => need.clone(),
        }
    }

    /// The marks of everything that must be in the node or below it.
    fn marks(&self) -> Marks {
        match self {
            Need::Never => Marks::ALL,
            Need::Kind(kind) => Marks::of_kind(*kind),
            Need::Text(text) => Marks::of_text(text),
            Need::All(needs) | Need::Children(needs) => {
                needs.iter().fold(Marks::default(), |all, need| all | need.marks())
            }
            Need::Any(needs) => needs.iter().fold(Marks::ALL, |common, marked| common.and(marked.marks)),
            Need::Of(Relation::Child | Relation::Below, marked) => marked.marks,
            Need::Anything | Need::Regex(_) | Need::Of(..) => Marks::default(),
        }
    }

    fn is_met(&self, outline: &Outline<'_>, node: usize) -> bool {
        match self {
            Need::Anything => true,
            Need::Never => false,
            Need::Kind(kind) => outline.kind(node) == *kind,
            Need::Text(text) => outline.text(node) == text,
            Need::Regex(regex) => regex.is_match(outline.text(node)),
            Need::All(needs) => needs.iter().all(|need| need.is_met(outline, node)),
            Need::Any(needs) => needs.iter().any(|marked| marked.is_met(outline, node)),
            Need::Children(needs) => {
                let mut children = outline.children(node);
                needs.iter().all(|need| children.any(|child| need.is_met(outline, child)))
            }
            Need::Of(relation, marked) => marked.is_met_by(*relation, outline, node),
        }
    }

    /// In which order needs are best looked at.
    fn cost(&self) -> u8 {
        match self {
            Need::Anything | Need::Never | Need::Kind(_) | Need::Text(_) => 0,
            Need::Of(Relation::Parent | Relation::Next, _) => 1,
            Need::Any(_) | Need::All(_) | Need::Children(_) | Need::Of(Relation::Child | Relation::Previous, _) => 2,
            Need::Regex(_) | Need::Of(Relation::Below | Relation::Above, _) => 3,
        }
    }
}

/// Whether the first sibling, or, since nodes without text are passed over or not, one up to the first with text does.
fn any_near(outline: &Outline<'_>, siblings: impl Iterator<Item = usize>, meets: impl Fn(usize) -> bool) -> bool {
    for sibling in siblings {
        if meets(sibling) {
            return true;
        }
        if !outline.is_empty(sibling) {
            return false;
        }
    }
    false
}
