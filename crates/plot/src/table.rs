//! The numbers of a figure, a row each.

use crate::{Along, Datum, Figure, Mark, Panel, number::place_name};

const HEADER: [&str; 13] =
    ["figure", "panel", "series", "drawn", "x", "position", "y", "low", "high", "n", "missing", "name", "synthetic"];

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Point => "point",
            Self::Bar => "bar",
            Self::Step => "step",
            Self::Text => "text",
        }
    }
}

impl Along {
    fn word(self) -> &'static str {
        match self {
            Self::Values => "reference",
            Self::Positions => "reference place",
            Self::Diagonal => "diagonal",
        }
    }
}

fn text<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

impl Figure {
    /// Its data as comma-separated values, every digit, a row per point and reference line. What is missing is empty. Names are as
    /// they are: a spreadsheet may take one that begins with `=` for a formula.
    ///
    /// # Errors
    ///
    /// None that can be met: rows are as long as their header, and memory takes what is written.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(HEADER)?;
        for panel in &self.panels {
            for row in rows(panel) {
                let names = [self.name.clone(), panel.title.clone()];
                writer.write_record(names.into_iter().chain(row).chain([self.synthetic.to_string()]))?;
            }
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }
}

fn rows(panel: &Panel) -> Vec<[String; 10]> {
    let point = |series: &str, drawn: &str, datum: &Datum| {
        let interval = datum.interval();
        [
            series.to_owned(),
            drawn.to_owned(),
            datum.x.to_string(),
            place_name(&panel.x, datum.x),
            text(datum.value()),
            text(interval.map(|(low, _)| low)),
            text(interval.map(|(_, high)| high)),
            text(datum.n),
            text(datum.missing),
            datum.name.clone(),
        ]
    };
    let series = panel.series.iter().flat_map(|series| {
        series.data.iter().map(move |datum| point(&series.name, series.mark.word(), datum)).collect::<Vec<_>>()
    });
    let references = panel.references.iter().map(|line| {
        let mut row = point(
            &line.name,
            line.along.word(),
            &Datum { y: Some(line.at), low: line.low, high: line.high, n: line.n, ..Datum::default() },
        );
        // It has no place of its own.
        (row[2], row[3]) = (String::new(), String::new());
        row
    });
    series.chain(references).collect()
}
