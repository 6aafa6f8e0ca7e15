//! What the SlopCodeBench paper published (arXiv 2603.24755), as data with its places: files in `paper/`.
//!
//! Table 1 and Table 7 are whole. Of Tables 2, 4 and 6 and of the figures, there is what the text says of them: their bodies are
//! not printed in it.

use serde::{Deserialize, de::DeserializeOwned};

use crate::{Error, table::Unit};

/// A row of the paper's Table 1. Rates are in percent, as printed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedResult {
    /// As the paper calls it.
    pub model: String,
    /// Checkpoints strictly solved.
    pub strict: f64,
    /// Solved in isolation.
    pub isolated: f64,
    /// Solved by core cases.
    pub core: f64,
    /// Problems with a strictly solved checkpoint.
    pub partial: f64,
    /// US dollars a checkpoint.
    pub cost_usd: f64,
    /// Its deviation.
    pub cost_usd_sd: f64,
    /// US dollars in all.
    pub net_usd: f64,
    /// Minutes a checkpoint.
    pub minutes: f64,
    /// Its deviation.
    pub minutes_sd: f64,
    /// Structural erosion.
    pub erosion: f64,
    /// Its deviation.
    pub erosion_sd: f64,
    /// Verbosity.
    pub verbosity: f64,
    /// Its deviation.
    pub verbosity_sd: f64,
}

/// A row of the paper's Table 7.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRepository {
    /// By stars.
    pub tier: StarTier,
    /// As the paper calls it.
    pub repository: String,
    /// Rounded; 50 stands for an unknown number.
    pub stars: u64,
    /// Total lines, rounded.
    pub loc: u64,
    /// Lines of rule matches / total lines.
    pub violation_ratio: f64,
    /// Lines of clones / total lines.
    pub clone_ratio: f64,
    /// Lines of code that are either / total lines.
    pub verbosity: f64,
    /// Structural erosion.
    pub erosion: f64,
}

/// How many stars a repository has on GitHub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
pub enum StarTier {
    /// Fewer than 1,000.
    Niche,
    /// Up to 10,000.
    Established,
    /// More.
    Major,
}

impl StarTier {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 3] = [Self::Niche, Self::Established, Self::Major];

    /// As the paper writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Niche => "Niche (< 1k stars)",
            Self::Established => "Established (1k to 10k)",
            Self::Major => "Major (> 10k)",
        }
    }
}

/// A figure that the text states.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedStatement {
    /// What it is called here.
    pub name: String,
    /// What it is of.
    pub title: String,
    /// What it is in.
    pub unit: Unit,
    /// The figure.
    pub value: f64,
    /// Its deviation, where one is given.
    pub sd: Option<f64>,
    /// Where it is stated.
    pub source: String,
}

/// Table 1, a row per model.
///
/// # Errors
///
/// Never for a released crate, whose lists are tested; the next two alike.
pub fn results() -> Result<Vec<PublishedResult>, Error> {
    read("paper/table-1.csv", include_str!("../paper/table-1.csv"))
}

/// Table 7, a row per repository.
///
/// # Errors
///
/// As [`results`].
pub fn repositories() -> Result<Vec<PublishedRepository>, Error> {
    read("paper/table-7.csv", include_str!("../paper/table-7.csv"))
}

/// What the text says of other tables and figures.
///
/// # Errors
///
/// As [`results`].
pub fn statements() -> Result<Vec<PublishedStatement>, Error> {
    read("paper/statements.csv", include_str!("../paper/statements.csv"))
}

/// The name of a model as everybody writes it: letters and digits in lower case.
pub(crate) fn plain_name(model: &str) -> String {
    model.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_lowercase()).collect()
}

fn read<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<T>, Error> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().map_err(|error| Error::Data { file, message: error.to_string() })
}

#[cfg(test)]
mod tests {
    use slopbench_stats::describe::{mean, sample_sd};

    use super::*;

    #[test]
    fn the_tables_are_as_long_as_the_papers_and_their_figures_can_be() {
        let (results, repositories) = (results().unwrap(), repositories().unwrap());
        assert_eq!((results.len(), repositories.len()), (11, 48));
        let tiers = StarTier::ALL.map(|tier| repositories.iter().filter(|one| one.tier == tier).count());
        assert_eq!(tiers, [8, 12, 28]);
        for one in &results {
            assert!(one.strict <= one.isolated && one.isolated <= one.core && one.core < 60.0, "{one:?}");
            // 93 checkpoints, or fewer: 82 for one model.
            assert!((81.5..94.0).contains(&(one.net_usd / one.cost_usd)), "{one:?}");
        }
        for one in &repositories {
            assert!(one.verbosity <= one.violation_ratio + one.clone_ratio + 0.02 && one.erosion <= 1.0, "{one:?}");
        }
        assert!(statements().unwrap().len() > 20);
    }

    /// The prose says 0.31 ± 0.12 of the highest-starred tier, and 0.32 ± 0.11 of all models' verbosity.
    #[test]
    fn what_the_text_says_follows_from_the_tables() {
        let major: Vec<f64> =
            repositories().unwrap().iter().filter(|one| one.tier == StarTier::Major).map(|one| one.erosion).collect();
        assert_eq!(format!("{:.2} {:.2}", mean(&major).unwrap(), sample_sd(&major).unwrap()), "0.31 0.12");
        let models: Vec<f64> = results().unwrap().iter().map(|one| one.verbosity).collect();
        assert!((mean(&models).unwrap() - 0.32).abs() < 0.01);
    }

    /// `panel.toml` has the same rows for the packages that sdists can give.
    #[test]
    fn the_panels_list_has_the_same_figures() {
        let repositories = repositories().unwrap();
        for entry in slopbench_panel::entries().unwrap() {
            let name = entry.repository.clone().unwrap_or_else(|| entry.sdist.name.clone());
            let row = repositories.iter().find(|row| row.repository == name).unwrap_or_else(|| panic!("{name}"));
            let theirs = (row.loc, row.violation_ratio, row.clone_ratio, row.verbosity, row.erosion);
            let paper = entry.paper;
            assert_eq!(
                (paper.loc, paper.violation_ratio, paper.clone_ratio, paper.verbosity, paper.erosion),
                theirs,
                "{name}"
            );
        }
    }
}
