use slopbench_history::{
    Comparison,
    comparison::{CallableChange, Existence, FileChange, Growth, RuleChange, Weight},
};
use slopbench_metrics::measurement::Measures;

use crate::{Column, Role, Table, Text};

/// What changed: the figures of both states, churn, and the heaviest changes of callables, rules and files.
pub fn comparison(comparison: &Comparison, rows: usize) -> Text {
    let mut text = Text::from(totals(comparison));
    text += format!("\n{}", churn(comparison));
    let mut callables: Vec<&CallableChange> = comparison.callables.iter().collect();
    // The sorts are stable, so equal changes stay in the order of their files.
    callables.sort_by(|a, b| gained(b).abs().total_cmp(&gained(a).abs()));
    let mut rules: Vec<&RuleChange> = comparison.rule_changes.iter().collect();
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.new));
    let mut files: Vec<&FileChange> = comparison.files.iter().collect();
    files.sort_by_key(|file| std::cmp::Reverse(file.lines_added + file.lines_removed));
    text += section("Callables that changed, by complexity mass", &callables, rows, callable_table);
    text += section("Rules with new or vanished matches", &rules, rows, rule_table);
    text += section("Files that changed, by lines", &files, rows, file_table);
    for side in [&comparison.before, &comparison.after] {
        if !side.skipped.is_empty() {
            text += format!("\n{} left out of {}; --json names them.\n", side.skipped.len(), side.name);
        }
    }
    text
}

fn section<T>(title: &str, all: &[T], rows: usize, table: impl Fn(&[T]) -> Table) -> Text {
    let shown = all.get(..rows).unwrap_or(all);
    match shown {
        [] => Text::default(),
        _ => {
            let mut text = Text::heading(&format!("{title}, {} of {}:", shown.len(), all.len()));
            text += table(shown);
            text
        }
    }
}

fn totals(comparison: &Comparison) -> Table {
    type Count = (&'static str, fn(&Measures) -> u64);
    type Share = (&'static str, fn(&Measures) -> f64);
    const COUNTS: [Count; 6] = [
        ("files", |total| total.files),
        ("total lines", |total| total.total_lines),
        ("LOC", |total| total.loc),
        ("callables", |total| total.callables),
        ("clone lines", |total| total.clone_lines),
        ("flagged lines", |total| total.flagged_lines),
    ];
    const SHARES: [Share; 4] = [
        ("complexity mass", |total| total.mass),
        ("erosion", |total| total.erosion),
        ("verbosity", |total| total.verbosity),
        ("verbosity over LOC", |total| total.verbosity_loc),
    ];
    let mut table = Table::new(&[
        Column::Text("measure"),
        Column::Number("before"),
        Column::Number("after"),
        Column::Number("change"),
    ]);
    let (before, after) = (&comparison.before.total, &comparison.after.total);
    for (name, count) in COUNTS {
        let (before, after) = (count(before), count(after));
        let change = i128::from(after) - i128::from(before);
        table.row([name.to_owned(), before.to_string(), after.to_string(), format!("{change:+}")]);
    }
    for (name, share) in SHARES {
        let (before, after) = (share(before), share(after));
        table.row([name.to_owned(), format!("{before:.3}"), format!("{after:.3}"), signed(after - before)]);
    }
    table
}

/// Three digits with their sign; what rounds to nothing has none.
fn signed(value: f64) -> String {
    let text = format!("{value:+.3}");
    if text == "-0.000" { "+0.000".to_owned() } else { text }
}

fn churn(comparison: &Comparison) -> String {
    let churn = &comparison.churn;
    let (added, removed) = (churn.lines_added, churn.lines_removed);
    let share = churn.churn.map_or("undefined without lines before".to_owned(), |churn| format!("{churn:.3}"));
    format!(
        "churn {share}: {added} lines added, {removed} removed, {} before\nclone lines: {} new, {} vanished\n",
        churn.lines_before,
        comparison.files.iter().map(|file| file.new_clone_lines).sum::<u64>(),
        comparison.files.iter().map(|file| file.vanished_clone_lines).sum::<u64>(),
    )
}

/// The mass that came with a change.
fn gained(change: &CallableChange) -> f64 {
    let mass = |weight: &Option<Weight>| weight.as_ref().map_or(0.0, |weight| weight.mass);
    mass(&change.after) - mass(&change.before)
}

fn callable_table(changes: &[&CallableChange]) -> Table {
    let mut table = Table::new(&[
        Column::Number("mass"),
        Column::Text("CC"),
        Column::Text("SLOC"),
        Column::Text("change"),
        Column::Text("callable"),
        Column::Text("place"),
    ]);
    for change in changes {
        let what = match (change.change, change.became_complex) {
            (Growth::New, false) => "new",
            (Growth::New, true) => "new, complex",
            (Growth::Grew, false) => "grew",
            (Growth::Grew | Growth::Shrank, true) => "became complex",
            (Growth::Shrank, false) => "shrank",
            (Growth::Vanished, _) => "vanished",
        };
        let pair = |figure: fn(&Weight) -> u32| {
            let of =
                |weight: &Option<Weight>| weight.as_ref().map_or("-".to_owned(), |weight| figure(weight).to_string());
            format!("{} → {}", of(&change.before), of(&change.after))
        };
        let line = change.after.or(change.before).map_or(0, |weight| weight.start_line);
        table.row([
            format!("{:+.1}", gained(change)),
            pair(|weight| weight.cc),
            pair(|weight| weight.sloc),
            what.to_owned(),
            change.qualified_name.clone(),
            format!("{}:{line}", change.path),
        ]);
        if change.became_complex {
            table.mark(3, Role::Caution);
        }
    }
    table
}

fn rule_table(rules: &[&RuleChange]) -> Table {
    let mut table = Table::new(&[
        Column::Number("before"),
        Column::Number("after"),
        Column::Number("new"),
        Column::Number("vanished"),
        Column::Text("rule"),
    ]);
    for rule in rules {
        let counts = [rule.before, rule.after, rule.new, rule.vanished].map(|count| count.to_string());
        table.row(counts.into_iter().chain([rule.rule.clone()]));
    }
    table
}

fn file_table(files: &[&FileChange]) -> Table {
    let mut table =
        Table::new(&[Column::Number("added"), Column::Number("removed"), Column::Text("change"), Column::Text("file")]);
    for file in files {
        let change = match file.change {
            Existence::New => "new",
            Existence::Changed => "changed",
            Existence::Vanished => "vanished",
        };
        table.row([&file.lines_added.to_string(), &file.lines_removed.to_string(), change, &file.path]);
    }
    table
}
