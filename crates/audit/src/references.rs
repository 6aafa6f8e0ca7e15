//! The check that reference solutions pass, played once as they are graded, with time to spare.

use crate::{
    Error,
    plays::{closest, evidence},
    report::{CheckEvidence, ClosestCase, PlayEvidence},
    stable,
    subject::{Findings, Subject},
};

/// The share of a limit of time that a reference solution may take: another machine may be twice as slow.
const MOST: f64 = 0.5;

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let numbers = subject.problem.checkpoints.iter().map(|checkpoint| checkpoint.number);
    let seen = numbers.map(|number| play(subject, number)).collect::<Result<Vec<_>, _>>()?;
    let slow = seen.iter().filter_map(slow);
    let flaws = stable::failures(&seen).into_iter().chain(slow).collect();
    Ok(Findings::new(CheckEvidence::Plays(seen), flaws, Vec::new()))
}

/// Plays the whole suite of checkpoint `number`.
fn play(subject: &Subject<'_, '_>, number: u32) -> Result<PlayEvidence, Error> {
    let (problem, context) = (subject.problem, &subject.context.grading);
    let (cases, what) = (problem.suite(number), "as graded");
    let plays = subject.log.play(context, problem, &problem.reference(number), what, &cases)?;
    Ok(PlayEvidence { closest: closest(&cases, &plays), ..evidence(number, what, &plays) })
}

fn slow(play: &PlayEvidence) -> Option<String> {
    let ClosestCase { case, limit, share } = play.closest.as_ref().filter(|closest| closest.share > MOST)?;
    let (number, share, most) = (play.checkpoint, 100.0 * share, 100.0 * MOST);
    Some(format!(
        "the reference solution of checkpoint {number} takes {share:.0}% of the {limit} that {case} has; expected at most {most:.0}%, as another machine may be slower; `slopbench test --slowest N` lists such cases"
    ))
}
