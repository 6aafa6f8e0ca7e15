//! Every language that is measured, and the tables of those that are measured by their grammar alone.
//!
//! Each table follows Python's table, whose definitions are the paper's, as closely as the language allows:
//!
//! - **Decisions.** What Python spells `if`, `elif`, `for`, `while`, `except`, `assert`, `x if c else y`, `and` and `or`.
//!   A `case` is one too, other than in Python: these languages say with `switch` what Python says with `elif`. The
//!   default case is an `else` and none. Errors that are passed on (`throws`, `?`) are none, like Python's exceptions.
//! - **Callables.** Functions and methods with a body, and not below an `if`, loop, `try` or the like. What is nested in
//!   a callable counts in it as well. Python's lambdas are single expressions and no callables; each table says what its
//!   closures are.
//! - **Clone units.** Functions, `if`, loops, `try`, `switch`. An `else if` is an `if` in an `else`, and a unit of its own.
//! - **Literals.** All strings are alike, characters and regular expressions among them, all numbers of a class, all
//!   booleans, all nulls. Names of built-in types are identifiers, as `int` is in Python.
//! - **Lines.** See [`crate::syntax`].

mod c_family;
mod go;
mod java;
mod javascript;
mod rust;

use std::path::Path;

use crate::error::Error;
use crate::language::Language;
use crate::python;

/// Every language with a table.
pub(crate) static ALL: &[&Language] = &[
    &c_family::C,
    &c_family::CPP,
    &go::GO,
    &java::JAVA,
    &javascript::JAVASCRIPT,
    &javascript::TYPESCRIPT,
    &javascript::TSX,
    &python::PYTHON,
    &rust::RUST,
];

/// The languages' names, for people.
pub(crate) fn names() -> String {
    let mut names: Vec<_> = ALL.iter().map(|language| language.name).collect();
    names.dedup();
    names.join(", ")
}

/// The language of this name.
pub(crate) fn named(name: &str) -> Result<&'static Language, Error> {
    let found = ALL.iter().copied().find(|language| language.name == name);
    found.ok_or_else(|| Error::NoTable { language: name.to_owned(), known: names() })
}

/// The language whose extension `path` has.
pub(crate) fn of_path(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?;
    ALL.iter().copied().find(|language| language.extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use ast_grep_language::LanguageExt;

    use super::*;

    #[test]
    fn the_hook_takes_the_files_that_are_measured() {
        let hooks = include_str!("../../../../.pre-commit-hooks.yaml");
        let files = hooks.lines().find_map(|line| line.trim().strip_prefix("files: '")?.strip_suffix('\''));
        let files = files.expect("the hook says which files it takes");
        let pattern = regex::Regex::new(files).expect("a regular expression");
        let extensions: Vec<_> = ALL.iter().flat_map(|language| language.extensions).collect();
        let missing: Vec<_> = extensions.iter().filter(|ending| !pattern.is_match(&format!("a.{ending}"))).collect();
        assert_eq!(missing, Vec::<&&&str>::new());
        assert_eq!(files.split('|').count(), extensions.len(), "no other is taken");
    }

    /// A kind, token or field that the grammar does not have would never match, and nobody would notice.
    #[test]
    fn every_kind_of_every_table_is_in_its_grammar() {
        for language in ALL {
            let grammar = language.grammar.get_ts_language();
            let of_roles = language.roles.iter().copied().flatten().flat_map(|(_, kinds)| kinds.iter());
            let kinds = of_roles.chain(language.name_fields.iter().map(|(kind, _)| kind));
            let kinds = kinds.filter(|kind| grammar.id_for_node_kind(kind, true) == 0);
            let tokens = language.decision_tokens.iter().filter(|token| grammar.id_for_node_kind(token, false) == 0);
            let fields = language.name_fields.iter().map(|(_, field)| field);
            let fields = fields.filter(|field| grammar.field_id_for_name(field).is_none());
            let unknown: Vec<_> = kinds.chain(tokens).chain(fields).collect();
            assert_eq!(unknown, Vec::<&&str>::new(), "{} ({:?})", language.name, language.grammar);
        }
    }

    #[test]
    fn no_extension_is_two_languages() {
        let mut extensions: Vec<_> = ALL.iter().flat_map(|language| language.extensions).collect();
        let all = extensions.len();
        extensions.sort();
        extensions.dedup();
        assert_eq!(extensions.len(), all);
    }
}
