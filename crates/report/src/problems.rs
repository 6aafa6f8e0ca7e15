use slopbench_tests::{Category, Checkpoint, Problem};

use crate::{Column, Table, Text};

/// One line per problem.
pub fn problems(problems: &[Problem]) -> Text {
    let columns =
        [Column::Text("problem"), Column::Number("checkpoints"), Column::Number("cases"), Column::Text("title")];
    let mut table = Table::new(&columns);
    for problem in problems {
        let cases: usize = problem.checkpoints.iter().map(|checkpoint| checkpoint.cases.len()).sum();
        table.row([&problem.name, &problem.checkpoints.len().to_string(), &cases.to_string(), &problem.title]);
    }
    table.into()
}

/// One problem: its checkpoints and how many cases of which category each has.
pub fn problem(problem: &Problem) -> Text {
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
    let command = problem.command("<solution>".as_ref()).join(" ");
    let mut text = Text::from(format!("{}: {}\nruns as: {command} <arguments>\n\n", problem.name, problem.title));
    text += table;
    text.extend(problem.checkpoints.iter().flat_map(superseded));
    text
}

fn superseded(checkpoint: &Checkpoint) -> impl Iterator<Item = String> {
    let line = |gone: &slopbench_tests::Superseded| {
        format!("\ncheckpoint {} supersedes {}: {}\n", checkpoint.number, gone.case, gone.reason)
    };
    checkpoint.supersedes.iter().map(line)
}
