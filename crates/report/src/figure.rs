//! Erosion and verbosity over a history, drawn as SVG. The same history gives the same bytes.

use std::fmt::Write;

use slopbench_history::{History, record::Point};
use slopbench_metrics::measurement::Measures;

use crate::history::date;
use crate::printable;

/// The picture and the plot in it, in SVG's user units.
const SIZE: (f64, f64) = (800.0, 440.0);
const LEFT: f64 = 60.0;
const RIGHT: f64 = 670.0;
const TOP: f64 = 70.0;
const BOTTOM: f64 = 370.0;

/// Labels at the lines' ends are at least this far apart.
const LABEL_HEIGHT: f64 = 18.0;

/// Dates below the plot are at least this far apart.
const DATE_WIDTH: f64 = 90.0;

/// A line of the figure: its name, its colour (told apart by the colour-blind too), what it shows.
type Series = (&'static str, &'static str, fn(&Measures) -> f64);

const SERIES: [Series; 2] =
    [("erosion", "#b5442c", |total| total.erosion), ("verbosity", "#2a6aa8", |total| total.verbosity)];

/// A figure of the paper's two measures over the commits that change source files.
pub fn history_figure(history: &History) -> String {
    let plot = Plot::new(&history.points);
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = plot.draw(history, &mut svg);
    svg
}

/// Where things are in the plot.
struct Plot<'a> {
    points: &'a [Point],
    /// The largest value of the vertical axis, and the distance of its ticks.
    top: f64,
    tick: f64,
}

impl<'a> Plot<'a> {
    fn new(points: &'a [Point]) -> Self {
        let values = points.iter().flat_map(|point| SERIES.map(|(_, _, value)| value(&point.total)));
        let largest = values.fold(0.0, f64::max);
        // Both measures are shares, so there are few axes to choose from.
        let tick = [0.01, 0.02, 0.05, 0.1].into_iter().find(|tick| largest <= 6.0 * tick).unwrap_or(0.2);
        let top = tick * (largest / tick).ceil().max(1.0);
        Plot { points, top, tick }
    }

    fn x(&self, point: &Point) -> f64 {
        let place = |point: Option<&Point>| point.map_or(0.0, |point| point.place as f64);
        let (first, last) = (place(self.points.first()), place(self.points.last()));
        LEFT + (RIGHT - LEFT) * (point.place as f64 - first) / (last - first).max(1.0)
    }

    fn y(&self, value: f64) -> f64 {
        BOTTOM - (BOTTOM - TOP) * value / self.top
    }

