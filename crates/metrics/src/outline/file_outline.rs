//! What an outline is.

use serde::{Deserialize, Serialize};

use crate::python::Import;

/// What one source file offers to others, and what it imports.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileOutline {
    /// The language.
    pub language: String,
    /// The first line of what the file says it is for, as Python's docstrings do; empty where it says nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// What can be named from outside, in the order of the text.
    pub signatures: Vec<Signature>,
    /// What it imports, sorted; empty for languages whose imports are not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub imported: Vec<Import>,
}

/// A definition that can be named from outside its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// What is defined.
    pub kind: SignatureKind,
    /// The names of the classes around it and its own, joined with `.`.
    pub name: String,
    /// The definition without its body, on one line, of at most [`LONGEST_SIGNATURE`] bytes.
    pub text: String,
    /// Whether its name is one for others: no part of it begins with `_`, but for special methods; of a module with an
    /// `__all__`, whether it is in there.
    pub public: bool,
}

/// What a signature defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SignatureKind {
    /// A class, with its bases.
    Class,
    /// A function that is no method.
    Function,
    /// A function directly in a class, or what a language calls with a qualified name.
    Method,
    /// A name that a class gives a value or a type to.
    Attribute,
    /// A name that a module gives a value to.
    Constant,
}

/// The longest text of a signature, in bytes; what is longer ends with an ellipsis.
pub const LONGEST_SIGNATURE: usize = 400;

/// `text` on one line, of at most `most` bytes.
pub(crate) fn on_one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() <= most {
        return line;
    }
    let kept = &line[..line.floor_char_boundary(most.saturating_sub('…'.len_utf8()))];
    format!("{kept}…")
}
