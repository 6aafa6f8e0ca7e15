use serde_json::Value;
use slopbench_agents::trajectory::{StepSource, TrajectoryStep};
use slopbench_gateway::catalogue::Origin;
use slopbench_slopcode::{
    results::CaseVerdict,
    run::{
        CheckpointRow, CheckpointView, DesignGroup, Estimate, PassRates, RunSummary, RunUsage, SolveRates,
        TrajectoryRow,
    },
};
use slopbench_tests::{Solve, Verdict};

use crate::{Column, Table, Text, printable, sparkline::sparkline, verdicts::describe};

/// A run: a row for each trajectory; then rows for each worker, model and prompt. Solve rates are over checkpoints for which
/// a session left a workspace (paper, Table 1).
pub fn run(summary: &RunSummary, usage: &RunUsage) -> Text {
    let mut table = Table::new(&[
        Column::Text("trajectory"),
        Column::Number("graded"),
        Column::Number("strict"),
        Column::Number("isolated"),
        Column::Number("core"),
        Column::Number("erosion"),
        Column::Number("verbosity"),
        Column::Number("cost"),
        Column::Text("state"),
    ]);
    summary.trajectories.iter().for_each(|row| table.row(trajectory_cells(row)));
    let mut groups = Table::new(&[
        Column::Text("worker"),
        Column::Text("model"),
        Column::Text("prompt"),
        Column::Number("produced"),
        Column::Number("strict"),
        Column::Number("isolated"),
        Column::Number("core"),
        Column::Number("partial"),
        Column::Number("solved"),
        Column::Number("$/checkpoint"),
        Column::Number("tokens/checkpoint"),
        Column::Number("min/checkpoint"),
        Column::Number("erosion"),
        Column::Number("verbosity"),
    ]);
    let minutes = usage.groups.iter().map(|group| group.minutes);
    summary.groups.iter().zip(minutes).for_each(|(group, minutes)| groups.row(group_cells(group, minutes)));
    let mut details = Table::new(&[
        Column::Text("worker"),
        Column::Text("model"),
        Column::Text("prompt"),
        Column::Number("core"),
        Column::Number("functionality"),
        Column::Number("error"),
        Column::Number("regression"),
        Column::Number("erosion slope"),
        Column::Number("rises"),
        Column::Number("verbosity slope"),
        Column::Number("rises"),
        Column::Number("high CC"),
        Column::Number("largest CC"),
    ]);
    summary.groups.iter().for_each(|group| details.row(detail_cells(group)));
    let accepted = summary.accepted_differences.iter().map(ToString::to_string);
    let accepted = accepted.map(|text| format!("another instrument: {}\n", printable(&text)));
    let mut text = Text::from(table);
    text += Text::drawing(progress(summary));
    text += "\n";
    text += groups;
    text += Text::heading("Cases that pass, and how quality goes:");
    text += details;
    text.extend(accepted);
    if summary.trajectories.iter().any(has_unknown_cost) {
        text += UNKNOWN_COST;
    }
    text
}

