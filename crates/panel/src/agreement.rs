//! How alike our columns and the paper's are.

use serde::Serialize;
use slopbench_stats::{correlation::spearman, describe::mean_absolute_difference};

use crate::{PanelFigures, PanelRow};

/// A column of the panel that is compared.
pub struct PanelColumn {
    /// Its title.
    pub name: &'static str,
    /// Its value.
    pub of: fn(&PanelFigures) -> f64,
    /// The difference up to which the two figures are called the same.
    pub tolerance: f64,
}

/// The compared columns. Clones are counted exactly as in the paper and erosion nearly so: their tolerances are what
/// another release changes. The rules are not the paper's, so for violations and verbosity it is wider.
pub static COLUMNS: &[PanelColumn] = &[
    PanelColumn { name: "violation", of: |figures| figures.violation_ratio, tolerance: 0.03 },
    PanelColumn { name: "clones", of: |figures| figures.clone_ratio, tolerance: 0.015 },
    PanelColumn { name: "verbosity", of: |figures| figures.verbosity, tolerance: 0.03 },
    PanelColumn { name: "erosion", of: |figures| figures.erosion, tolerance: 0.03 },
];

/// What is said of one column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// The column.
    pub figure: &'static str,
    /// How many packages were compared.
    pub packages: usize,
    /// Spearman's rank correlation; none for fewer than two packages.
    pub spearman: Option<f64>,
    /// The mean of |ours - paper's|; none for no package.
    pub mean_absolute_difference: Option<f64>,
    /// The difference up to which figures are called the same.
    pub tolerance: f64,
    /// The share of packages within the tolerance, as a fraction; none for no package.
    pub within: Option<f64>,
    /// The others.
    pub misses: Vec<Miss>,
}

/// A package whose figure is outside the tolerance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Miss {
    /// Its name.
    pub package: String,
    /// Our figure less the paper's.
    pub difference: f64,
    /// Why, where that is known.
    pub note: Option<String>,
}

/// Compares every column over the given rows.
pub fn agreement<'a>(rows: impl IntoIterator<Item = &'a PanelRow>) -> Vec<Agreement> {
    let rows: Vec<&PanelRow> = rows.into_iter().collect();
    COLUMNS.iter().map(|figure| compare(figure, &rows)).collect()
}

fn compare(figure: &PanelColumn, rows: &[&PanelRow]) -> Agreement {
    let ours: Vec<f64> = rows.iter().map(|row| (figure.of)(&row.ours)).collect();
    let paper: Vec<f64> = rows.iter().map(|row| (figure.of)(&row.paper)).collect();
    let differences = rows.iter().zip(ours.iter().zip(&paper).map(|(ours, paper)| ours - paper));
    let misses: Vec<Miss> = differences
        .filter(|(_, difference)| difference.abs() > figure.tolerance)
        .map(|(row, difference)| Miss { package: row.package.clone(), difference, note: row.note.clone() })
        .collect();
    Agreement {
        figure: figure.name,
        packages: rows.len(),
        spearman: spearman(&ours, &paper).ok().map(|correlation| correlation.coefficient),
        mean_absolute_difference: mean_absolute_difference(&ours, &paper).ok(),
        tolerance: figure.tolerance,
        within: (!rows.is_empty()).then(|| (rows.len() - misses.len()) as f64 / rows.len() as f64),
        misses,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(erosion: f64) -> PanelFigures {
        PanelFigures { loc: 1000, violation_ratio: 0.1, clone_ratio: 0.1, verbosity: 0.1, erosion }
    }

    fn row(package: &str, ours: f64, paper: f64) -> PanelRow {
        PanelRow {
            package: package.to_owned(),
            version: "1".to_owned(),
            ours: figures(ours),
            paper: figures(paper),
            skipped: 0,
            same_size: true,
            note: Some("another release".to_owned()),
        }
    }

    #[test]
    fn a_column_is_compared_by_rank_distance_and_misses() {
        let rows = [row("a", 0.10, 0.11), row("b", 0.20, 0.25), row("c", 0.30, 0.30)];
        let all = agreement(&rows);
        let erosion = all.iter().find(|agreement| agreement.figure == "erosion").expect("the column");
        assert_eq!((erosion.packages, erosion.spearman.map(f64::round)), (3, Some(1.0)));
        assert!(erosion.mean_absolute_difference.is_some_and(|mean| (mean - 0.02).abs() < 1e-12));
        assert!(erosion.within.is_some_and(|share| (share - 2.0 / 3.0).abs() < 1e-12));
        let [miss] = erosion.misses.as_slice() else { panic!("one miss: {:?}", erosion.misses) };
        assert!(miss.package == "b" && (miss.difference + 0.05).abs() < 1e-12 && miss.note.is_some());
    }

    #[test]
    fn of_no_package_nothing_is_said() {
        let nothing = agreement([]);
        assert!(nothing.iter().all(|column| column.spearman.is_none() && column.within.is_none()));
    }
}
