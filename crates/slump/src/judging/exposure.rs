//! How much of a task its requests give away, by a judge in the place of the author.

use std::{fs, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;
use slopbench_judge::{Judge, JudgingEstimate, calibration::JudgeIdentity};

use super::questions::{ComponentQuestion, ExposureQuestion};
use crate::{
    Error,
    exposure::{ExposureAudit, ExposurePoint, Recoverability},
    task::SlumpTask,
};

/// What `format` says in a file of this version.
pub const EXPOSURE_FORMAT: &str = "slopbench.slump-exposure/1";

/// R(c) of each component of a task, as a judge says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedExposure {
    /// [`EXPOSURE_FORMAT`].
    pub format: String,
    /// The task.
    pub task: String,
    /// [`SlumpTask::digest`].
    pub digest: Sha256,
    /// Who judged.
    pub judge: JudgeIdentity,
    /// The components' ids, in the task's order.
    pub components: Vec<String>,
    /// By how many requests were visible, what the judge said of each component; absent where it gave no verdict.
    pub prefixes: Vec<JudgedPrefix>,
}

/// What a judge says of some requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JudgedPrefix {
    /// How many requests were visible.
    pub requests: usize,
    /// The level of each component; absent where it was not judged, which is no 0.
    pub levels: Vec<Option<u8>>,
}

/// A point of both curves, by a judge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedPoint {
    /// Requests so far, from 1.
    pub request: usize,
    /// The shares; absent where a component was not judged.
    pub point: Option<ExposurePoint>,
    /// How many were not.
    pub not_judged: usize,
}

/// After which requests a judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExposureScope {
    /// After the last: what admission needs.
    Last,
    /// After each: the curves of Figure 1.
    Each,
}

impl ExposureScope {
    fn prefixes(self, task: &SlumpTask) -> std::ops::RangeInclusive<usize> {
        let last = task.requests.len();
        match self {
            Self::Last => last.max(1)..=last,
            Self::Each => 1..=last,
        }
    }
}

/// R(c) of each component of `task`, by a judge who sees its requests and no repository.
///
/// # Errors
///
/// [`Error::Judge`] where nobody could be asked, [`Error::Read`] if the task cannot be read, [`Error::Design`] if it has no component.
pub fn judge_exposure(judge: &Judge, task: &SlumpTask, scope: ExposureScope) -> Result<JudgedExposure, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|source| Error::Write { path: task.dir.clone(), source })?;
    let (mut prefixes, mut identity) = (Vec::new(), None);
    for requests in scope.prefixes(task) {
        let mut levels = Vec::new();
        for question in questions(task, requests) {
            if identity.is_none() {
                identity = Some(JudgeIdentity::from(&judge.key(&question, None, 0)?));
            }
            let judged = runtime.block_on(judge.judge(&question, None, 0))?;
            levels.push(judged.outcome.answer().map(|answer| answer.level));
        }
        prefixes.push(JudgedPrefix { requests, levels });
    }
    let empty = || Error::Design(format!("the task {} has no request or no component to judge", task.name));
    Ok(JudgedExposure {
        format: EXPOSURE_FORMAT.to_owned(),
        task: task.name.clone(),
        digest: task.digest()?,
        judge: identity.ok_or_else(empty)?,
        components: task.components.iter().map(|component| component.id.clone()).collect(),
        prefixes,
    })
}

/// What that may cost at most.
///
/// # Errors
///
/// [`Error::Judge`] if a question cannot be asked.
pub fn estimate_exposure(judge: &Judge, task: &SlumpTask, scope: ExposureScope) -> Result<JudgingEstimate, Error> {
    let mut sum = JudgingEstimate::none();
    for question in scope.prefixes(task).flat_map(|requests| questions(task, requests)) {
        sum += judge.estimate(&question, None, 1)?;
    }
    Ok(sum)
}

fn questions(task: &SlumpTask, requests: usize) -> impl Iterator<Item = ExposureQuestion> {
    let visible: Vec<_> = task.requests.iter().take(requests).map(|request| request.text.clone()).collect();
    let question = move |component| ExposureQuestion {
        component: ComponentQuestion::of(task, component),
        requests: visible.clone(),
    };
    task.components.iter().map(question)
}

impl JudgedExposure {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::Design`] names the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let wrong = |message: String| Error::Design(format!("{}: {message}", path.display()));
        let text = fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let this: Self = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        match this.format == EXPOSURE_FORMAT {
            true => Ok(this),
            false => Err(wrong(format!("this version reads format \"{EXPOSURE_FORMAT}\", not \"{}\"", this.format))),
        }
    }

    /// The curves of Figure 1, by the judge: each prefix of the requests that it was asked about.
    ///
    /// # Errors
    ///
    /// [`Error::Design`] if the file is of another state of the task.
    pub fn curve(&self, task: &SlumpTask) -> Result<Vec<JudgedPoint>, Error> {
        self.fits(task)?;
        let point = |prefix: &JudgedPrefix| {
            let known: Vec<u8> = prefix.levels.iter().flatten().copied().collect();
            let not_judged = self.components.len().saturating_sub(known.len());
            let point = (not_judged == 0).then(|| ExposurePoint::of(prefix.requests, &known));
            JudgedPoint { request: prefix.requests, point, not_judged }
        };
        Ok(self.prefixes.iter().map(point).collect())
    }

    /// Whether this is of the task as it is.
    fn fits(&self, task: &SlumpTask) -> Result<(), Error> {
        if self.task != task.name || self.digest != task.digest()? {
            let message = format!(
                "the judged exposure of {} is not of the task {} as it is; judge it anew",
                self.task, task.name
            );
            return Err(Error::Design(message));
        }
        Ok(())
    }

    /// What the judge says after the last request, if every component was judged.
    ///
    /// # Errors
    ///
    /// [`Error::Design`] if the file is of another state of the task, or a component was not judged.
    pub fn audit(&self, task: &SlumpTask) -> Result<ExposureAudit, Error> {
        self.fits(task)?;
        let last = self.prefixes.iter().find(|prefix| prefix.requests == task.requests.len());
        let levels = last.map(|last| last.levels.as_slice()).unwrap_or_default();
        let unknown = self.components.len() - levels.iter().flatten().count().min(self.components.len());
        if unknown > 0 {
            let message = format!(
                "{}: the judge gave no verdict on the exposure of {unknown} components; ask it again",
                task.name
            );
            return Err(Error::Design(message));
        }
        let levels = vec![levels.iter().flatten().copied().collect()];
        Ok(ExposureAudit::new(task, &Recoverability { components: self.components.clone(), levels }))
    }

    /// Whether scores of the task may be published, by the judge.
    ///
    /// # Errors
    ///
    /// As [`JudgedExposure::audit`], and [`Error::Exposure`] where the rate is below [`crate::LEAST_RCR`].
    pub fn admit(&self, task: &SlumpTask) -> Result<(), Error> {
        self.audit(task)?.admit()
    }
}
