//! Why a file is not measured.

use serde::{Deserialize, Serialize};

/// Why a file cannot be measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{detail}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct Refusal {
    /// Why, for programs.
    pub reason: RefusalReason,
    /// Where, if there is one place.
    pub line: Option<u32>,
    /// Why, for people.
    pub detail: String,
}

impl Refusal {
    pub(crate) fn new(reason: RefusalReason, detail: impl Into<String>) -> Self {
        Refusal { reason, line: None, detail: detail.into() }
    }

    pub(crate) fn at(reason: RefusalReason, line: u32, detail: impl Into<String>) -> Self {
        Refusal { line: Some(line), ..Refusal::new(reason, detail) }
    }

    /// What to say of a pipe, a socket or a device.
    pub(crate) fn not_a_file() -> Self {
        Refusal::new(RefusalReason::NotAFile, "neither a regular file nor a folder")
    }

    /// What to say of a symbolic link.
    pub fn symbolic_link() -> Self {
        Refusal::new(RefusalReason::SymbolicLink, "symbolic links are not followed")
    }

    /// What to say of a file or folder that is left out for its name.
    pub fn excluded() -> Self {
        Refusal::new(RefusalReason::Excluded, "left out for its name, as an environment or fetched packages")
    }

    /// What to say of what a solution's build makes.
    pub(crate) fn made() -> Self {
        Refusal::new(RefusalReason::Excluded, "left out because the build makes it anew")
    }

    /// What to say of a folder that is tagged as a cache.
    pub fn cache() -> Self {
        Refusal::new(RefusalReason::Excluded, "left out as a cache, by its CACHEDIR.TAG")
    }

    /// What to say of what the configuration leaves out.
    pub(crate) fn unwanted() -> Self {
        Refusal::new(RefusalReason::Excluded, "left out by the configuration")
    }

    /// What to say of what is no part of the project.
    pub(crate) fn ignored() -> Self {
        Refusal::new(RefusalReason::Excluded, "left out because git ignores it")
    }

    /// What to say of a submodule.
    pub fn submodule() -> Self {
        Refusal::new(RefusalReason::Submodule, "submodules are not followed: their history is their own")
    }

    /// The refusal as a measurement lists it.
    pub fn of_path(self, path: &str) -> SkippedFile {
        SkippedFile { path: path.to_owned(), reason: self.reason, line: self.line, detail: self.detail }
    }
}

/// One file or link that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SkippedFile {
    /// Path below the root; `.` is the root itself.
    pub path: String,
    /// Why, for programs.
    pub reason: RefusalReason,
    /// Where, if there is one place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Why, for people.
    pub detail: String,
}

/// Why a file was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefusalReason {
    /// It could not be opened or read.
    Unreadable,
    /// A pipe, a socket or a device.
    NotAFile,
    /// A folder (or file) whose name is that of an environment or of fetched packages, `venv`, `node_modules` and the like,
    /// that holds a valid `CACHEDIR.TAG`, such as Rust's `target`, or that the configuration leaves out
    /// or git ignores.
    Excluded,
    /// A symbolic link. Links are not followed: what they point to is counted where it is, or lies outside the root.
    SymbolicLink,
    /// A submodule. It is another repository, whose history is its own.
    Submodule,
    /// Larger than what is taken for source.
    TooLarge,
    /// Not UTF-8, and nothing in it says otherwise.
    NotUtf8,
    /// In an encoding that is not read here, or not in the one that it names.
    Encoding,
    /// Not a program in the language; where only a grammar says so, no line of it is.
    Syntax,
    /// Nested more deeply than the language's own implementation accepts, or than is safe to look into.
    TooDeep,
    /// Parsing it costs more than any program does; it is made to be slow, or no program.
    TooSlow,
    /// Beyond what is measured of one solution.
    OverBudget,
    /// In a solution: source of its language whose name says otherwise, but which can be run all the same.
    OtherName,
    /// In a solution: source of another language than its track's.
    OtherLanguage,
    /// In a solution: bytecode.
    Bytecode,
    /// In a solution: machine code.
    NativeCode,
    /// In a solution: an archive, from which Python imports, or compressed data.
    Archive,
    /// In a solution: a script for some other interpreter.
    Script,
}
