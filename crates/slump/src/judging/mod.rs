//! Judges of this study: what they are asked, and what their verdicts on a run come to.

mod questions;
mod run;

pub use self::{
    questions::{
        ComponentQuestion, ComponentVerdict, ExposureQuestion, ExposureVerdict, judge_components, judge_exposure,
    },
    run::{JudgedRepository, SLUMP_SCORES_FORMAT, SlumpScores, estimate_slump, judge_slump},
};
