//! Judges of this study: what they are asked, and what their verdicts on a run come to.

mod items;
mod questions;
mod run;
mod verdicts;

pub use self::{
    questions::{
        ComponentQuestion, ComponentVerdict, ExposureQuestion, ExposureVerdict, judge_components, judge_exposure,
    },
    run::{SLUMP_SCORES_FORMAT, SlumpJudging, SlumpScores, estimate_slump, judge_slump},
    verdicts::{JudgedComponent, JudgedRepository},
};
