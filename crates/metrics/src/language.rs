//! What a language says about itself: a table of node kinds, and the one thing that no grammar knows, its lines.
//!
//! A new language is a new table ([`crate::python`] is the first) in [`ALL`]; nothing else asks which language it is.

use std::ops::BitOr;
use std::path::Path;
use std::sync::OnceLock;

use ast_grep_language::{LanguageExt, SupportLang};

use crate::further::Further;
use crate::line_set::LineSet;
use crate::python;
use crate::source::Refusal;

/// Every language with a table.
pub(crate) static ALL: &[&Language] = &[&python::PYTHON];

/// A language's table. Kinds are the grammar's names of **named** nodes.
pub(crate) struct Language {
    /// As it is written in a measurement.
    pub(crate) name: &'static str,
    /// File extensions, without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// The grammar, as the rule engine names it.
    pub(crate) grammar: SupportLang,
    /// What each kind of node means for the metrics.
    pub(crate) roles: &'static [(Roles, &'static [&'static str])],
    /// The field of a callable or class that holds its name.
    pub(crate) name_field: &'static str,
    /// What starts a line that holds nothing but a comment.
    pub(crate) comment: &'static str,
    /// Says what the syntax tree does not, or refuses text that is not a program. The text is parsed here at most once.
    pub(crate) analyze: fn(&str) -> Result<Facts, Refusal>,
    /// [`Kinds`], once someone asked for them.
    pub(crate) kinds: OnceLock<Kinds>,
}

/// What a language knows about a file that the syntax tree does not.
pub(crate) struct Facts {
    /// Lines of code.
    pub(crate) loc: u64,
    /// Lines that can be verbose.
    pub(crate) sloc: LineSet,
    /// What some languages' own syntax trees say; so far Python's.
    pub(crate) further: Option<Further>,
}

/// What a node means, as a set of bits; a kind may mean several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Roles(u16);

impl Roles {
    /// A function or method: may be listed, has a mass.
    pub(crate) const CALLABLE: Roles = Roles(1);
    /// A callable is listed only if every node above it has this role.
    pub(crate) const LISTS_CALLABLES: Roles = Roles(1 << 1);
    /// Gives its name to the callables below it.
    pub(crate) const QUALIFIES: Roles = Roles(1 << 2);
    /// Adds 1 to the complexity of every callable around it.
    pub(crate) const DECISION: Roles = Roles(1 << 3);
    /// Is compared with the other units of its file.
    pub(crate) const CLONE_UNIT: Roles = Roles(1 << 4);
    /// Compared by where its name appeared first, not by its name.
    pub(crate) const IDENTIFIER: Roles = Roles(1 << 5);
    /// All of these are alike, whatever is in them.
    pub(crate) const STRING: Roles = Roles(1 << 6);
    /// All of these are alike.
    pub(crate) const INTEGER: Roles = Roles(1 << 7);
    /// All of these are alike.
    pub(crate) const FLOAT: Roles = Roles(1 << 8);
    /// All of these are alike.
    pub(crate) const BOOLEAN: Roles = Roles(1 << 9);
    /// All of these are alike.
    pub(crate) const NONE: Roles = Roles(1 << 10);

    /// The literals: alike within their class, and never looked into.
    const LITERALS: [Roles; 5] = [Self::STRING, Self::INTEGER, Self::FLOAT, Self::BOOLEAN, Self::NONE];

    /// Whether any of `others` is among these.
    pub(crate) fn any(self, others: Roles) -> bool {
        self.0 & others.0 != 0
    }

    /// The class of literal this is, if it is one.
    pub(crate) fn literal(self) -> Option<Roles> {
        Self::LITERALS.into_iter().find(|&class| self.any(class))
    }

    /// The bits, as something to hash.
    pub(crate) fn bits(self) -> u64 {
        u64::from(self.0)
    }
}

impl BitOr for Roles {
    type Output = Roles;
    fn bitor(self, other: Roles) -> Roles {
        Roles(self.0 | other.0)
    }
}

/// A language's roles by the grammar's numbers, so that a node's kind is looked up and not compared.
pub(crate) struct Kinds(Vec<Kind>);

/// What there is to know about one kind of node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Kind {
    /// What its nodes mean.
    pub(crate) roles: Roles,
    /// Whether its nodes are named; the others (keywords, operators) are no part of a shape.
    pub(crate) named: bool,
    /// A number for its name, equal for kinds of the same name.
    pub(crate) name: u64,
}

impl Kinds {
    fn new(language: &Language) -> Self {
        let grammar = language.grammar.get_ts_language();
        let kinds = 0..grammar.node_kind_count() as u16; // The grammar counts its kinds in 16 bits.
        Kinds(kinds.map(|id| Kind::new(language, &grammar, id)).collect())
    }

    /// The kind with the grammar's number `id`. Error nodes have a number outside the grammar and no role.
    pub(crate) fn get(&self, id: u16) -> Kind {
        let error = Kind { named: true, name: u64::MAX, ..Kind::default() };
        self.0.get(usize::from(id)).copied().unwrap_or(error)
    }
}

impl Kind {
    fn new(language: &Language, grammar: &tree_sitter::Language, id: u16) -> Self {
        let named = grammar.node_kind_is_named(id);
        let name = grammar.node_kind_for_id(id).unwrap_or_default();
        let of_name = language.roles.iter().filter(|(_, kinds)| named && kinds.contains(&name));
        Kind {
            roles: of_name.fold(Roles::default(), |all, &(role, _)| all | role),
            named,
            name: u64::from(grammar.id_for_node_kind(name, named)),
        }
    }
}

impl Language {
    /// The language whose extension `path` has.
    pub(crate) fn of_path(path: &Path) -> Option<&'static Language> {
        let extension = path.extension()?.to_str()?;
        ALL.iter().copied().find(|language| language.extensions.contains(&extension))
    }

    /// The table by kind number.
    pub(crate) fn kinds(&self) -> &Kinds {
        self.kinds.get_or_init(|| Kinds::new(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kind that the grammar does not have would never match, and nobody would notice.
    #[test]
    fn every_kind_of_every_table_is_in_its_grammar() {
        for language in ALL {
            let grammar = language.grammar.get_ts_language();
            let kinds = language.roles.iter().flat_map(|(_, kinds)| kinds.iter());
            let unknown = kinds.filter(|kind| grammar.id_for_node_kind(kind, true) == 0);
            assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&&str>::new(), "{}", language.name);
        }
    }
}
