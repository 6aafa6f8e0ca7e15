//! What a figure says to who does not see it, or points at a mark.

use crate::{Datum, Emphasis, Figure, Panel, ReferenceLine, Series, number::place_name};

/// More series of a panel are counted, not described.
const DESCRIBED: usize = 12;

/// The figure's description, where each series begins and ends, and what it is compared with.
pub(crate) fn description(figure: &Figure) -> String {
    let panels = figure.panels.iter().map(of_panel);
    let parts = [figure.subtitle.clone(), figure.description.clone()].into_iter().chain(panels);
    let sentences = parts.filter(|part| !part.is_empty()).map(|part| match part.ends_with(['.', '!', '?']) {
        true => part,
        false => part + ".",
    });
    sentences.collect::<Vec<_>>().join(" ")
}

fn of_panel(panel: &Panel) -> String {
    let (told, untold): (Vec<_>, Vec<_>) =
        panel.series.iter().partition(|series| series.emphasis != Emphasis::Context && !series.name.is_empty());
    let more = untold.len() + told.len().saturating_sub(DESCRIBED);
    let series = told.into_iter().take(DESCRIBED).map(|series| of_series(panel, series));
    let references = panel.references.iter().map(|line| reference_text(panel, line));
    let more = (more > 0).then(|| format!("{more} more series"));
    let parts: Vec<String> = series.chain(references).chain(more).collect();
    let label = if panel.title.is_empty() { &panel.y.label } else { &panel.title };
    match parts.is_empty() {
        true => format!("{label}: no data"),
        false => format!("{label}: {}", parts.join("; ")),
    }
}

fn of_series(panel: &Panel, series: &Series) -> String {
    let values: Vec<(&Datum, f64)> = series.data.iter().filter_map(|datum| Some((datum, datum.value()?))).collect();
    let gaps = match series.data.len() - values.len() {
        0 => String::new(),
        gaps => format!(", {gaps} without a value"),
    };
    let at = |(datum, y): &(&Datum, f64)| format!("{} at {}", panel.y.notation.precise(*y), place(panel, datum));
    // Along a list of names there is no beginning; of one value there is no way.
    let ends = match panel.flipped {
        true => (values.iter().min_by(|a, b| a.1.total_cmp(&b.1)), values.iter().max_by(|a, b| a.1.total_cmp(&b.1))),
        false => (values.first(), values.last()),
    };
    match ends {
        (Some(first), Some(last)) if values.len() > 1 => {
            format!("{} from {} to {}{gaps}", series.name, at(first), at(last))
        }
        (Some(only), _) => format!("{} {}{gaps}", series.name, at(only)),
        _ => format!("{} has no value", series.name),
    }
}

fn place(panel: &Panel, datum: &Datum) -> String {
    if datum.name.is_empty() { place_name(&panel.x, datum.x) } else { datum.name.clone() }
}

/// What a mark says of itself.
pub(crate) fn datum_text(panel: &Panel, series: &Series, datum: &Datum) -> String {
    let notation = panel.y.notation;
    let value = datum.value().map_or_else(|| "no value".to_owned(), |value| notation.precise(value));
    let interval = datum.interval().map(|(low, high)| interval_text(panel, low, high)).unwrap_or_default();
    let n = datum.n.map(|n| format!(", n = {n}")).unwrap_or_default();
    let missing = datum.missing.filter(|missing| *missing > 0).map(|missing| format!(" ({missing} missing)"));
    let name = if series.name.is_empty() { String::new() } else { format!("{}, ", series.name) };
    format!("{name}{}: {value}{interval}{n}{}", place(panel, datum), missing.unwrap_or_default())
}

/// What a reference line says of itself.
pub(crate) fn reference_text(panel: &Panel, line: &ReferenceLine) -> String {
    let notation = match line.along {
        crate::Along::Positions => panel.x.notation,
        _ => panel.y.notation,
    };
    let interval = line.low.zip(line.high).map(|(low, high)| interval_text(panel, low, high)).unwrap_or_default();
    let n = line.n.map(|n| format!(", n = {n}")).unwrap_or_default();
    match line.along {
        crate::Along::Diagonal => line.name.clone(),
        _ => format!("{}: {}{interval}{n}", line.name, notation.precise(line.at)),
    }
}

fn interval_text(panel: &Panel, low: f64, high: f64) -> String {
    let [low, high] = [low, high].map(|end| panel.y.notation.precise(end));
    format!(" [{low}, {high}]")
}
