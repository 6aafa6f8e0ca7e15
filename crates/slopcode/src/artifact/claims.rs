//! One row per claim: what was expected, what was obtained, and every file that differs.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Serialize;
use serde_json::Value;
use slopbench_digest::{Listing, ListingDifference, ReadError, Sha256};

use super::definition::{Artifact, BYTES, Claim, INPUTS};
use crate::Error;

/// A claim, and whether it holds.
#[derive(Clone, Debug, Serialize)]
pub struct ClaimResult {
    /// `<artifact>/<claim>`.
    pub id: String,
    /// What is claimed, in one sentence.
    pub statement: String,
    /// What was expected.
    pub expected: String,
    /// What was obtained.
    pub obtained: String,
    /// Whether the two are the same.
    pub holds: bool,
    /// What differs, a line each: the file first.
    pub differences: Vec<String>,
}

/// Are the files that go in the archived ones?
pub(super) fn inputs(artifact: &str, archived: &Result<Listing, String>, now: &Listing) -> ClaimResult {
    let describe = |(path, difference): (String, ListingDifference)| match difference {
        ListingDifference::Missing => format!("{path}: archived, but not there now"),
        ListingDifference::Added => format!("{path}: not there when the results were archived"),
        ListingDifference::Changed => format!("{path}: changed since the results were archived"),
    };
    let (files, differences) = match archived {
        Ok(archived) => (archived.0.len(), archived.differences(now).into_iter().map(describe).collect()),
        Err(cause) => (now.0.len(), vec![cause.clone()]),
    };
    counted(artifact, INPUTS, "Everything that goes in is as it was archived", files, differences)
}

/// Are the results those that were archived? What they would be now is not asked.
pub(super) fn outputs(artifact: &str, files: usize, changed: &[String]) -> ClaimResult {
    counted(artifact, BYTES, "Every archived file is as its job produced it", files, name_changed(artifact, changed))
}

fn name_changed(artifact: &str, changed: &[String]) -> Vec<String> {
    changed.iter().map(|path| format!("artifacts/{artifact}/{path}: changed since it was archived")).collect()
}

/// The row of a job that could not be done at all, and what is `changed` of its archived results.
pub(super) fn undone(artifact: &str, cause: &str, changed: &[String]) -> ClaimResult {
    ClaimResult {
        id: format!("{artifact}/{BYTES}"),
        statement: BYTES_STATEMENT.to_owned(),
        expected: "the job done".to_owned(),
        obtained: "not done".to_owned(),
        holds: false,
        differences: name_changed(artifact, changed).into_iter().chain([cause.to_owned()]).collect(),
    }
}

const BYTES_STATEMENT: &str = "Every produced file equals the archived one byte for byte";

/// Is every file that comes out the archived one, byte for byte?
pub(super) fn bytes(artifact: &Artifact, produced: &BTreeMap<String, Vec<u8>>) -> Result<ClaimResult, Error> {
    let (Artifact { name, dir, .. }, archived) = (artifact, artifact.results()?);
    let now = Listing(produced.iter().map(|(path, bytes)| (path.clone(), Sha256::of(bytes))).collect());
    let mut differences = Vec::new();
    for (path, difference) in archived.differences(&now) {
        let place = match (difference, produced.get(&path)) {
            (ListingDifference::Changed, Some(bytes)) => first_difference(&dir.join(&path), bytes)?,
            (ListingDifference::Missing, _) => "archived, but not produced".to_owned(),
            _ => "produced, but not archived".to_owned(),
        };
        differences.push(format!("artifacts/{name}/{path}: {place}"));
    }
    Ok(counted(name, BYTES, BYTES_STATEMENT, archived.0.len(), differences))
}

/// Does a result hold the figure claimed?
pub(super) fn figure(artifact: &str, claim: &Claim, results: &BTreeMap<String, Vec<u8>>) -> ClaimResult {
    let obtained = results
        .get(&claim.file)
        .and_then(|bytes| serde_json::from_slice::<Value>(bytes).ok())
        .and_then(|value| value.pointer(&claim.pointer).cloned());
    let expected = serde_json::to_value(&claim.expected).unwrap_or(Value::Null);
    let holds = obtained.as_ref() == Some(&expected);
    let place = format!("{}{}", claim.file, claim.pointer);
    let obtained = obtained.map_or_else(|| format!("nothing at {place}"), |value| value.to_string());
    ClaimResult {
        id: format!("{artifact}/{}", claim.id.as_ref()),
        statement: claim.statement.clone(),
        differences: if holds { Vec::new() } else { vec![format!("{place}: expected {expected}, got {obtained}")] },
        expected: expected.to_string(),
        obtained,
        holds,
    }
}

fn counted(artifact: &str, id: &str, statement: &str, files: usize, differences: Vec<String>) -> ClaimResult {
    ClaimResult {
        id: format!("{artifact}/{id}"),
        statement: statement.to_owned(),
        expected: format!("{files} files"),
        obtained: if differences.is_empty() {
            format!("{files} files")
        } else {
            format!("{} differ", differences.len())
        },
        holds: differences.is_empty(),
        differences,
    }
}

/// Where an archived file and the bytes produced in its place part.
fn first_difference(archived: &Path, produced: &[u8]) -> Result<String, Error> {
    let bytes = fs::read(archived).map_err(|source| ReadError { path: archived.to_path_buf(), source })?;
    let (before, after) = (String::from_utf8_lossy(&bytes), String::from_utf8_lossy(produced));
    let same = before.lines().zip(after.lines()).take_while(|(a, b)| a == b).count();
    let line = |text: &str| text.lines().nth(same).map_or("the end".to_owned(), |line| format!("`{}`", line.trim()));
    Ok(format!("line {}: archived {}, produced {}", same + 1, line(&before), line(&after)))
}
