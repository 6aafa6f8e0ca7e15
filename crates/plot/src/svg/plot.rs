//! The space between a panel's axes, and where points lie in it.

use crate::{Along, Emphasis, IntervalShape, Mark, Panel, Scale, Series, scale::MappedAxis};

/// Round values are at most so many on an axis, and along the bottom at least so far apart.
const TICKS: usize = 6;
const TICKS_APART: f64 = 52.0;

/// Points of several series at one place stand at most so far apart.
const APART: f64 = 9.0;

/// The axes of a panel, and the rectangle between them.
pub(super) struct Plot<'f> {
    pub(super) panel: &'f Panel,
    pub(super) x: MappedAxis,
    pub(super) y: MappedAxis,
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl<'f> Plot<'f> {
    /// The axes of a panel with about so much room along the bottom; the rectangle is still to be set.
    pub(super) fn of(panel: &'f Panel, room: f64) -> Self {
        let along_bottom = ((room / TICKS_APART) as usize).clamp(2, TICKS);
        let (x_ticks, y_ticks) = if panel.flipped { (TICKS, along_bottom) } else { (along_bottom, TICKS) };
        let data = || panel.series.iter().flat_map(|series| series.data.iter());
        let along = |along: Along| {
            panel
                .references
                .iter()
                .filter(move |line| line.along == along)
                .flat_map(|line| [Some(line.at), line.low, line.high].into_iter().flatten())
        };
        let places = data().filter(|datum| datum.value().is_some()).map(|datum| datum.x);
        let values = data().flat_map(|datum| {
            let (low, high) = datum.interval().unzip();
            [datum.value(), low.filter(|_| datum.value().is_some()), high.filter(|_| datum.value().is_some())]
        });
        let has_bars = panel.series.iter().any(|series| series.mark == Mark::Bar);
        let base = (has_bars && panel.y.scale != Scale::Log).then_some(0.0);
        let x = MappedAxis::of(&panel.x, places.chain(along(Along::Positions)), x_ticks);
        let values = values.flatten().chain(along(Along::Values)).chain(base);
        let y = MappedAxis::of(&panel.y, values, y_ticks);
        Self { panel, x, y, left: 0.0, top: 0.0, width: 0.0, height: 0.0 }
    }

    /// Where a value is; `aside` is how far its series stands from its place.
    pub(super) fn at(&self, x: f64, y: f64, aside: f64) -> Option<(f64, f64)> {
        let (along, value) = (self.x.place(x)?, self.y.place(y)?);
        Some(match self.panel.flipped {
            true => (self.left + value * self.width, self.top + along * self.height + aside),
            false => (self.left + along * self.width + aside, self.top + (1.0 - value) * self.height),
        })
    }

    /// How long the axis of places is.
    fn breadth(&self) -> f64 {
        if self.panel.flipped { self.height } else { self.width }
    }

    /// How thick a bar is, where so many share a category.
    pub(super) fn bar(&self, sharing: usize) -> f64 {
        (self.breadth() * self.x.band() * 0.8 / sharing.max(1) as f64).min(26.0)
    }

    /// How far each series stands from its places, in their order.
    pub(super) fn asides(&self) -> Vec<f64> {
        let is_apart = |series: &Series| {
            let is_area = series.interval == IntervalShape::Band && series.data.iter().any(|one| one.low.is_some());
            series.emphasis != Emphasis::Context && !is_area && series.mark != Mark::Text
        };
        let sharing = match self.panel.x.scale {
            Scale::Ordinal => self.panel.series.iter().filter(|series| is_apart(series)).count(),
            _ => 0,
        };
        let has_bars = self.panel.series.iter().any(|series| series.mark == Mark::Bar);
        let step = match has_bars {
            true => self.bar(sharing),
            false => (self.breadth() * self.x.band() * 0.75 / sharing.max(1) as f64).min(APART),
        };
        let mut index = 0;
        let aside = |series: &Series| {
            if sharing < 2 || !is_apart(series) {
                return 0.0;
            }
            index += 1;
            (f64::from(index) - 0.5 - sharing as f64 / 2.0) * step
        };
        self.panel.series.iter().map(aside).collect()
    }
}
