//! Means and rates over every trajectory of one worker with one model and one prompt (paper, Table 1 and section 4).

use serde::{Deserialize, Serialize};
use slopbench_stats::describe::mean;

use super::summary::{CheckpointRow, Rates, TrajectoryRow};
use crate::results::Quality;

/// One worker, model and prompt.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignGroup {
    /// Who.
    pub worker: String,
    /// The model behind it.
    pub model: Option<String>,
    /// The prompt's name.
    pub prompt: String,
    /// How many.
    pub trajectories: usize,
    /// Of these, those with every planned checkpoint strictly solved.
    pub fully_solved: usize,
    /// Over all checkpoints that were planned and are graded, those that were never reached among them (paper, section 2.3).
    pub planned: SolveRates,
    /// Over those for which a session left a workspace (paper, Table 1).
    pub produced: SolveRates,
    /// The mean shares of cases that pass, over the same; of each category, where there are cases of it.
    pub pass_rates: PassRates,
    /// The mean over checkpoints with a workspace; the next three alike.
    pub erosion: Option<f64>,
    /// Mean verbosity.
    pub verbosity: Option<f64>,
    /// Mean count of callables with CC > 10.
    pub complex_callables: Option<f64>,
    /// Mean of the largest CC.
    pub largest_cc: Option<f64>,
    /// The mean over trajectories with at least two workspaces; the next three alike.
    pub erosion_slope: Option<f64>,
    /// Mean slope of verbosity.
    pub verbosity_slope: Option<f64>,
    /// The share of trajectories in which erosion ends higher than it began.
    pub erosion_rises: Option<f64>,
    /// The share of trajectories in which verbosity ends higher than it began.
    pub verbosity_rises: Option<f64>,
    /// The mean over sessions whose cost is known.
    pub cost_usd: Option<f64>,
    /// The mean over sessions, input and output together.
    pub tokens: Option<f64>,
}

/// Shares of what is solved, from 0 to 1; absent where there is nothing to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveRates {
    /// How many checkpoints these are.
    pub checkpoints: usize,
    /// The share of them that is strictly solved; the next two alike.
    pub strict: Option<f64>,
    /// Solved in isolation.
    pub isolated: Option<f64>,
    /// Solved by their core cases.
    pub core: Option<f64>,
    /// The share of trajectories with such a checkpoint in which at least one is strictly solved.
    pub partial: Option<f64>,
}

/// Mean shares of cases that pass, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PassRates {
    /// Of core cases.
    pub core: Option<f64>,
    /// Of functionality cases.
    pub functionality: Option<f64>,
    /// Of error cases.
    pub error: Option<f64>,
    /// Of the cases of earlier checkpoints.
    pub regression: Option<f64>,
}

impl DesignGroup {
    pub(crate) fn of(rows: &[&TrajectoryRow]) -> Self {
        let checkpoints = || rows.iter().flat_map(|row| &row.checkpoints);
        let quality =
            |figure: fn(&Quality) -> f64| mean_of(checkpoints().filter_map(|row| Some(figure(row.quality.as_ref()?))));
        let trajectories = |figure: fn(&TrajectoryRow) -> Option<f64>| rows.iter().filter_map(move |row| figure(row));
        let rising = |figure| share(trajectories(figure).map(|rise| rise > 0.0));
        let tokens = checkpoints().filter_map(|row| row.usage).map(|usage| (usage.input + usage.output) as f64);
        let is_solved = |row: &&&TrajectoryRow| row.checkpoints.iter().all(is_strict);
        Self {
            worker: rows[0].worker.clone(),
            model: rows[0].model.clone(),
            prompt: rows[0].prompt.clone(),
            trajectories: rows.len(),
            fully_solved: rows.iter().filter(is_solved).count(),
            planned: SolveRates::of(rows, |_| true),
            produced: SolveRates::of(rows, CheckpointRow::is_produced),
            pass_rates: PassRates::of(checkpoints()),
            erosion: quality(|quality| quality.erosion),
            verbosity: quality(|quality| quality.verbosity),
            complex_callables: quality(|quality| quality.complex_callables as f64),
            largest_cc: quality(|quality| f64::from(quality.largest_cc)),
            erosion_slope: mean_of(trajectories(|row| row.erosion_slope)),
            verbosity_slope: mean_of(trajectories(|row| row.verbosity_slope)),
            erosion_rises: rising(|row| row.erosion_rise),
            verbosity_rises: rising(|row| row.verbosity_rise),
            cost_usd: mean_of(checkpoints().filter_map(|row| row.cost_usd)),
            tokens: mean_of(tokens),
        }
    }
}

impl SolveRates {
    fn of(rows: &[&TrajectoryRow], counts: fn(&CheckpointRow) -> bool) -> Self {
        let of = |row: &'_ &TrajectoryRow| -> Vec<CheckpointRow> {
            row.checkpoints.iter().filter(|row| row.solve.is_some() && counts(row)).cloned().collect()
        };
        let trajectories: Vec<_> = rows.iter().map(of).filter(|rows| !rows.is_empty()).collect();
        let solves: Vec<_> = trajectories.iter().flatten().filter_map(|row| row.solve).collect();
        Self {
            checkpoints: solves.len(),
            strict: share(solves.iter().map(|solve| solve.strict)),
            isolated: share(solves.iter().map(|solve| solve.isolated)),
            core: share(solves.iter().map(|solve| solve.core)),
            partial: share(trajectories.iter().map(|rows| rows.iter().any(is_strict))),
        }
    }
}

