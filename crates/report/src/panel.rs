use slopbench_panel::{Agreement, COLUMNS, PanelRow};

use crate::{Column, Table, Text};

/// Each package's figures beside the paper's, how alike the columns are, and every figure that is off.
pub fn panel(rows: &[PanelRow], all: &[Agreement], same_size: &[Agreement]) -> Text {
    let mut text = Text::from(figures(rows));
    let compared = same_size.first().map_or(0, |agreement| agreement.packages);
    text += Text::heading(&format!("Agreement, all {} packages:", rows.len()));
    text += agreements(all);
    if compared < rows.len() {
        let within = PanelRow::SAME_SIZE_WITHIN * 100.0;
        let title = format!("Agreement, the {compared} packages whose LOC is within {within} % of the paper's:");
        text += Text::heading(&title);
        text += agreements(same_size);
    }
    if all.iter().any(|agreement| !agreement.misses.is_empty()) {
        text += Text::heading("Off by more than the tolerance:");
        text += misses(rows, all);
    }
    text
}

fn figures(rows: &[PanelRow]) -> Table {
    let mut columns = vec![Column::Text("package"), Column::Text("version"), Column::Number("LOC")];
    columns.push(Column::Number("paper"));
    for figure in COLUMNS {
        columns.extend([Column::Number(figure.name), Column::Number("paper"), Column::Number("off by")]);
    }
    let mut table = Table::new(&columns);
    for row in rows {
        let mut cells = vec![row.package.clone(), row.version.clone()];
        cells.extend([row.ours.loc, row.paper.loc].map(|loc| loc.to_string()));
        for figure in COLUMNS {
            let (ours, paper) = ((figure.of)(&row.ours), (figure.of)(&row.paper));
            cells.extend([format!("{ours:.3}"), format!("{paper:.3}"), format!("{:+.3}", ours - paper)]);
        }
        table.row(cells);
    }
    table
}

fn agreements(agreements: &[Agreement]) -> Table {
    let columns = ["Spearman", "mean |off by|", "tolerance", "within it"].map(Column::Number);
    let mut table = Table::new(&[&[Column::Text("figure")], columns.as_slice()].concat());
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    for agreement in agreements {
        table.row([
            agreement.figure.to_owned(),
            or_dash(agreement.spearman.map(|rho| format!("{rho:.3}"))),
            or_dash(agreement.mean_absolute_difference.map(|mean| format!("{mean:.4}"))),
            agreement.tolerance.to_string(),
            or_dash(agreement.within.map(|share| format!("{:.1} %", share * 100.0))),
        ]);
    }
    table
}

/// By package, since one cause often moves several figures.
fn misses(rows: &[PanelRow], agreements: &[Agreement]) -> Table {
    let mut table = Table::new(&[Column::Text("package"), Column::Text("figures"), Column::Prose("why")]);
    for row in rows {
        let of_row = agreements.iter().flat_map(|agreement| {
            let misses = agreement.misses.iter().filter(|miss| miss.package == row.package);
            misses.map(|miss| format!("{} {:+.3}", agreement.figure, miss.difference))
        });
        let figures: Vec<String> = of_row.collect();
        if !figures.is_empty() {
            table.row([row.package.clone(), figures.join(", "), row.note.clone().unwrap_or_default()]);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use slopbench_panel::{PanelFigures, agreement};

    use super::*;

    #[test]
    fn a_miss_is_shown_with_its_reason() {
        let paper = PanelFigures { loc: 1000, violation_ratio: 0.1, clone_ratio: 0.05, verbosity: 0.12, erosion: 0.3 };
        let row = |package: &str, erosion, loc| PanelRow {
            package: package.to_owned(),
            version: "1.2".to_owned(),
            ours: PanelFigures { erosion, loc, ..paper },
            paper,
            skipped: 0,
            same_size: loc == 1000,
            note: Some("another branch".to_owned()),
        };
        let rows = [row("near", 0.31, 1000), row("far", 0.4, 3000)];
        let text = panel(&rows, &agreement(&rows), &agreement(rows.iter().filter(|row| row.same_size))).to_string();
        let last = text.lines().last().unwrap_or_default();
        assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["far", "erosion", "+0.100", "another", "branch"]);
        assert!(text.contains("the 1 packages whose LOC is within 20 % of the paper's"), "{text}");
    }
}
