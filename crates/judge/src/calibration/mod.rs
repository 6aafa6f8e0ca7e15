//! How far a judge agrees with people, and with another judge.
//!
//! A judge's scores are written as [`JudgedItems`]. A stratified [`CalibrationSample`] of them becomes a *sheet* without the
//! judge's scores (an HTML form, or CSV), which people fill in blind; [`read_sheet`] reads it back, and a
//! [`CalibrationReport`] says how far each agrees with the judge and with each other. [`Drift`] compares two judgings of the
//! same items in the same way. A [`JudgeStanding`] is what has to stand wherever scores are shown.
//!
//! Everything drawn here follows from a seed and the items' names, by SHA-256: no generator, the same on every machine.

mod agreement;
mod drift;
mod items;
mod report;
mod sample;
mod sheet;
mod sheet_html;

pub use agreement::{BoundaryDisagreement, Measured, RaterAgreement};
pub use drift::{DRIFT_FORMAT, Drift};
pub use items::{CalibrationError, JUDGEMENTS_FORMAT, JudgeIdentity, JudgedItem, JudgedItems, ScoreLevel, ScoreScale};
pub use report::{CALIBRATION_FORMAT, CalibrationReport, JudgeStanding};
pub use sample::{CalibrationSample, SAMPLE_FORMAT, SampledItem};
pub use sheet::{Ratings, csv_sheet, read_sheet};
pub use sheet_html::html_sheet;
