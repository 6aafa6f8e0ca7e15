//! How source is known whatever its name.

use std::sync::LazyLock;

use ast_grep_language::SupportLang;
use regex::bytes::Regex;

use crate::parse;

/// What tells source of a language from other text.
pub(crate) struct ProgramSigns {
    /// Says of a text whether it is certainly a program.
    pub(crate) is_program: fn(&str) -> bool,
    /// What a program that is worth parsing has: a line that begins like a statement.
    pub(crate) statement: LazyLock<Option<Regex>>,
    /// What only a program has, where a file is too large to be parsed.
    pub(crate) definition: LazyLock<Option<Regex>>,
    /// Whether source of other languages is named, too: where the language is built or run, there are also compilers and
    /// interpreters of others. Python's image has none but its own.
    pub(crate) names_others: bool,
}

/// Whether all of a text is a program by its grammar, and has a node of one of these kinds: what other formats have in common
/// with a language are literals and names. What is made to be slow is no prose.
pub(crate) fn is_program(text: &str, grammar: SupportLang, kinds: &[&str]) -> bool {
    parse::parse(text, grammar).map_or(true, |document| {
        let root = document.root();
        let is_whole = !root.get_inner_node().has_error();
        is_whole && root.dfs().any(|node| kinds.contains(&&*node.kind()))
    })
}

/// A pattern that is right, as a test sees.
pub(crate) fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}
