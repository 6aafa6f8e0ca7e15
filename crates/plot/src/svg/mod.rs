//! How a figure is drawn: title, legend, panels in rows, notes, from the top down.

mod canvas;
mod legend;
mod look;
mod marks;
mod panel;
mod plot;

use canvas::{Anchor, Canvas, Escaped, Font, Px};
use legend::Legend;
use look::Looks;
use panel::{PanelBox, has_room};

use crate::{Figure, description::description, words};

/// The width of a figure that is asked for without one, in CSS pixels: two panels beside each other.
const WIDTH: f64 = 640.0;

/// What a panel needs; where there is less for two, they stand below each other.
const PANEL_WIDTH: f64 = 270.0;
const MARGIN: f64 = 14.0;
const GAP: f64 = 22.0;

const SYNTHETIC: &str = "Synthetic: made up, nothing of it was observed.";

/// Sans-serif of the reader's system.
const FONTS: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

impl Figure {
    /// The figure as SVG, 640 pixels wide.
    pub fn svg(&self) -> String {
        self.svg_of_width(WIDTH)
    }

    /// The figure as SVG of this width in CSS pixels, at least 320: its panels stand below each other where it is narrow.
    pub fn svg_of_width(&self, width: f64) -> String {
        draw(self, width.clamp(320.0, 4000.0))
    }
}

fn draw(figure: &Figure, width: f64) -> String {
    let looks = Looks::of(figure);
    let room = width - 2.0 * MARGIN;
    let mut canvas = Canvas::default();
    let mut y = MARGIN - 2.0;
    let synthetic = if figure.synthetic { SYNTHETIC } else { "" };
    let heading = [
        (figure.title.as_str(), Font::TITLE),
        (synthetic, Font { bold: true, ..Font::TEXT }),
        (figure.subtitle.as_str(), Font { muted: true, ..Font::TEXT }),
    ];
    for (text, font) in heading {
        y = paragraph(&mut canvas, (MARGIN, y), room, font, text);
    }
    let legend = Legend::of(figure, &looks, room);
    legend.draw(&mut canvas, &looks, (MARGIN, y + 6.0));
    y = panels(&mut canvas, figure, &looks, (room, y + 12.0 + legend.height));
    for note in &figure.notes {
        y = paragraph(&mut canvas, (MARGIN, y), room, Font::SMALL, note) + 2.0;
    }
    framed(figure, width, y + MARGIN - 4.0, &canvas.svg)
}

/// Lines of text below a height; gives that below them.
fn paragraph(canvas: &mut Canvas, (x, mut y): (f64, f64), room: f64, font: Font, text: &str) -> f64 {
    for line in words::wrapped(text, font.measured(), room) {
        y += font.height();
        canvas.text((x, y - 3.0), Anchor::Start, font, &line);
    }
    y
}

/// Panels, as many in a row as there is room for; gives the height below them.
fn panels(canvas: &mut Canvas, figure: &Figure, looks: &Looks<'_>, (room, mut y): (f64, f64)) -> f64 {
    let most = (((room + GAP) / (PANEL_WIDTH + GAP)) as usize).clamp(1, figure.panels.len().max(1));
    let width_of = |columns: usize| (room - GAP * (columns - 1) as f64) / columns as f64;
    let fits = |columns: &usize| figure.panels.iter().all(|panel| has_room(panel, width_of(*columns)));
    let columns = (1..=most).rev().find(fits).unwrap_or(1);
    let width = width_of(columns);
    for row in figure.panels.chunks(columns) {
        let boxes: Vec<_> = row.iter().map(|panel| PanelBox::of(panel, looks, width)).collect();
        let header = boxes.iter().map(|one| one.header).fold(0.0, f64::max);
        let body = boxes.iter().map(|one| one.body).fold(0.0, f64::max);
        for (column, one) in boxes.into_iter().enumerate() {
            one.draw(canvas, looks, (MARGIN + column as f64 * (width + GAP), y), header);
        }
        y += header + body + GAP - 6.0;
    }
    y
}

fn framed(figure: &Figure, width: f64, height: f64, body: &str) -> String {
    let (width, height, name) = (Px(width), Px(height), Escaped(&figure.name));
    let described = description(figure);
    let mut canvas = Canvas::default();
    canvas.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"{FONTS}\" role=\"img\" aria-labelledby=\"{name}-title {name}-desc\">"
    ));
    canvas.put(format_args!("<title id=\"{name}-title\">{}</title>", Escaped(&figure.title)));
    canvas.put(format_args!("<desc id=\"{name}-desc\">{}</desc>", Escaped(&described)));
    canvas.put(format_args!("<style>{}</style>", look::stylesheet()));
    canvas
        .put(format_args!("<rect class=\"plot-background\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    canvas.svg.push_str(body);
    canvas.put(format_args!("</svg>"));
    canvas.svg
}
