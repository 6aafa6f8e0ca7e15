use serde::Serialize;
use slopbench_report::{Role, Text, trajectory};
use slopbench_slopcode::{Repository, reference, results::ReferenceSummary};
use slopbench_tests::{Category, Checkpoint, Problem, Superseded, Track, pytest::Exposure};

use crate::{
    Failure,
    args::{Args, ProblemsCommand, SandboxArgs},
    output::{Status, page, print, print_json},
    setup,
};

pub(crate) fn run(args: &Args, command: &ProblemsCommand) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    match command {
        ProblemsCommand::List => list(args, &repository),
        ProblemsCommand::Show { problem, spec, track } => {
            show(args, &repository.problem(problem)?.in_track(track.track), *spec)
        }
        ProblemsCommand::Check { problems, track, sandbox } => check(args, &repository, problems, track.track, sandbox),
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

/// What checking one problem found.
#[derive(Serialize)]
struct Checked {
    problem: String,
    flaws: Vec<String>,
    summary: ReferenceSummary,
}

fn check(
    args: &Args,
    repository: &Repository,
    names: &[String],
    track: Track,
    sandbox: &SandboxArgs,
) -> Result<Status, Failure> {
    let problems = match names {
        [] => repository.problems()?,
        names => names.iter().map(|name| repository.problem(name)).collect::<Result<_, _>>()?,
    };
    let problems: Vec<_> = problems.into_iter().map(|problem: Problem| problem.in_track(track)).collect();
    let checked = setup::with_grading_context(&sandbox.place, track, sandbox.jobs, repository, |context| {
        let check = |problem: &Problem| {
            let reference = reference::run(context, problem)?;
            Ok(Checked { problem: problem.name.clone(), flaws: reference.flaws(), summary: reference.summary })
        };
        problems.iter().map(check).collect::<Result<Vec<_>, Failure>>()
    })?;
    match args.json {
        true => print_json(&checked)?,
        false => print(checked.iter().map(describe).collect::<Text>())?,
    }
    Ok(Status::of_check(checked.iter().all(|problem| problem.flaws.is_empty())))
}

fn describe(checked: &Checked) -> Text {
    let mut text = Text::of(Role::Title, &checked.problem);
    text += "\n";
    text += trajectory(&checked.summary);
    text += "\n";
    text += match checked.flaws.len() {
        0 => Text::of(Role::Good, "no flaw found"),
        1 => Text::of(Role::Bad, "1 flaw:"),
        count => Text::of(Role::Bad, &format!("{count} flaws:")),
    };
    text.extend(checked.flaws.iter().map(|flaw| format!("  {flaw}\n")));
    text
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
