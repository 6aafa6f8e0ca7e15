mod audit;
mod check;
mod new;

use serde::Serialize;
use slopbench_slopcode::Repository;
use slopbench_tests::{Category, Checkpoint, Problem, Superseded, pytest::Exposure};

use crate::{
    Failure,
    args::{Args, ProblemsCommand},
    output::{Status, page, print_json},
    setup,
};

pub(crate) fn run(args: &Args, command: &ProblemsCommand) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    match command {
        ProblemsCommand::List => list(args, &repository),
        ProblemsCommand::Show { problem, spec, track } => {
            show(args, &repository.problem(problem)?.in_track(track.track), *spec)
        }
        ProblemsCommand::Check { problems, track, sandbox } => {
            check::run(args, &repository, problems, track.track, sandbox)
        }
        ProblemsCommand::Audit(audit) => audit::run(args, &repository, audit),
        ProblemsCommand::New { name, kind } => new::run(&repository, name, *kind),
    }
}

fn list(args: &Args, repository: &Repository) -> Result<Status, Failure> {
    let problems = repository.problems()?;
    match args.json {
        true => print_json(&problems.iter().map(Description::new).collect::<Vec<_>>())?,
        false => page(slopbench_report::problems(&problems))?,
    }
    Ok(Status::Ok)
}

fn show(args: &Args, problem: &Problem, spec: Option<u32>) -> Result<Status, Failure> {
    match spec {
        Some(number) => page(problem.entry.specification(&find_checkpoint(problem, number)?.spec))?,
        None if args.json => print_json(&Description::new(problem))?,
        None => page(slopbench_report::problem(problem))?,
    }
    Ok(Status::Ok)
}

/// The checkpoint `number`, or a failure that says which there are.
pub(crate) fn find_checkpoint(problem: &Problem, number: u32) -> Result<&Checkpoint, Failure> {
    problem.checkpoint(number).ok_or_else(|| {
        let (name, last) = (&problem.name, problem.checkpoints.len());
        Failure::configuration(format!("{name} has no checkpoint {number}; it has 1 to {last}"))
    })
}

/// The problems of these names, or all.
fn named(repository: &Repository, names: &[String]) -> Result<Vec<Problem>, Failure> {
    Ok(match names {
        [] => repository.problems()?,
        names => names.iter().map(|name| repository.problem(name)).collect::<Result<_, _>>()?,
    })
}

/// A problem as JSON: everything but what is hidden.
#[derive(Serialize)]
struct Description<'a> {
    name: &'a str,
    title: &'a str,
    tags: &'a [String],
    /// What is started, in the track.
    entry: String,
    /// Files and folders that agents and solutions are given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assets: Vec<String>,
    checkpoints: Vec<CheckpointDescription<'a>>,
    /// Where tests import the solution.
    #[serde(skip_serializing_if = "<[Exposure]>::is_empty")]
    expectations_exposed: &'a [Exposure],
}

#[derive(Serialize)]
struct CheckpointDescription<'a> {
    checkpoint: u32,
    title: &'a str,
    core: usize,
    functionality: usize,
    error: usize,
    regression: usize,
    /// Functions of its own that are tests: given, and counted nowhere above, where pytest runs them.
    #[serde(skip_serializing_if = "Option::is_none")]
    test_functions: Option<usize>,
    supersedes: &'a [Superseded],
}

impl<'a> Description<'a> {
    fn new(problem: &'a Problem) -> Self {
        let describe = |checkpoint: &'a Checkpoint| {
            let count = |category| checkpoint.cases.iter().filter(|case| case.category == category).count();
            CheckpointDescription {
                checkpoint: checkpoint.number,
                title: &checkpoint.title,
                core: count(Category::Core),
                functionality: count(Category::Functionality),
                error: count(Category::Error),
                regression: problem.suite(checkpoint.number).len() - checkpoint.cases.len(),
                test_functions: problem.harness.pytest().map(|suite| suite.functions(checkpoint.number)),
                supersedes: &checkpoint.supersedes,
            }
        };
        Self {
            name: &problem.name,
            title: &problem.title,
            tags: &problem.tags,
            entry: problem.entry.file(),
            assets: problem.asset_names(),
            checkpoints: problem.checkpoints.iter().map(describe).collect(),
            expectations_exposed: problem.harness.pytest().map_or(&[], |suite| suite.exposed()),
        }
    }
}
