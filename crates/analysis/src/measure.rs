//! Which figures an observation has, as data: each with its unit, and which way is better.

use slopbench_slopcode::run::Rates;
use slopbench_tests::Solve;

use crate::{TidyRow, row::CodeFigures, table::Unit};

/// Which way of a measure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The higher, the better.
    Higher,
    /// The lower, the better.
    Lower,
    /// Neither: it says what the code is like.
    Neither,
}

/// Of which rows a measure is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Those whose session left a workspace.
    Produced,
    /// Those whose session left a workspace that has cases of the category; others have none to pass.
    WithCases,
    /// Those that are graded, not reached ones among them.
    Graded,
}

/// One figure of an observation.
#[derive(Clone, Copy)]
pub struct Measure {
    /// What it is called in files.
    pub key: &'static str,
    /// What it is called before people.
    pub title: &'static str,
    /// What it is in.
    pub unit: Unit,
    /// Which way is better.
    pub better: Better,
    /// Of which rows it is asked.
    pub among: Among,
    /// Its value; `None` where it is not known.
    pub of: fn(&TidyRow) -> Option<f64>,
}

impl Measure {
    /// Whether it is asked of this row, so that it is missing where there is no value.
    pub fn is_asked(&self, row: &TidyRow) -> bool {
        match self.among {
            Among::Produced => row.counts_as_produced(),
            Among::WithCases => row.counts_as_produced() && (self.of)(row).is_some(),
            Among::Graded => row.solve.is_some(),
        }
    }

    /// Its value, where it is asked.
    pub fn value(&self, row: &TidyRow) -> Option<f64> {
        if self.is_asked(row) { (self.of)(row) } else { None }
    }
}

fn flag(row: &TidyRow, is: fn(&Solve) -> bool) -> Option<f64> {
    row.solve.as_ref().map(|solve| f64::from(u8::from(is(solve))))
}

fn code(row: &TidyRow, of: fn(&CodeFigures) -> f64) -> Option<f64> {
    row.code.as_ref().map(of)
}

fn rate(row: &TidyRow, of: fn(&Rates) -> Option<f64>) -> Option<f64> {
    row.rates.as_ref().and_then(of)
}

const fn solve(key: &'static str, title: &'static str, of: fn(&TidyRow) -> Option<f64>) -> Measure {
    Measure { key, title, unit: Unit::Share, better: Better::Higher, among: Among::Produced, of }
}

const fn pass_rate(key: &'static str, title: &'static str, of: fn(&TidyRow) -> Option<f64>) -> Measure {
    Measure { key, title, unit: Unit::Share, better: Better::Higher, among: Among::WithCases, of }
}

const fn quality(key: &'static str, title: &'static str, unit: Unit, of: fn(&TidyRow) -> Option<f64>) -> Measure {
    Measure { key, title, unit, better: Better::Lower, among: Among::Produced, of }
}

/// Strictly solved: all cases pass.
pub static STRICT: Measure = STRICT_LIKE;
/// Solved in isolation: all but regression cases pass.
pub static ISOLATED: Measure = solve("isolated", "isolated", |row| flag(row, |solve| solve.isolated));
/// Solved by core cases.
pub static CORE: Measure = solve("core", "core", |row| flag(row, |solve| solve.core));
/// Strictly solved, of all checkpoints that were planned: those that were never reached are not.
pub static STRICT_PLANNED: Measure =
    Measure { key: "strict_planned", title: "strict (planned)", among: Among::Graded, ..STRICT_LIKE };
const STRICT_LIKE: Measure = solve("strict", "strict", |row| flag(row, |solve| solve.strict));
/// Share of all cases that pass.
pub static STRICT_RATE: Measure = pass_rate("pass_rate", "all cases", |row| rate(row, |rates| Some(rates.strict)));
/// Share of the checkpoint's own cases that pass.
pub static ISOLATED_RATE: Measure =
    pass_rate("pass_rate_isolated", "own cases", |row| rate(row, |rates| Some(rates.isolated)));
/// Share of core cases that pass.
pub static CORE_RATE: Measure = pass_rate("pass_rate_core", "core cases", |row| rate(row, |rates| rates.core));
/// Share of functionality cases that pass.
pub static FUNCTIONALITY_RATE: Measure =
    pass_rate("pass_rate_functionality", "functionality cases", |row| rate(row, |rates| rates.functionality));
/// Share of error cases that pass.
pub static ERROR_RATE: Measure = pass_rate("pass_rate_error", "error cases", |row| rate(row, |rates| rates.error));
/// Share of regression cases that pass.
pub static REGRESSION_RATE: Measure =
    pass_rate("pass_rate_regression", "regression cases", |row| rate(row, |rates| rates.regression));
/// Cost of a session by the price table.
pub static COST: Measure = quality("cost_usd", "$/checkpoint", Unit::Dollars, |row| row.cost_usd);
/// Time of a session.
pub static MINUTES: Measure = quality("minutes", "min/checkpoint", Unit::Minutes, |row| row.minutes);
/// Tokens of a session, input and output.
pub static TOKENS: Measure = quality("tokens", "tokens/checkpoint", Unit::Count, |row| {
    row.usage.map(|usage| (usage.input + usage.output) as f64)
});
/// Structural erosion.
pub static EROSION: Measure = quality("erosion", "erosion", Unit::Fraction, |row| code(row, |code| code.erosion));
/// Verbosity.
pub static VERBOSITY: Measure =
    quality("verbosity", "verbosity", Unit::Fraction, |row| code(row, |code| code.verbosity));
/// Lines of rule matches.
pub static VIOLATIONS: Measure =
    quality("violation_ratio", "violations", Unit::Fraction, |row| code(row, |code| code.violation_ratio));
/// Lines of clones.
pub static CLONES: Measure = quality("clone_ratio", "clones", Unit::Fraction, |row| code(row, |code| code.clone_ratio));
/// Callables with CC > 10.
pub static COMPLEX: Measure =
    quality("complex_callables", "high CC", Unit::Count, |row| code(row, |code| code.complex_callables as f64));
/// The largest CC.
pub static LARGEST_CC: Measure =
    quality("largest_cc", "largest CC", Unit::Count, |row| code(row, |code| f64::from(code.largest_cc)));
/// Lines of code.
pub static LOC: Measure =
    Measure { better: Better::Neither, ..quality("loc", "LOC", Unit::Count, |row| code(row, |code| code.loc as f64)) };

/// Every measure, in the order of tables.
pub static MEASURES: [&Measure; 20] = [
    &STRICT,
    &STRICT_PLANNED,
    &ISOLATED,
    &CORE,
    &STRICT_RATE,
    &ISOLATED_RATE,
    &CORE_RATE,
    &FUNCTIONALITY_RATE,
    &ERROR_RATE,
    &REGRESSION_RATE,
    &COST,
    &MINUTES,
    &TOKENS,
    &EROSION,
    &VERBOSITY,
    &VIOLATIONS,
    &CLONES,
    &COMPLEX,
    &LARGEST_CC,
    &LOC,
];
