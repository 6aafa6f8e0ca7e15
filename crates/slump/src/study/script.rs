//! What a scripted model does: it writes the task's reference, a share of its files with each request, and commits as it is told to.

use std::{collections::BTreeMap, fs};

use slopbench_digest::{Listing, ReadError};
use slopbench_gateway::script::{Action, Script};

use crate::{Error, SlumpCondition, task::SlumpTask};

/// When a scripted model made its first commit, in seconds of Unix time: 2026-01-01.
const FIRST_COMMIT: u64 = 1_767_225_600;

/// A request that a scripted model is to carry out.
#[derive(Clone, Copy, Debug)]
pub struct ScriptedTurn<'a> {
    /// Of which task.
    pub task: &'a SlumpTask,
    /// Under which condition.
    pub condition: SlumpCondition,
    /// From 1.
    pub request: usize,
    /// How many requests its session has.
    pub requests: usize,
}

/// What the model does in a request: of n files it writes the k-th in request ⌊(k − 1) · requests / n⌋ + 1, and commits.
///
/// # Errors
///
/// [`Error::NoReference`] if the task has none, [`Error::Read`] if a file of it cannot be read as text.
pub fn reference_actions(turn: &ScriptedTurn<'_>) -> Result<Vec<Action>, Error> {
    let ScriptedTurn { task, request, requests, .. } = *turn;
    let folder = task.reference().ok_or_else(|| Error::NoReference(task.name.clone()))?;
    let Listing(files): Listing = Listing::of_dir(&folder, "")?;
    let count = files.len().max(1);
    let is_now = |index: usize| index * requests / count + 1 == request;
    let files: BTreeMap<_, _> = files.into_iter().enumerate().filter(|(index, _)| is_now(*index)).collect();
    let write = |(path, _): (String, _)| {
        let file = folder.join(&path);
        let text = fs::read_to_string(&file).map_err(|source| ReadError { path: file, source })?;
        Ok(Action::Write(path, text))
    };
    files.into_values().map(write).chain([Ok(commit(request))]).collect()
}

/// A commit of all that there is, the same one whenever it is made: agents show its id to their models.
fn commit(request: usize) -> Action {
    let made = FIRST_COMMIT + 60 * (request as u64 - 1);
    Action::Run(format!(
        "git init --quiet && git add --all && \
         GIT_AUTHOR_DATE='{made} +0000' GIT_COMMITTER_DATE='{made} +0000' \
         git -c user.name=Scripted -c user.email=scripted@localhost \
         commit --quiet --allow-empty --message 'Request {request}'"
    ))
}

/// The script of request `number` of a conversation that began with request `first`: it begins with what was done in it before, by which a
/// model knows where it is.
pub(super) fn script(
    first: usize,
    number: usize,
    actions: impl Fn(usize) -> Result<Vec<Action>, Error>,
) -> Result<Script, Error> {
    let all: Vec<_> = (first..=number).map(actions).collect::<Result<_, _>>()?;
    Ok(Script::of_actions(all.into_iter().flatten()))
}
