//! What is asked of judges.

use std::{num::NonZeroU32, path::PathBuf};

use clap::Subcommand;

use super::{CatalogueArgs, PlaceArgs};

/// Who judges, how it is asked, and at whose expense.
#[derive(clap::Args)]
pub(crate) struct JudgingArgs {
    /// Model that judges: one of the catalogue, or PROVIDER:ID for any other of a provider's.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: String,

    /// Folder for what was found, and for the judgements, which are not asked for again.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Ask nobody: what is not among the judgements is an error.
    #[arg(long)]
    pub(crate) offline: bool,

    /// Ask again what is among the judgements without a verdict, as where it was cut off or refused.
    #[arg(long, conflicts_with = "offline")]
    pub(crate) again_not_judged: bool,

    /// Let a scripted model answer in the model's place, as this script has it. Its judgements are the script's, never the model's.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// How much chance there is in its answers, or `none` for models that take no temperature.
    #[arg(long, value_name = "NUMBER", default_value = "0", value_parser = temperature)]
    pub(crate) temperature: JudgeTemperature,

    /// What chance begins with, where the API has that.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// The most tokens of one answer, reasoning included.
    #[arg(long, value_name = "N", default_value = "4096")]
    pub(crate) max_tokens: NonZeroU32,

    /// How many looks into the repository a question has.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) calls: u32,

    /// Stop before more than this is spent, by the price table.
    #[arg(long, value_name = "USD", value_parser = dollars)]
    pub(crate) budget_usd: Option<f64>,

    /// Show what it may cost at most, and ask nobody.
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) catalogue: CatalogueArgs,
}

/// A judge's temperature: the provider's own where there is none.
#[derive(Clone, Copy)]
pub(crate) struct JudgeTemperature(pub(crate) Option<f64>);

pub(super) fn temperature(text: &str) -> Result<JudgeTemperature, String> {
    if text == "none" {
        return Ok(JudgeTemperature(None));
    }
    let number = text.parse().ok().filter(|number: &f64| (0.0..=2.0).contains(number));
    number.map(|number| JudgeTemperature(Some(number))).ok_or_else(|| "expected 0 to 2, or none".to_owned())
}

/// A sum that can be kept to: no infinity, and above all no NaN, which every comparison would pass.
pub(super) fn dollars(text: &str) -> Result<f64, String> {
    let sum = text.parse().ok().filter(|sum: &f64| sum.is_finite() && *sum >= 0.0);
    sum.ok_or_else(|| "expected a sum from 0 in US dollars".to_owned())
}

#[derive(clap::Args)]
pub(crate) struct RubricArgs {
    /// Folder of the run.
    pub(crate) run: PathBuf,

    /// Calibration of this judge, as `judge calibrate read` wrote it.
    #[arg(long, value_name = "FILE")]
    pub(crate) calibration: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) judging: JudgingArgs,
}

#[derive(clap::Args)]
pub(crate) struct LintArgs {
    /// Folder of the run.
    pub(crate) run: PathBuf,

    /// Folder for what was found: `lint.json`.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    #[command(flatten)]
    pub(crate) place: PlaceArgs,
}

#[derive(Subcommand)]
pub(crate) enum JudgeCommand {
    /// Compare a judge with people: draw a sample for them, and read what they gave.
    #[command(subcommand)]
    Calibrate(CalibrateCommand),
    /// Judge what each checkpoint of a run changed by the rubric's 45 criteria.
    ///
    /// New flags and those carried on from unchanged lines are counted apart.
    Rubric(RubricArgs),
    /// Compare two judgings of the same items: another model, version or prompt.
    Compare {
        /// What the first judge scored: a file of judged items (`slopbench.judgements/1`).
        first: PathBuf,
        /// What the second did; differences are its scores less the first's.
        second: PathBuf,
    },
}

#[derive(Subcommand)]
pub(crate) enum CalibrateCommand {
    /// Draw a stratified sample, and write a blind sheet for people to fill in.
    ///
    /// Writes `sheet.html` and `sheet.csv`, which say nothing of the judge, and `key.json`, which does.
    Sample {
        /// What the judge scored: a file of judged items (`slopbench.judgements/1`).
        judgements: PathBuf,
        /// Folder to write.
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// How many items to draw.
        #[arg(long, default_value_t = 120, value_name = "N")]
        pairs: usize,
        /// Label to stratify by, beside the judge's score, such as `task`; may be repeated.
        #[arg(long = "by", value_name = "LABEL")]
        by: Vec<String>,
        /// What the sample follows from.
        #[arg(long, default_value_t = 0, value_name = "N")]
        seed: u64,
    },
    /// Read filled sheets, and say how far people agree with the judge and each other.
    ///
    /// Writes `calibration.json` beside the key. Sheets are CSV, one for each person, called by their files' names.
    Read {
        /// Folder that `sample` wrote.
        sample: PathBuf,
        /// Filled sheets.
        #[arg(required = true, value_name = "SHEET")]
        sheets: Vec<PathBuf>,
    },
}
