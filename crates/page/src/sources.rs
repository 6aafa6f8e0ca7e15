//! The sources of a checkpoint, with the lines that its figures count.

use std::{fs, path::Path};

use serde::Serialize;
use slopbench_metrics::{
    LineSet,
    grading::{self, Grading},
};

use crate::{Error, limits::DetailLimits, study::PageStudy};

/// A source file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PageSource {
    path: String,
    text: String,
    /// Lines of matches that count in verbosity, as spans; absent where they cannot be told.
    flagged: Option<Vec<(u32, u32)>>,
    /// Lines of clones.
    clones: Option<Vec<(u32, u32)>>,
}

/// Every measured file of a workspace. What its figures count is found again by measuring it: lines are marked where that gives
/// the figures that were kept.
pub(crate) fn sources(
    study: &PageStudy,
    tree: &Path,
    kept: &Grading,
    limits: &DetailLimits,
) -> Result<Vec<PageSource>, Error> {
    let Some(measurement) = &kept.measurement else { return Ok(Vec::new()) };
    let again = grading::grade(tree, &kept.language, &[], &study.rules).map_err(slopbench_slopcode::Error::from)?;
    let again = again.measurement.map_or_else(Vec::new, |measurement| measurement.files);
    let (mut sources, mut left) = (Vec::new(), limits.source_chars);
    // Those that are found now, for no link was followed to find them.
    for file in &again {
        let Ok(text) = fs::read_to_string(tree.join(&file.path)) else { continue };
        if text.len() > left {
            break;
        }
        left -= text.len();
        let is_same = measurement.files.iter().any(|one| one.path == file.path && one.measures == file.measures);
        let spans = |lines: &LineSet| is_same.then(|| spans(lines));
        let (flagged, clones) = (spans(&file.lines.flagged), spans(&file.lines.clone));
        sources.push(PageSource { path: file.path.clone(), text, flagged, clones });
    }
    Ok(sources)
}

/// First and last lines of what follows on each other.
fn spans(lines: &LineSet) -> Vec<(u32, u32)> {
    let mut spans: Vec<(u32, u32)> = Vec::new();
    for line in lines.iter() {
        match spans.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => spans.push((line, line)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_spans() {
        let mut lines = LineSet::default();
        lines.insert_span(2..=4);
        lines.insert(9);
        assert_eq!(spans(&lines), [(2, 4), (9, 9)]);
    }
}
