use slopbench_audit::report::{
    AuditReport, CheckEvidence, CheckReport, CheckState, ClosestCase, GrownSolution, GrowthFigures, MutationScore,
    PlayEvidence, ProblemAudit, SentenceCoverage,
};

use crate::{Column, Role, Table, Text};

/// What an audit found: for each problem its checks, what is wrong, and what was seen.
pub fn audit(report: &AuditReport) -> Text {
    report.problems.iter().map(problem).collect()
}

fn problem(problem: &ProblemAudit) -> Text {
    let mut text = Text::of(Role::Title, &format!("{} ({})", problem.problem.name, problem.problem.digest.short()));
    for check in &problem.checks {
        text += self::check(check);
    }
    text += "\n";
    text
}

fn check(report: &CheckReport) -> Text {
    let (role, state) = match report.state {
        CheckState::Sound => (Role::Good, "sound"),
        CheckState::Flawed => (Role::Bad, "flawed"),
        CheckState::NotDone => (Role::Caution, "not done"),
    };
    let mut text = Text::from("\n");
    text += Text::of(role, &format!("{}: {state}: {}", report.check, report.proves));
    let lines = |mut text: Text, what: &str, role, sentences: &[String]| {
        sentences.iter().for_each(|sentence| text += Text::of(role, &format!("  {what}: {sentence}")));
        text
    };
    text = lines(text, "flaw", Role::Bad, &report.flaws);
    text = lines(text, "note", Role::Plain, &report.notes);
    match &report.evidence {
        CheckEvidence::Plays(rows) if rows.is_empty() => {}
        CheckEvidence::Plays(rows) => text += plays(rows),
        CheckEvidence::Mutants(rows) => text += mutants(rows),
        CheckEvidence::Sentences(rows) => text += sentences(rows),
        CheckEvidence::Growth(rows) => text += growth(rows),
    }
    text
}

fn plays(rows: &[PlayEvidence]) -> Table {
    let columns = [
        Column::Number("checkpoint"),
        Column::Number("cases"),
        Column::Number("passed"),
        Column::Text("played"),
        Column::Text("closest to a limit of time"),
        Column::Prose("first failure"),
    ];
    let mut table = Table::new(&columns);
    for row in rows {
        let passed = row.passed.map_or_else(|| "-".to_owned(), |passed| passed.to_string());
        let closest = row.closest.as_ref().map_or_else(|| "-".to_owned(), closest);
        let failure = row.failure.clone().unwrap_or_default();
        table.row([row.checkpoint.to_string(), row.cases.to_string(), passed, row.what.clone(), closest, failure]);
    }
    table
}

fn closest(ClosestCase { case, limit, share }: &ClosestCase) -> String {
    format!("{:.0}% of {limit}: {case}", 100.0 * share)
}

fn mutants(rows: &[MutationScore]) -> Text {
    let columns = [
        "checkpoint",
        "new lines",
        "mutants",
        "argued",
        "unexecuted",
        "played",
        "killed",
        "by a limit",
        "score",
        "95% interval",
    ];
    let mut table = Table::new(&columns.map(Column::Number));
    for row in rows {
        let counts = [row.new_lines, row.mutants, row.argued, row.unexecuted, row.sampled, row.killed, row.by_limit];
        let score = row.score.map_or_else(|| "-".to_owned(), |score| format!("{:.1}%", 100.0 * score));
        let interval =
            row.interval.map_or_else(String::new, |[low, high]| format!("{:.1} to {:.1}%", 100.0 * low, 100.0 * high));
        let counts = counts.iter().map(ToString::to_string);
        table.row([row.checkpoint.to_string()].into_iter().chain(counts).chain([score, interval]));
    }
    let mut text = Text::from("");
    text += table;
    for row in rows {
        text.extend(row.survivors.iter().map(|survivor| {
            let place = format!("checkpoint_{}/{}:{}", row.checkpoint, survivor.path, survivor.line);
            format!("  survives: {place}: {}: {}\n    {}\n", survivor.operator, survivor.mutation, survivor.text)
        }));
    }
    text
}

fn sentences(rows: &[SentenceCoverage]) -> Table {
    let mut table = Table::new(&["checkpoint", "tagged sentences", "covered"].map(Column::Number));
    for row in rows {
        table.row([row.checkpoint.to_string(), row.tagged.to_string(), row.covered.to_string()]);
    }
    table
}

fn growth(rows: &[GrowthFigures]) -> Table {
    let numbers = ["checkpoint", "LOC", "added", "removed", "moved", "rewritten", "erosion", "verbosity"];
    let columns: Vec<_> = [Column::Text("solution")].into_iter().chain(numbers.map(Column::Number)).collect();
    let mut table = Table::new(&columns);
    for row in rows {
        let solution = match row.solution {
            GrownSolution::Reference => "reference",
            GrownSolution::Hasty => "hasty",
        };
        let rewritten = row.rewritten.map_or_else(|| "-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        let counts = [u64::from(row.checkpoint), row.loc, row.added, row.removed, row.moved].map(|n| n.to_string());
        let shares = [row.erosion, row.verbosity].map(|share| format!("{share:.3}"));
        table.row([solution.to_owned()].into_iter().chain(counts).chain([rewritten]).chain(shares));
    }
    table
}
