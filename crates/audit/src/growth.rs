//! What each checkpoint had to change of the one before: whether early decisions matter later.

use std::collections::BTreeMap;

use slopbench_diff::LineDiff;
use slopbench_metrics::{RuleSet, grading};
use slopbench_slopcode::results::Quality;
use slopbench_tests::Problem;

use crate::{
    Error,
    files::{Sources, sources},
    report::{CheckEvidence, GrownSolution, GrowthFigures},
    subject::{Findings, Subject},
};

/// Below this share of rewritten lines, a checkpoint is said to change nothing of what was there.
const LITTLE: f64 = 0.02;

/// Shorter lines are the same by chance.
const TELLING: usize = 12;

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let problem = subject.problem;
    let rows = growth(problem, subject.context.grading.rules)?;
    let mut flaws = play_hasty(subject)?;
    let missing = |number: &u32| !rows.iter().any(|row| is_reference(row) && row.checkpoint == *number);
    let numbers = problem.checkpoints.iter().map(|checkpoint| checkpoint.number).filter(missing);
    flaws.extend(numbers.map(|number| format!("the reference solution of checkpoint {number} cannot be measured")));
    let little = rows.iter().filter(|row| is_reference(row) && row.rewritten.is_some_and(|share| share < LITTLE));
    let note = |row: &GrowthFigures| {
        let (number, share) = (row.checkpoint, 100.0 * row.rewritten.unwrap_or_default());
        format!("checkpoint {number} rewrites {share:.1}% of the lines before it: early decisions hardly matter there")
    };
    let notes = little.map(note).collect();
    Ok(Findings::new(CheckEvidence::Growth(rows), flaws, notes))
}

fn is_reference(row: &GrowthFigures) -> bool {
    row.solution == GrownSolution::Reference
}

/// What each checkpoint changes of the reference solution, and then of the hasty one, where there is one. What cannot be
/// measured has no row.
///
/// # Errors
///
/// [`Error::Read`] and [`Error::File`] for a solution that cannot be read.
pub fn growth(problem: &Problem, rules: &RuleSet) -> Result<Vec<GrowthFigures>, Error> {
    let mut rows = Vec::new();
    for solution in [GrownSolution::Reference, GrownSolution::Hasty] {
        let mut before = Sources::new();
        for number in problem.checkpoints.iter().map(|checkpoint| checkpoint.number) {
            let folder = match solution {
                GrownSolution::Reference => problem.reference(number),
                GrownSolution::Hasty => problem.hasty(number),
            };
            if !folder.is_dir() {
                continue;
            }
            let after = sources(&folder)?;
            let graded = grading::grade(&folder, "python", &[], rules).map_err(slopbench_slopcode::Error::from)?;
            rows.extend(Quality::of(&graded).map(|quality| figures(solution, number, &before, &after, &quality)));
            before = after;
        }
    }
    Ok(rows)
}

/// What is wrong with the hasty solution: it has to pass every case, or its figures are of a worse program.
fn play_hasty(subject: &Subject<'_, '_>) -> Result<Vec<String>, Error> {
    let (problem, context) = (subject.problem, &subject.context.grading);
    let mut flaws = Vec::new();
    let numbers = || problem.checkpoints.iter().map(|checkpoint| checkpoint.number);
    if !numbers().any(|number| problem.hasty(number).is_dir()) {
        return Ok(flaws);
    }
    for number in numbers() {
        let (solution, cases) = (problem.hasty(number), problem.suite(number));
        if !solution.is_dir() {
            flaws.push(format!("the hasty solution has no checkpoint {number}"));
            continue;
        }
        let plays = subject.log.play(context, problem, &solution, "in haste", &cases)?;
        let failure = plays.into_iter().find_map(|play| play.failure);
        flaws.extend(failure.map(|failure| format!("the hasty solution fails at checkpoint {number} {failure}")));
    }
    Ok(flaws)
}

fn figures(
    solution: GrownSolution,
    checkpoint: u32,
    before: &Sources,
    after: &Sources,
    quality: &Quality,
) -> GrowthFigures {
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    for path in before.keys().chain(after.keys().filter(|path| !before.contains_key(*path))) {
        let [old, new] = [before, after].map(|sources| sources.get(path).map_or("", String::as_str));
        let diff = LineDiff::new(old.as_bytes(), new.as_bytes());
        added.extend(
            (1..).zip(new.lines()).filter(|(line, _)| diff.earlier(*line).is_none()).map(|(_, text)| text.trim()),
        );
        removed.extend(
            (1..).zip(old.lines()).filter(|(line, _)| diff.later(*line).is_none()).map(|(_, text)| text.trim()),
        );
    }
    let lines: usize = before.values().map(|text| text.lines().count()).sum();
    GrowthFigures {
        solution,
        checkpoint,
        loc: quality.loc,
        added: added.len() as u64,
        removed: removed.len() as u64,
        moved: moved(&added, &removed),
        rewritten: (checkpoint > 1 && lines > 0).then(|| removed.len() as f64 / lines as f64),
        erosion: quality.erosion,
        verbosity: quality.verbosity,
    }
}

/// How many added lines were removed elsewhere.
fn moved(added: &[&str], removed: &[&str]) -> u64 {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    for line in removed.iter().filter(|line| line.len() >= TELLING) {
        *left.entry(line).or_default() += 1;
    }
    let taken = added.iter().filter(|line| match left.get_mut(**line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    });
    taken.count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stood_elsewhere_are_moved_each_once() {
        let line = "store.write(record)";
        assert_eq!(moved(&[line, line, "x = 1", "fresh = compute()"], &[line, "x = 1"]), 1);
    }
}
