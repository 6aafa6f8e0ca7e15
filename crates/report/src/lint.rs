use slopbench_slopcode::run::{LintCheckpoint, RunLint};

use crate::{Column, Table, Text};

/// What a linter finds in each checkpoint of a run, with the rules that it finds most often, and who it is.
pub fn lint(lint: &RunLint) -> Text {
    let columns = ["checkpoint", "files", "errors", "erosion_v0"].map(Column::Number);
    let mut table = Table::new(
        &[&[Column::Text("trajectory")], columns.as_slice(), &[Column::Text("most often, or why not")]].concat(),
    );
    for trajectory in &lint.trajectories {
        trajectory.checkpoints.iter().for_each(|one| table.row(cells(&trajectory.id, one)));
    }
    let mut text = Text::from(table);
    text += format!("\n{}, families {}\n", lint.linter.linter, lint.linter.families.join(", "));
    text
}

fn cells(id: &str, one: &LintCheckpoint) -> Vec<String> {
    let count = |count: Option<u64>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
    let (files, errors) = one.found.as_ref().map(|found| (found.files, found.errors)).unzip();
    let composite = one.erosion_v0.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"));
    let said = one.absent.clone().unwrap_or_else(|| most_often(one));
    vec![id.to_owned(), one.checkpoint.to_string(), count(files), count(errors), composite, said]
}

/// The three rules with the most findings, the first by name among equals.
fn most_often(one: &LintCheckpoint) -> String {
    let mut rules: Vec<_> = one.found.iter().flat_map(|found| &found.rules).collect();
    rules.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let named: Vec<_> = rules.iter().take(3).map(|(rule, count)| format!("{rule} {count}")).collect();
    named.join(", ")
}