    fn draw(&self, history: &History, svg: &mut String) -> std::fmt::Result {
        let (width, height) = SIZE;
        writeln!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" role=\"img\">"
        )?;
        writeln!(svg, "<title>Erosion and verbosity of {}</title>", escaped(&history.revision))?;
        writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>")?;
        self.heading(history, svg)?;
        self.values(svg)?;
        self.dates(svg)?;
        let ends = self.label_heights();
        SERIES.iter().zip(ends).try_for_each(|(series, end)| self.series(series, end, svg))?;
        writeln!(svg, "</svg>")
    }

    fn heading(&self, history: &History, svg: &mut String) -> std::fmt::Result {
        let heading = "Erosion and verbosity over the commits that change source files";
        writeln!(svg, "<text x=\"{LEFT}\" y=\"28\" font-size=\"16\" fill=\"#222222\">{heading}</text>")?;
        let shallow = if history.shallow { "; shallow clone" } else { "" };
        let (shown, all) = (history.points.len(), history.touching);
        let revision = escaped(&history.revision);
        writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"48\" fill=\"#666666\">{revision}: {shown} of {all} commits, evenly spaced{shallow}</text>"
        )
    }

    fn values(&self, svg: &mut String) -> std::fmt::Result {
        let ticks = (self.top / self.tick).round() as u32;
        for tick in 0..=ticks {
            let value = f64::from(tick) * self.tick;
            let (y, colour) = (self.y(value), if tick == 0 { "#888888" } else { "#e4e4e4" });
            writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{RIGHT}\" stroke=\"{colour}\"/>")?;
            let (x, y) = (LEFT - 8.0, y + 4.5);
            writeln!(svg, "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#666666\">{value:.2}</text>")?;
        }
        Ok(())
    }

    /// Dates of as many points as there is room for, the first and the last among them.
    fn dates(&self, svg: &mut String) -> std::fmt::Result {
        let mut free_from = f64::NEG_INFINITY;
        for (index, point) in self.points.iter().enumerate() {
            let (x, is_last) = (self.x(point), index + 1 == self.points.len());
            if x < free_from || (!is_last && index > 0 && x > RIGHT - DATE_WIDTH) {
                continue;
            }
            free_from = x + DATE_WIDTH;
            let (tick, text) = (BOTTOM + 6.0, BOTTOM + 22.0);
            writeln!(svg, "<path d=\"M{x:.1} {BOTTOM}V{tick}\" stroke=\"#888888\"/>")?;
            let date = escaped(date(point));
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{text}\" text-anchor=\"middle\" fill=\"#666666\">{date}</text>")?;
        }
        let (x, y) = ((LEFT + RIGHT) / 2.0, BOTTOM + 46.0);
        let caption = "place among these commits, with the day of the commit";
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#666666\">{caption}</text>")
    }

    fn series(&self, (name, colour, value): &Series, label: f64, svg: &mut String) -> std::fmt::Result {
        let places: Vec<_> = self.points.iter().map(|point| (self.x(point), self.y(value(&point.total)))).collect();
        let line: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let line = line.join(" ");
        writeln!(svg, "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>")?;
        for (x, y) in &places {
            writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{colour}\"/>")?;
        }
        let Some(last) = self.points.last() else { return Ok(()) };
        let (x, y, value) = (self.x(last) + 10.0, label + 4.5, value(&last.total));
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{name} {value:.3}</text>")
    }

    /// Where the lines' labels go: at their ends, moved apart where these are too close.
    fn label_heights(&self) -> [f64; 2] {
        let ends = SERIES.map(|(_, _, value)| self.points.last().map_or(BOTTOM, |last| self.y(value(&last.total))));
        let [first, second] = ends;
        let (middle, apart) = ((first + second) / 2.0, (second - first).abs());
        match apart < LABEL_HEIGHT {
            true if first <= second => [middle - LABEL_HEIGHT / 2.0, middle + LABEL_HEIGHT / 2.0],
            true => [middle + LABEL_HEIGHT / 2.0, middle - LABEL_HEIGHT / 2.0],
            false => ends,
        }
    }
}

/// Foreign text, fit for XML.
fn escaped(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
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
        let trend = slopbench_history::record::Trend { first: 0.0, last: 0.0, growth: None, slope: None, rising: None };
        History {
            format: Default::default(),
            rules: slopbench_metrics::measurement::RulesId { count: 0, digest: String::new() },
            revision: "a<b".to_owned(),
            below: ".".to_owned(),
            shallow: false,
            commits: count,
            touching: count,
            versions: Default::default(),
            points: (1..=count).map(point).collect(),
            trends: slopbench_history::record::Trends { erosion: trend, verbosity: trend },
        }
    }

    #[test]
    fn every_point_is_drawn_inside_the_plot() {
        let svg = history_figure(&history(20));
        assert_eq!(svg.matches("<circle").count(), 40);
        let heights = svg.split("cy=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
        assert!(heights.clone().all(|y| (TOP..=BOTTOM).contains(&y)) && heights.count() == 40);
        assert!(svg.contains("2024-01-01<") && svg.contains("2024-01-20<"), "the ends have their dates");
    }

    #[test]
    fn foreign_text_is_no_markup() {
        assert!(!history_figure(&history(1)).contains("a<b"));
    }

    #[test]
    fn labels_do_not_cover_each_other() {
        let history = history(10); // Erosion and verbosity are both 0.4 at the end.
        let [erosion, verbosity] = Plot::new(&history.points).label_heights();
        assert_eq!((erosion - verbosity).abs(), LABEL_HEIGHT);
    }
}
