//! One panel: what stands above it, its axes, and what lies between them.

use super::{
    canvas::{Anchor, Canvas, Font, Px},
    look::{Look, Looks},
    marks,
    plot::Plot,
};
use crate::{Axis, AxisTick, Panel, Scale, Series, words};

const PLOT_HEIGHT: f64 = 165.0;
/// What a category takes down the side, and what each series in it does.
const CATEGORY: f64 = 18.0;
const PER_SERIES: f64 = 11.0;
/// Names down the side take at most this share of a panel.
const NAMES: f64 = 0.42;
const TICK: f64 = 5.0;
const MARGIN: f64 = 12.0;

/// A panel that knows how wide it is, and so how high.
pub(super) struct PanelBox<'f> {
    plot: Plot<'f>,
    width: f64,
    title: Vec<String>,
    label: Vec<String>,
    annotations: Vec<(Look, String)>,
    /// Names down the side.
    side: Vec<AxisTick>,
    /// Names along the bottom.
    bottom: Vec<AxisTick>,
    left: f64,
    right: f64,
    pub(super) header: f64,
    pub(super) body: f64,
}

impl<'f> PanelBox<'f> {
    pub(super) fn of(panel: &'f Panel, looks: &Looks<'_>, width: f64) -> Self {
        let mut plot = Plot::of(panel, width * if panel.flipped { 1.0 - NAMES } else { 0.85 });
        let (side_axis, bottom_axis) = if panel.flipped { (&panel.x, &panel.y) } else { (&panel.y, &panel.x) };
        let ticks =
            |axis: &Axis| if std::ptr::eq(axis, &panel.x) { plot.x.ticks.clone() } else { plot.y.ticks.clone() };
        let (mut side, bottom) = (ticks(side_axis), ticks(bottom_axis));
        for tick in &mut side {
            tick.label = words::shortened(&tick.label, Font::SMALL.size, width * NAMES);
        }
        let left = side.iter().map(|tick| words::width(&tick.label, Font::SMALL.size)).fold(0.0, f64::max) + 9.0;
        let right = right_margin(panel, &bottom);
        let annotations = panel.series.iter().filter(|series| !series.annotation.is_empty());
        let annotations: Vec<_> = annotations.map(|series| (looks.look(series), series.annotation.clone())).collect();
        let title = words::wrapped(&panel.title, Font::HEAD.measured(), width);
        let label = words::wrapped(&side_axis.label, Font::SMALL.size, width);
        let rows = annotation_rows(&annotations, width);
        let header = title.len() as f64 * Font::HEAD.height()
            + (label.len() + rows) as f64 * Font::SMALL.height()
            + if title.len() + label.len() + rows > 0 { 9.0 } else { 4.0 };
        let height = if panel.flipped { flipped_height(panel) } else { PLOT_HEIGHT };
        let room = width - left - right;
        (plot.left, plot.width, plot.height) = (left, room, height);
        let bottom = thinned(&plot, bottom);
        let has_detail = bottom.iter().any(|tick| !tick.detail.is_empty());
        let has_label = !bottom_axis.label.is_empty();
        let body = height + TICK + Font::SMALL.height() * (1 + usize::from(has_detail) + usize::from(has_label)) as f64;
        Self { plot, width, title, label, annotations, side, bottom, left, right, header, body }
    }

    /// Draws it with its corner at a place; panels of a row have headers of one height.
    pub(super) fn draw(mut self, canvas: &mut Canvas, looks: &Looks<'_>, (x, y): (f64, f64), header: f64) {
        canvas.put(format_args!("<g>"));
        self.header(canvas, x, y);
        (self.plot.left, self.plot.top) = (x + self.left, y + header);
        self.plot.width = self.width - self.left - self.right;
        self.grid(canvas);
        self.ticks(canvas);
        marks::draw(canvas, &self.plot, looks);
        if self.plot.panel.series.iter().all(|series| series.data.iter().all(|datum| datum.value().is_none())) {
            let middle = (self.plot.left + self.plot.width / 2.0, self.plot.top + self.plot.height / 2.0);
            canvas.text(middle, Anchor::Middle, Font::TEXT, "no data");
        }
        canvas.put(format_args!("</g>"));
    }

