use std::cmp::Reverse;

use slopbench_environments::{EnvironmentRecord, Resolution};
use slopbench_metrics::grading::{Grading, Unmeasured};
use slopbench_slopcode::{Graded, results::ReferenceSummary};
use slopbench_tests::{CaseOutcome, Solve, Tally, Verdict, VerdictCounts, pytest::SuiteRecord};

use crate::{Column, Role, Table, Text, printable};

/// Every case that did not pass, with where the two sides part; then the counts.
pub fn outcomes(graded: &Graded, all: bool) -> Text {
    let shown = graded.outcomes.iter().filter(|outcome| all || outcome.verdict != Verdict::Pass);
    let mut text: Text = shown.map(outcome).collect();
    if !text.is_empty() {
        text += "\n";
    }
    text += counts(&graded.verdicts.counts);
    text += format!("\n{}\n", solve(graded.verdicts.solve));
    text.extend(graded.verdicts.suite.as_ref().and_then(exposed));
    text.extend(graded.environment.as_ref().map(environment));
    text.extend(graded.quality.as_ref().and_then(unmeasured));
    text
}

/// The `most` cases that took most processor time, beside the limit that each came closest to; nothing if `most` is 0.
pub fn slowest(outcomes: &[CaseOutcome], most: usize) -> Text {
    let mut taken: Vec<_> = outcomes.iter().filter_map(|outcome| Some((outcome, outcome.usage?))).collect();
    taken.sort_by_key(|(_, usage)| Reverse(usage.cpu));
    taken.truncate(most);
    if taken.is_empty() {
        return Text::default();
    }
    let mut table = Table::new(&[
        Column::Text("slowest"),
        Column::Number("processor s"),
        Column::Number("wall s"),
        Column::Number("MiB"),
        Column::Number("of limit"),
        Column::Text("limit"),
    ]);
    for (outcome, usage) in taken {
        let (limit, share) = outcome.closest.unzip();
        table.row([
            outcome.id.to_string(),
            format!("{:.2}", usage.cpu.as_secs_f64()),
            format!("{:.2}", usage.wall.as_secs_f64()),
            (usage.peak_memory >> 20).to_string(),
            share.map_or_else(String::new, |share| format!("{:.0}%", 100.0 * share)),
            limit.map_or_else(String::new, |limit| limit.to_string()),
        ]);
    }
    [Text::from("\n"), table.into()].into_iter().collect()
}

/// Where what is expected is in the solution's reach.
fn exposed(suite: &SuiteRecord) -> Option<String> {
    let places = suite.expectations_exposed.iter();
    let places: String = places.map(|at| format!("  {} {}\n", printable(&at.place), printable(&at.how))).collect();
    (!places.is_empty()).then(|| format!("\nExpectations exposed: the tests import the solution.\n{places}"))
}

/// What the solution's requirements became.
fn environment(record: &EnvironmentRecord) -> String {
    match &record.resolution {
        Resolution::Refused(reason) => format!("\nNo environment: {}.\n", printable(reason)),
        Resolution::Locked(packages) => {
            let packages = packages.iter().map(|(name, package)| format!("{name} {}", package.version));
            format!("\nPackages: {}\n", printable(&packages.collect::<Vec<_>>().join(", ")))
        }
    }
}

/// What could run and is not measured, where there is any.
fn unmeasured(grading: &Grading) -> Option<String> {
    let Unmeasured { lines, share, .. } = grading.unmeasured;
    let withheld = grading.withheld.as_ref().map(|reason| format!("\nNo figures: {}.\n", printable(reason)));
    let some = || format!("\n{lines} lines could run and are not measured, {:.1}% of all.\n", 100.0 * share);
    withheld.or_else(|| (lines > 0).then(some))
}

/// One line per checkpoint of a trajectory.
pub fn trajectory(summary: &ReferenceSummary) -> Text {
    let mut table = Table::new(&[
        Column::Number("checkpoint"),
        Column::Number("cases"),
        Column::Number("of next's core"),
        Column::Number("LOC"),
        Column::Number("erosion"),
        Column::Number("verbosity"),
        Column::Text("solved"),
    ]);
    for checkpoint in &summary.checkpoints {
        let figure = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        table.row([
            checkpoint.checkpoint.to_string(),
            fraction(checkpoint.counts.all()),
            figure(checkpoint.next_core.map(fraction)),
            figure(checkpoint.quality.map(|quality| quality.loc.to_string())),
            figure(checkpoint.quality.map(|quality| format!("{:.3}", quality.erosion))),
            figure(checkpoint.quality.map(|quality| format!("{:.3}", quality.verbosity))),
            solve(checkpoint.solve),
        ]);
    }
    table.into()
}

fn counts(counts: &VerdictCounts) -> Table {
    let mut table = Table::new(&[Column::Text("category"), Column::Number("passed")]);
    for (name, tally) in [
        ("core", counts.core),
        ("functionality", counts.functionality),
        ("error", counts.error),
        ("regression", counts.regression),
        ("all", counts.all()),
    ] {
        table.row([name, &fraction(tally)]);
    }
    table
}

fn fraction(tally: Tally) -> String {
    format!("{}/{}", tally.passed, tally.total)
}

fn solve(solve: Solve) -> String {
    let kinds = [("strict", solve.strict), ("isolated", solve.isolated), ("core", solve.core)];
    let solved: Vec<_> = kinds.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    if solved.is_empty() { "not solved".to_owned() } else { format!("solved: {}", solved.join(", ")) }
}

fn outcome(outcome: &CaseOutcome) -> Text {
    let (verdict, role) = describe(&outcome.verdict);
    let mut text = Text::of(role, &format!("{verdict}  {} ({})", outcome.id, outcome.category.as_str()));
    // The same of every case, it is said once.
    let details = outcome.details.iter().filter(|_| !is_of_all(&outcome.verdict));
    for mismatch in details {
        text += format!("    {}: {}\n", printable(&mismatch.what.to_string()), printable(&mismatch.detail));
        text += Text::diff(&mismatch.diff, "      ");
    }
    text.extend(outcome.infrastructure.iter().map(|cause| format!("    {}\n", printable(cause))));
    text
}

/// Whether it is of the whole solution.
fn is_of_all(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::NoEnvironment | Verdict::BuildFailed)
}

pub(crate) fn describe(verdict: &Verdict) -> (String, Role) {
    match verdict {
        Verdict::Pass => ("pass".to_owned(), Role::Good),
        Verdict::Fail { .. } => ("FAIL".to_owned(), Role::Bad),
        Verdict::Crashed { signal } => (format!("CRASHED by signal {signal}"), Role::Bad),
        Verdict::Limit { limit } => (format!("LIMIT of {limit}"), Role::Bad),
        Verdict::Skipped => ("SKIPPED".to_owned(), Role::Bad),
        Verdict::Missing => ("MISSING".to_owned(), Role::Bad),
        Verdict::NoEnvironment => ("NO ENVIRONMENT".to_owned(), Role::Bad),
        Verdict::BuildFailed => ("BUILD FAILED".to_owned(), Role::Bad),
        Verdict::Infrastructure => ("INFRASTRUCTURE".to_owned(), Role::Caution),
    }
}
