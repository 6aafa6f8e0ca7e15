//! The log of forecasts: what each call of a model before a turn took, a line of JSON each. Turns' own calls are in the log of turns.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::asking::{ModelFailure, ModelUse};
use crate::files::{current, refuse_link};

/// The log's file.
const FORECASTS_FILE: &str = "forecasts.jsonl";

#[derive(Serialize, Deserialize)]
enum ForecastFormat {
    #[serde(rename = "slopbench.guard-forecast/1")]
    V1,
}

/// One forecast that a model was asked for.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LoggedForecast {
    format: ForecastFormat,
    /// The number of the turn that it is before.
    turn: u32,
    /// Why it came to nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<ModelFailure>,
    used: ModelUse,
}

/// Adds a line. No lock is waited for: an update may have it for as long as its model takes, and what is paid for is noted in any case.
pub(crate) fn log(folder: &Path, turn: u32, failure: Option<&ModelFailure>, used: ModelUse) -> Result<(), Error> {
    let path = folder.join(FORECASTS_FILE);
    refuse_link(&path)?;
    let logged = LoggedForecast { format: ForecastFormat::V1, turn, failure: failure.cloned(), used };
    let line = serde_json::to_string(&logged)? + "\n";
    let file = OpenOptions::new().create(true).append(true).open(&path);
    file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(Error::file("write", &path))
}

/// What all of them took.
pub(crate) fn spent(folder: &Path) -> Result<ModelUse, Error> {
    let path = folder.join(FORECASTS_FILE);
    let (content, mut sum) = (current(&path)?.unwrap_or_default(), ModelUse::default());
    for (number, line) in (1..).zip(content.lines()) {
        let logged: LoggedForecast = serde_json::from_str(line)
            .map_err(|error| Error::format(&path, number, format!("{error}; remove the line")))?;
        sum += logged.used;
    }
    Ok(sum)
}
