//! One package: what the paper says, and what we measure.

use std::path::Path;

use serde::{Deserialize, Serialize};
use slopbench_metrics::{Roots, RuleSet, measure_roots, measurement::Measures};

use crate::{Error, PanelEntry};

/// The columns of the paper's table 7.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PanelFigures {
    /// Physical lines, blank ones and comments included; the paper rounds them to two or three digits.
    pub loc: u64,
    /// "Violation %": lines of rule matches / total lines.
    pub violation_ratio: f64,
    /// Lines of clones / total lines.
    pub clone_ratio: f64,
    /// Lines of code that are clones or in rule matches / total lines.
    pub verbosity: f64,
    /// The share of complexity mass in callables with CC > 10.
    pub erosion: f64,
}

impl From<&Measures> for PanelFigures {
    fn from(total: &Measures) -> Self {
        PanelFigures {
            loc: total.total_lines,
            violation_ratio: total.violation_ratio,
            clone_ratio: total.clone_ratio,
            verbosity: total.verbosity,
            erosion: total.erosion,
        }
    }
}

/// One line of the panel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PanelRow {
    /// The package's name.
    pub package: String,
    /// The version that we measured.
    pub version: String,
    /// Our figures.
    pub ours: PanelFigures,
    /// The paper's.
    pub paper: PanelFigures,
    /// Files of the package that are in no figure.
    pub skipped: usize,
    /// Whether the two trees can be the same: see [`PanelRow::SAME_SIZE_WITHIN`].
    pub same_size: bool,
    /// Why the rows differ, where that is known.
    pub note: Option<String>,
}

impl PanelRow {
    /// The two trees count as the same if their LOC differ by at most this share of the paper's: other releases move
    /// less, a distribution without tests or of another line of development more.
    pub const SAME_SIZE_WITHIN: f64 = 0.2;

    /// Puts measured figures beside the paper's.
    pub fn new(entry: &PanelEntry, total: &Measures, skipped: usize) -> Self {
        let (ours, paper) = (PanelFigures::from(total), entry.paper);
        PanelRow {
            package: entry.sdist.name.clone(),
            version: entry.sdist.version.clone(),
            same_size: (ours.loc as f64 / paper.loc as f64 - 1.0).abs() <= Self::SAME_SIZE_WITHIN,
            ours,
            paper,
            skipped,
            note: entry.note.clone(),
        }
    }
}

/// Fetches a package into the folder `cache`, unless it is there, and measures it.
///
/// # Errors
///
/// If the package is not to be had, or cannot be unpacked or read.
pub fn measure(entry: &PanelEntry, cache: &Path, rules: &RuleSet) -> Result<PanelRow, Error> {
    let archive = entry.sdist.fetch(cache)?;
    let sources = tempfile::tempdir().map_err(Error::Scratch)?;
    archive.unpack(sources.path(), &entry.leave_out)?;
    let python = Roots::one(sources.path())?.only(&["python"])?;
    let measurement = measure_roots(&python, rules, None)?;
    Ok(PanelRow::new(entry, &measurement.total, measurement.skipped.len()))
}
