//! The figure of hasty solutions beside references, in `docs/src/pictures`, and the table below it are what measuring them gives.
//!
//! `INSTA_UPDATE=always` draws the figure anew; the table is written by hand.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{env, fs, path::Path};

use slopbench_audit::{
    growth,
    report::{GrownSolution, GrowthFigures},
};
use slopbench_metrics::RuleSet;
use slopbench_report::growth_figure;
use slopbench_tests::Problem;

const PROBLEMS: [&str; 2] = ["sedge", "snapshot_archive"];

/// A row of the table in `docs/src/measuring.md`: the reference's figures, then the hasty solution's.
fn row(problem: &str, reference: &GrowthFigures, hasty: &GrowthFigures) -> String {
    assert_eq!(reference.checkpoint, hasty.checkpoint);
    let cells = [reference, hasty].map(|of| {
        let rewritten = of.rewritten.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        format!("{} | {rewritten} | {:.3} | {:.3}", of.loc, of.erosion, of.verbosity)
    });
    format!("| {problem} | {} | {} |", reference.checkpoint, cells.join(" | "))
}

#[test]
fn the_figure_and_the_table_of_hasty_solutions_are_what_measuring_them_gives() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let rules = RuleSet::builtin().unwrap();
    let grown = PROBLEMS.map(|name| {
        let problem = Problem::load(&root.join("problems").join(name)).unwrap();
        (name.to_owned(), growth(&problem, &rules).unwrap())
    });
    let picture = root.join("docs/src/pictures/hasty.svg");
    let drawn = growth_figure(&grown).svg();
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&picture, &drawn).unwrap();
    }
    let same = fs::read_to_string(&picture).is_ok_and(|kept| kept == drawn);
    let rows = grown.iter().flat_map(|(name, rows)| {
        let of = |solution| rows.iter().filter(move |row| row.solution == solution);
        of(GrownSolution::Reference).zip(of(GrownSolution::Hasty)).map(|(a, b)| row(name, a, b))
    });
    let expected: Vec<_> = rows.collect();
    assert_eq!(expected.len(), 11, "each checkpoint has both solutions");
    let text = fs::read_to_string(root.join("docs/src/measuring.md")).unwrap();
    let shown = |name: &str| PROBLEMS.iter().any(|problem| name.starts_with(&format!("| {problem} | ")));
    let written: Vec<_> = text.lines().filter(|line| shown(line)).collect();
    assert_eq!(written, expected, "docs/src/measuring.md; expected:\n{}", expected.join("\n"));
    assert!(
        same,
        "docs/src/pictures/hasty.svg is another figure: `INSTA_UPDATE=always cargo test -p slopbench-report --test hasty` draws it anew"
    );
}
