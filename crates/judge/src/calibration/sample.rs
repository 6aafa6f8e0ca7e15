//! A sample of what was judged, stratified by labels and by level.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;

use super::{
    items::{
        CalibrationError, JudgeIdentity, JudgedItem, JudgedItems, ScoreScale, is_format, read_json, write, write_json,
    },
    sheet::csv_sheet,
    sheet_html::html_sheet,
};

/// What `format` says in a sample of this version.
pub const SAMPLE_FORMAT: &str = "slopbench.calibration-sample/1";

/// The key of a sheet: what was drawn, with the judge's scores. Whoever fills in a sheet must not see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationSample {
    /// [`SAMPLE_FORMAT`].
    pub format: String,
    /// Who judged.
    pub judge: JudgeIdentity,
    /// What the scores mean.
    pub scale: ScoreScale,
    /// What everything drawn follows from.
    pub seed: u64,
    /// The labels that it is stratified by, beside the judge's score.
    pub by: Vec<String>,
    /// How many items could have been drawn.
    pub judged: usize,
    /// How many could not, as the judge gave them no score.
    pub not_judged: usize,
    /// What was drawn, in the sheet's order.
    pub items: Vec<SampledItem>,
}

/// One item of a sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampledItem {
    /// What the sheet calls it, which tells nothing.
    pub code: String,
    /// What was judged, and how.
    pub item: JudgedItem,
}

impl CalibrationSample {
    /// Draws `pairs` items: one of each stratum in turn, so that rare levels and small tasks are there, too. A stratum is what
    /// has the same labels `by` and the same score of the judge's; within one, all are equally likely.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Sample`] if there are fewer judged items, or an item lacks one of the labels.
    pub fn draw(judged: &JudgedItems, pairs: usize, by: &[String], seed: u64) -> Result<Self, CalibrationError> {
        let lot = |what: &str, id: &str| Sha256::of(format!("{seed}\n{what}\n{id}").as_bytes());
        let mut strata = BTreeMap::<(Vec<&str>, usize), Vec<&JudgedItem>>::new();
        for item in &judged.items {
            let label = |name: &String| {
                let missing = || CalibrationError::Sample(format!("{} has no label `{name}` to stratify by", item.id));
                item.labels.get(name).map(String::as_str).ok_or_else(missing)
            };
            let labels = by.iter().map(label).collect::<Result<Vec<_>, _>>()?;
            if let Some(score) = item.score {
                strata.entry((labels, score)).or_default().push(item);
            }
        }
        let total: usize = strata.values().map(Vec::len).sum();
        if pairs == 0 || total < pairs {
            let message = format!("{pairs} pairs are asked for of {total} judged ones; expected 1 to {total}");
            return Err(CalibrationError::Sample(message));
        }
        for items in strata.values_mut() {
            // The last is drawn first.
            items.sort_by_key(|item| lot("draw", &item.id));
        }
        // Where not every stratum has a turn left, chance says which have.
        let mut order: Vec<_> = strata.into_values().collect();
        order.sort_by_key(|items| items.first().map(|item| lot("stratum", &item.id)));
        let mut drawn = Vec::new();
        while drawn.len() < pairs {
            let room = pairs - drawn.len();
            drawn.extend(order.iter_mut().filter_map(Vec::pop).take(room));
        }
        drawn.sort_by_key(|item| lot("order", &item.id));
        let sampled = |item: &JudgedItem| SampledItem { code: lot("code", &item.id).short(), item: item.clone() };
        Ok(Self {
            format: SAMPLE_FORMAT.to_owned(),
            judge: judged.judge.clone(),
            scale: judged.scale.clone(),
            seed,
            by: by.to_vec(),
            judged: total,
            not_judged: judged.items.len() - total,
            items: drawn.into_iter().map(sampled).collect(),
        })
    }

    /// Writes the key and the blind sheets into a folder, and gives their paths.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Write`] if that cannot be.
    pub fn write(&self, folder: &Path) -> Result<[PathBuf; 3], CalibrationError> {
        let paths = ["key.json", "sheet.html", "sheet.csv"].map(|name| folder.join(name));
        write_json(&paths[0], self)?;
        write(&paths[1], &html_sheet(self))?;
        write(&paths[2], &csv_sheet(self)?)?;
        Ok(paths)
    }

    /// Reads the key.
    ///
    /// # Errors
    ///
    /// [`CalibrationError`] names the file and what is wrong in it.
    pub fn load(path: &Path) -> Result<Self, CalibrationError> {
        let sample: Self = read_json(path)?;
        is_format(path, &sample.format, SAMPLE_FORMAT)?;
        Ok(sample)
    }
}
