//! One measure of two configurations.

use std::collections::BTreeMap;

use serde::Serialize;
use slopbench_stats::{
    Resampling,
    describe::{mean, mean_interval, sample_sd},
    effect::rank_biserial,
    permutation::paired_permutation,
    power::RepeatedPairs,
    wilcoxon::{WilcoxonMethod, ZeroRule, wilcoxon},
};

use super::LEVEL;
use crate::{
    TidyRow,
    measure::{Better, Measure},
    statistic::{CONFIDENCE, differences},
};

/// The power that is asked for.
const POWER: f64 = 0.8;

/// Draws of the permutation test where not all assignments are counted.
const SHUFFLES: Resampling = Resampling { resamples: 20_000, seed: 260_324_755 };

/// One measure: B's less A's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureComparison {
    /// What it is called in files.
    pub key: &'static str,
    /// What it is called before people.
    pub title: &'static str,
    /// Whether more of it is better, less is, or neither.
    #[serde(skip)]
    pub better: Better,
    /// Problems that both sides have: what is independent.
    pub problems: usize,
    /// Checkpoints of problems that both sides have.
    pub pairs: usize,
    /// Checkpoints that one side has only.
    pub unpaired: usize,
    /// A's mean over problems, each the mean of its paired checkpoints.
    pub mean_a: f64,
    /// B's.
    pub mean_b: f64,
    /// The mean of the problems' differences.
    pub difference: f64,
    /// Their deviation.
    pub sd: Option<f64>,
    /// The lower end of its 95% interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Of the paired permutation test over problems; absent where no problem differs.
    pub p: Option<f64>,
    /// The same, corrected for all measures.
    pub p_holm: Option<f64>,
    /// Of Wilcoxon's signed-rank test, as the paper has it.
    pub p_wilcoxon: Option<f64>,
    /// The matched-pairs rank-biserial correlation, from -1 to 1.
    pub effect: Option<f64>,
    /// Problems whose difference is not 0: with n of them no p-value is below 2^(1 - n).
    pub differing: usize,
    /// How many p-values are corrected together.
    pub tests: usize,
    /// What repeats can tell; absent where no problem is repeated.
    pub power: Option<RepeatPower>,
    /// What follows.
    pub sentence: String,
}

/// What repeats can tell.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RepeatPower {
    /// How problems' true differences vary.
    pub between: f64,
    /// How repeats of one configuration on one problem vary.
    pub within: f64,
    /// The fewest repeats that tell the difference seen with a chance of 80%; absent where no number does.
    pub repeats_needed: Option<u32>,
    /// The smallest difference that the repeats at hand tell with that chance.
    pub detectable: Option<f64>,
}

/// What is said of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparisonVerdict {
    /// B is better, and that is real.
    BBetter,
    /// A is better, and that is real.
    ABetter,
    /// They differ, which is real, and neither is better.
    Differ,
    /// It may be chance.
    Open,
    /// No test could tell: there are too few problems that differ.
    TooFew,
}

impl ComparisonVerdict {
    /// In a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::BBetter => "B better",
            Self::ABetter => "A better",
            Self::Differ => "differ",
            Self::Open => "open",
            Self::TooFew => "too few",
        }
    }
}

/// The values of each repeat of a problem's checkpoints, and those of each checkpoint.
type Values<'a> = BTreeMap<(&'a str, u32), Vec<((&'a str, u32), f64)>>;

fn values<'a>(measure: &Measure, rows: &[&'a TidyRow]) -> Values<'a> {
    let mut values: Values<'_> = BTreeMap::new();
    for row in rows {
        if let Some(value) = measure.value(row) {
            values.entry((&row.problem, row.checkpoint)).or_default().push((row.repetition(), value));
        }
    }
    values
}

/// A problem: each side's mean over the checkpoints that both have, and that of each repeat.
#[derive(Default)]
struct Paired {
    a: Vec<f64>,
    b: Vec<f64>,
    repeats: [BTreeMap<(String, u32), Vec<f64>>; 2],
}

