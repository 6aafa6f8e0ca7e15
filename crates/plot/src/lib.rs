//! Figures: scales, axes, marks, legends and small multiples, from data to SVG. Knows nothing of runs, pages or files.
//!
//! A [`Figure`] is data: panels with two axes each, and series of points with intervals. [`Figure::svg`] draws it, the same to the
//! byte on every machine: coordinates have one decimal, widths of text come from a table, nothing depends on a clock, a font or the
//! order of a hash map. [`Figure::csv`] gives its numbers; as JSON it is what [`serde`] makes of it.
//!
//! | question | module |
//! | --- | --- |
//! | what a figure consists of | [`figure`] |
//! | where values lie on an axis, and which ticks it has | `scale` |
//! | how numbers are written | `number` |
//! | how wide text is, and where its lines break | `words` |
//! | what is said to who does not see it | `description` |
//! | how it is drawn | `svg` |
//!
//! - **Read without colour:** series differ in marker and dash as well as in hue (Okabe and Ito's, 2008, without the yellow, which
//!   white hides). Text is never in a series' hue.
//! - **Read without eyes:** `role="img"` with a title and a description of where each series begins and ends.
//! - **Read with a pointer:** each mark has a `<title>` with its value, interval and n.
//! - **Light and dark:** hues are CSS custom properties (`--plot-ink`, `--plot-background`, `--plot-s0`, …) with fallbacks that follow
//!   the reader's colour scheme, over attributes for programs that know no CSS. A page that has themes sets the properties.
//! - **Missing is missing:** a point without a value, or one that is not finite, is a gap in its line; n stands beside what is there.
//! - **Foreign text** is escaped, and characters that XML forbids or that turn the direction of text are replaced.
//!
//! # Why no crate for charts
//!
//! By their sources: plotters 0.3.7 writes no titles, descriptions or custom properties into its SVG, and lays text out by the
//! machine's fonts; kuva 0.6.0 has bands, whiskers and hover titles, but fixed hues for each theme, neither `role` nor description,
//! and hash maps on its way to the drawing; poloto 19.1.2 has classes for CSS, but no intervals, titles or descriptions; charming
//! 0.6.0 leaves the drawing to ECharts in a script engine.
//!
//! # Why no PNG
//!
//! Pixels of text need a font that is the same everywhere, and who lays it out: resvg 0.49 with text is 50 more crates in a build that
//! has to stay short, and a font in every binary. Browsers have both: the page of `report` gives its figures as PNG.

mod description;
pub mod figure;
mod number;
mod scale;
mod svg;
mod table;
mod words;

pub use figure::{
    Along, Axis, AxisTick, Datum, Emphasis, Figure, FigureFormat, IntervalShape, Mark, Notation, Panel, ReferenceLine,
    Scale, Series,
};
