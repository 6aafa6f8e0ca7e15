//! `scores.json`: every component of every repository of a run, judged, and what is lost.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;
use slopbench_judge::{
    Attempts, Judge, JudgedTree, JudgingEstimate,
    calibration::{CalibrationReport, JudgeIdentity, JudgeStanding, JudgedItems},
};

use super::{
    exposure::JudgedExposure,
    items::{items, judged_items},
    questions::{ComponentQuestion, judge_components},
    verdicts::{JudgedComponent, JudgedRepository},
};
use crate::{
    Error,
    exposure::{ExposureAudit, Recoverability},
    scores::{
        AggregateScores, Faithfulness, GuardEffect, RepositoryScores, SlumpLoss, aggregates, guard_effects,
        slump_losses,
    },
    study::{SessionLeft, SlumpFolder, SlumpSummary, left_after},
    task::SlumpTask,
};

/// What `format` says in a file of this version.
pub const SLUMP_SCORES_FORMAT: &str = "slopbench.slump-scores/1";

/// What a judge says of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlumpScores {
    /// [`SLUMP_SCORES_FORMAT`].
    pub format: String,
    /// The digest of the run's plan.
    pub plan: Sha256,
    /// Who judged; absent where there was nothing to be judged.
    pub judge: Option<JudgeIdentity>,
    /// How far people agree with this judge, or that nobody knows.
    pub standing: String,
    /// Who says of each task how much its requests disclose, by which it was admitted.
    pub exposure: BTreeMap<String, ExposureSource>,
    /// Every session that is done, and whose end was kept.
    pub repositories: Vec<JudgedRepository>,
    /// Sessions whose end was not kept, and which have no scores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_kept: Vec<String>,
    /// Means by platform and condition (Table 3).
    pub aggregates: Vec<AggregateScores>,
    /// What is lost, by platform and measure.
    pub losses: Vec<SlumpLoss>,
    /// What a guard does, by platform and task (Table 6).
    pub guard_effects: Vec<GuardEffect>,
}

