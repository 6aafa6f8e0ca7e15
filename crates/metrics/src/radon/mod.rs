//! What radon 6.0.1 says about a Python file, to the last digit.
//!
//! radon (<https://pypi.org/project/radon/6.0.1/>) is the tool whose Maintainability Index and cyclomatic complexity
//! the literature on Python quotes. Its definitions are followed as it applies them, on CPython 3.12, also where they
//! look like slips; `tests/oracle/radon_values.py` asks radon itself. The differences that are known concern a stray
//! backslash (`raw.rs`), lone surrogates and large integers (`halstead.rs`). Where radon's raw counts give up on a
//! valid program, which takes a form feed or a backslash in an awkward place, counts are given here all the same.
//!
//! Its cyclomatic complexity is **not** the CC of [`crate::measurement::Callable`]: nested functions do not count in
//! the function around them, comprehensions count 1 for each `for` and `if`, assertions hide what they assert.

mod complexity;
mod halstead;
mod maintainability;
pub(crate) mod raw;

use serde::{Deserialize, Serialize};

pub use complexity::{Block, BlockKind};
pub use halstead::Halstead;
use maintainability::maintainability_index;
pub use raw::Raw;

use crate::python::Program;
use crate::sum::{self, ratio};

/// Everything radon says about one file, or about all.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Radon {
    /// Raw counts.
    #[serde(flatten)]
    pub raw: Raw,
    /// Functions, methods, closures and classes that radon lists.
    pub blocks: u64,
    /// The cyclomatic complexity of the file: 1 + Σ (complexity − 1) over what it consists of. Closures and what is
    /// inside of classes within functions do not enter. Of several files the sum.
    pub complexity: u64,
    /// Operators and operands. Of several files the sums, so that what is distinct is so within its file.
    #[serde(flatten)]
    pub halstead: Halstead,
    /// The Maintainability Index, 0 to 100, with multi-line strings taken for comments (radon's default). Of several
    /// files the mean.
    pub maintainability: f64,
}

/// Analyses one program, given its raw counts.
pub(crate) fn of_program(program: &Program, raw: Raw) -> (Radon, Vec<Block<()>>) {
    let (blocks, complexity) = complexity::of_program(program);
    let halstead = Halstead::of_program(program);
    let maintainability = maintainability_index(&raw, complexity, halstead.volume, true);
    (Radon { raw, blocks: blocks.len() as u64, complexity, halstead, maintainability }, blocks)
}

impl Radon {
    /// Of several files; `None` where there are none. Sums of fractions are rounded once.
    pub(crate) fn total<'a>(files: impl Iterator<Item = &'a Radon> + Clone) -> Option<Self> {
        let sum = |of: fn(&Radon) -> u64| files.clone().map(of).sum::<u64>();
        let exact = |of: fn(&Radon) -> f64| sum::exact(files.clone().map(of));
        let count = sum(|_| 1);
        (count > 0).then(|| Radon {
            raw: Raw {
                loc: sum(|file| file.raw.loc),
                lloc: sum(|file| file.raw.lloc),
                sloc: sum(|file| file.raw.sloc),
                comments: sum(|file| file.raw.comments),
                multi: sum(|file| file.raw.multi),
                blank: sum(|file| file.raw.blank),
                single_comments: sum(|file| file.raw.single_comments),
            },
            blocks: sum(|file| file.blocks),
            complexity: sum(|file| file.complexity),
            halstead: Halstead {
                distinct_operators: sum(|file| file.halstead.distinct_operators),
                distinct_operands: sum(|file| file.halstead.distinct_operands),
                operators: sum(|file| file.halstead.operators),
                operands: sum(|file| file.halstead.operands),
                volume: exact(|file| file.halstead.volume),
                effort: exact(|file| file.halstead.effort),
            },
            maintainability: ratio(exact(|file| file.maintainability), count as f64),
        })
    }
}
