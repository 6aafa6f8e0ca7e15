//! Every function against what NumPy, SciPy and statsmodels say: `fixtures/generate.py` made what is expected.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod columns;
mod power;
mod resampling;
mod support;
mod tests_of_pairs;
