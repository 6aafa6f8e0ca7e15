//! Series between the axes: areas, lines, whiskers, markers, bars, and what is written beside them.

use super::{
    canvas::{Anchor, Canvas, Escaped, Font, Px},
    look::{Look, Looks},
    plot::Plot,
};
use crate::{
    Along, Datum, Emphasis, IntervalShape, Mark, ReferenceLine, Series,
    description::{datum_text, reference_text},
    words,
};

/// Above so many points, markers are small.
const MANY: usize = 30;

/// A place in the drawing.
type Place = (f64, f64);

pub(super) fn draw(canvas: &mut Canvas, plot: &Plot<'_>, looks: &Looks<'_>) {
    for line in &plot.panel.references {
        reference(canvas, plot, looks, line);
    }
    let asides = plot.asides();
    let all = || plot.panel.series.iter().zip(&asides);
    let is_context = |series: &Series| series.emphasis == Emphasis::Context;
    // What is one of many lies below what stands out.
    for (series, aside) in
        all().filter(|(series, _)| is_context(series)).chain(all().filter(|(one, _)| !is_context(one)))
    {
        draw_series(canvas, plot, looks.look(series), series, *aside);
    }
    labels(canvas, plot, all());
}

fn reference(canvas: &mut Canvas, plot: &Plot<'_>, looks: &Looks<'_>, line: &ReferenceLine) {
    let (x, y) = (plot.x.ends(), plot.y.ends());
    let ends = |at: f64| match line.along {
        Along::Values => [plot.at(x.0, at, 0.0), plot.at(x.1, at, 0.0)],
        Along::Positions => [plot.at(at, y.0, 0.0), plot.at(at, y.1, 0.0)],
        Along::Diagonal => {
            let (low, high) = (x.0.max(y.0 - at), x.1.min(y.1 - at));
            [plot.at(low, low + at, 0.0), plot.at(high, high + at, 0.0)]
        }
    };
    let title = reference_text(plot.panel, line);
    let title = Escaped(&title);
    if let (Some(low), Some(high)) = (line.low, line.high)
        && let ([Some(a), Some(b)], [Some(c), Some(d)], [Some(e), Some(f)]) = (ends(low), ends(line.at), ends(high))
    {
        // By way of the line itself, which ends in the corner that a diagonal's band goes around.
        let area = path(&[a, b, d, f, e, c]);
        canvas.put(format_args!(
            "<path class=\"plot-ink\" d=\"{area}Z\" fill=\"#222222\" fill-opacity=\"0.1\"><title>{title}</title></path>"
        ));
    }
    if let [Some(from), Some(to)] = ends(line.at) {
        let (line, dash) = (path(&[from, to]), looks.reference_dash(&line.name));
        canvas.put(format_args!(
            "<path class=\"plot-ink-line\" d=\"{line}\" fill=\"none\" stroke=\"#222222\" stroke-width=\"1.4\"{dash}>\
             <title>{title}</title></path>"
        ));
    }
}

fn draw_series(canvas: &mut Canvas, plot: &Plot<'_>, look: Look, series: &Series, aside: f64) {
    if series.mark == Mark::Text {
        return;
    }
    canvas.put(format_args!("{}", look.group()));
    if series.interval == IntervalShape::Band {
        runs(series, |datum| interval(plot, datum, aside)).iter().for_each(|run| area(canvas, run));
    }
    if matches!(series.mark, Mark::Line | Mark::Step) {
        runs(series, |datum| value(plot, datum, aside)).iter().for_each(|run| line(canvas, look, series, run));
    }
    if series.emphasis != Emphasis::Context {
        series.data.iter().for_each(|datum| point(canvas, plot, look, (series, aside), datum));
    }
    canvas.put(format_args!("</g>"));
}

fn value(plot: &Plot<'_>, datum: &Datum, aside: f64) -> Option<Place> {
    plot.at(datum.x, datum.value()?, aside)
}

fn interval(plot: &Plot<'_>, datum: &Datum, aside: f64) -> Option<(Place, Place)> {
    let (low, high) = datum.interval().filter(|_| datum.value().is_some())?;
    Some((plot.at(datum.x, low, aside)?, plot.at(datum.x, high, aside)?))
}