    fn header(&self, canvas: &mut Canvas, x: f64, y: f64) {
        let mut foot = y - 3.0;
        for (lines, font) in [(&self.title, Font::HEAD), (&self.label, Font::SMALL)] {
            for line in lines {
                foot += font.height();
                canvas.text((x, foot), Anchor::Start, font, line);
            }
        }
        for (at, row, look, text) in annotation_places(&self.annotations, self.width) {
            let foot = foot + (row + 1) as f64 * Font::SMALL.height();
            let marker = look.marker.path((x + at + 6.0, foot - 4.0), 3.6);
            canvas.put(format_args!("{}<path d=\"{marker}\" stroke-width=\"1.6\"/></g>", look.group()));
            canvas.text((x + at + 15.0, foot), Anchor::Start, Font { muted: false, ..Font::SMALL }, text);
        }
    }

    /// Lines across the plot at the ticks of values, and the line on which the plot stands.
    fn grid(&self, canvas: &mut Canvas) {
        let Plot { left, top, width, height, .. } = self.plot;
        let (right, floor) = (left + width, top + height);
        let lines = self.plot.y.ticks.iter().filter_map(|tick| self.plot.y.place(tick.at)).map(|place| {
            match self.plot.panel.flipped {
                true => format!("M{} {}V{}", Px(left + place * width), Px(top), Px(floor)),
                false => format!("M{} {}H{}", Px(left), Px(floor - place * height), Px(right)),
            }
        });
        let lines: String = lines.collect();
        canvas.put(format_args!("<path class=\"plot-grid-line\" d=\"{lines}\" fill=\"none\" stroke=\"#e2e2e2\"/>"));
        let base = self.plot.y.place(0.0).filter(|place| (0.0..=1.0).contains(place)).unwrap_or(0.0);
        let base = match self.plot.panel.flipped {
            true => format!("M{} {}V{}", Px(left + base * width), Px(top), Px(floor)),
            false => format!("M{} {}H{}", Px(left), Px(floor - base * height), Px(right)),
        };
        canvas.put(format_args!("<path class=\"plot-muted-line\" d=\"{base}\" fill=\"none\" stroke=\"#555555\"/>"));
    }

    fn ticks(&self, canvas: &mut Canvas) {
        let plot = &self.plot;
        let (side_axis, bottom_axis) = match plot.panel.flipped {
            true => (&plot.x, &plot.y),
            false => (&plot.y, &plot.x),
        };
        for tick in &self.side {
            let Some(place) = side_axis.place(tick.at) else { continue };
            let place = if plot.panel.flipped { place } else { 1.0 - place };
            let foot = plot.top + place * plot.height + 4.2;
            canvas.text((plot.left - 6.0, foot), Anchor::End, Font::SMALL, &tick.label);
        }
        let floor = plot.top + plot.height;
        let mut marks = String::new();
        for tick in &self.bottom {
            let Some(place) = bottom_axis.place(tick.at) else { continue };
            let x = plot.left + place * plot.width;
            marks += &format!("M{} {}v{}", Px(x), Px(floor), Px(TICK));
            let foot = floor + TICK + Font::SMALL.size;
            canvas.text((x, foot), Anchor::Middle, Font::SMALL, &tick.label);
            if !tick.detail.is_empty() {
                canvas.text((x, foot + Font::SMALL.height()), Anchor::Middle, Font::SMALL, &tick.detail);
            }
        }
        canvas.put(format_args!("<path class=\"plot-muted-line\" d=\"{marks}\" fill=\"none\" stroke=\"#555555\"/>"));
        let label = if plot.panel.flipped { &plot.panel.y.label } else { &plot.panel.x.label };
        if !label.is_empty() {
            let foot = floor + self.body - plot.height - 4.0;
            let label = words::shortened(label, Font::SMALL.size, self.width);
            // Below the plot's middle, but not beyond the panel.
            let half = words::width(&label, Font::SMALL.size) / 2.0;
            let (from, to) = (plot.left - self.left + half, plot.left - self.left + self.width - half);
            let middle = (plot.left + plot.width / 2.0).min(to).max(from);
            canvas.text((middle, foot), Anchor::Middle, Font::SMALL, &label);
        }
    }
}

