//! What is asked of the pipeline that makes tasks of documents.

use std::{num::NonZeroU32, path::PathBuf};

use clap::ValueEnum;
use slopbench_slump::pipeline::PipelineStage;

use super::{
    CatalogueArgs,
    judge::{JudgeTemperature, dollars, temperature},
};

#[derive(clap::Args)]
pub(crate) struct SlumpMakeArgs {
    /// The document: Markdown (.md), text (.txt), or PDF (.pdf, which takes poppler's `pdftotext`).
    pub(crate) document: PathBuf,

    /// Folder of the task, whose name is the task's: lower-case words joined by `_`.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Model that is asked: one of the catalogue, or PROVIDER:ID for any other of a provider's.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: String,

    /// Stop after this stage; the same command without it goes on.
    #[arg(long, value_enum, value_name = "STAGE")]
    pub(crate) until: Option<PipelineStageArg>,

    /// Make anew what was made of another document, by another prompt or model, and overwrite what was changed by hand.
    #[arg(long)]
    pub(crate) redo: bool,

    /// How often an answer is asked for that cannot be used.
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) attempts: NonZeroU32,

    /// Answer from the `answers` of this script (slopbench.script/1); no provider is asked.
    #[arg(long, conflicts_with_all = ["record", "replay"], value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Answer from what was recorded in this file; no provider is asked.
    #[arg(long, conflicts_with = "record", value_name = "FILE")]
    pub(crate) replay: Option<PathBuf>,

    /// Record what the model answers into this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// How much chance there is in its answers, or `none` for models that take no temperature.
    #[arg(long, value_name = "NUMBER", default_value = "0", value_parser = temperature)]
    pub(crate) temperature: JudgeTemperature,

    /// The most tokens of one answer, reasoning included.
    #[arg(long, value_name = "N", default_value = "16384")]
    pub(crate) max_tokens: NonZeroU32,

    /// Stop before more than this is spent, by the price table.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) budget_usd: Option<f64>,

    /// Show what it may cost at most, and ask nobody.
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) catalogue: CatalogueArgs,
}

/// A stage to stop after.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum PipelineStageArg {
    /// A: the canonical specification.
    Specification,
    /// B: components.
    Components,
    /// C: versions, and dead ends.
    Trajectory,
    /// D: requests.
    Requests,
}

impl From<PipelineStageArg> for PipelineStage {
    fn from(stage: PipelineStageArg) -> Self {
        match stage {
            PipelineStageArg::Specification => Self::Specification,
            PipelineStageArg::Components => Self::Components,
            PipelineStageArg::Trajectory => Self::Trajectory,
            PipelineStageArg::Requests => Self::Requests,
        }
    }
}
