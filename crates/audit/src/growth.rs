//! What each checkpoint had to change of the one before: whether early decisions matter later.

use std::collections::BTreeMap;

use slopbench_diff::LineDiff;
use slopbench_metrics::grading;
use slopbench_slopcode::results::Quality;

use crate::{
    Error,
    files::{Sources, sources},
    report::{CheckEvidence, GrowthFigures},
    subject::{Findings, Subject},
};

/// Below this share of rewritten lines, a checkpoint is said to change nothing of what was there.
const LITTLE: f64 = 0.02;

/// Shorter lines are the same by chance.
const TELLING: usize = 12;

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let problem = subject.problem;
    let (mut rows, mut flaws) = (Vec::new(), Vec::new());
    let mut before = Sources::new();
    for number in problem.checkpoints.iter().map(|checkpoint| checkpoint.number) {
        let solution = problem.reference(number);
        let after = sources(&solution)?;
        let graded = grading::grade(&solution, "python", &[], subject.context.grading.rules);
        match Quality::of(&graded.map_err(slopbench_slopcode::Error::from)?) {
            Some(quality) => rows.push(figures(number, &before, &after, &quality)),
            None => flaws.push(format!("the reference solution of checkpoint {number} cannot be measured")),
        }
        before = after;
    }
    let little = rows.iter().filter(|row| row.rewritten.is_some_and(|share| share < LITTLE));
    let note = |row: &GrowthFigures| {
        let (number, share) = (row.checkpoint, 100.0 * row.rewritten.unwrap_or_default());
        format!("checkpoint {number} rewrites {share:.1}% of the lines before it: early decisions hardly matter there")
    };
    let notes = little.map(note).collect();
    Ok(Findings::new(CheckEvidence::Growth(rows), flaws, notes))
}

fn figures(checkpoint: u32, before: &Sources, after: &Sources, quality: &Quality) -> GrowthFigures {
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