/// What is drawn of each checkpoint: its title, and what the highest block stands for, if that is not the largest value.
type Drawn = (&'static str, Option<f64>, fn(&CheckpointRow) -> Option<f64>);

const DRAWN: [Drawn; 3] = [
    ("pass rate", Some(1.0), |row| row.rates.map(|rates| rates.strict)),
    ("erosion", None, |row| row.quality.map(|quality| quality.erosion)),
    ("verbosity", None, |row| row.quality.map(|quality| quality.verbosity)),
];

/// Each trajectory over its checkpoints, as sparklines.
fn progress(summary: &RunSummary) -> Text {
    let mut table = Table::new(&[
        Column::Text("from the first checkpoint to the last"),
        Column::Text(DRAWN[0].0),
        Column::Text(DRAWN[1].0),
        Column::Text(DRAWN[2].0),
    ]);
    let rows = || summary.trajectories.iter().flat_map(|row| &row.checkpoints);
    let tops = DRAWN.map(|(_, top, of)| top.unwrap_or_else(|| rows().filter_map(of).fold(0.0, f64::max)));
    for row in &summary.trajectories {
        let drawn = DRAWN.iter().zip(tops).map(|((_, _, of), top)| sparkline(row.checkpoints.iter().map(of), top));
        table.row([row.id.clone()].into_iter().chain(drawn));
    }
    let mut text = Text::from("\n");
    text += table;
    text += "Pass rates are from 0 to 100%, the others from 0 to the largest value above; · is none.\n";
    text
}

/// What is said where a session's tokens are known, and a model's price is not.
const UNKNOWN_COST: &str = "The cost of some sessions is unknown: the catalogue has no price of a model of theirs.\n";

/// Scripted models cost nothing and have no price.
fn has_unknown_cost(row: &TrajectoryRow) -> bool {
    row.model.as_deref() != Some("scripted")
        && row.checkpoints.iter().any(|row| row.usage.is_some() && row.cost_usd.is_none())
}

/// One trajectory: a row per checkpoint.
pub fn run_trajectory(row: &TrajectoryRow) -> Text {
    let mut table = Table::new(&[
        Column::Number("checkpoint"),
        Column::Text("state"),
        Column::Number("cases"),
        Column::Number("LOC"),
        Column::Number("erosion"),
        Column::Number("verbosity"),
        Column::Number("tokens in"),
        Column::Number("out"),
        Column::Number("cost"),
        Column::Number("turns"),
        Column::Number("lines edited"),
        Column::Text("snapshot"),
    ]);
    row.checkpoints.iter().for_each(|row| table.row(checkpoint_cells(row)));
    table.into()
}

/// One checkpoint: how the session ended, what was said and done, what it changed, and the cases that do not pass.
pub fn session(view: &CheckpointView) -> Text {
    let mut text = Text::from(match &view.record {
        Some(record) => {
            let outcome = printable(&record.outcome.to_string());
            format!("{outcome}, {:.1} s, began {}\n", record.seconds, record.began)
        }
        None => "no session\n".to_owned(),
    });
    let steps = view.trajectory.iter().flat_map(|trajectory| &trajectory.steps);
    text.extend(steps.filter(|step| step.source != StepSource::User).map(step));
    text += "\n";
    text += Text::diff(&view.diff, "");
    let environment = view.verdicts.as_ref().and_then(|verdicts| verdicts.environment.as_ref());
    let refused = environment.and_then(|environment| environment.refused.as_ref());
    text.extend(refused.map(|reason| format!("no environment: {}\n", printable(reason))));
    let cases = view.verdicts.iter().flat_map(|verdicts| &verdicts.cases);
    text.extend(cases.filter(|case| case.verdict != Verdict::Pass).map(case));
    text
}

/// What a plan may cost and take.
pub fn estimate(estimate: &Estimate) -> Text {
    let mut table = Table::new(&[
        Column::Text("worker"),
        Column::Text("model"),
        Column::Text("prompt"),
        Column::Number("trajectories"),
        Column::Number("sessions"),
        Column::Number("cost"),
        Column::Number("hours"),
    ]);
    for row in &estimate.rows {
        table.row([
            row.worker.clone(),
            row.model.clone().unwrap_or_else(|| "-".to_owned()),
            row.prompt.clone(),
            row.trajectories.to_string(),
            row.sessions.to_string(),
            dollars(row.usd),
            figure(row.hours, 1),
        ]);
    }
    let plan = estimate.plan.short();
    let hours = estimate.limit_hours;
    let mut text = Text::from(table);
    text +=
        format!("\nPlan {plan}. Cost and time by the paper's means; at most {hours:.1} hours, one after the other.\n");
    let own = estimate.catalogue.iter().filter(|(_, entry)| entry.origin != Origin::BuiltIn);
    text.extend(own.map(|(name, entry)| format!("{name}: {}\n", printable(&entry.origin.to_string()))));
    text.extend(estimate.unpriced.iter().map(|model| format!("{model}: no price is known, so its cost will not be\n")));
    text
}

fn trajectory_cells(row: &TrajectoryRow) -> [String; 9] {
    let graded: Vec<_> = row.checkpoints.iter().filter_map(|row| row.solve).collect();
    let solved = |is: fn(&Solve) -> bool| graded.iter().filter(|solve| is(solve)).count().to_string();
    // Of the last workspace, even where its figures are withheld.
    let last = row.checkpoints.iter().rev().find(|row| row.unmeasured.is_some()).and_then(|row| row.quality);
    let costs = row.checkpoints.iter().filter(|row| row.usage.is_some()).map(|row| row.cost_usd);
    // Without a price for one of them, the sum of the others would pass for that of all.
    let costs = costs.collect::<Option<Vec<_>>>().filter(|costs| !costs.is_empty());
    // The first checkpoint that did not go as it should says more than the last.
    let odd = row.checkpoints.iter().find(|row| row.state != "done").map_or("done", |row| &row.state);
    [
        row.id.clone(),
        format!("{}/{}", graded.len(), row.checkpoints.len()),
        solved(|solve| solve.strict),
        solved(|solve| solve.isolated),
        solved(|solve| solve.core),
        figure(last.map(|quality| quality.erosion), 3),
        figure(last.map(|quality| quality.verbosity), 3),
        dollars(costs.map(|costs| costs.iter().sum())),
        odd.to_owned(),
    ]
}

fn group_cells(group: &DesignGroup, minutes: Option<f64>) -> [String; 14] {
    let [worker, model, prompt] = names(group);
    let SolveRates { checkpoints, strict, isolated, core, partial } = group.produced;
    [
        worker,
        model,
        prompt,
        // How many were planned shows what the rates leave out.
        format!("{checkpoints}/{}", group.planned.checkpoints),
        percent(strict),
        percent(isolated),
        percent(core),
        percent(partial),
        format!("{}/{}", group.fully_solved, group.trajectories),
        dollars(group.cost_usd),
        figure(group.tokens, 0),
        figure(minutes, 1),
        figure(group.erosion, 3),
        figure(group.verbosity, 3),
    ]
}

fn detail_cells(group: &DesignGroup) -> [String; 13] {
    let [worker, model, prompt] = names(group);
    let PassRates { core, functionality, error, regression } = group.pass_rates;
    [
        worker,
        model,
        prompt,
        percent(core),
        percent(functionality),
        percent(error),
        percent(regression),
        signed(group.erosion_slope),
        percent(group.erosion_rises),
        signed(group.verbosity_slope),
        percent(group.verbosity_rises),
        figure(group.complex_callables, 1),
        figure(group.largest_cc, 1),
    ]
}

fn names(group: &DesignGroup) -> [String; 3] {
    [group.worker.clone(), group.model.clone().unwrap_or_else(|| "-".to_owned()), group.prompt.clone()]
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

fn checkpoint_cells(row: &CheckpointRow) -> [String; 12] {
    let cases = row.counts.map(|counts| counts.all()).map(|tally| format!("{}/{}", tally.passed, tally.total));
    let text = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let footprint = row.footprint.as_ref();
    [
        row.checkpoint.to_string(),
        row.state.clone(),
        text(cases),
        text(row.quality.map(|quality| quality.loc.to_string())),
        figure(row.quality.map(|quality| quality.erosion), 3),
        figure(row.quality.map(|quality| quality.verbosity), 3),
        text(row.usage.map(|usage| usage.input.to_string())),
        text(row.usage.map(|usage| usage.output.to_string())),
        dollars(row.cost_usd),
        text(footprint.map(|footprint| footprint.turns.to_string())),
        text(footprint.map(|footprint| footprint.lines_edited.to_string())),
        text(row.snapshot.map(|id| id.to_string()[..12].to_owned())),
    ]
}

fn step(step: &TrajectoryStep) -> String {
    let said = step.message.lines().map(|line| format!("  {}\n", printable(line)));
    let called = step.tool_calls.iter().map(|call| {
        let arguments = Value::Object(call.arguments.clone()).to_string();
        let short: String = arguments.chars().take(100).collect();
        format!("  > {} {}\n", printable(&call.function_name), printable(&short))
    });
    format!("{}.\n", step.step_id) + &said.chain(called).collect::<String>()
}

fn case(case: &CaseVerdict) -> Text {
    let (verdict, role) = describe(&case.verdict);
    Text::of(role, &format!("{verdict}  {} ({})", case.case, case.category.as_str()))
}

fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.3}"))
}

fn dollars(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("${value:.2}"))
}
