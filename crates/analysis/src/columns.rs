//! Rows as columns, for files that other programs read.

use slopbench_tests::VerdictCounts;

use crate::TidyRow;

/// A column of the tidy table of observations.
pub struct TidyColumn {
    /// Its name: lower case letters, digits and `_`.
    pub name: &'static str,
    /// Its values.
    pub values: ColumnValues,
}

/// What a column holds, of one row; `None` where it is not known.
#[derive(Clone, Copy)]
pub enum ColumnValues {
    /// Words.
    Text(fn(&TidyRow) -> Option<String>),
    /// Yes or no.
    Flag(fn(&TidyRow) -> Option<bool>),
    /// A whole number.
    Integer(fn(&TidyRow) -> Option<i64>),
    /// Any number: finite.
    Real(fn(&TidyRow) -> Option<f64>),
}

fn tally(row: &TidyRow, of: fn(&VerdictCounts) -> usize) -> Option<i64> {
    row.counts.as_ref().map(|counts| of(counts) as i64)
}

const fn column(name: &'static str, values: ColumnValues) -> TidyColumn {
    TidyColumn { name, values }
}

use ColumnValues::{Flag, Integer, Real, Text};

/// Every column, in order.
pub static COLUMNS: &[TidyColumn] = &[
    column("run", Text(|row| Some(row.run.clone()))),
    column("synthetic", Flag(|row| Some(row.synthetic))),
    column("agent", Text(|row| Some(row.configuration.agent.clone()))),
    column("version", Text(|row| Some(row.configuration.version.clone()))),
    column("model", Text(|row| row.configuration.model.clone())),
    column("reasoning", Text(|row| Some(row.configuration.reasoning.clone()))),
    column("prompt", Text(|row| Some(row.configuration.prompt.clone()))),
    column("track", Text(|row| Some(row.configuration.track.to_string()))),
    column("one_shot", Flag(|row| Some(row.configuration.one_shot))),
    column("repeat", Integer(|row| Some(row.repeat.into()))),
    column("trajectory", Text(|row| Some(row.trajectory.clone()))),
    column("problem", Text(|row| Some(row.problem.clone()))),
    column("checkpoint", Integer(|row| Some(row.checkpoint.into()))),
    column("checkpoints", Integer(|row| Some(row.checkpoints.into()))),
    column("phase", Text(|row| row.phase.map(|phase| phase.name().to_owned()))),
    column("state", Text(|row| Some(row.state.clone()))),
    column("standing", Text(|row| Some(row.standing.word().to_owned()))),
    column("produced", Flag(|row| Some(row.produced))),
    column("strict", Flag(|row| row.solve.map(|solve| solve.strict))),
    column("isolated", Flag(|row| row.solve.map(|solve| solve.isolated))),
    column("core", Flag(|row| row.solve.map(|solve| solve.core))),
    column("core_passed", Integer(|row| tally(row, |counts| counts.core.passed))),
    column("core_total", Integer(|row| tally(row, |counts| counts.core.total))),
    column("functionality_passed", Integer(|row| tally(row, |counts| counts.functionality.passed))),
    column("functionality_total", Integer(|row| tally(row, |counts| counts.functionality.total))),
    column("error_passed", Integer(|row| tally(row, |counts| counts.error.passed))),
    column("error_total", Integer(|row| tally(row, |counts| counts.error.total))),
    column("regression_passed", Integer(|row| tally(row, |counts| counts.regression.passed))),
    column("regression_total", Integer(|row| tally(row, |counts| counts.regression.total))),
    column("pass_rate", Real(|row| row.rates.as_ref().map(|rates| rates.strict))),
    column("pass_rate_isolated", Real(|row| row.rates.as_ref().map(|rates| rates.isolated))),
    column("pass_rate_core", Real(|row| row.rates.as_ref().and_then(|rates| rates.core))),
    column("pass_rate_functionality", Real(|row| row.rates.as_ref().and_then(|rates| rates.functionality))),
    column("pass_rate_error", Real(|row| row.rates.as_ref().and_then(|rates| rates.error))),
    column("pass_rate_regression", Real(|row| row.rates.as_ref().and_then(|rates| rates.regression))),
    column("cost_usd", Real(|row| row.cost_usd)),
    column("reported_cost_usd", Real(|row| row.reported_cost_usd)),
    column("minutes", Real(|row| row.minutes)),
    column("tokens_input", Integer(|row| row.usage.map(|usage| usage.input as i64))),
    column("tokens_cached_input", Integer(|row| row.usage.map(|usage| usage.cached_input as i64))),
    column("tokens_cache_writes", Integer(|row| row.usage.map(|usage| usage.cache_writes as i64))),
    column("tokens_output", Integer(|row| row.usage.map(|usage| usage.output as i64))),
    column("tokens_reasoning", Integer(|row| row.usage.map(|usage| usage.reasoning as i64))),
    column("turns", Integer(|row| row.turns.map(|turns| turns as i64))),
    column("lines_edited", Integer(|row| row.lines_edited.map(|lines| lines as i64))),
    column("total_lines", Integer(|row| row.code.as_ref().map(|code| code.total_lines as i64))),
    column("loc", Integer(|row| row.code.as_ref().map(|code| code.loc as i64))),
    column("callables", Integer(|row| row.code.as_ref().map(|code| code.callables as i64))),
    column("complex_callables", Integer(|row| row.code.as_ref().map(|code| code.complex_callables as i64))),
    column("largest_cc", Integer(|row| row.code.as_ref().map(|code| code.largest_cc.into()))),
    column("erosion", Real(|row| row.code.as_ref().map(|code| code.erosion))),
    column("verbosity", Real(|row| row.code.as_ref().map(|code| code.verbosity))),
    column("violation_ratio", Real(|row| row.code.as_ref().map(|code| code.violation_ratio))),
    column("clone_ratio", Real(|row| row.code.as_ref().map(|code| code.clone_ratio))),
    column("mean_callable_sloc", Real(|row| row.code.as_ref().and_then(|code| code.mean_callable_sloc))),
    column("trivial_wrappers", Integer(|row| Some(row.code.as_ref()?.trivial_wrappers? as i64))),
    column("single_use", Integer(|row| Some(row.code.as_ref()?.single_use? as i64))),
    column("complex_share", Real(|row| row.code.as_ref().map(|code| code.complex_share))),
    column("lint_errors", Integer(|row| Some(row.code.as_ref()?.lint_errors? as i64))),
    column("verbosity_v0", Real(|row| row.code.as_ref().and_then(|code| code.verbosity_v0))),
    column("erosion_v0", Real(|row| row.code.as_ref().and_then(|code| code.erosion_v0))),
    column("erosion_8_constant", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.first().copied()))),
    column("erosion_8_sqrt_sloc", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(1).copied()))),
    column("erosion_8_sloc", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(2).copied()))),
    column("erosion_10_constant", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(3).copied()))),
    column("erosion_10_sqrt_sloc", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(4).copied()))),
    column("erosion_10_sloc", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(5).copied()))),
    column("erosion_12_constant", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(6).copied()))),
    column("erosion_12_sqrt_sloc", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(7).copied()))),
    column("erosion_12_sloc", Real(|row| row.code.as_ref().and_then(|code| code.sensitivity.get(8).copied()))),
    column("new_flags_verbosity", Integer(|row| Some(row.flags?.new?[0] as i64))),
    column("new_flags_erosion", Integer(|row| Some(row.flags?.new?[1] as i64))),
    column("carried_flags_verbosity", Integer(|row| Some(row.flags?.carried?[0] as i64))),
    column("carried_flags_erosion", Integer(|row| Some(row.flags?.carried?[1] as i64))),
    column("judged_changed_lines", Integer(|row| Some(row.flags?.changed_lines as i64))),
    column("withheld", Text(|row| row.withheld.clone())),
];
