//! A problem's suite, and which of its cases would have passed.

use slopbench_tests::{Category, Tally, VerdictCounts};

use crate::draw::{Draw, logistic};

/// A case of a suite.
#[derive(Clone)]
struct SuiteCase {
    checkpoint: u32,
    name: String,
    category: Category,
    /// How hard it is, whoever tries.
    hard: f64,
}

/// All cases of a problem.
pub(crate) struct Suite(Vec<SuiteCase>);

/// What became of one.
pub(crate) struct MadeCase {
    pub(crate) name: String,
    pub(crate) category: Category,
    pub(crate) regression: bool,
    /// Absent where there was no solution.
    pub(crate) passed: Option<bool>,
}

impl Suite {
    pub(crate) fn of(seed: u64, problem: usize) -> Self {
        let mut draw = Draw::of(seed, &format!("suite {problem}"));
        let mut cases = Vec::new();
        for checkpoint in 1..=8 {
            for (category, word, most, hard) in [
                (Category::Core, "core", 5.0, -2.2),
                (Category::Functionality, "functionality", 9.0, -1.6),
                (Category::Error, "error", 5.0, -0.9),
            ] {
                // A problem without error cases is one that analyses have to bear.
                let count = if word == "error" && problem % 4 == 1 { 0 } else { 1 + (draw.unit() * most) as u32 };
                for number in 1..=count {
                    let name = format!("checkpoint_{checkpoint}/{word}_{number}");
                    let growing = if word == "error" { 0.25 } else { 0.08 } * f64::from(checkpoint);
                    cases.push(SuiteCase { checkpoint, name, category, hard: hard + growing + 0.5 * draw.normal() });
                }
            }
        }
        Self(cases)
    }
}

/// Plays the suite of a checkpoint. Without a skill there is no solution.
pub(crate) fn play(
    suite: &Suite,
    checkpoint: u32,
    skill: Option<f64>,
    draw: &mut Draw,
) -> (Vec<MadeCase>, VerdictCounts) {
    let mut counts = VerdictCounts::default();
    let mut cases = Vec::new();
    let luck = 0.4 * draw.normal();
    for case in suite.0.iter().filter(|case| case.checkpoint <= checkpoint) {
        let regression = case.checkpoint < checkpoint;
        let burden = if regression { 0.3 } else { 0.0 };
        let chance = draw.unit();
        let passed = skill.map(|skill| chance < logistic(2.0 * (skill - case.hard - burden + luck) - 1.5));
        let tally: &mut Tally = match (regression, case.category) {
            (true, _) | (false, Category::Regression) => &mut counts.regression,
            (false, Category::Core) => &mut counts.core,
            (false, Category::Functionality) => &mut counts.functionality,
            (false, Category::Error) => &mut counts.error,
        };
        tally.total += 1;
        tally.passed += usize::from(passed == Some(true));
        cases.push(MadeCase { name: case.name.clone(), category: case.category, regression, passed });
    }
    (cases, counts)
}
