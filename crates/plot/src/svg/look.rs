//! How series are told apart: by hue, marker and dash together, so that none of them is needed alone.

use std::fmt::Write as _;

use super::canvas::Px;
use crate::{Emphasis, Figure, Series};

/// Okabe and Ito's hues ("Color Universal Design", 2008), on light and on dark ground. Their yellow is left out, which white hides, and
/// their black is that of text.
const HUES: [(&str, &str); 6] = [
    ("#0072b2", "#4aa8e0"),
    ("#d55e00", "#f07d26"),
    ("#009e73", "#1dbf93"),
    ("#cc79a7", "#dd94bb"),
    ("#e69f00", "#e69f00"),
    ("#56b4e9", "#8bcdf2"),
];

/// Their numbers share no divisor: each pair of the two is of one series in 35.
const MARKERS: [Marker; 7] =
    [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Downward, Marker::Plus, Marker::Cross];
const DASHES: [&str; 5] = ["", "7 3", "2 3", "8 3 2 3", "12 4"];

/// Of lines that others are compared with.
const REFERENCE_DASHES: [&str; 3] = ["4 4", "1 4", "10 4 1 4"];

/// What a page sets, by name, with its values on light and on dark ground.
const PROPERTIES: [(&str, &str, &str); 5] = [
    ("background", "#ffffff", "#16181d"),
    ("ink", "#222222", "#e8e8e8"),
    ("muted", "#555555", "#b4b8bf"),
    ("grid", "#e2e2e2", "#33373e"),
    ("context", "#b5b5b5", "#5d636c"),
];

/// The form of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Downward,
    Plus,
    Cross,
}

impl Marker {
    /// Its outline around a place.
    pub(super) fn path(self, (x, y): (f64, f64), radius: f64) -> String {
        let closed = |corners: &[(f64, f64)]| {
            let corners: Vec<_> =
                corners.iter().map(|(dx, dy)| format!("{} {}", Px(x + dx * radius), Px(y + dy * radius))).collect();
            format!("M{}Z", corners.join("L"))
        };
        let strokes = |from: (f64, f64), to: (f64, f64)| {
            let [a, b, c, d] = [x + from.0 * radius, y + from.1 * radius, x + to.0 * radius, y + to.1 * radius].map(Px);
            format!("M{a} {b}L{c} {d}")
        };
        match self {
            Self::Circle => {
                let (left, radius, across) = (Px(x - radius), Px(radius), Px(2.0 * radius));
                format!("M{left} {}a{radius} {radius} 0 1 0 {across} 0a{radius} {radius} 0 1 0 -{across} 0Z", Px(y))
            }
            Self::Square => closed(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
            Self::Triangle => closed(&[(0.0, -1.15), (1.1, 0.85), (-1.1, 0.85)]),
            Self::Diamond => closed(&[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]),
            Self::Downward => closed(&[(0.0, 1.15), (1.1, -0.85), (-1.1, -0.85)]),
            Self::Plus => strokes((-1.2, 0.0), (1.2, 0.0)) + &strokes((0.0, -1.2), (0.0, 1.2)),
            Self::Cross => strokes((-1.0, -1.0), (1.0, 1.0)) + &strokes((-1.0, 1.0), (1.0, -1.0)),
        }
    }
}

/// How one series looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    /// Its hue, of [`HUES`]; else that of `property`.
    hue: Option<usize>,
    property: &'static str,
    pub(super) dash: &'static str,
    pub(super) marker: Marker,
    /// Of its line.
    pub(super) width: f64,
}

impl Look {
    const STRONG: Self = Self { hue: None, property: "ink", dash: "", marker: Marker::Circle, width: 2.6 };
    pub(super) const CONTEXT: Self =
        Self { hue: None, property: "context", dash: "", marker: Marker::Circle, width: 1.0 };

    fn of_slot(slot: usize) -> Self {
        let (dash, marker) = (DASHES[slot % DASHES.len()], MARKERS[slot % MARKERS.len()]);
        Self { hue: Some(slot % HUES.len()), property: "", dash, marker, width: 2.0 }
    }

    /// The opening tag of what has its colour, in lines and areas.
    pub(super) fn group(self) -> String {
        match self.hue {
            Some(hue) => {
                let light = HUES[hue].0;
                format!("<g class=\"plot-s{hue}\" fill=\"{light}\" stroke=\"{light}\">")
            }
            None => {
                let light = PROPERTIES.iter().find(|one| one.0 == self.property).map_or("#222222", |one| one.1);
                format!("<g class=\"plot-{}-mark\" fill=\"{light}\" stroke=\"{light}\">", self.property)
            }
        }
    }

    /// The attribute of its dash.
    pub(super) fn dash_attribute(self) -> String {
        dash_attribute(self.dash)
    }
}

fn dash_attribute(dash: &str) -> String {
    if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") }
}

/// How the series of a figure look: by their names, in the order of their first panel.
pub(super) struct Looks<'f> {
    names: Vec<&'f str>,
    references: Vec<&'f str>,
}

impl<'f> Looks<'f> {
    pub(super) fn of(figure: &'f Figure) -> Self {
        let (mut names, mut references): (Vec<&str>, Vec<&str>) = Default::default();
        for panel in &figure.panels {
            for series in panel.series.iter().filter(|series| series.emphasis == Emphasis::Normal) {
                if !names.contains(&series.name.as_str()) {
                    names.push(&series.name);
                }
            }
            for line in &panel.references {
                if !references.contains(&line.name.as_str()) {
                    references.push(&line.name);
                }
            }
        }
        Self { names, references }
    }

    pub(super) fn look(&self, series: &Series) -> Look {
        match series.emphasis {
            Emphasis::Strong => Look::STRONG,
            Emphasis::Context => Look::CONTEXT,
            Emphasis::Normal => {
                Look::of_slot(self.names.iter().position(|name| *name == series.name).unwrap_or_default())
            }
        }
    }

    /// The dash of a reference line, as an attribute.
    pub(super) fn reference_dash(&self, name: &str) -> String {
        let slot = self.references.iter().position(|known| *known == name).unwrap_or_default();
        dash_attribute(REFERENCE_DASHES[slot % REFERENCE_DASHES.len()])
    }

    /// What reference lines are called, each once.
    pub(super) fn references(&self) -> &[&'f str] {
        &self.references
    }
}

/// Rules that follow a page's properties, or else the reader's colour scheme.
pub(super) fn stylesheet() -> String {
    let mut css = String::new();
    for (is_dark, open, close) in [(false, "", ""), (true, "@media (prefers-color-scheme:dark){", "}")] {
        css.push_str(open);
        for (name, light, dark) in PROPERTIES {
            let value = format!("var(--plot-{name},{})", if is_dark { dark } else { light });
            // Of text alone, of lines alone, and of marks, which have both.
            let _ = write!(css, ".plot-{name}{{fill:{value}}}.plot-{name}-line{{stroke:{value}}}");
            let _ = write!(css, ".plot-{name}-mark{{fill:{value};stroke:{value}}}");
        }
        for (hue, (light, dark)) in HUES.iter().enumerate() {
            let value = format!("var(--plot-s{hue},{})", if is_dark { dark } else { light });
            let _ = write!(css, ".plot-s{hue}{{fill:{value};stroke:{value}}}");
        }
        css.push_str(close);
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_of_many_series_look_the_same_without_hues() {
        let looks: Vec<_> = (0..35).map(|slot| (Look::of_slot(slot).dash, Look::of_slot(slot).marker)).collect();
        for (place, look) in looks.iter().enumerate() {
            assert!(!looks[..place].contains(look), "{place}: {look:?}");
        }
    }
}