impl SlumpScores {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::Design`] names the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let wrong = |message: String| Error::Design(format!("{}: {message}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let this: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        match this.format == SLUMP_SCORES_FORMAT {
            true => Ok(this),
            false => {
                Err(wrong(format!("this version reads format \"{SLUMP_SCORES_FORMAT}\", not \"{}\"", this.format)))
            }
        }
    }
}

/// Who says how much a task's requests disclose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExposureSource {
    /// Its author, who decides what they reveal.
    Author,
    /// A judge who sees the requests alone.
    Judge,
}

/// What a judging gives.
#[derive(Clone, Debug, PartialEq)]
pub struct SlumpJudging {
    /// The scores.
    pub scores: SlumpScores,
    /// Every verdict, for people to calibrate the judge by; absent where nothing was to be judged.
    pub items: Option<JudgedItems>,
}

/// Judges every component in what each session left that is done. Of a session that left no file, every component is absent, and
/// nobody is asked; of one whose end was not kept, nothing is known, and it has no score.
///
/// # Errors
///
/// [`Error::Exposure`] if a task discloses too little for its scores to be published, by its judged exposure where there is one, else by
/// its author; [`Error::Design`] if a judged exposure is of another task; [`Error::Judge`] if nobody could be asked,
/// [`Error::Calibration`] if that is none.
pub fn judge_slump(
    folder: &SlumpFolder,
    tasks: &BTreeMap<String, SlumpTask>,
    judge: &Judge,
    exposures: &[JudgedExposure],
    calibration: Option<&Path>,
) -> Result<SlumpJudging, Error> {
    let exposure = admitted(folder, tasks, exposures)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|source| Error::Write { path: folder.store.root.clone(), source })?;
    let summary = SlumpSummary::read(folder)?;
    let (mut repositories, mut scored, mut identity) = (Vec::new(), Vec::new(), None);
    for (session, scores) in summary.done().zip(summary.scores()) {
        let Some((task, tree)) = left(folder, tasks, &session.id)? else { continue };
        let absent = || JudgedComponent { score: Some(0), ..JudgedComponent::default() };
        let components: BTreeMap<_, _> = match &tree {
            None => task.components.iter().map(|component| (component.id.clone(), absent())).collect(),
            Some((_, tree)) => {
                if identity.is_none()
                    && let Some(component) = task.components.first()
                {
                    let key = judge.key(&ComponentQuestion::of(task, component), Some(tree), 0)?;
                    identity = Some(JudgeIdentity { votes: judge.vote_count(), ..JudgeIdentity::from(&key) });
                }
                let judged = runtime.block_on(judge_components(judge, task, tree))?;
                judged.into_iter().map(|(id, judged)| (id, JudgedComponent::from(judged))).collect()
            }
        };
        let faithfulness = Some(Faithfulness::of(components.values().map(|one| one.score)));
        let scores = RepositoryScores { faithfulness, ..scores };
        let attempts = tree.as_ref().map_or_else(Attempts::default, |(_, tree)| tree.attempts().clone());
        let judged = JudgedRepository { session: session.id.clone(), scores, components, attempts };
        if let Some((place, _)) = &tree {
            scored.extend(items(&judged, task, place));
        }
        repositories.push(judged);
    }
    let calibration = calibration.map(CalibrationReport::load).transpose();
    let calibration = calibration.map_err(|error| Error::Calibration(error.to_string()))?;
    let standing = match &identity {
        Some(identity) => JudgeStanding::of(identity, calibration.as_ref()),
        None => JudgeStanding::Uncalibrated,
    };
    let items = identity.clone().map(|identity| judged_items(identity, scored));
    let all: Vec<_> = repositories.iter().map(|one| one.scores.clone()).collect();
    let scores = SlumpScores {
        format: SLUMP_SCORES_FORMAT.to_owned(),
        plan: folder.store.plan(),
        judge: identity,
        standing: standing.to_string(),
        exposure,
        repositories,
        not_kept: summary.sessions.iter().filter(|one| one.not_kept).map(|one| one.id.clone()).collect(),
        aggregates: aggregates(&all),
        losses: slump_losses(&all),
        guard_effects: guard_effects(&all),
    };
    Ok(SlumpJudging { scores, items })
}

/// What that may cost at most.
///
/// # Errors
///
/// As [`judge_slump`].
pub fn estimate_slump(
    folder: &SlumpFolder,
    tasks: &BTreeMap<String, SlumpTask>,
    judge: &Judge,
    exposures: &[JudgedExposure],
) -> Result<JudgingEstimate, Error> {
    admitted(folder, tasks, exposures)?;
    let mut sum = JudgingEstimate::none();
    for session in SlumpSummary::read(folder)?.done() {
        let Some((task, Some((_, tree)))) = left(folder, tasks, &session.id)? else { continue };
        for component in &task.components {
            sum += judge.estimate(&ComponentQuestion::of(task, component), Some(&tree), judge.vote_count())?;
        }
    }
    Ok(sum)
}

/// Admits the run's tasks by what their requests disclose, and says who says so.
fn admitted(
    folder: &SlumpFolder,
    tasks: &BTreeMap<String, SlumpTask>,
    exposures: &[JudgedExposure],
) -> Result<BTreeMap<String, ExposureSource>, Error> {
    let design = &folder.plan.design;
    design.admit(tasks)?;
    if let Some(other) = exposures.iter().find(|one| !design.tasks.contains_key(&one.task)) {
        return Err(Error::Design(format!(
            "the run has no task {}, whose judged exposure is given; leave it out",
            other.task
        )));
    }
    let mut sources = BTreeMap::new();
    for task in design.tasks.keys().filter_map(|name| tasks.get(name)) {
        let source = match exposures.iter().find(|one| one.task == task.name) {
            Some(judged) => judged.admit(task).map(|()| ExposureSource::Judge)?,
            None => {
                ExposureAudit::new(task, &Recoverability::authored(task)).admit().map(|()| ExposureSource::Author)?
            }
        };
        sources.insert(task.name.clone(), source);
    }
    Ok(sources)
}

/// The task of a session, and what it left: where that lies in the run, and itself.
type LeftOfTask<'a> = (&'a SlumpTask, Option<(String, JudgedTree)>);

/// What is judged of a session; nothing where its end was not kept.
fn left<'a>(
    folder: &SlumpFolder,
    tasks: &'a BTreeMap<String, SlumpTask>,
    session: &str,
) -> Result<Option<LeftOfTask<'a>>, Error> {
    let Some(session) = folder.plan.design.session(session) else { return Ok(None) };
    let Some(task) = tasks.get(&session.task) else { return Ok(None) };
    match left_after(&folder.store, &session.id, folder.plan.design.turns(session))? {
        Some(SessionLeft::Workspace(id)) => {
            let path = folder.store.tree(id)?;
            let place = path.strip_prefix(&folder.store.root).unwrap_or(&path).display().to_string();
            Ok(Some((task, Some((place, JudgedTree::read(&path)?)))))
        }
        Some(SessionLeft::Nothing) => Ok(Some((task, None))),
        Some(SessionLeft::NotKept) | None => Ok(None),
    }
}
