use slopbench_history::{
    History,
    record::{Point, Trend},
};

use crate::{Column, Table, Text, printable};

/// Longer subjects are cut, so that a row stays a line on most screens.
const SUBJECT: usize = 50;

/// The figures of each sampled commit, and where they go.
pub fn history(history: &History) -> Text {
    let versions = &history.versions;
    let mut text = Text::from(format!(
        "{} of {} commits that change source files, among {} on the first-parent line of {}.\n\
         {} versions of files measured once each, for {} files in these commits.\n",
        history.points.len(),
        history.touching,
        history.commits,
        printable(&history.revision),
        versions.distinct,
        versions.files,
    ));
    if history.shallow {
        text += "The clone is shallow: its first commit is not where the code began.\n";
    }
    text += "\n";
    text += points(&history.points);
    text += "\n";
    text += trends(history);
    if let Some(last) = history.points.last().filter(|last| !last.skipped.is_empty()) {
        text += format!("\n{} left out of the last commit; --json names them.\n", last.skipped.len());
    }
    text
}

fn points(points: &[Point]) -> Table {
    let mut table = Table::new(&[
        Column::Number("place"),
        Column::Text("date"),
        Column::Text("commit"),
        Column::Number("files"),
        Column::Number("LOC"),
        Column::Number("erosion"),
        Column::Number("verbosity"),
        Column::Text("subject"),
    ]);
    for point in points {
        table.row([
            point.place.to_string(),
            date(point).to_owned(),
            point.commit.chars().take(10).collect(),
            point.total.files.to_string(),
            point.total.loc.to_string(),
            format!("{:.3}", point.total.erosion),
            format!("{:.3}", point.total.verbosity),
            shortened(&point.subject),
        ]);
    }
    table
}

/// The day of the commit, in the committer's time zone.
pub(crate) fn date(point: &Point) -> &str {
    point.time.split('T').next().unwrap_or_default()
}

fn shortened(subject: &str) -> String {
    match subject.char_indices().nth(SUBJECT) {
        Some((cut, _)) => format!("{}…", subject.get(..cut).unwrap_or_default().trim_end()),
        None => subject.to_owned(),
    }
}

fn trends(history: &History) -> Table {
    let mut table = Table::new(&[
        Column::Text("trend"),
        Column::Number("first"),
        Column::Number("last"),
        Column::Number("growth"),
        Column::Number("slope"),
        Column::Number("rising steps"),
    ]);
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
    for (name, trend) in [("erosion", &history.trends.erosion), ("verbosity", &history.trends.verbosity)] {
        let &Trend { first, last, growth, slope, rising } = trend;
        table.row([
            name.to_owned(),
            format!("{first:.3}"),
            format!("{last:.3}"),
            percent(growth),
            slope.map_or("-".to_owned(), |slope| format!("{slope:+.3}")),
            percent(rising),
        ]);
    }
    table
}
