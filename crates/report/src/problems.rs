use slopbench_tests::{Category, Checkpoint, Problem, Selection, pytest::PytestSuite};

use crate::{Column, Table, Text, printable};

/// One line per problem.
pub fn problems(problems: &[Problem]) -> Text {
    let columns =
        [Column::Text("problem"), Column::Number("checkpoints"), Column::Number("cases"), Column::Text("title")];
    let mut table = Table::new(&columns);
    for problem in problems {
        let cases: usize = problem.checkpoints.iter().map(|checkpoint| own(problem, checkpoint)).sum();
        // Of tests with parameters, only pytest knows how many there are.
        let cases = if problem.harness.pytest().is_some() { format!("{cases}+") } else { cases.to_string() };
        table.row([&problem.name, &problem.checkpoints.len().to_string(), &cases, &problem.title]);
    }
    table.into()
}

/// How many cases a checkpoint introduces, or functions that are tests.
fn own(problem: &Problem, checkpoint: &Checkpoint) -> usize {
    problem.harness.pytest().map_or(checkpoint.cases.len(), |suite| suite.functions(checkpoint.number))
}

/// One problem: its checkpoints and how many cases of which category each has.
pub fn problem(problem: &Problem) -> Text {
    if let Some(suite) = problem.harness.pytest() {
        return suite_of(problem, suite);
    }
    let mut table = Table::new(&[
        Column::Number("checkpoint"),
        Column::Number("core"),
        Column::Number("functionality"),
        Column::Number("error"),
        Column::Number("regression"),
        Column::Text("title"),
    ]);
    for checkpoint in &problem.checkpoints {
        let count = |category| checkpoint.cases.iter().filter(|case| case.category == category).count().to_string();
        table.row([
            checkpoint.number.to_string(),
            count(Category::Core),
            count(Category::Functionality),
            count(Category::Error),
            (problem.suite(checkpoint.number).len() - checkpoint.cases.len()).to_string(),
            checkpoint.title.clone(),
        ]);
    }
    let mut text = heading(problem);
    text += table;
    text.extend(problem.checkpoints.iter().flat_map(superseded));
    text
}

/// One problem whose tests pytest runs: which tests are of which category, pytest alone knows.
fn suite_of(problem: &Problem, suite: &PytestSuite) -> Text {
    let columns = [
        Column::Number("checkpoint"),
        Column::Number("test functions"),
        Column::Number("with earlier ones"),
        Column::Text("title"),
    ];
    let mut table = Table::new(&columns);
    for checkpoint in &problem.checkpoints {
        table.row([
            checkpoint.number.to_string(),
            suite.functions(checkpoint.number).to_string(),
            problem.size(checkpoint.number, Selection::Suite).to_string(),
            checkpoint.title.clone(),
        ]);
    }
    let mut text = heading(problem);
    text += table;
    if !suite.exposed().is_empty() {
        text += "\nExpectations exposed: the tests import the solution.\n";
        text.extend(suite.exposed().iter().map(|at| format!("  {} {}\n", printable(&at.place), printable(&at.how))));
    }
    text
}

fn heading(problem: &Problem) -> Text {
    let command = problem.command("<solution>".as_ref()).join(" ");
    let assets = Some(problem.asset_names()).filter(|names| !names.is_empty());
    let assets = assets.map(|names| format!("assets: {}\n", printable(&names.join(", "))));
    let (name, title, assets) = (&problem.name, &problem.title, assets.unwrap_or_default());
    Text::from(format!("{name}: {title}\nruns as: {command} <arguments>\n{assets}\n"))
}

fn superseded(checkpoint: &Checkpoint) -> impl Iterator<Item = String> {
    let line = |gone: &slopbench_tests::Superseded| {
        format!("\ncheckpoint {} supersedes {}: {}\n", checkpoint.number, gone.case, gone.reason)
    };
    checkpoint.supersedes.iter().map(line)
}
