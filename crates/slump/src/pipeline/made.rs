//! What was made.

use serde::Serialize;
use slopbench_digest::Sha256;
use slopbench_gateway::turn::TokenUsage;

use super::stage::StageStep;

/// How far a task is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MadeTask {
    /// Every step that is done, in order.
    pub stages: Vec<MadeStage>,
    /// The step that comes next; nothing where the task is whole.
    pub next: Option<StageStep>,
    /// How many versions there will be, where that is known.
    pub versions: Option<usize>,
}

/// A step that is done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MadeStage {
    /// Which.
    pub step: StageStep,
    /// Its asset, in the task's folder.
    pub file: String,
    /// Whether somebody was asked now; it was frozen before otherwise.
    pub asked: bool,
    /// How many answers before were of no use.
    pub refused: usize,
    /// The tokens of all answers.
    pub usage: TokenUsage,
    /// The prompt's digest.
    pub prompt: Sha256,
}
