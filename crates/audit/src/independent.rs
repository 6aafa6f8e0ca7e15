//! The check that a case's verdict does not depend on what was played before it.

use slopbench_digest::Sha256;
use slopbench_slopcode::SolutionPlayer;
use slopbench_tests::{Case, Verdict};

use crate::{
    Error,
    plays::{evidence, kept},
    report::CheckEvidence,
    subject::{Findings, Subject, describe, last_played},
};

/// An order in which cases are played.
struct Order {
    what: &'static str,
    arrange: fn(Vec<&Case>, u64) -> Vec<&Case>,
}

const ORDERS: [Order; 2] = [
    Order { what: "in reverse", arrange: |cases, _| cases.into_iter().rev().collect() },
    // Nothing is left by a case as surely as by the same case.
    Order {
        what: "shuffled, each twice in a row",
        arrange: |cases, seed| shuffled(cases, seed).into_iter().flat_map(|case| [case, case]).collect(),
    },
];

/// In an order that the seed gives, whichever other cases there are.
fn shuffled(mut cases: Vec<&Case>, seed: u64) -> Vec<&Case> {
    cases.sort_by_cached_key(|case| Sha256::of(format!("{seed} {}", case.id).as_bytes()).to_string());
    cases
}

/// Of each checkpoint, the cases that the next one does not play as well.
pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let problem = subject.problem;
    let context = &subject.context.grading;
    let (mut seen, mut flaws) = (Vec::new(), Vec::new());
    for number in problem.checkpoints.iter().map(|checkpoint| checkpoint.number) {
        let cases = last_played(problem, number);
        if cases.is_empty() {
            continue;
        }
        let player = SolutionPlayer::new(context, problem, &problem.reference(number))?;
        for order in &ORDERS {
            let cases = (order.arrange)(cases.clone(), subject.options.seed);
            context.progress.begin(&format!("{} {number}: {}", problem.name, order.what), cases.len());
            let outcomes = player.play(&cases)?;
            let failed = outcomes.iter().filter(|outcome| outcome.verdict != Verdict::Pass);
            flaws.extend(failed.map(|outcome| {
                format!(
                    "played {}, the reference solution of checkpoint {number} fails {}",
                    order.what,
                    describe(outcome)
                )
            }));
            seen.push(evidence(number, order.what, &kept(&outcomes)));
        }
    }
    Ok(Findings::new(CheckEvidence::Plays(seen), flaws, Vec::new()))
}
