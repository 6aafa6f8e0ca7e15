//! The pipeline: from a document to a task, in four stages, each asked of a model once and frozen (section 3.1; prompts A to D of appendix A.2).
//!
//! | stage | asks for | asset |
//! | --- | --- | --- |
//! | A | the canonical specification, and designs that might have been | `assets/a-specification.json` |
//! | B | components | `assets/b-components.json` |
//! | C | versions on the way, and dead ends | `assets/c-trajectory.json` |
//! | D | the requests of one version, version after version | `assets/d-requests-01.json` … |
//!
//! What is asked stands in `prompts/pipeline`; what an answer has to be, in a file for each stage beside this one. An answer that is
//! not so is asked for again, with what is wrong and where. [`make_task`] goes through the stages, and writes the task's own files in the end.

mod asking;
mod assembly;
mod components;
mod document;
mod error;
mod estimate;
mod flaw;
mod frozen;
mod made;
mod make;
mod prompt;
mod requests;
mod specification;
mod stage;
mod trajectory;

pub use self::{
    asking::{PipelineModel, PipelineSettings},
    document::{DOCUMENT_FORMAT, PipelineDocument},
    error::PipelineError,
    estimate::estimate_task,
    flaw::AnswerFlaw,
    frozen::{STAGE_ASSET_FORMAT, StageAsset},
    made::{MadeStage, MadeTask},
    make::{PipelineRequest, make_task},
    stage::{PipelineStage, StageStep},
};
