//! Judges of this study: what they are asked, and what their verdicts on a run come to.

mod exposure;
mod items;
mod questions;
mod run;
mod verdicts;

pub use self::{
    exposure::{
        EXPOSURE_FORMAT, ExposureScope, JudgedExposure, JudgedPoint, JudgedPrefix, estimate_exposure, judge_exposure,
    },
    questions::{ComponentQuestion, ComponentVerdict, ExposureQuestion, ExposureVerdict, judge_components},
    run::{ExposureSource, SLUMP_SCORES_FORMAT, SlumpJudging, SlumpScores, estimate_slump, judge_slump},
    verdicts::{JudgedComponent, JudgedRepository},
};
