//! What is asked of judges.

use std::path::PathBuf;

use clap::Subcommand;

use super::CatalogueArgs;

#[derive(clap::Args)]
pub(crate) struct RubricArgs {
    /// Folder of the run.
    pub(crate) run: PathBuf,

    /// Model that judges: one of the catalogue, or PROVIDER:ID for any other of a provider's.
    #[arg(long, value_name = "NAME")]
    pub(crate) model: String,

    /// Folder for what was found, and for the judgements, which are not asked for again.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Ask nobody: what is not among the judgements is an error.
    #[arg(long)]
    pub(crate) offline: bool,

    /// Let a scripted model answer in the model's place, as this script has it. Its judgements are the script's, never the model's.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,

    /// Calibration of this judge, as `judge calibrate read` wrote it.
    #[arg(long, value_name = "FILE")]
    pub(crate) calibration: Option<PathBuf>,

    /// Stop before more than this is spent, by the price table.
    #[arg(long, value_name = "USD")]
    pub(crate) budget_usd: Option<f64>,

    /// Show what it may cost at most, and ask nobody.
    #[arg(long)]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) catalogue: CatalogueArgs,
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
