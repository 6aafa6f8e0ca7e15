//! A function or method, and its figures.

use serde::{Deserialize, Serialize};

/// One listed callable: a function or method with a body that is not hidden below an `if`, `try`, `with` or loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Callable<P = String> {
    /// Path of its file; `()` until the files are collected.
    pub path: P,
    /// Its own name, or that of what it is bound to; `<anonymous>` where there is neither.
    pub name: String,
    /// The names of the classes and callables around it and its own, joined with `.`.
    pub qualified_name: String,
    /// The line of its `def` (or `async`); decorators lie before it.
    pub start_line: u32,
    /// The last line of its body.
    pub end_line: u32,
    /// CC: 1 + the decision points below it, nested callables included.
    pub cc: u32,
    /// Lines that hold some of its text and are neither blank nor only a comment.
    pub sloc: u32,
    /// CC · √SLOC.
    pub mass: f64,
    /// Cognitive complexity; absent, like the following, where the language's analysis does not give it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cognitive: Option<u32>,
    /// How many compound statements there are around its deepest statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nesting: Option<u32>,
    /// The cyclomatic complexity that radon gives it; absent also where radon does not list it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radon_cc: Option<u32>,
}

/// A callable counts towards erosion when its CC is above this.
pub const COMPLEX_ABOVE: u32 = 10;

impl<P> Callable<P> {
    /// Whether the callable's mass counts as eroded (CC > 10).
    pub fn is_complex(&self) -> bool {
        self.cc > COMPLEX_ABOVE
    }
}

impl Callable<()> {
    /// The callable in the file at `path`.
    pub(crate) fn at(self, path: &str) -> Callable {
        Callable {
            path: path.to_owned(),
            name: self.name,
            qualified_name: self.qualified_name,
            start_line: self.start_line,
            end_line: self.end_line,
            cc: self.cc,
            sloc: self.sloc,
            mass: self.mass,
            cognitive: self.cognitive,
            nesting: self.nesting,
            radon_cc: self.radon_cc,
        }
    }
}
