//! The sheet as CSV, and reading it back.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::{
    items::{CalibrationError, read_text},
    sample::CalibrationSample,
};

/// The columns of a sheet; the last two are filled in.
const COLUMNS: [&str; 5] = ["item", "question", "place", "score", "note"];

/// What one person gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratings {
    /// What the person is called: the sheet's file name.
    pub rater: String,
    /// The score of each item that has one, by its code.
    pub scores: BTreeMap<String, usize>,
}

/// The sheet, with nothing of the judge's.
///
/// # Errors
///
/// [`CalibrationError::Sample`] if it cannot be written as CSV.
pub fn csv_sheet(sample: &CalibrationSample) -> Result<String, CalibrationError> {
    let failed = |error: csv::Error| CalibrationError::Sample(format!("the sheet cannot be written: {error}"));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS).map_err(failed)?;
    for one in &sample.items {
        writer.write_record([&one.code, &one.item.question, &one.item.place, "", ""]).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| CalibrationError::Sample(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads what a person filled in. Items without a score are left out.
///
/// # Errors
///
/// [`CalibrationError::Format`] names the line of a score that is none, and of an item that the sample does not have, or that
/// stands there twice.
pub fn read_sheet(sample: &CalibrationSample, path: &Path) -> Result<Ratings, CalibrationError> {
    let text = read_text(path)?;
    let flaw = |line: u64, message: String| CalibrationError::Format { path: path.to_path_buf(), line, message };
    // Spreadsheets write a mark before the first column's name.
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let header = reader.headers().map_err(|error| flaw(1, error.to_string()))?.clone();
    let column = |name: &str| {
        let found = header.iter().position(|title| title.trim() == name);
        found.ok_or_else(|| flaw(1, format!("there is no column `{name}`; expected those of sheet.csv")))
    };
    let (item, score) = (column("item")?, column("score")?);
    let mut scores = BTreeMap::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| flaw(error.position().map_or(1, csv::Position::line), error.to_string()))?;
        let line = record.position().map_or(1, csv::Position::line);
        let (code, given) = (record.get(item).unwrap_or_default().trim(), record.get(score).unwrap_or_default().trim());
        if !sample.items.iter().any(|one| one.code == code) {
            return Err(flaw(line, format!("the sample has no item \"{code}\"; is this the sheet of another sample?")));
        }
        if given.is_empty() {
            continue;
        }
        let most = sample.scale.levels.len() - 1;
        let level = given.parse::<usize>().ok().filter(|level| *level <= most);
        let level = level.ok_or_else(|| flaw(line, format!("the score is \"{given}\", expected 0 to {most}")))?;
        if scores.insert(code.to_owned(), level).is_some() {
            return Err(flaw(line, format!("the item \"{code}\" is scored twice; expected once")));
        }
    }
    let rater = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Ratings { rater, scores })
}
