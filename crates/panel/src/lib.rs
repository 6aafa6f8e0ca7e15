//! The human panel: packages that people maintain, measured with our analyzer, beside what the paper published of them.
//!
//! `panel.toml` lists the packages ([`entries`]), [`measure`] fetches and measures one, [`agreement()`] says how alike
//! our columns and the paper's are. The paper is *SlopCodeBench*, arXiv 2603.24755, appendix H, table 7; it measured
//! the repositories' heads of March 2026 and we measure published source distributions, so the two trees differ a
//! little.

mod agreement;
mod row;

pub use agreement::{Agreement, COLUMNS, Miss, PanelColumn, agreement};
pub use row::{PanelFigures, PanelRow, measure};
use serde::Deserialize;
use slopbench_sdist::Sdist;

/// One package of the panel.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PanelEntry {
    /// What is fetched.
    #[serde(flatten)]
    pub sdist: Sdist,
    /// What the paper calls it, where that is not the package's name.
    pub repository: Option<String>,
    /// Folders that are not measured, relative to the package: the paper leaves documentation out.
    #[serde(default)]
    pub leave_out: Vec<String>,
    /// The paper's row.
    pub paper: PanelFigures,
    /// Why our row differs, where that is known.
    pub note: Option<String>,
}

/// Why a panel has no figures.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The list is wrong.
    #[error("panel.toml: {0}")]
    List(#[from] toml::de::Error),
    /// A package is not to be had.
    #[error(transparent)]
    Sdist(#[from] slopbench_sdist::Error),
    /// No folder for a package's sources.
    #[error("no folder for a package's sources: {0}")]
    Scratch(std::io::Error),
    /// A package could not be measured.
    #[error(transparent)]
    Metrics(#[from] slopbench_metrics::Error),
}

/// The packages that come with the crate, in the order of their names.
///
/// # Errors
///
/// Never for a released crate, whose list is tested.
pub fn entries() -> Result<Vec<PanelEntry>, Error> {
    #[derive(Deserialize)]
    struct List {
        package: Vec<PanelEntry>,
    }
    Ok(toml::from_str::<List>(include_str!("../panel.toml"))?.package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_pinned_and_within_what_a_figure_can_be() {
        let entries = entries().unwrap_or_else(|error| panic!("{error}"));
        assert!(entries.len() >= 20);
        assert!(entries.is_sorted_by(|a, b| a.sdist.name < b.sdist.name));
        for PanelEntry { sdist, paper, .. } in &entries {
            let hexadecimal =
                sdist.sha256.chars().all(|digit| digit.is_ascii_hexdigit() && !digit.is_ascii_uppercase());
            assert!(sdist.sha256.len() == 64 && hexadecimal, "{}", sdist.name);
            assert!(
                paper.loc > 0 && COLUMNS.iter().all(|figure| (0.0..=1.0).contains(&(figure.of)(paper))),
                "{}",
                sdist.name
            );
        }
    }
}
