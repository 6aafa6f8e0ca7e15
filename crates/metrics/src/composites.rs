//! The two composite scores that SlopCodeBench's authors published first (version 0.1).
//!
//! verbosity_v0 = (rule violations + rubric violations) / LOC + (trivial wrappers + single-use functions) / callables
//!
//! erosion_v0 = (callables with CC > 10 + callables with CC > 30) / callables + lint errors / LOC
//!
//! Scores without unit, from 0 up. Rubric violations come from a language model and lint errors from a linter, neither
//! of which is asked here: without them there is no score, since 0 would be a guess.
//!
//! Source: G. Orlanski et al., the SlopCodeBench blog, version 0.1. It does not say which rules the lint errors are
//! of ("curated", SIM and PLR among them; `crates/lint` has a choice), and its CC is radon's; ours is the paper's, which every language has.

use serde::{Deserialize, Serialize};

use crate::measurement::{COMPLEX_ABOVE, Callable, File, Measures};
use crate::sum::ratio;

/// Callables with a CC above this count twice.
const VERY_COMPLEX_ABOVE: u32 = 30;

/// Findings of other tools about the measured sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExternalFindings {
    /// Rubric violations that a judge found.
    pub rubric_violations: Option<u64>,
    /// Errors that a linter found.
    pub lint_errors: Option<u64>,
}

/// The composites, and their parts that are no other measure.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Composites {
    /// (callables with CC > 10 + callables with CC > 30) / callables.
    pub complex_share: f64,
    /// From a judge; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rubric_violations: Option<u64>,
    /// From a linter; absent without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lint_errors: Option<u64>,
    /// The composite for verbosity; absent without rubric violations, and where a file's language has no analysis of
    /// wrappers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbosity_v0: Option<f64>,
    /// The composite for erosion; absent without lint errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub erosion_v0: Option<f64>,
}

impl Composites {
    /// Of a measurement whose other figures are complete.
    pub(crate) fn of(total: &Measures, files: &[File], callables: &[Callable], external: ExternalFindings) -> Self {
        let above = |cutoff| callables.iter().filter(|callable| callable.cc > cutoff).count();
        let complex = above(COMPLEX_ABOVE) + above(VERY_COMPLEX_ABOVE);
        let complex_share = ratio(complex as f64, total.callables as f64);
        let a_line = |count: u64| ratio(count as f64, total.loc as f64);
        let all_analysed = files.iter().all(|file| file.measures.wrappers.is_some());
        let wrappers = total.wrappers.filter(|_| all_analysed);
        let verbosity = external.rubric_violations.zip(wrappers);
        Composites {
            complex_share,
            rubric_violations: external.rubric_violations,
            lint_errors: external.lint_errors,
            verbosity_v0: verbosity.map(|(rubric, wrappers)| a_line(total.violations + rubric) + wrappers.ratio),
            erosion_v0: external.lint_errors.map(|errors| complex_share + a_line(errors)),
        }
    }
}
