//! What a figure consists of: the one definition of the format `slopbench.figure/1`.

use serde::{Deserialize, Serialize};

/// The name and version of this format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureFormat {
    /// The only version that is read.
    #[default]
    #[serde(rename = "slopbench.figure/1")]
    V1,
}

/// Panels with one legend.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Which format this is.
    pub format: FigureFormat,
    /// What it is called in files and in a page's ids: letters, digits, `-` and `_`.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// What it is of, in a sentence below the title.
    pub subtitle: String,
    /// What is to be seen, for who does not see it. Where each series begins and ends is added.
    pub description: String,
    /// Whether data behind it is made up; it is said in the drawing and in each row of the data.
    pub synthetic: bool,
    /// Panels, row by row.
    pub panels: Vec<Panel>,
    /// What the lines with [`Emphasis::Context`] are, for the legend.
    pub context: String,
    /// What has to be said beside it.
    pub notes: Vec<String>,
}

/// Two axes, and what is drawn between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Panel {
    /// What it shows; may be empty.
    pub title: String,
    /// Where things are.
    pub x: Axis,
    /// What their values are.
    pub y: Axis,
    /// Whether `x` runs down the side and `y` along the bottom: for positions with long names.
    pub flipped: bool,
    /// Drawn in their order.
    pub series: Vec<Series>,
    /// Drawn behind them.
    pub references: Vec<ReferenceLine>,
}

/// One axis of a panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// What it is of, with the unit.
    pub label: String,
    /// How values become places.
    pub scale: Scale,
    /// How values are written.
    pub notation: Notation,
    /// Values that it reaches, besides those of the data.
    pub includes: Vec<f64>,
    /// The places that are named; where there are none, round values are. Of an ordinal axis, its categories at 0, 1, 2, ….
    pub ticks: Vec<AxisTick>,
}

/// How values become places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// In proportion.
    #[default]
    Linear,
    /// By their logarithms; what is not above 0 is missing.
    Log,
    /// One category after the other, each in a band of its own.
    Ordinal,
}

/// How values are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Notation {
    /// As they are.
    #[default]
    Number,
    /// A share from 0 to 1, as percent.
    Percent,
    /// US dollars.
    Dollars,
    /// With their sign.
    Signed,
}

/// A place on an axis that has a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AxisTick {
    /// Where.
    pub at: f64,
    /// What it is called.
    pub label: String,
    /// A second line, such as how many observations there are; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// Points that belong together. Series of one name look the same in all panels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// How its points are drawn.
    pub mark: Mark,
    /// How their intervals are.
    pub interval: IntervalShape,
    /// How much it stands out.
    pub emphasis: Emphasis,
    /// What is said of it above the plot, beside its marker; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub annotation: String,
    /// From the first.
    pub data: Vec<Datum>,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// Markers, and a line through them that is broken where a value is missing.
    #[default]
    Line,
    /// Markers alone.
    Point,
    /// Bars from 0, their markers on top.
    Bar,
    /// A value holds until the next one.
    Step,
    /// Their labels in place of markers.
    Text,
}

/// How intervals are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalShape {
    /// A line with ends at each point.
    #[default]
    Whisker,
    /// One area along all points.
    Band,
    /// Not at all: it is in the data, and under the pointer.
    Hidden,
}

/// How much a series stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Emphasis {
    /// A hue, a marker and a dash of its own.
    #[default]
    Normal,
    /// In the colour of text and thicker: what the others are part of.
    Strong,
    /// A thin grey line whose name only a pointer shows: one of many.
    Context,
}

/// One point. Values that are not finite are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Datum {
    /// Where it is.
    pub x: f64,
    /// Its value.
    pub y: Option<f64>,
    /// The lower end of its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// How many observations the value is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
    /// How many more there should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<usize>,
    /// What it is; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What is written beside it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// A value that others are compared with: a line across the panel, with its interval as a band.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferenceLine {
    /// What it is.
    pub name: String,
    /// Of which axis.
    pub along: Along,
    /// The value; of a diagonal, how far `y` is above `x`.
    pub at: f64,
    /// The lower end of its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// How many observations it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n: Option<usize>,
}

/// Which way a reference line runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Along {
    /// It is a value of `y`.
    #[default]
    Values,
    /// It is a place of `x`.
    Positions,
    /// Where `y` equals `x`.
    Diagonal,
}

impl Axis {
    /// Round values, as they are.
    pub fn linear(label: impl Into<String>, notation: Notation) -> Self {
        Self { label: label.into(), notation, ..Self::default() }
    }

    /// The same by logarithms.
    pub fn log(label: impl Into<String>, notation: Notation) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label, notation) }
    }

    /// Categories, each with what stands below its name.
    pub fn ordinal(label: impl Into<String>, categories: impl IntoIterator<Item = (String, String)>) -> Self {
        let tick = |(at, (label, detail))| AxisTick { at: f64::from(at), label, detail };
        let ticks = (0_u32..).zip(categories).map(tick).collect();
        Self { label: label.into(), scale: Scale::Ordinal, ticks, ..Self::default() }
    }

    /// Reaching these values, too.
    #[must_use]
    pub fn with(mut self, values: impl IntoIterator<Item = f64>) -> Self {
        self.includes.extend(values);
        self
    }
}

impl Datum {
    /// A value at a place.
    pub fn at(x: f64, y: Option<f64>) -> Self {
        Self { x, y, ..Self::default() }
    }

    /// The value, if it is a number.
    pub fn value(&self) -> Option<f64> {
        self.y.filter(|y| y.is_finite() && self.x.is_finite())
    }

    /// Both ends of the interval, if there are two and they are numbers.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let finite = |end: Option<f64>| end.filter(|end| end.is_finite());
        Some((finite(self.low)?, finite(self.high)?))
    }
}
