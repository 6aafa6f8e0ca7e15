use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Serialize;
use slopbench_agents::{
    catalogue::AgentCatalogue,
    check::{AgentTrial, check},
    definition::Agent,
    install::{InstallError, install},
    launch::AgentSandbox,
    relock,
};
use slopbench_gateway::catalogue::{CatalogueEntry, EntryIdentity, Origin};
use slopbench_report::{Column, Table};

use crate::{
    Failure,
    args::{AgentsCommand, Args},
    catalogue,
    commands::run::agents_folder,
    output::{Status, print, print_json, tell},
};

/// How long an agent has for one file, with a model that answers at once.
const LIMIT: Duration = Duration::from_secs(180);

pub(crate) fn run(args: &Args, command: &AgentsCommand) -> Result<Status, Failure> {
    match command {
        AgentsCommand::List { catalogue } => list(args, &catalogue::load(catalogue)?),
        AgentsCommand::Lock { agent, catalogue } => lock(args, &catalogue::load(catalogue)?, agent),
        AgentsCommand::Check { agent, agents_dir, catalogue } => {
            try_out(args, &catalogue::load(catalogue)?, agent, agents_dir.clone())
        }
    }
}

/// An agent, as `--json` lists it.
#[derive(Serialize)]
struct AgentRow<'a> {
    name: &'a str,
    title: &'a str,
    api: slopbench_gateway::api::Api,
    #[serde(flatten)]
    identity: &'a EntryIdentity,
    versions: Vec<VersionRow>,
}

#[derive(Serialize)]
struct VersionRow {
    version: String,
    /// Where its lock comes from; nothing where there is none.
    lock: Option<Origin>,
}

/// A lock that was made.
#[derive(Serialize)]
struct WrittenLock<'a> {
    agent: &'a str,
    version: &'a str,
    /// Its folder.
    lock: &'a Path,
}

fn list<'a>(args: &Args, catalogue: &'a AgentCatalogue) -> Result<Status, Failure> {
    let row = |(name, entry): (_, &'a CatalogueEntry<Agent>)| {
        let CatalogueEntry { value, identity } = entry;
        let versions = catalogue.versions(value).into_iter();
        let versions = versions.map(|(version, lock)| VersionRow { version, lock }).collect();
        AgentRow { name, title: &value.title, api: value.api, identity, versions }
    };
    let rows: Vec<_> = catalogue.agents.iter().map(row).collect();
    if args.json {
        print_json(&rows)?;
        return Ok(Status::Ok);
    }
    let columns = ["agent", "origin", "API", "versions"].map(Column::Text);
    let mut table = Table::new(&columns);
    for row in rows {
        // Those with another origin than the agent's say so.
        let version = |version: &VersionRow| match &version.lock {
            Some(lock) if *lock == row.identity.origin => version.version.clone(),
            Some(lock) => format!("{} ({lock})", version.version),
            None => format!("{} (not locked)", version.version),
        };
        let versions: Vec<_> = row.versions.iter().map(version).collect();
        table.row([
            row.name.to_owned(),
            row.identity.origin.to_string(),
            row.api.title().to_owned(),
            versions.join(", "),
        ]);
    }
    print(table)?;
    Ok(Status::Ok)
}

fn lock(args: &Args, catalogue: &AgentCatalogue, name: &str) -> Result<Status, Failure> {
    let (agent, version) = named(catalogue, name)?;
    let version =
        version.ok_or_else(|| Failure::configuration(format!("which version? Name it as in {name}@1.2.3")))?;
    let user = catalogue::user_folder();
    let user = user.ok_or_else(|| Failure::configuration("no home folder for lock files: set XDG_CONFIG_HOME"))?;
    let place = relock::lock(agent, version, &user, &catalogue.models.variables()).map_err(of_install)?;
    match args.json {
        true => print_json(&WrittenLock { agent: &agent.name, version, lock: &place })?,
        false => print(format!("{} {version} is locked in {}\n", agent.name, place.display()))?,
    }
    Ok(Status::Ok)
}

fn try_out(
    args: &Args,
    catalogue: &AgentCatalogue,
    name: &str,
    agents_dir: Option<PathBuf>,
) -> Result<Status, Failure> {
    let (agent, version) = named(catalogue, name)?;
    let version = version.map(str::to_owned).or_else(|| default_version(catalogue, agent));
    let version = version.ok_or_else(|| {
        Failure::configuration(format!(
            "{name} has no version yet: lock one with `slopbench agents lock {name}@VERSION`"
        ))
    })?;
    let begin = || tell(&format!("installing {} {version}", agent.name));
    let installed = install(catalogue, agent, &version, &agents_folder(agents_dir)?, &begin).map_err(of_install)?;
    let trial = check(agent, &installed, AgentSandbox::machine()?, LIMIT).map_err(Failure::infrastructure)?;
    match args.json {
        true => print_json(&trial)?,
        false => print(told(&agent.name, &version, &trial))?,
    }
    Ok(Status::of_check(trial.is_good()))
}

fn told(name: &str, version: &str, trial: &AgentTrial) -> String {
    let rows = [
        (trial.started, "it starts"),
        (trial.asked, "it asks its model through the gateway"),
        (trial.understood, "what it tells is understood"),
        (trial.wrote, "the file is there as its model wrote it"),
    ];
    let line = |(is_so, what): (bool, &str)| format!("{}  {what}\n", if is_so { "yes" } else { "no " });
    let lines: String = rows.into_iter().map(line).collect();
    let trouble: String = trial.trouble.iter().filter(|_| !trial.is_good()).map(|text| format!("  {text}\n")).collect();
    format!("{name} {version}: {}\n{lines}{trouble}", trial.ending)
}

/// The agent in `NAME` or `NAME@VERSION`, and the version, if it is said.
pub(crate) fn named<'a, 'b>(
    catalogue: &'a AgentCatalogue,
    name: &'b str,
) -> Result<(&'a Agent, Option<&'b str>), Failure> {
    let (name, version) = name.split_once('@').map_or((name, None), |(name, version)| (name, Some(version)));
    let entry = catalogue.agents.get(name).map_err(Failure::configuration)?;
    Ok((&entry.value, version))
}

/// The newest version that the definition names, or else the newest of the user's own lock files.
pub(crate) fn default_version(catalogue: &AgentCatalogue, agent: &Agent) -> Option<String> {
    let own = agent.versions.last().map(|version| version.version.clone());
    own.or_else(|| catalogue.versions(agent).pop().map(|(version, _)| version))
}

fn of_install(error: InstallError) -> Failure {
    slopbench_agents::stage::StageError::from(error).into()
}
