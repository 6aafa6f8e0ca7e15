//! The check that reference solutions pass whatever the machine.

use std::{num::NonZeroUsize, path::Path};

use slopbench_slopcode::{GradingContext, SolutionMounts};
use slopbench_tests::{Case, Problem};

use crate::{
    Error,
    plays::evidence,
    report::{CheckEvidence, PlayEvidence},
    subject::{Findings, Subject, last_played, own_cases},
    wrapped::{Variables, with_wrapping},
};

/// How a machine may differ from the one that the problem was written on.
struct Variation {
    what: &'static str,
    env: &'static [(&'static str, &'static str)],
    /// How many cases at once, where that is not as asked for.
    jobs: Option<NonZeroUsize>,
}

const MANY: Option<NonZeroUsize> = NonZeroUsize::new(8);

/// A round each, and again from the first.
const VARIATIONS: [Variation; 10] = [
    Variation { what: "as graded", env: &[], jobs: None },
    Variation { what: "8 at a time", env: &[], jobs: MANY },
    Variation { what: "PYTHONHASHSEED=1", env: &[("PYTHONHASHSEED", "1")], jobs: None },
    Variation { what: "PYTHONHASHSEED=4294967295", env: &[("PYTHONHASHSEED", "4294967295")], jobs: None },
    // Ahead of UTC by no whole number of hours; behind it, with a daylight saving time.
    Variation { what: "TZ=Asia/Kathmandu", env: &[("TZ", "Asia/Kathmandu")], jobs: None },
    Variation { what: "TZ=America/St_Johns", env: &[("TZ", "America/St_Johns")], jobs: None },
    Variation { what: "LC_ALL=C", env: &[("LC_ALL", "C")], jobs: None },
    // Another decimal point, another lower case of I. Where the machine lacks it, it is as C.
    Variation { what: "LC_ALL=tr_TR.UTF-8", env: &[("LC_ALL", "tr_TR.UTF-8")], jobs: None },
    Variation {
        what: "8 at a time, PYTHONHASHSEED=2 TZ=Pacific/Apia LC_ALL=de_DE.UTF-8",
        env: &[("PYTHONHASHSEED", "2"), ("TZ", "Pacific/Apia"), ("LC_ALL", "de_DE.UTF-8")],
        jobs: MANY,
    },
    Variation { what: "as graded", env: &[], jobs: None },
];

/// By which reference solution a case is played. Between the two, solutions differ less from one another than these.
#[derive(Clone, Copy)]
enum By {
    /// By that of the checkpoint that introduces it.
    First,
    /// By that of the last checkpoint that plays it.
    Last,
}

impl By {
    /// Rounds take turns, and the next time that a variation comes it is the other's.
    fn in_round(round: usize) -> Self {
        if (round + round / VARIATIONS.len()).is_multiple_of(2) { Self::First } else { Self::Last }
    }

    fn cases(self, problem: &Problem, number: u32) -> Vec<&Case> {
        match self {
            Self::First => own_cases(problem, number),
            Self::Last => last_played(problem, number),
        }
    }
}

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let grading = &subject.context.grading;
    let mut seen = Vec::new();
    for (round, variation) in VARIATIONS.iter().cycle().take(subject.options.repeats as usize).enumerate() {
        seen.extend(with_wrapping(grading, &Variables(variation.env), |varied| {
            let jobs = variation.jobs.unwrap_or(varied.jobs);
            let context = GradingContext { jobs, suites: varied.suites.clone(), ..*varied };
            play(variation.what, round, subject, &context)
        })?);
    }
    let (tried, notes) = interpreters(subject)?;
    seen.extend(tried);
    let evidence = joined(seen);
    let flaws = failures(&evidence);
    Ok(Findings::new(CheckEvidence::Plays(evidence), flaws, notes))
}

/// What reference solutions did not pass.
pub(crate) fn failures(plays: &[PlayEvidence]) -> Vec<String> {
    let failure = |play: &PlayEvidence| {
        let (number, failure) = (play.checkpoint, play.failure.as_ref()?);
        Some(format!("the reference solution of checkpoint {number}, played {}, fails {failure}", play.what))
    };
    plays.iter().filter_map(failure).collect()
}

/// Plays with the machine's other interpreters, and says which were had.
fn interpreters(subject: &Subject<'_, '_>) -> Result<(Vec<PlayEvidence>, Vec<String>), Error> {
    let grading = &subject.context.grading;
    let mut seen = Vec::new();
    let names: Vec<_> = subject.context.interpreters.iter().map(|other| other.name.clone()).collect();
    if subject.declares_packages(grading)? {
        let note =
            "other interpreters were not tried: the reference solution declares packages, which are built for one";
        return Ok((seen, vec![note.to_owned()]));
    }
    for (round, other) in subject.context.interpreters.iter().enumerate() {
        let open = |dir: &Path, mounts: SolutionMounts<'_>| (other.open)(dir, mounts);
        let context = GradingContext {
            open: &open,
            environments: grading.environments,
            suites: grading.suites.clone(),
            jobs: grading.jobs,
            gate: grading.gate,
            rules: grading.rules,
            progress: grading.progress,
        };
        seen.extend(play(&format!("with {}", other.name), round, subject, &context)?);
    }
    let note = match names.as_slice() {
        [] => "this machine has no other interpreter, or it is not asked where cases are played".to_owned(),
        names => format!("other interpreters that this machine has: {}", names.join(", ")),
    };
    Ok((seen, vec![note]))
}

/// Plays each case once, in this way and by the reference solution whose turn it is.
fn play(
    what: &str,
    round: usize,
    subject: &Subject<'_, '_>,
    context: &GradingContext<'_>,
) -> Result<Vec<PlayEvidence>, Error> {
    let problem = subject.problem;
    let one = |checkpoint: u32, cases: &[&Case]| {
        let way = format!("{what}, round {round}");
        let plays = subject.log.play(context, problem, &problem.reference(checkpoint), &way, cases)?;
        Ok(evidence(checkpoint, what, &plays))
    };
    let numbers = problem.checkpoints.iter().map(|checkpoint| checkpoint.number);
    let plays = numbers.map(|number| (number, By::in_round(round).cases(problem, number)));
    plays.filter(|(_, cases)| !cases.is_empty()).map(|(number, cases)| one(number, &cases)).collect()
}

/// Plays of the same kind at the same checkpoint as one, in the order of kinds.
fn joined(plays: Vec<PlayEvidence>) -> Vec<PlayEvidence> {
    let mut joined: Vec<PlayEvidence> = Vec::new();
    for play in plays {
        match joined.iter_mut().find(|other| other.checkpoint == play.checkpoint && other.what == play.what) {
            Some(other) => {
                other.cases += play.cases;
                other.passed = other.passed.zip(play.passed).map(|(a, b)| a + b);
                other.failure = other.failure.take().or(play.failure);
            }
            None => joined.push(play),
        }
    }
    joined
}
