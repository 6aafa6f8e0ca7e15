//! What a calibration found, and what is to be said of a judge.

use std::{collections::BTreeMap, fmt, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Sha256, canonical};

use super::{
    agreement::RaterAgreement,
    items::{CalibrationError, JudgeIdentity, ScoreScale, is_format, read_json, write_json},
    sample::CalibrationSample,
    sheet::Ratings,
};

/// What `format` says in a calibration of this version.
pub const CALIBRATION_FORMAT: &str = "slopbench.calibration/1";

/// How the judge is called among raters.
const JUDGE: &str = "judge";

/// How far people and a judge agree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationReport {
    /// [`CALIBRATION_FORMAT`].
    pub format: String,
    /// Who is calibrated.
    pub judge: JudgeIdentity,
    /// What the scores mean.
    pub scale: ScoreScale,
    /// The digest of the sample's key.
    pub sample: Sha256,
    /// How many items were drawn.
    pub drawn: usize,
    /// How many each person scored.
    pub scored: BTreeMap<String, usize>,
    /// Each person with the judge, then each two people.
    pub agreements: Vec<RaterAgreement>,
}

impl CalibrationReport {
    /// Compares what people gave with the judge, and with each other.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Sample`] if nobody gave anything, or two sheets have one name.
    pub fn new(sample: &CalibrationSample, people: &[Ratings]) -> Result<Self, CalibrationError> {
        if people.is_empty() {
            return Err(CalibrationError::Sample("there is no sheet to compare with".to_owned()));
        }
        let mut scored = BTreeMap::new();
        for one in people {
            if one.rater == JUDGE || scored.insert(one.rater.clone(), one.scores.len()).is_some() {
                let message = format!("two raters are called \"{}\"; give each sheet a name of its own", one.rater);
                return Err(CalibrationError::Sample(message));
            }
            if one.scores.is_empty() {
                return Err(CalibrationError::Sample(format!("the sheet of \"{}\" has no score", one.rater)));
            }
        }
        let judged = |one: &super::sample::SampledItem| Some((one.code.clone(), one.item.score?));
        let judge = Ratings { rater: JUDGE.to_owned(), scores: sample.items.iter().filter_map(judged).collect() };
        let with_judge = people.iter().map(|one| (one, &judge));
        let each_other = people
            .iter()
            .enumerate()
            .flat_map(|(index, one)| people[index + 1..].iter().map(move |other| (one, other)));
        let levels = sample.scale.levels.len();
        let agreement = |(one, other): (&Ratings, &Ratings)| {
            let pair = |(code, score): (&String, &usize)| Some((*score, *other.scores.get(code)?));
            let pairs: Vec<_> = one.scores.iter().filter_map(pair).collect();
            RaterAgreement::of(&one.rater, &other.rater, &pairs, levels)
        };
        Ok(Self {
            format: CALIBRATION_FORMAT.to_owned(),
            judge: sample.judge.clone(),
            scale: sample.scale.clone(),
            sample: Sha256::of(&canonical::to_vec(sample).map_err(CalibrationError::Unwritable)?),
            drawn: sample.items.len(),
            scored,
            agreements: with_judge.chain(each_other).map(agreement).collect(),
        })
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Write`] if that cannot be.
    pub fn write(&self, path: &Path) -> Result<(), CalibrationError> {
        write_json(path, self)
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// [`CalibrationError`] names the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, CalibrationError> {
        let report: Self = read_json(path)?;
        is_format(path, &report.format, CALIBRATION_FORMAT)?;
        Ok(report)
    }

    /// How many items the person who scored fewest has in common with the judge.
    fn least_pairs(&self) -> usize {
        self.agreements.iter().filter(|one| one.second == JUDGE).map(|one| one.quadratic_kappa.pairs).min().unwrap_or(0)
    }

    /// The lowest quadratic κ of a person with the judge.
    fn lowest_kappa(&self) -> Option<f64> {
        let with_judge = self.agreements.iter().filter(|one| one.second == JUDGE);
        with_judge.filter_map(|one| one.quadratic_kappa.value).min_by(f64::total_cmp)
    }
}

/// What has to stand wherever a judge's scores are shown.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgeStanding {
    /// Nobody compared it with people.
    Uncalibrated,
    /// The calibration that was given is of another judge, prompt or model.
    OfAnother,
    /// It was compared with people.
    Calibrated {
        /// How many people.
        people: usize,
        /// How many items each of them scored at least, of those that the judge scored.
        items: usize,
        /// The lowest quadratic κ of a person with the judge, where there is one.
        kappa: Option<f64>,
    },
}

impl JudgeStanding {
    /// What a calibration says of a judge. The seed does not count, as votes have several.
    pub fn of(judge: &JudgeIdentity, calibration: Option<&CalibrationReport>) -> Self {
        let seedless = |one: &JudgeIdentity| {
            let mut one = one.clone();
            one.settings.seed = None;
            one
        };
        match calibration {
            None => Self::Uncalibrated,
            Some(report) if seedless(&report.judge) != seedless(judge) => Self::OfAnother,
            Some(report) => {
                let (people, items) = (report.scored.len(), report.least_pairs());
                Self::Calibrated { people, items, kappa: report.lowest_kappa() }
            }
        }
    }
}

impl fmt::Display for JudgeStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uncalibrated => f.write_str("This judge is not calibrated: how far people agree with it is unknown."),
            Self::OfAnother => {
                f.write_str("This judge is not calibrated: the calibration is of another model, prompt or setting.")
            }
            Self::Calibrated { people, items, kappa: Some(kappa) } => {
                write!(
                    f,
                    "This judge was compared with {people} people on {items} items: quadratic kappa at least {kappa:.3}."
                )
            }
            Self::Calibrated { people, items, kappa: None } => {
                write!(f, "This judge was compared with {people} people on {items} items, which define no kappa.")
            }
        }
    }
}
