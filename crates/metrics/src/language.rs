//! What a language says about itself: a table of node kinds.
//!
//! A new language is a new table in [`crate::languages`]; nothing else asks which language it is. [`crate::python`] was
//! the first, and brings a parser of its own; the others leave everything to their grammar.

use std::num::NonZeroU16;
use std::ops::BitOr;
use std::sync::OnceLock;

use ast_grep_language::{LanguageExt, SupportLang};

use crate::extra_measures::ExtraMeasures;
use crate::line_set::LineSet;
use crate::outline::FileOutline;
use crate::program_signs::ProgramSigns;
use crate::refusal::Refusal;

/// Roles, each with the kinds that have it. NodeKinds are the grammar's names of **named** nodes.
pub(crate) type RoleTable = &'static [(Roles, &'static [&'static str])];

/// A language's table.
pub(crate) struct Language {
    /// As it is written in a measurement.
    pub(crate) name: &'static str,
    /// File extensions, without the dot.
    pub(crate) extensions: &'static [&'static str],
    /// The grammar, as the rule engine names it.
    pub(crate) grammar: SupportLang,
    /// What each kind of node means for the metrics.
    pub(crate) roles: &'static [RoleTable],
    /// The keywords and operators that are decisions where they stand directly in a node with
    /// [`Roles::DECIDES_BY_TOKEN`].
    pub(crate) decision_tokens: &'static [&'static str],
    /// NodeKinds that have their name in another field than `name`, with that field.
    pub(crate) name_fields: &'static [(&'static str, &'static str)],
    /// What starts a comment that ends with its line.
    pub(crate) comment: &'static str,
    /// Decodes a file's bytes. A byte order mark and other line ends than `\n` may be left.
    pub(crate) decode: Decode,
    /// How its source is known whatever its name; absent where nothing can say so.
    pub(crate) program: Option<&'static ProgramSigns>,
    /// Says what the syntax tree does not, or refuses text that is not a program. The text is parsed here at most once.
    /// Where there is none, all is left to the syntax tree (see [`crate::syntax`]).
    pub(crate) analyze: Option<Analyze>,
    /// Says what a file offers to others, by a parser of the language's own. Where there is none, the syntax tree says it.
    pub(crate) outline: Option<Outliner>,
    /// [`NodeKinds`], once someone asked for them.
    pub(crate) kinds: OnceLock<NodeKinds>,
}

/// The text of a file, or why it is none.
pub(crate) type Decode = fn(Vec<u8>) -> Result<String, Refusal>;

/// What a language's own parser finds out, or why it refuses the text.
pub(crate) type Analyze = fn(&str) -> Result<Facts, Refusal>;

/// The outline that a language's own parser gives, or why it refuses the text.
pub(crate) type Outliner = fn(&str) -> Result<FileOutline, Refusal>;

/// What is known about a file before anything is counted in its syntax tree.
#[derive(Default)]
pub(crate) struct Facts {
    /// Lines of code.
    pub(crate) loc: u64,
    /// Lines that can be verbose.
    pub(crate) sloc: LineSet,
    /// Lines that count towards the size of the callable around them.
    pub(crate) code: LineSet,
    /// Lines of code that the grammar could make no sense of.
    pub(crate) unparsed: LineSet,
    /// What some languages' own syntax trees say; so far Python's.
    pub(crate) extra: Option<ExtraMeasures>,
}

/// What a node means, as a set of bits; a kind may mean several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Roles(u32);

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
    /// Adds 1 for each of the language's decision tokens directly in it: `a && b`, `case 1:`.
    pub(crate) const DECIDES_BY_TOKEN: Roles = Roles(1 << 11);
    /// Adds one fewer than the alternatives directly in it, since the last needs no decision.
    pub(crate) const CHOICE: Roles = Roles(1 << 12);
    /// One of a choice's alternatives.
    pub(crate) const ALTERNATIVE: Roles = Roles(1 << 13);
    /// A function without a name of its own: a callable where its body is a block or it is bound to a name.
    pub(crate) const LAMBDA: Roles = Roles(1 << 14);
    /// The body of a lambda that is as good as a function.
    pub(crate) const BLOCK: Roles = Roles(1 << 15);
    /// Gives its name to the lambda or class directly in it.
    pub(crate) const BINDS: Roles = Roles(1 << 16);
    /// What is directly in it is bound to what it is bound to itself.
    pub(crate) const PASSES_BINDING: Roles = Roles(1 << 17);
    /// Part of a name's declaration around the name: `*f()`.
    pub(crate) const DECLARATOR: Roles = Roles(1 << 18);
    /// No code.
    pub(crate) const COMMENT: Roles = Roles(1 << 19);

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
pub(crate) struct NodeKinds(Vec<NodeKind>);

/// What there is to know about one kind of node.
#[derive(Clone, Copy, Default)]
pub(crate) struct NodeKind {
    /// The grammar's number.
    pub(crate) id: u16,
    /// What its nodes mean.
    pub(crate) roles: Roles,
    /// Whether its nodes are named; the others (keywords, operators) are no part of a shape.
    pub(crate) named: bool,
    /// A number for its name, equal for kinds of the same name.
    pub(crate) name: u64,
    /// Whether it is one of the language's decision tokens.
    pub(crate) decides: bool,
    /// The field in which its nodes have their name.
    pub(crate) name_field: Option<NonZeroU16>,
}

impl NodeKinds {
    fn new(language: &Language) -> Self {
        let grammar = language.grammar.get_ts_language();
        let kinds = 0..grammar.node_kind_count() as u16; // The grammar counts its kinds in 16 bits.
        NodeKinds(kinds.map(|id| NodeKind::new(language, &grammar, id)).collect())
    }

    /// The kind with the grammar's number `id`. Error nodes have a number outside the grammar and no role.
    pub(crate) fn get(&self, id: u16) -> NodeKind {
        let error = NodeKind { id, named: true, name: u64::MAX, ..NodeKind::default() };
        self.0.get(usize::from(id)).copied().unwrap_or(error)
    }
}

impl NodeKind {
    fn new(language: &Language, grammar: &tree_sitter::Language, id: u16) -> Self {
        let named = grammar.node_kind_is_named(id);
        let name = grammar.node_kind_for_id(id).unwrap_or_default();
        let of_name = language.roles.iter().copied().flatten().filter(|(_, kinds)| named && kinds.contains(&name));
        let name_field =
            language.name_fields.iter().find(|&&(kind, _)| kind == name).map_or("name", |(_, field)| field);
        NodeKind {
            id,
            roles: of_name.fold(Roles::default(), |all, &(role, _)| all | role),
            named,
            name: u64::from(grammar.id_for_node_kind(name, named)),
            decides: !named && language.decision_tokens.contains(&name),
            name_field: grammar.field_id_for_name(name_field),
        }
    }
}

impl Language {
    /// The table by kind number.
    pub(crate) fn kinds(&self) -> &NodeKinds {
        self.kinds.get_or_init(|| NodeKinds::new(self))
    }
}