impl PassRates {
    fn of<'a>(rows: impl Iterator<Item = &'a CheckpointRow>) -> Self {
        let rates: Vec<Rates> = rows.filter(|row| row.is_produced()).filter_map(|row| row.rates).collect();
        let mean = |rate: fn(&Rates) -> Option<f64>| mean_of(rates.iter().filter_map(rate));
        Self {
            core: mean(|rates| rates.core),
            functionality: mean(|rates| rates.functionality),
            error: mean(|rates| rates.error),
            regression: mean(|rates| rates.regression),
        }
    }
}

fn is_strict(row: &CheckpointRow) -> bool {
    row.solve.is_some_and(|solve| solve.strict)
}

fn share(of: impl Iterator<Item = bool>) -> Option<f64> {
    mean_of(of.map(|one| f64::from(u8::from(one))))
}

fn mean_of(values: impl Iterator<Item = f64>) -> Option<f64> {
    mean(&values.collect::<Vec<_>>()).ok()
}

#[cfg(test)]
mod tests {
    use slopbench_digest::TreeId;
    use slopbench_tests::{Solve, VerdictCounts};

    use super::*;

    fn quality(erosion: f64) -> Quality {
        let json = serde_json::json!({"loc": 10, "callables": 2, "complex_callables": 1, "largest_cc": 12,
            "erosion": erosion, "verbosity": 0.5, "clone_share": 0.0, "skipped": 0});
        serde_json::from_value(json).unwrap()
    }

    fn row(checkpoint: u32, strict: bool, erosion: Option<f64>) -> CheckpointRow {
        let tree: TreeId = serde_json::from_str("\"4b825dc642cb6eb9a060e54bf8d69288fbee4904\"").unwrap();
        CheckpointRow {
            checkpoint,
            state: "done".to_owned(),
            environment: None,
            snapshot: erosion.map(|_| tree),
            counts: Some(VerdictCounts::default()),
            solve: Some(Solve { strict, isolated: strict, core: erosion.is_some() }),
            rates: None,
            unmeasured: None,
            quality: erosion.map(quality),
            usage: None,
            cost_usd: None,
            reported_cost_usd: None,
            footprint: None,
        }
    }

    fn trajectory(erosion: [Option<f64>; 4], strict: [bool; 4]) -> TrajectoryRow {
        let checkpoints =
            (1..).zip(strict.into_iter().zip(erosion)).map(|(n, (strict, erosion))| row(n, strict, erosion));
        TrajectoryRow::of_checkpoints(checkpoints.collect())
    }

    /// As in the paper: a crash leaves 3 of 4 checkpoints produced, and 1 of 3 is solved where 1 of 4 was planned.
    #[test]
    fn what_was_not_produced_counts_as_planned_alone() {
        let crashed = trajectory([Some(0.1), Some(0.2), Some(0.3), None], [true, false, false, false]);
        let never = trajectory([None; 4], [false; 4]);
        let whole = trajectory([Some(0.1); 4], [true; 4]);
        let group = DesignGroup::of(&[&crashed]);
        assert_eq!((group.planned.checkpoints, group.planned.strict), (4, Some(0.25)));
        assert_eq!((group.produced.checkpoints, group.produced.strict), (3, Some(1.0 / 3.0)));
        assert_eq!((group.planned.core, group.produced.core), (Some(0.75), Some(1.0)));
        let group = DesignGroup::of(&[&crashed, &never]);
        assert_eq!((group.planned.partial, group.produced.partial, group.fully_solved), (Some(0.5), Some(1.0), 0));
        assert_eq!(DesignGroup::of(&[&crashed, &whole]).fully_solved, 1);
        assert_eq!((group.complex_callables, group.largest_cc), (Some(1.0), Some(12.0)));
    }

    /// The slope of 0.5, 0.1, 0.2, 0.4 falls, that of 0.1, 0.9, 0.0, 0.0 too, and the first ends lower than it began.
    #[test]
    fn what_rises_ends_higher_than_it_began_whatever_its_slope() {
        let rises = trajectory([Some(0.3), Some(0.9), Some(0.0), Some(0.31)], [false; 4]);
        let falls = trajectory([Some(0.3), Some(0.0), Some(0.9), Some(0.29)], [false; 4]);
        assert!(rises.erosion_slope.is_some_and(|slope| slope < 0.0));
        assert!(falls.erosion_slope.is_some_and(|slope| slope > 0.0));
        assert_eq!(DesignGroup::of(&[&rises]).erosion_rises, Some(1.0));
        assert_eq!(DesignGroup::of(&[&falls]).erosion_rises, Some(0.0));
        assert_eq!(DesignGroup::of(&[&rises, &falls]).verbosity_rises, Some(0.0));
        assert_eq!(DesignGroup::of(&[&trajectory([Some(0.3), None, None, None], [false; 4])]).erosion_rises, None);
    }
}
