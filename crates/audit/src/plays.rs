//! What became of cases, each kept by all that it depends on: who changes a case, or a solution, asks for the plays that
//! this concerns and for no others.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, Sha256};
use slopbench_sandbox::Limit;
use slopbench_slopcode::{GradingContext, SolutionPlayer};
use slopbench_tests::{Case, CaseOutcome, Problem, Verdict};

use crate::{
    Error,
    kept::{Journal, Kept},
    report::{ClosestCase, PlayEvidence},
    subject::describe,
};

/// What became of one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptPlay {
    /// The case, with what differed first; `None` where it passed.
    pub(crate) failure: Option<String>,
    /// Whether it ran into a limit.
    pub(crate) by_limit: bool,
    /// The limit of time that it came closest to, and the share of it that was used.
    closest: Option<(Limit, f64)>,
}

impl KeptPlay {
    pub(crate) fn of(outcome: &CaseOutcome) -> Self {
        Self {
            failure: (outcome.verdict != Verdict::Pass).then(|| describe(outcome)),
            by_limit: matches!(outcome.verdict, Verdict::Limit { .. }),
            closest: outcome.closest,
        }
    }

    pub(crate) fn passed() -> Self {
        Self { failure: None, by_limit: false, closest: None }
    }
}

/// What one case executed of a solution, and what that took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptTrace {
    /// The numbers of the statements.
    pub(crate) statements: Vec<usize>,
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
}

/// All that earlier audits saw of a problem's cases with the same instrument.
pub(crate) struct PlayLog {
    plays: Journal<KeptPlay>,
    traces: Journal<KeptTrace>,
    /// The digest of each case's file.
    cases: BTreeMap<String, Sha256>,
}

impl PlayLog {
    pub(crate) fn new(kept: &Kept, problem: &Problem) -> Result<Self, Error> {
        let setting = setting(problem)?;
        let all = problem.checkpoints.iter().flat_map(|checkpoint| &checkpoint.cases);
        let cases = all.map(|case| Ok((case.id.to_string(), Sha256::of_file(&file(problem, case))?)));
        Ok(Self {
            plays: kept.journal("plays", &setting)?,
            traces: kept.journal("traces", &setting)?,
            cases: cases.collect::<Result<_, Error>>()?,
        })
    }

    /// Plays each of `cases` in the way that `what` says, but for those of which it is known. The results are in their order.
    pub(crate) fn play(
        &self,
        context: &GradingContext<'_>,
        problem: &Problem,
        solution: &Path,
        what: &str,
        cases: &[&Case],
    ) -> Result<Vec<KeptPlay>, Error> {
        let player = SolutionPlayer::new(context, problem, solution)?;
        if player.declares_packages() {
            // Which ones it gets is not said by its files.
            return Ok(kept(&player.play(cases)?));
        }
        let digest = digest(solution)?;
        let new: Vec<_> = cases.iter().copied().filter(|case| self.known(&digest, case, what).is_none()).collect();
        context.progress.begin(&format!("{}: {what}", problem.name), new.len());
        let mut played = player.play(&new)?.into_iter();
        let one = |case: &&Case| match self.known(&digest, case, what) {
            Some(known) => Ok(Some(known)),
            None => played.next().map(|outcome| self.keep(&digest, case, what, KeptPlay::of(&outcome))).transpose(),
        };
        cases.iter().map(one).filter_map(Result::transpose).collect()
    }

    /// What became of `case`, where it was played in this way by the solution with this digest.
    pub(crate) fn known(&self, solution: &Sha256, case: &Case, what: &str) -> Option<KeptPlay> {
        self.plays.get(&self.name(solution, case, what))
    }

    pub(crate) fn keep(&self, solution: &Sha256, case: &Case, what: &str, play: KeptPlay) -> Result<KeptPlay, Error> {
        self.plays.keep(&self.name(solution, case, what), play)
    }

    /// What `case` executes of the solution with this digest, or what `make` gives, which is kept.
    pub(crate) fn trace(
        &self,
        solution: &Sha256,
        case: &Case,
        make: impl FnOnce() -> Result<KeptTrace, Error>,
    ) -> Result<KeptTrace, Error> {
        let name = self.name(solution, case, "traced");
        match self.traces.get(&name) {
            Some(known) => Ok(known),
            None => self.traces.keep(&name, make()?),
        }
    }

    fn name(&self, solution: &Sha256, case: &Case, what: &str) -> String {
        let id = case.id.to_string();
        let file = self.cases.get(&id).map(Sha256::to_string).unwrap_or_default();
        Sha256::of(format!("{id} {file} {solution} {what}").as_bytes()).to_string()
    }
}

/// What is kept of these outcomes.
pub(crate) fn kept(outcomes: &[CaseOutcome]) -> Vec<KeptPlay> {
    outcomes.iter().map(KeptPlay::of).collect()
}

/// What plays say of one checkpoint.
pub(crate) fn evidence(checkpoint: u32, what: &str, plays: &[KeptPlay]) -> PlayEvidence {
    PlayEvidence {
        checkpoint,
        what: what.to_owned(),
        cases: plays.len(),
        passed: Some(plays.iter().filter(|play| play.failure.is_none()).count()),
        failure: plays.iter().find_map(|play| play.failure.clone()),
        closest: None,
    }
}

/// The case that came closest to a limit of time.
pub(crate) fn closest(cases: &[&Case], plays: &[KeptPlay]) -> Option<ClosestCase> {
    let shares = cases.iter().zip(plays).filter_map(|(case, play)| Some((case, play.closest?)));
    let (case, (limit, share)) = shares.max_by(|(_, (_, a)), (_, (_, b))| a.total_cmp(b))?;
    Some(ClosestCase { case: case.id.to_string(), limit, share: (100.0 * share).round() / 100.0 })
}

/// The digest of a solution's files.
pub(crate) fn digest(solution: &Path) -> Result<Sha256, Error> {
    Ok(Listing::of_dir(solution, "")?.digest())
}

/// What all plays of a problem depend on beside case and solution.
fn setting(problem: &Problem) -> Result<(Sha256, Option<Sha256>), Error> {
    let assets = problem.assets.as_deref().map(digest).transpose()?;
    Ok((Sha256::of_file(&problem.dir.join("problem.toml"))?, assets))
}

/// Where a case stands.
fn file(problem: &Problem, case: &Case) -> PathBuf {
    let id = case.id.to_string();
    let (folder, stem) = id.split_once('/').unwrap_or((&id, ""));
    problem.dir.join(folder).join("cases").join(stem).with_extension("toml")
}
