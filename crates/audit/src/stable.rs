//! The check that reference solutions pass whatever the machine.

use std::{num::NonZeroUsize, path::Path};

use slopbench_slopcode::{GradingContext, SolutionMounts, SolutionPlayer};

use crate::{
    Error,
    kept::Journal,
    report::{CheckEvidence, PlayEvidence},
    subject::{Findings, Subject, evidence},
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

const VARIATIONS: [Variation; 8] = [
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
];

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let grading = &subject.context.grading;
    let journal = journal(subject)?;
    let mut seen = Vec::new();
    for round in 1..=subject.options.repeats {
        seen.extend(as_graded(subject, round, &journal)?);
    }
    for variation in &VARIATIONS {
        seen.extend(with_wrapping(grading, &Variables(variation.env), |varied| {
            let jobs = variation.jobs.unwrap_or(varied.jobs);
            let context = GradingContext { jobs, suites: varied.suites.clone(), ..*varied };
            play(variation.what, 1, subject, &context, &journal)
        })?);
    }
    let (tried, notes) = interpreters(subject, &journal)?;
    seen.extend(tried);
    let evidence = joined(seen);
    let flaws = flaws(&evidence);
    Ok(Findings::new(CheckEvidence::Plays(evidence), flaws, notes))
}

/// Plays of reference solutions, each kept by what was varied, checkpoint and round.
pub(crate) fn journal(subject: &Subject<'_, '_>) -> Result<Journal<PlayEvidence>, Error> {
    subject.kept.journal("plays", &())
}

/// Plays every reference solution's suite as it is graded, the first, second … time.
pub(crate) fn as_graded(
    subject: &Subject<'_, '_>,
    round: u32,
    journal: &Journal<PlayEvidence>,
) -> Result<Vec<PlayEvidence>, Error> {
    play("as graded", round, subject, &subject.context.grading, journal)
}

/// The plays that a reference solution does not pass.
pub(crate) fn flaws(plays: &[PlayEvidence]) -> Vec<String> {
    let flaw = |play: &PlayEvidence| {
        let (number, failure) = (play.checkpoint, play.failure.as_ref()?);
        Some(format!("the reference solution of checkpoint {number}, played {}, fails {failure}", play.what))
    };
    plays.iter().filter_map(flaw).collect()
}

/// Plays with the machine's other interpreters, and says which were had.
fn interpreters(
    subject: &Subject<'_, '_>,
    journal: &Journal<PlayEvidence>,
) -> Result<(Vec<PlayEvidence>, Vec<String>), Error> {
    let grading = &subject.context.grading;
    let mut seen = Vec::new();
    let names: Vec<_> = subject.context.interpreters.iter().map(|other| other.name.clone()).collect();
    if subject.declares_packages(grading)? {
        let note =
            "other interpreters were not tried: the reference solution declares packages, which are built for one";
        return Ok((seen, vec![note.to_owned()]));
    }
    for other in subject.context.interpreters {
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
        seen.extend(play(&format!("with {}", other.name), 1, subject, &context, journal)?);
    }
    let note = match names.as_slice() {
        [] => "this machine has no other interpreter, or it is not asked where cases are played".to_owned(),
        names => format!("other interpreters that this machine has: {}", names.join(", ")),
    };
    Ok((seen, vec![note]))
}

/// Plays every reference solution's suite once, the first, second … time in this way; each is kept.
fn play(
    what: &str,
    round: u32,
    subject: &Subject<'_, '_>,
    context: &GradingContext<'_>,
    journal: &Journal<PlayEvidence>,
) -> Result<Vec<PlayEvidence>, Error> {
    let problem = subject.problem;
    let one = |checkpoint: u32| {
        let cases = problem.suite(checkpoint);
        context.progress.begin(&format!("{} {checkpoint}: {what}", problem.name), cases.len());
        let outcomes = SolutionPlayer::new(context, problem, &problem.reference(checkpoint))?.play(&cases)?;
        Ok(evidence(checkpoint, what, &outcomes))
    };
    let kept = |number| journal.or_make(&format!("{what}, {number}, round {round}"), || one(number));
    problem.checkpoints.iter().map(|checkpoint| kept(checkpoint.number)).collect()
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
