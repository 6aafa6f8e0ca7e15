//! What is no part of a solution, by name: the one list that snapshots, tree ids, sandboxes and the analyzer share.
//!
//! What is left out of figures must not be there when cases are played, or it would run unmeasured. Nothing in a solution
//! has a say in the list.

/// Why a file or folder of this name is no part of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// Made from the sources beside it, or of them: bytecode, version control. No part of any folder's content.
    Derived,
    /// A tool's cache.
    Cache,
    /// An environment or fetched packages, written by others.
    Installed,
}

/// Names of files and folders, whole.
const NAMES: &[(&str, Exclusion)] = &[
    (".cache", Exclusion::Cache),
    (".git", Exclusion::Derived),
    (".mypy_cache", Exclusion::Cache),
    (".nox", Exclusion::Installed),
    (".pytest_cache", Exclusion::Cache),
    (".ruff_cache", Exclusion::Cache),
    (".tox", Exclusion::Installed),
    (".venv", Exclusion::Installed),
    (".virtualenv", Exclusion::Installed),
    ("__pycache__", Exclusion::Derived),
    ("node_modules", Exclusion::Installed),
    ("venv", Exclusion::Installed),
    ("virtualenv", Exclusion::Installed),
];

/// Ends of names: bytecode, which Python imports without its source, too.
const SUFFIXES: &[(&str, Exclusion)] = &[(".pyc", Exclusion::Derived), (".pyo", Exclusion::Derived)];

impl Exclusion {
    /// Why a file or folder of this name is no part of a solution; `None` if it is one. The name stands alone, without a
    /// path.
    pub fn of_name(name: impl AsRef<[u8]>) -> Option<Self> {
        let name = name.as_ref();
        let named = NAMES.iter().find(|(known, _)| name == known.as_bytes());
        let ending = || SUFFIXES.iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes()));
        named.or_else(ending).map(|&(_, exclusion)| exclusion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_excluded_whole_and_bytecode_by_its_ending() {
        assert_eq!(Exclusion::of_name("virtualenv"), Some(Exclusion::Installed));
        assert_eq!(Exclusion::of_name("app.pyc"), Some(Exclusion::Derived));
        for part in ["venv.py", "my_venv", "app.py", "pyc", "a.pyc.py", "\u{e9}"] {
            assert_eq!(Exclusion::of_name(part), None, "{part}");
        }
        assert_eq!(Exclusion::of_name(b"\xff"), None, "no name that is not UTF-8");
    }
}