/// Whether its names down the side can be told apart in a panel of this width: none has to be cut.
pub(super) fn has_room(panel: &Panel, width: f64) -> bool {
    let names = panel.x.ticks.iter().map(|tick| words::width(&tick.label, Font::SMALL.size));
    !panel.flipped || names.fold(0.0, f64::max) <= width * NAMES
}

/// Room for half of the last tick's name, and for what is written beside the last points.
fn right_margin(panel: &Panel, bottom: &[AxisTick]) -> f64 {
    let half = bottom.last().map_or(0.0, |tick| words::width(&tick.label, Font::SMALL.size) / 2.0);
    // A category's name lies within its band.
    let half = if panel.flipped || panel.x.scale != Scale::Ordinal { half } else { 0.0 };
    let beside = |series: &Series| match series.mark {
        crate::Mark::Text => 0.0,
        _ => series
            .data
            .iter()
            .filter(|datum| !datum.label.is_empty())
            .map(|datum| words::width(&datum.label, Font::TEXT.size) + 10.0)
            .fold(0.0, f64::max),
    };
    panel.series.iter().map(beside).fold(half.max(MARGIN - 4.0), f64::max)
}

fn flipped_height(panel: &Panel) -> f64 {
    let series = panel.series.iter().filter(|series| series.emphasis != crate::Emphasis::Context).count();
    let category = CATEGORY.max(series as f64 * PER_SERIES + 6.0);
    panel.x.ticks.len().max(1) as f64 * category
}

/// The ticks along the bottom whose names have room beside each other, and of these the details that have.
fn thinned(plot: &Plot<'_>, ticks: Vec<AxisTick>) -> Vec<AxisTick> {
    let mut kept = with_room(plot, ticks, |tick| &tick.label);
    let detailed = with_room(plot, kept.clone(), |tick| &tick.detail);
    for tick in kept.iter_mut().filter(|tick| detailed.iter().all(|one| one.at != tick.at)) {
        tick.detail = String::new();
    }
    kept
}

/// The ticks whose text does not meet that of the one before; the last one always stays.
fn with_room(plot: &Plot<'_>, ticks: Vec<AxisTick>, text: fn(&AxisTick) -> &str) -> Vec<AxisTick> {
    let axis = if plot.panel.flipped { &plot.y } else { &plot.x };
    let span = |tick: &AxisTick| {
        let half = words::width(text(tick), Font::SMALL.size) / 2.0 + 2.5;
        let middle = axis.place(tick.at).unwrap_or_default() * plot.width;
        (middle - half, middle + half)
    };
    let mut kept: Vec<AxisTick> = Vec::new();
    let last = ticks.len().saturating_sub(1);
    for (place, tick) in ticks.into_iter().enumerate() {
        let meets = |kept: &[AxisTick]| kept.last().is_some_and(|before| span(before).1 > span(&tick).0);
        while place == last && meets(&kept) {
            kept.pop();
        }
        if !meets(&kept) {
            kept.push(tick);
        }
    }
    kept
}

/// Where annotations stand: from the left, and in which row.
fn annotation_places<'a>(
    all: &'a [(Look, String)],
    room: f64,
) -> impl Iterator<Item = (f64, usize, Look, &'a str)> + 'a {
    let (mut x, mut row) = (0.0, 0);
    all.iter().map(move |(look, text)| {
        let width = 15.0 + words::width(text, Font::SMALL.size);
        if x > 0.0 && x + width > room {
            (x, row) = (0.0, row + 1);
        }
        let at = x;
        x += width + 12.0;
        (at, row, *look, text.as_str())
    })
}

fn annotation_rows(all: &[(Look, String)], room: f64) -> usize {
    annotation_places(all, room).last().map_or(0, |(_, row, ..)| row + 1)
}
