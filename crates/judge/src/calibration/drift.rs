//! The same items judged twice: by another model, another version, another prompt.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use slopbench_stats::{Error, describe::mean};

use super::{
    agreement::{Measured, RaterAgreement},
    items::{CalibrationError, JudgeIdentity, JudgedItems},
};

/// What `format` says in a comparison of two judgings of this version.
pub const DRIFT_FORMAT: &str = "slopbench.judge-drift/1";

/// How two judgings of the same items differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drift {
    /// [`DRIFT_FORMAT`].
    pub format: String,
    /// Who judged first.
    pub first: JudgeIdentity,
    /// Who judged then.
    pub second: JudgeIdentity,
    /// How many items only one of both has: they count for nothing.
    pub only_in_one: usize,
    /// Items that the first gave no score and the second did.
    pub newly_judged: usize,
    /// Items that the first gave a score and the second did not.
    pub no_longer_judged: usize,
    /// The mean of the second's scores less the first's, in levels; its interval draws items anew.
    pub shift: Measured,
    /// How far they agree, the first's scores as rows.
    pub agreement: RaterAgreement,
}

impl Drift {
    /// Compares two judgings by the items' ids.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Unlike`] if the scales differ, or no item has a score of both.
    pub fn between(first: &JudgedItems, second: &JudgedItems) -> Result<Self, CalibrationError> {
        if first.scale.levels != second.scale.levels {
            return Err(CalibrationError::Unlike("their scales have different levels".to_owned()));
        }
        let later: BTreeMap<_, _> = second.items.iter().map(|item| (item.id.as_str(), item.score)).collect();
        let both: Vec<_> =
            first.items.iter().filter_map(|item| Some((item.score, *later.get(item.id.as_str())?))).collect();
        let pairs: Vec<(usize, usize)> = both.iter().filter_map(|(one, other)| one.zip(*other)).collect();
        if pairs.is_empty() {
            return Err(CalibrationError::Unlike("no item has a score in both".to_owned()));
        }
        let difference = |(one, other): &(usize, usize)| *other as f64 - *one as f64;
        let shift = |pairs: &[&(usize, usize)]| -> Result<f64, Error> {
            mean(&pairs.iter().map(|pair| difference(pair)).collect::<Vec<_>>())
        };
        Ok(Self {
            format: DRIFT_FORMAT.to_owned(),
            first: first.judge.clone(),
            second: second.judge.clone(),
            only_in_one: first.items.len() + second.items.len() - 2 * both.len(),
            newly_judged: both.iter().filter(|(one, other)| one.is_none() && other.is_some()).count(),
            no_longer_judged: both.iter().filter(|(one, other)| one.is_some() && other.is_none()).count(),
            shift: Measured::statistic(&pairs, shift),
            agreement: RaterAgreement::of("first", "second", &pairs, first.scale.levels.len()),
        })
    }
}
