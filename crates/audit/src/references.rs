//! The check that reference solutions pass, played once as they are graded, with time to spare.

use slopbench_slopcode::SolutionPlayer;
use slopbench_tests::CaseOutcome;

use crate::{
    Error,
    kept::Journal,
    report::{CheckEvidence, ClosestCase, PlayEvidence},
    stable,
    subject::{Findings, Subject, evidence},
};

/// The share of a limit of time that a reference solution may take: another machine may be twice as slow.
const MOST: f64 = 0.5;

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let journal = subject.kept.journal("references", &())?;
    let numbers = subject.problem.checkpoints.iter().map(|checkpoint| checkpoint.number);
    let seen = numbers.map(|number| play(subject, number, &journal)).collect::<Result<Vec<_>, _>>()?;
    let slow = seen.iter().filter_map(slow);
    let flaws = stable::failures(&seen).into_iter().chain(slow).collect();
    Ok(Findings::new(CheckEvidence::Plays(seen), flaws, Vec::new()))
}

/// Plays the whole suite of checkpoint `number`.
fn play(subject: &Subject<'_, '_>, number: u32, journal: &Journal<PlayEvidence>) -> Result<PlayEvidence, Error> {
    let (problem, context) = (subject.problem, &subject.context.grading);
    journal.or_make(&number.to_string(), || {
        let cases = problem.suite(number);
        context.progress.begin(&format!("{} {number}: as graded", problem.name), cases.len());
        let outcomes = SolutionPlayer::new(context, problem, &problem.reference(number))?.play(&cases)?;
        Ok(PlayEvidence { closest: closest(&outcomes), ..evidence(number, "as graded", &outcomes) })
    })
}

/// The case that came closest to a limit of time.
fn closest(outcomes: &[CaseOutcome]) -> Option<ClosestCase> {
    let shares = outcomes.iter().filter_map(|outcome| Some((outcome, outcome.closest?)));
    let (outcome, (limit, share)) = shares.max_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b))?;
    Some(ClosestCase { case: outcome.id.to_string(), limit, share: (100.0 * share).round() / 100.0 })
}

fn slow(play: &PlayEvidence) -> Option<String> {
    let ClosestCase { case, limit, share } = play.closest.as_ref().filter(|closest| closest.share > MOST)?;
    let (number, share, most) = (play.checkpoint, 100.0 * share, 100.0 * MOST);
    Some(format!(
        "the reference solution of checkpoint {number} takes {share:.0}% of the {limit} that {case} has; expected at most {most:.0}%, as another machine may be slower; `slopbench test --slowest N` lists such cases"
    ))
}
