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
//!
//! ```
//! let report = slopbench_metrics::radon::analyze("def f(a):\n    return a + 1 if a else 0\n")?;
//! assert_eq!(report.raw.lloc, 2);
//! assert_eq!((report.blocks[0].name.as_str(), report.blocks[0].complexity), ("f", 2));
//! assert_eq!((report.halstead.operators, report.halstead.operands), (1, 2));
//! # Ok::<(), slopbench_metrics::Refusal>(())
//! ```

pub mod complexity;
pub mod halstead;
mod maintainability;
pub(crate) mod raw;

use serde::Serialize;

pub use complexity::Block;
pub use halstead::Halstead;
pub use maintainability::maintainability_index;
pub use raw::Raw;

use crate::python::Program;
use crate::source::{self, Refusal};

/// Everything radon says about one file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Raw counts.
    pub raw: Raw,
    /// Every function, method, class and closure that radon lists, by line.
    pub blocks: Vec<Block>,
    /// The cyclomatic complexity of the file: 1 + Σ (complexity − 1) over what it consists of. Closures and what is
    /// inside of classes within functions do not enter.
    pub complexity: u64,
    /// Operators and operands of the file.
    pub halstead: Halstead,
    /// The Maintainability Index, 0 to 100, with multi-line strings taken for comments (radon's default).
    pub maintainability: f64,
}

/// Analyses the text of one file.
///
/// # Errors
///
/// [`Refusal`] where the text is no Python 3.12, or nested too deeply.
pub fn analyze(text: &str) -> Result<Report, Refusal> {
    let text = source::decode(text.as_bytes().to_vec())?;
    let program = Program::parse(&text)?;
    let raw = raw::count(program.text(), program.tokens());
    let (blocks, complexity) = complexity::of_program(&program);
    let halstead = Halstead::of_program(&program);
    let maintainability = maintainability_index(&raw, complexity, halstead.volume(), true);
    Ok(Report { raw, blocks, complexity, halstead, maintainability })
}
