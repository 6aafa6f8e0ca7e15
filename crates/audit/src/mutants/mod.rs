//! The check that a suite notices small changes of what a checkpoint adds: mutation testing of reference solutions.
//!
//! [`operators`] changes a program, [`statements`] finds out which cases execute what, [`program`] puts both together,
//! [`trial`] plays. A mutant is played against the cases that execute its statement, cheapest first, up to the first
//! that fails.

mod equivalents;
mod operators;
mod program;
mod statements;
mod trial;

use std::collections::BTreeSet;

use slopbench_digest::Sha256;
use slopbench_stats::proportion::wilson;

use crate::{
    Error,
    files::{Sources, sources},
    report::{CheckEvidence, MutationScore, Survivor},
    subject::{Findings, Subject},
};

use equivalents::Equivalents;
use program::{Candidate, Program};
use trial::{Fate, Trial};

/// The share of a checkpoint's mutants that its suite has to kill.
const LEAST: f64 = 0.85;

/// The nominal coverage of a score's interval.
const CONFIDENCE: f64 = 0.95;

/// What the check depends on beside the problem's files.
pub(crate) fn depends(subject: &Subject<'_, '_>) -> Result<String, Error> {
    let path = subject.problem.dir.join(equivalents::EQUIVALENTS);
    let argued = path.exists().then(|| Sha256::of_file(&path)).transpose()?;
    let (mutants, seed) = (subject.options.mutants, subject.options.seed);
    Ok(format!("{mutants} mutants, seed {seed}, {}", argued.map_or(String::new(), |digest| digest.to_string())))
}

pub(crate) fn check(subject: &Subject<'_, '_>) -> Result<Findings, Error> {
    let problem = subject.problem;
    let programs = programs(subject)?;
    let equivalents = Equivalents::load(&problem.dir)?;
    let all: Vec<_> = programs.iter().flat_map(Program::candidates).map(|candidate| candidate.describe()).collect();
    equivalents.check(&problem.dir, &all)?;
    let score = |(number, program)| score(subject, number, program, &equivalents);
    let scores = (1..).zip(&programs).map(score).collect::<Result<Vec<_>, _>>()?;
    let flaws = scores.iter().filter_map(flaw).collect();
    let notes = scores.iter().flat_map(notes).collect();
    Ok(Findings::new(CheckEvidence::Mutants(scores), flaws, notes))
}

/// The reference solutions, in order.
fn programs(subject: &Subject<'_, '_>) -> Result<Vec<Program>, Error> {
    let (mut programs, mut before) = (Vec::new(), Sources::new());
    for checkpoint in &subject.problem.checkpoints {
        let now = sources(&subject.problem.reference(checkpoint.number))?;
        programs.push(Program::new(&now, &before));
        before = now;
    }
    Ok(programs)
}

fn score(
    subject: &Subject<'_, '_>,
    number: u32,
    program: &Program,
    equivalents: &Equivalents,
) -> Result<MutationScore, Error> {
    let trial = Trial::new(subject, number, program)?;
    let mut candidates = program.candidates();
    let mutants = candidates.len();
    candidates.retain(|candidate| !equivalents.hold(&candidate.describe()));
    let argued = mutants - candidates.len();
    candidates.retain(|candidate| trial.executes(candidate));
    let unexecuted = mutants - argued - candidates.len();
    let sample = sample(candidates, subject.options.seed, subject.options.mutants);
    let fates = trial.play(&sample)?;
    let killed = fates.iter().filter(|fate| matches!(fate, Fate::Killed { .. })).count();
    let by_limit = fates.iter().filter(|fate| matches!(fate, Fate::Killed { by_limit: true, .. })).count();
    let lived = sample.iter().zip(&fates).filter(|(_, fate)| matches!(fate, Fate::Survived));
    let survivors: BTreeSet<Survivor> = lived.map(|(candidate, _)| candidate.describe()).collect();
    let is_sampled = !sample.is_empty();
    let interval = is_sampled.then(|| wilson(killed, sample.len(), CONFIDENCE)).transpose()?;
    Ok(MutationScore {
        checkpoint: number,
        new_lines: program.new_lines(),
        mutants,
        argued,
        unexecuted,
        sampled: sample.len(),
        killed,
        by_limit,
        score: is_sampled.then(|| killed as f64 / sample.len() as f64),
        interval: interval.map(|interval| [interval.low, interval.high]),
        survivors: survivors.into_iter().collect(),
        unexecuted_lines: trial.unexecuted_lines(program),
    })
}

/// The first `most` in an order that the seed gives: a larger sample has all of a smaller one.
fn sample(mut candidates: Vec<Candidate<'_>>, seed: u64, most: usize) -> Vec<Candidate<'_>> {
    candidates
        .sort_by_cached_key(|candidate| Sha256::of(format!("{seed} {}", candidate.name()).as_bytes()).to_string());
    candidates.truncate(most);
    candidates
}

fn flaw(score: &MutationScore) -> Option<String> {
    let share = score.score.filter(|share| *share < LEAST)?;
    let MutationScore { checkpoint, killed, sampled, .. } = score;
    let (percent, least) = (100.0 * share, 100.0 * LEAST);
    Some(format!(
        "the suite of checkpoint {checkpoint} kills {killed} of {sampled} mutants of its new lines, {percent:.0}%; expected {least:.0}%"
    ))
}

fn notes(score: &MutationScore) -> Vec<String> {
    let MutationScore { checkpoint, unexecuted_lines, .. } = score;
    let unexecuted = (!unexecuted_lines.is_empty()).then(|| {
        format!("no case of checkpoint {checkpoint} executes these statements: {}", unexecuted_lines.join(", "))
    });
    let nothing = score.score.is_none().then(|| format!("checkpoint {checkpoint} has no mutant to play"));
    unexecuted.into_iter().chain(nothing).collect()
}
