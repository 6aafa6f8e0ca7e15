use std::{path::Path, time::Duration};

use serde::Serialize;
use slopbench_environments::{EnvironmentStore, PackageIndex, PinnedTool, StoredEnvironment};
use slopbench_lint::Ruff;
use slopbench_report::{Column, Table};
use slopbench_slopcode::{
    Error, artifact,
    run::{RunFolder, STUDY, environments},
};

use crate::{
    Failure,
    args::{Args, EnvironmentsCommand, StoreArgs},
    output::{Status, page, print, print_json},
    setup,
};

const DAY: u64 = 24 * 60 * 60;

pub(crate) fn run(args: &Args, command: &EnvironmentsCommand) -> Result<Status, Failure> {
    let of = |store: &StoreArgs| setup::environments(store.environments_dir.as_deref());
    match command {
        EnvironmentsCommand::List { store } => show(args, &of(store)?.list()?),
        EnvironmentsCommand::Prune { older_than, store } => {
            let age = older_than.map(|days| Duration::from_secs(days.saturating_mul(DAY)));
            show(args, &of(store)?.prune(age)?)
        }
        EnvironmentsCommand::Export { out, runs, linter, store } => {
            let tools =
                linter.then(|| Ok::<_, Failure>(Ruff::pinned().map_err(Error::from)?.tool().clone())).transpose()?;
            export(args, &of(store)?, runs, tools.as_slice(), out)
        }
        EnvironmentsCommand::Import { folder, store } => moved(args, "took in", of(store)?.import(folder)?),
    }
}

fn export(
    args: &Args,
    store: &EnvironmentStore,
    runs: &[impl AsRef<Path>],
    tools: &[PinnedTool],
    out: &Path,
) -> Result<Status, Failure> {
    let mut records = Vec::new();
    for folder in runs.iter().map(AsRef::as_ref) {
        records.extend(match artifact::is_artifact(folder) {
            true => artifact::environments(folder)?,
            false => environments(&RunFolder::open(folder, STUDY)?)?,
        });
    }
    moved(args, "wrote", store.export(&records, tools, &PackageIndex::default(), out)?)
}

/// What was moved, as `--json` says it.
#[derive(Serialize)]
struct Moved {
    wheels: usize,
}

fn moved(args: &Args, verb: &str, wheels: usize) -> Result<Status, Failure> {
    match args.json {
        true => print_json(&Moved { wheels })?,
        false => print(format!("{verb} {wheels} wheels, the resolver among them\n"))?,
    }
    Ok(Status::Ok)
}

fn show(args: &Args, environments: &[StoredEnvironment]) -> Result<Status, Failure> {
    if args.json {
        print_json(&environments)?;
        return Ok(Status::Ok);
    }
    let mut table = Table::new(&[
        Column::Text("environment"),
        Column::Text("lock"),
        Column::Number("MiB"),
        Column::Number("days"),
        Column::Text("interpreter"),
        Column::Text("packages"),
    ]);
    for environment in environments {
        table.row([
            environment.name.clone(),
            environment.digest.short(),
            format!("{:.1}", environment.bytes as f64 / f64::from(1 << 20)),
            (environment.age_seconds / DAY).to_string(),
            environment.interpreter.clone(),
            environment.packages.join(", "),
        ]);
    }
    page(table)?;
    Ok(Status::Ok)
}
