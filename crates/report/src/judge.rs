use slopbench_judge::JudgingEstimate;
use slopbench_judge::calibration::{CalibrationReport, Drift, JudgeIdentity, JudgeStanding, Measured, RaterAgreement};

use slopbench_slopcode::run::{RubricCheckpoint, RunRubric};

use crate::{Column, Table, Text};

/// The flags of each checkpoint of a run, new and carried ones apart, how many of its texts talk to the judge or hide something from it,
/// and what is to be said of the judge.
pub fn rubric(rubric: &RunRubric) -> Text {
    let columns = [
        "checkpoint",
        "verbosity",
        "erosion",
        "new",
        "carried",
        "beside",
        "not judged",
        "changed lines",
        "verbosity_v0",
        "attempts",
    ];
    let columns = columns.map(Column::Number);
    let mut table = Table::new(&[&[Column::Text("trajectory")], columns.as_slice()].concat());
    let cells = |id: &str, one: &RubricCheckpoint| {
        let counts = [one.flags.new.len(), one.flags.carried.len(), one.flags.beside.len(), one.flags.not_judged.len()];
        let first = [u64::from(one.checkpoint), one.verbosity, one.erosion].map(|count| count.to_string());
        let composite = one.verbosity_v0.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"));
        let figures = first.into_iter().chain(counts.map(|count| count.to_string()));
        [id.to_owned()]
            .into_iter()
            .chain(figures)
            .chain([one.flags.changed_lines.to_string(), composite, one.attempts.total.to_string()])
            .collect::<Vec<_>>()
    };
    for trajectory in &rubric.trajectories {
        trajectory.checkpoints.iter().for_each(|one| table.row(cells(&trajectory.id, one)));
    }
    let mut text = Text::from(table);
    text += Text::from(format!("\n{}\n", rubric.standing));
    text
}

/// What questions to a judge may cost.
pub fn judging_estimate(estimate: &JudgingEstimate) -> Text {
    let usd = estimate
        .usd
        .map_or_else(|| "an unknown amount, as the model has no price".to_owned(), |usd| format!("${usd:.2}"));
    let JudgingEstimate { questions, cached, requests, input_tokens, output_tokens, .. } = estimate;
    Text::from(format!(
        "{questions} questions, {cached} of them judged already; at most {requests} requests, {input_tokens} tokens read and \
         {output_tokens} written: {usd}\n"
    ))
}

/// How far people agree with a judge and with each other, and the matrix of each two.
pub fn calibration(report: &CalibrationReport) -> Text {
    let mut text = Text::from(format!("{}\n", who(&report.judge)));
    text += Text::from(format!("{}\n\n", JudgeStanding::of(&report.judge, Some(report))));
    text += Text::from(agreements(&report.agreements));
    for one in &report.agreements {
        text += matrix(one);
    }
    text
}

/// How two judgings of the same items differ.
pub fn drift(drift: &Drift) -> Text {
    let mut text = Text::from(format!("first:  {}\nsecond: {}\n", who(&drift.first), who(&drift.second)));
    text += Text::from(format!(
        "items in one of both: {}; newly judged: {}; no longer judged: {}\n\n",
        drift.only_in_one, drift.newly_judged, drift.no_longer_judged
    ));
    let mut table = table(&[&drift.agreement]);
    table.row(["mean shift, levels".to_owned(), shown(&drift.shift, 1.0)]);
    text += Text::from(table);
    text += matrix(&drift.agreement);
    text
}

fn who(judge: &JudgeIdentity) -> String {
    format!("{} by {}, prompt {}", judge.kind, judge.settings.model, judge.prompt.short())
}

fn agreements(agreements: &[RaterAgreement]) -> Table {
    table(&agreements.iter().collect::<Vec<_>>())
}

/// A row for each measure, as SLUMP's Table 2 has them, with 95% intervals.
fn table(agreements: &[&RaterAgreement]) -> Table {
    let titles: Vec<_> = agreements.iter().map(|one| format!("{}-{}", one.first, one.second)).collect();
    let mut columns = vec![(Column::Text("measure"), "measure")];
    columns.extend(titles.iter().map(|title| (Column::Number("pair"), title.as_str())));
    let mut table = Table::titled(&columns);
    let mut add = |name: String, of: &dyn Fn(&RaterAgreement) -> String| {
        table.row([name].into_iter().chain(agreements.iter().map(|one| of(one))));
    };
    add("weighted kappa (quadratic)".to_owned(), &|one| shown(&one.quadratic_kappa, 1.0));
    add("exact match, %".to_owned(), &|one| shown(&one.exact, 100.0));
    add("Spearman rho".to_owned(), &|one| shown(&one.spearman, 1.0));
    add("within 1, %".to_owned(), &|one| shown(&one.within_one, 100.0));
    let boundaries = agreements.iter().map(|one| one.boundaries.len()).min().unwrap_or_default();
    for lower in 0..boundaries {
        let name = format!("boundary {lower}-{}, %", lower + 1);
        add(name, &|one| shown(&one.boundaries[lower].share, 100.0));
    }
    add("pairs".to_owned(), &|one| one.exact.pairs.to_string());
    table
}

/// A figure with its interval, or a dash.
fn shown(measured: &Measured, scale: f64) -> String {
    let digits = if scale == 1.0 { 3 } else { 1 };
    let number = |value: f64| format!("{:.digits$}", value * scale);
    match (measured.value, measured.low.zip(measured.high)) {
        (Some(value), Some((low, high))) => format!("{} [{}, {}]", number(value), number(low), number(high)),
        (Some(value), None) => number(value),
        (None, _) => "-".to_owned(),
    }
}

fn matrix(one: &RaterAgreement) -> Text {
    let levels: Vec<_> = (0..one.confusion.len()).map(|level| level.to_string()).collect();
    let title = format!("Scores of {} (rows) and {} (columns):", one.first, one.second);
    let mut columns = vec![(Column::Text("level"), "")];
    columns.extend(levels.iter().map(|level| (Column::Number("level"), level.as_str())));
    let mut table = Table::titled(&columns);
    for (level, row) in levels.iter().zip(&one.confusion) {
        table.row([level.clone()].into_iter().chain(row.iter().map(ToString::to_string)));
    }
    let mut text = Text::heading(&title);
    text += Text::from(table);
    text
}
