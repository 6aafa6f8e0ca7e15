use std::path::{Path, PathBuf};

use serde::Serialize;
use slopbench_slump::{
    Error, ExposureAudit, Recoverability, SlumpTask, TaskFlaw, check, load_tasks, task, task::scaffold_task,
};

use super::make;
use crate::{
    Failure,
    args::{Args, SlumpTasksCommand},
    output::{Status, page, print, print_json},
    setup,
};

pub(super) fn run(args: &Args, dir: Option<&Path>, command: &SlumpTasksCommand) -> Result<Status, Failure> {
    let dir = || tasks_dir(args, dir);
    match command {
        SlumpTasksCommand::Check { names } => check_tasks(args, &dir()?, names),
        SlumpTasksCommand::Show { task: None } => list(args, &dir()?),
        SlumpTasksCommand::Show { task: Some(name) } => show(args, &SlumpTask::find(&dir()?, name)?),
        SlumpTasksCommand::Make(asked) => make::run(args, asked),
        SlumpTasksCommand::New { name } => {
            let folder = scaffold_task(&dir()?, name)?;
            print(format!("{}\nNext: slopbench slump tasks check {name}\n", folder.display()))?;
            Ok(Status::Ok)
        }
    }
}

/// The folder of tasks that is named, or the repository's.
pub(super) fn tasks_dir(args: &Args, named: Option<&Path>) -> Result<PathBuf, Failure> {
    match named {
        Some(dir) if !dir.is_dir() => {
            Err(Failure::configuration(format!("{} is no folder of tasks; make it, or name another", dir.display())))
        }
        Some(dir) => Ok(dir.to_path_buf()),
        None => Ok(setup::repository(args)?.root.join("tasks")),
    }
}

/// What is wrong with one task.
#[derive(Serialize)]
struct CheckedTask {
    task: String,
    flaws: Vec<TaskFlaw>,
}

fn check_tasks(args: &Args, dir: &Path, names: &[String]) -> Result<Status, Failure> {
    let names = if names.is_empty() { task::task_names(dir)? } else { names.to_vec() };
    let check = |name: &String| match SlumpTask::find(dir, name) {
        Ok(task) => Ok(CheckedTask { task: name.clone(), flaws: check(&task) }),
        Err(Error::Task { flaws, .. }) => Ok(CheckedTask { task: name.clone(), flaws }),
        Err(error) => Err(error),
    };
    let checked: Vec<_> = names.iter().map(check).collect::<Result<_, _>>()?;
    if checked.is_empty() {
        let message = format!("no task in {}; begin one with `slopbench slump tasks new NAME`", dir.display());
        return Err(Failure::configuration(message));
    }
    match args.json {
        true => print_json(&checked)?,
        false => {
            let text = checked.iter().map(|checked| slopbench_report::task_flaws(&checked.task, &checked.flaws));
            print(text.collect::<slopbench_report::Text>())?;
        }
    }
    Ok(Status::of_check(checked.iter().all(|checked| checked.flaws.is_empty())))
}

fn list(args: &Args, dir: &Path) -> Result<Status, Failure> {
    let tasks = load_tasks(dir)?;
    let audits: Vec<_> = tasks.iter().map(audit).collect();
    match args.json {
        true => print_json(&audits)?,
        false => page(slopbench_report::slump_tasks(&tasks, &audits))?,
    }
    Ok(Status::Ok)
}

fn show(args: &Args, task: &SlumpTask) -> Result<Status, Failure> {
    let audit = audit(task);
    match args.json {
        true => print_json(&audit)?,
        false => page(slopbench_report::slump_task(task, &audit))?,
    }
    Ok(Status::Ok)
}

fn audit(task: &SlumpTask) -> ExposureAudit {
    ExposureAudit::new(task, &Recoverability::authored(task))
}
