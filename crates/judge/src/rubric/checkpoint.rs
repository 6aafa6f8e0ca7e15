//! The flags of one checkpoint: those of its own changes, and those that it inherits.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{
    changes::{ChangedPart, changed_parts, unchanged},
    criteria::{CriterionKind, criteria},
    question::{RubricFlag, RubricQuestion},
};
use crate::{
    error::JudgeError,
    estimate::JudgingEstimate,
    judge::Judge,
    outcome::{NotJudged, Outcome},
    tree::JudgedTree,
};

/// A flag, and the file that it is in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlacedFlag {
    /// The file.
    pub path: String,
    /// The lines, and why.
    pub flag: RubricFlag,
}

/// A part that has no verdict: its flags are unknown, not none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnjudgedPart {
    /// The file.
    pub path: String,
    /// How many of its changed lines were asked about.
    pub lines: u64,
    /// Why there is no verdict.
    pub reason: NotJudged,
}

/// What a judge flags in one checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckpointFlags {
    /// Flags on lines that this checkpoint changed.
    pub new: Vec<PlacedFlag>,
    /// Flags of the checkpoint before on lines that stand as they stood, with the lines' new numbers.
    pub carried: Vec<PlacedFlag>,
    /// Flags on lines that did not change or that there are not: the judge was not asked about these, and they count nowhere.
    pub beside: Vec<PlacedFlag>,
    /// Parts without a verdict.
    pub not_judged: Vec<UnjudgedPart>,
    /// How many lines of code this checkpoint changed.
    pub changed_lines: u64,
}

/// How many flags count in a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagCount {
    /// On lines that it changed.
    pub new: u64,
    /// On lines that stand as they stood.
    pub carried: u64,
}

impl FlagCount {
    /// Both.
    pub fn all(self) -> u64 {
        self.new + self.carried
    }
}

impl CheckpointFlags {
    /// How many flags of a kind count, new and carried ones.
    pub fn count(&self, kind: CriterionKind) -> FlagCount {
        let is_of = |flag: &&PlacedFlag| criteria().iter().any(|one| one.kind == kind && one.id == flag.flag.criterion);
        let [new, carried] = [&self.new, &self.carried].map(|flags| flags.iter().filter(is_of).count() as u64);
        FlagCount { new, carried }
    }
}

/// Judges what changed from one checkpoint to the next; all of it where there is none before.
///
/// # Errors
///
/// [`JudgeError`] where nobody could be asked.
pub async fn judge_checkpoint(
    judge: &Judge,
    before: Option<(&JudgedTree, &CheckpointFlags)>,
    after: &JudgedTree,
    specification: Option<&str>,
) -> Result<CheckpointFlags, JudgeError> {
    let mut found = CheckpointFlags { carried: carried(before, after), ..CheckpointFlags::default() };
    for part in changed_parts(before.map(|(tree, _)| tree), after) {
        let question = RubricQuestion::new(&part, specification);
        found.changed_lines += part.changed.len() as u64;
        match judge.judge(&question, Some(after), 0).await?.outcome {
            Outcome::Answered { answer, .. } => answer.flags.into_iter().for_each(|flag| found.add(&part, flag)),
            Outcome::NotJudged { reason } => {
                let lines = part.changed.len() as u64;
                found.not_judged.push(UnjudgedPart { path: part.path, lines, reason });
            }
        }
    }
    Ok(found)
}

/// What that may cost at most.
///
/// # Errors
///
/// [`JudgeError`] if a question cannot be asked.
pub fn estimate_checkpoint(
    judge: &Judge,
    before: Option<&JudgedTree>,
    after: &JudgedTree,
    specification: Option<&str>,
) -> Result<JudgingEstimate, JudgeError> {
    let mut sum = JudgingEstimate::none();
    for part in changed_parts(before, after) {
        sum += judge.estimate(&RubricQuestion::new(&part, specification), Some(after), 1)?;
    }
    Ok(sum)
}

impl CheckpointFlags {
    /// Adds what was flagged in a part; the same flag once.
    fn add(&mut self, part: &ChangedPart, flag: RubricFlag) {
        let is_changed = |line: &u32| part.changed.binary_search(line).is_ok();
        let is_judged = flag.first <= flag.last && is_changed(&flag.first) && is_changed(&flag.last);
        let list = if is_judged { &mut self.new } else { &mut self.beside };
        let placed = PlacedFlag { path: part.path.clone(), flag };
        let is_same = |other: &PlacedFlag| {
            let place =
                |one: &PlacedFlag| (one.path.clone(), one.flag.criterion.clone(), one.flag.first, one.flag.last);
            place(other) == place(&placed)
        };
        if !list.iter().any(is_same) {
            list.push(placed);
        }
    }
}

/// The flags that stand: every line of theirs is there, in one piece, and none lies between.
fn carried(before: Option<(&JudgedTree, &CheckpointFlags)>, after: &JudgedTree) -> Vec<PlacedFlag> {
    let Some((tree, flags)) = before else { return Vec::new() };
    let mut carried = Vec::new();
    let all: Vec<_> = flags.new.iter().chain(&flags.carried).collect();
    let paths: BTreeSet<_> = all.iter().map(|placed| placed.path.as_str()).collect();
    for path in paths {
        let Some(text) = after.files().get(path).and_then(|file| file.text()) else { continue };
        let diff = unchanged(Some(tree), path, text);
        for placed in all.iter().filter(|placed| placed.path == path) {
            let RubricFlag { criterion, first, last, why } = &placed.flag;
            let lines: Option<Vec<u32>> = (*first..=*last).map(|line| diff.later(line)).collect();
            let Some(lines) = lines.filter(|lines| lines.windows(2).all(|two| two[0] + 1 == two[1])) else { continue };
            if let (Some(&first), Some(&last)) = (lines.first(), lines.last()) {
                let flag = RubricFlag { criterion: criterion.clone(), first, last, why: why.clone() };
                carried.push(PlacedFlag { path: path.to_owned(), flag });
            }
        }
    }
    carried
}