impl MeasureComparison {
    /// Absent where the two have nothing of it in common.
    pub(super) fn of(measure: &Measure, a: &[&TidyRow], b: &[&TidyRow]) -> Option<Self> {
        let (a, b) = (values(measure, a), values(measure, b));
        let (problems, pairs) = paired(&a, &b);
        let unpaired = a.len() + b.len() - 2 * pairs;
        let means: Vec<(f64, f64)> =
            problems.values().map(|one| Some((mean(&one.a).ok()?, mean(&one.b).ok()?))).collect::<Option<_>>()?;
        let differences = differences(&means);
        let difference = mean(&differences).ok()?;
        let differing = differences.iter().filter(|one| **one != 0.0).count();
        let interval = mean_interval(&differences, CONFIDENCE).ok();
        let tested = differing > 0;
        let wilcoxon = wilcoxon(&differences, ZeroRule::Wilcoxon, WilcoxonMethod::Auto).ok();
        let permutation = paired_permutation(&differences, SHUFFLES).ok();
        Some(Self {
            key: measure.key,
            title: measure.title,
            better: measure.better,
            problems: problems.len(),
            pairs,
            unpaired,
            mean_a: mean(&means.iter().map(|(a, _)| *a).collect::<Vec<_>>()).ok()?,
            mean_b: mean(&means.iter().map(|(_, b)| *b).collect::<Vec<_>>()).ok()?,
            difference,
            sd: sample_sd(&differences).ok(),
            low: interval.map(|one| one.low),
            high: interval.map(|one| one.high),
            p: permutation.filter(|_| tested).map(|test| test.p),
            p_holm: None,
            p_wilcoxon: wilcoxon.filter(|_| tested).map(|test| test.p),
            effect: rank_biserial(&differences, ZeroRule::Wilcoxon).ok(),
            differing,
            tests: 0,
            power: RepeatPower::of(&problems, difference),
            sentence: String::new(),
        })
    }

    /// What follows of it.
    pub fn verdict(&self) -> ComparisonVerdict {
        let is_real = self.p_holm.is_some_and(|p| p < LEVEL);
        let more = self.difference > 0.0;
        match self.better {
            _ if !is_real && self.cannot_tell() => ComparisonVerdict::TooFew,
            _ if !is_real => ComparisonVerdict::Open,
            Better::Neither => ComparisonVerdict::Differ,
            Better::Higher if more => ComparisonVerdict::BBetter,
            Better::Lower if !more => ComparisonVerdict::BBetter,
            Better::Higher | Better::Lower => ComparisonVerdict::ABetter,
        }
    }

    /// Whether no test could be below the level, whatever the differences.
    fn cannot_tell(&self) -> bool {
        self.problems < self.problems_needed()
    }

    /// The smallest number of problems of which some p-value, 2 of 2ⁿ assignments of signs, is below the level once it is
    /// corrected.
    pub(super) fn problems_needed(&self) -> usize {
        let smallest = |problems: &usize| 0.5_f64.powi(*problems as i32 - 1) * self.tests.max(1) as f64;
        (1..64).find(|problems| smallest(problems) < LEVEL).unwrap_or(64)
    }
}

/// The checkpoints that both have, by problem, and how many they are.
fn paired<'a>(a: &Values<'a>, b: &Values<'a>) -> (BTreeMap<&'a str, Paired>, usize) {
    let mut problems: BTreeMap<&str, Paired> = BTreeMap::new();
    let mut pairs = 0;
    for (place, of_a) in a {
        let Some(of_b) = b.get(place) else { continue };
        pairs += 1;
        let problem = problems.entry(place.0).or_default();
        let mean_of = |values: &[(_, f64)]| values.iter().map(|(_, value)| value).sum::<f64>() / values.len() as f64;
        problem.a.push(mean_of(of_a));
        problem.b.push(mean_of(of_b));
        for (side, values) in [of_a, of_b].into_iter().enumerate() {
            for ((run, repeat), value) in values {
                problem.repeats[side].entry(((*run).to_owned(), *repeat)).or_default().push(*value);
            }
        }
    }
    (problems, pairs)
}

impl RepeatPower {
    fn of(problems: &BTreeMap<&str, Paired>, difference: f64) -> Option<Self> {
        let repeats =
            |of: &BTreeMap<_, Vec<f64>>| of.values().filter_map(|values| mean(values).ok()).collect::<Vec<_>>();
        let pilot: Vec<_> = problems.values().map(|one| (repeats(&one.repeats[0]), repeats(&one.repeats[1]))).collect();
        let at_hand = pilot.iter().flat_map(|(a, b)| [a.len(), b.len()]).min()?;
        let design = RepeatedPairs::of_pilot(&pilot).ok()?;
        Some(Self {
            between: design.between,
            within: design.within,
            repeats_needed: design.repeats_needed(difference, LEVEL, POWER).ok().flatten(),
            detectable: design.detectable(u32::try_from(at_hand).ok()?, LEVEL, POWER).ok(),
        })
    }
}
