//! Erosion and verbosity over a history.

use slopbench_history::{History, record::Point};
use slopbench_metrics::measurement::Measures;
use slopbench_plot::{Axis, AxisTick, Datum, Figure, Notation, Panel, Series};

use crate::history::date;

/// A line of the figure: its name and what it shows.
type Line = (&'static str, fn(&Measures) -> f64);

const LINES: [Line; 2] = [("erosion", |total| total.erosion), ("verbosity", |total| total.verbosity)];

/// The paper's two measures over the commits that change source files.
pub fn history_figure(history: &History) -> Figure {
    let (shown, all) = (history.points.len(), history.touching);
    let shallow =
        if history.shallow { "; the clone is shallow: its first commit is not where the code began" } else { "" };
    let ticks = history.points.iter().map(|point| AxisTick {
        at: point.place as f64,
        label: date(point).to_owned(),
        detail: String::new(),
    });
    let panel = Panel {
        x: Axis {
            ticks: ticks.collect(),
            ..Axis::linear("place among these commits, by the day of the commit", Notation::Number)
        },
        y: Axis::linear("fraction", Notation::Number).with([0.0]),
        series: LINES.map(|line| series(history, line)).into(),
        ..Panel::default()
    };
    Figure {
        name: "history".to_owned(),
        title: "Erosion and verbosity over the commits that change source files".to_owned(),
        subtitle: format!("{}: {shown} of {all} commits, evenly spaced{shallow}", history.revision),
        description: "Where structural erosion and verbosity go over a repository's history.".to_owned(),
        panels: vec![panel],
        ..Figure::default()
    }
}

fn series(history: &History, (name, value): Line) -> Series {
    let last = history.points.len().saturating_sub(1);
    let datum = |(index, point): (usize, &Point)| {
        let value = value(&point.total);
        let label = if index == last { format!("{name} {value:.3}") } else { String::new() };
        let commit: String = point.commit.chars().take(10).collect();
        let name = format!("{} {commit}", date(point));
        Datum { name, label, ..Datum::at(point.place as f64, Some(value)) }
    };
    let data = history.points.iter().enumerate().map(datum).collect();
    Series { name: name.to_owned(), data, ..Series::default() }
}

#[cfg(test)]
mod tests {
    use slopbench_history::record::{Trend, Trends};
    use slopbench_metrics::measurement::RulesId;

    use super::*;

    /// `count` commits whose erosion and verbosity rise and fall.
    fn history(count: u64) -> History {
        let point = |place: u64| Point {
            commit: format!("{place:040x}"),
            time: format!("2024-01-{place:02}T12:00:00+00:00"),
            subject: String::new(),
            place,
            total: Measures {
                erosion: 0.3 + 0.01 * place as f64,
                verbosity: 0.5 - 0.01 * place as f64,
                ..Measures::default()
            },
            skipped: Vec::new(),
        };
        let trend = Trend { first: 0.0, last: 0.0, growth: None, slope: None, rising: None };
        History {
            format: Default::default(),
            rules: RulesId { count: 0, digest: String::new() },
            revision: "a<b".to_owned(),
            below: ".".to_owned(),
            shallow: false,
            commits: count,
            touching: count,
            versions: Default::default(),
            points: (1..=count).map(point).collect(),
            trends: Trends { erosion: trend, verbosity: trend },
        }
    }

    #[test]
    fn every_commit_is_a_point_and_the_ends_have_their_dates() {
        let svg = history_figure(&history(20)).svg();
        assert_eq!(svg.matches("<title>erosion, 2024-01-").count(), 20);
        assert_eq!(svg.matches("<title>verbosity, 2024-01-").count(), 20);
        assert!(svg.contains(">2024-01-01<") && svg.contains(">2024-01-20<"), "{svg}");
        assert!(!svg.contains("a<b") && svg.contains("a&lt;b: 20 of 20 commits"), "{svg}");
    }

    #[test]
    fn lines_that_end_together_have_labels_apart() {
        // Erosion and verbosity are both 0.4 at the end.
        let svg = history_figure(&history(10)).svg();
        let foot = |label: &str| -> f64 {
            let tag = svg.lines().find(|line| line.ends_with(&format!(">{label}</text>"))).expect(label);
            tag.split(" y=\"").nth(1).and_then(|rest| rest.split('"').next()?.parse().ok()).expect(tag)
        };
        assert!((foot("erosion 0.400") - foot("verbosity 0.400")).abs() >= 14.0);
    }
}
