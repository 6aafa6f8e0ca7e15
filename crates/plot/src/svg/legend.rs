//! What the marks stand for: entries in rows, as many in a row as there is room for.

use super::{
    canvas::{Anchor, Canvas, Font, Px},
    look::{Look, Looks},
};
use crate::{Emphasis, Figure, Mark, words};

const SWATCH: f64 = 30.0;
const GAP: f64 = 16.0;
const ROW: f64 = 19.0;

enum Sample<'f> {
    Series(Look, Mark),
    Reference(&'f str),
}

struct Entry<'f> {
    sample: Sample<'f>,
    text: String,
}

/// Entries with their places, from the top left corner.
pub(super) struct Legend<'f> {
    placed: Vec<(f64, f64, Entry<'f>)>,
    pub(super) height: f64,
}

impl<'f> Legend<'f> {
    pub(super) fn of(figure: &'f Figure, looks: &Looks<'f>, room: f64) -> Self {
        let (mut x, mut y) = (0.0, 0.0);
        let mut placed = Vec::new();
        for mut entry in entries(figure, looks) {
            entry.text = words::shortened(&entry.text, Font::TEXT.size, room - SWATCH);
            let width = SWATCH + words::width(&entry.text, Font::TEXT.size);
            if x > 0.0 && x + width > room {
                (x, y) = (0.0, y + ROW);
            }
            placed.push((x, y, entry));
            x += width + GAP;
        }
        let height = if placed.is_empty() { 0.0 } else { y + ROW };
        Self { placed, height }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, looks: &Looks<'_>, (left, top): (f64, f64)) {
        for (x, y, entry) in &self.placed {
            let (x, y) = (left + x, top + y + ROW / 2.0);
            sample(canvas, looks, &entry.sample, (x, y));
            canvas.text((x + SWATCH, y + 4.5), Anchor::Start, Font::TEXT, &entry.text);
        }
    }
}

/// Each name once: what stands out, the others, many thin lines together, reference lines.
fn entries<'f>(figure: &'f Figure, looks: &Looks<'f>) -> Vec<Entry<'f>> {
    let mut entries: Vec<Entry<'f>> = Vec::new();
    let mut names = Vec::new();
    for emphasis in [Emphasis::Strong, Emphasis::Normal, Emphasis::Context] {
        for series in figure.panels.iter().flat_map(|panel| &panel.series).filter(|one| one.emphasis == emphasis) {
            let text = if emphasis == Emphasis::Context { &figure.context } else { &series.name };
            let is_new = !text.is_empty() && !names.contains(&(emphasis, text));
            if is_new && series.mark != Mark::Text && !series.data.is_empty() {
                names.push((emphasis, text));
                let sample = Sample::Series(looks.look(series), series.mark);
                entries.push(Entry { sample, text: text.clone() });
            }
        }
    }
    let reference = |name: &&'f str| Entry { sample: Sample::Reference(name), text: (*name).to_owned() };
    entries.extend(looks.references().iter().map(reference));
    entries
}

fn sample(canvas: &mut Canvas, looks: &Looks<'_>, sample: &Sample<'_>, (x, y): (f64, f64)) {
    let (end, middle) = (x + SWATCH - 6.0, x + (SWATCH - 6.0) / 2.0);
    let line = format!("M{} {}H{}", Px(x), Px(y), Px(end));
    match sample {
        Sample::Reference(name) => {
            let dash = looks.reference_dash(name);
            canvas.put(format_args!(
                "<path class=\"plot-ink-line\" d=\"{line}\" fill=\"none\" stroke=\"#222222\" stroke-width=\"1.4\"{dash}/>"
            ));
        }
        Sample::Series(look, mark) => {
            let mut shapes = String::new();
            if matches!(mark, Mark::Line | Mark::Step) {
                let (width, dash) = (Px(look.width), look.dash_attribute());
                shapes += &format!("<path d=\"{line}\" fill=\"none\" stroke-width=\"{width}\"{dash}/>");
            }
            if *look != Look::CONTEXT {
                shapes += &format!("<path d=\"{}\" stroke-width=\"1.6\"/>", look.marker.path((middle, y), 4.0));
            }
            canvas.put(format_args!("{}{shapes}</g>", look.group()));
        }
    }
}