/// What follows each other without a gap.
fn runs<T>(series: &Series, of: impl Fn(&Datum) -> Option<T>) -> Vec<Vec<T>> {
    let mut runs: Vec<Vec<T>> = vec![Vec::new()];
    for datum in &series.data {
        match (of(datum), runs.last_mut()) {
            (Some(one), Some(run)) => run.push(one),
            _ => runs.push(Vec::new()),
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

fn path(places: &[Place]) -> String {
    let places: Vec<_> = places.iter().map(|(x, y)| format!("{} {}", Px(*x), Px(*y))).collect();
    format!("M{}", places.join("L"))
}

fn area(canvas: &mut Canvas, run: &[(Place, Place)]) {
    let lows = run.iter().map(|(low, _)| *low);
    let highs = run.iter().rev().map(|(_, high)| *high);
    let outline = path(&lows.chain(highs).collect::<Vec<_>>());
    canvas.put(format_args!("<path d=\"{outline}Z\" stroke=\"none\" fill-opacity=\"0.18\"/>"));
}

fn line(canvas: &mut Canvas, look: Look, series: &Series, run: &[Place]) {
    if run.len() < 2 {
        return;
    }
    let drawn = match series.mark {
        Mark::Step => {
            let steps = run[1..].iter().map(|(x, y)| format!("H{}V{}", Px(*x), Px(*y)));
            path(&run[..1]) + &steps.collect::<String>()
        }
        _ => path(run),
    };
    let (width, dash) = (Px(look.width), look.dash_attribute());
    let title = match series.emphasis {
        Emphasis::Context => format!("<title>{}</title>", Escaped(&series.name)),
        _ => String::new(),
    };
    canvas.put(format_args!("<path d=\"{drawn}\" fill=\"none\" stroke-width=\"{width}\"{dash}>{title}</path>"));
}

/// A point with its whisker, its bar, and what it says of itself.
fn point(canvas: &mut Canvas, plot: &Plot<'_>, look: Look, (series, aside): (&Series, f64), datum: &Datum) {
    let Some(place) = value(plot, datum, aside) else { return };
    let radius = if series.mark == Mark::Step || series.data.len() > MANY { 2.2 } else { 4.0 };
    let mut shapes = String::new();
    if series.mark == Mark::Bar {
        shapes += &bar(plot, datum.x, place, aside);
    }
    if series.interval == IntervalShape::Whisker
        && let Some((low, high)) = interval(plot, datum, aside)
    {
        shapes += &whisker(plot.panel.flipped, low, high);
    }
    let (marker, title) = (look.marker.path(place, radius), datum_text(plot.panel, series, datum));
    canvas.put(format_args!(
        "<g stroke-width=\"1.6\">{shapes}<path d=\"{marker}\"/><title>{}</title></g>",
        Escaped(&title)
    ));
}

fn whisker(flipped: bool, low: Place, high: Place) -> String {
    const END: f64 = 3.0;
    let across = |(x, y): Place| match flipped {
        true => path(&[(x, y - END), (x, y + END)]),
        false => path(&[(x - END, y), (x + END, y)]),
    };
    format!("<path d=\"{}{}{}\" fill=\"none\" stroke-width=\"1.4\"/>", path(&[low, high]), across(low), across(high))
}

fn bar(plot: &Plot<'_>, x: f64, (px, py): Place, aside: f64) -> String {
    let sharing = plot.panel.series.iter().filter(|series| series.mark == Mark::Bar).count();
    let half = plot.bar(sharing) * 0.45;
    let Some((bx, by)) = plot.at(x, plot.y.base(), aside) else { return String::new() };
    let corners = match plot.panel.flipped {
        true => [(bx, by - half), (px, py - half), (px, py + half), (bx, by + half)],
        false => [(bx - half, by), (px - half, py), (px + half, py), (bx + half, by)],
    };
    format!("<path d=\"{}Z\" stroke=\"none\" fill-opacity=\"0.45\"/>", path(&corners))
}

/// What is written beside points: below each other where they would meet.
fn labels<'s>(canvas: &mut Canvas, plot: &Plot<'_>, all: impl Iterator<Item = (&'s Series, &'s f64)>) {
    let font = Font::TEXT;
    let mut labels: Vec<(f64, f64, &Series, &Datum)> = Vec::new();
    for (series, aside) in all {
        for datum in series.data.iter().filter(|datum| !datum.label.is_empty()) {
            let place = value(plot, datum, *aside);
            labels.extend(place.map(|(x, y)| (x, y, series, datum)));
        }
    }
    labels.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for (x, y, series, datum) in labels {
        let width = words::width(&datum.label, font.size);
        let (anchor, from) = match series.mark {
            Mark::Text => (Anchor::Middle, x - width / 2.0),
            _ => (Anchor::Start, x + 9.0),
        };
        let mut foot = y + 4.5;
        for (left, right, other) in &taken {
            if from < *right && *left < from + width && foot - other < font.height() {
                foot = other + font.height();
            }
        }
        taken.push((from, from + width, foot));
        let at = if matches!(anchor, Anchor::Middle) { x } else { from };
        canvas.text((at, foot), anchor, font, &datum.label);
    }
}
