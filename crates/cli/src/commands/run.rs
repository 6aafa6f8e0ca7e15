use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
};

use slopbench_agents::catalogue::Catalogue;
use slopbench_gateway::models::Model;
use slopbench_runner::{
    GradingContext, Repository,
    run::{
        self, Answers, Budget, Choice, Equipment, Instrument, ModelChoice, Plan, ProviderAccess, Run, RunEnd,
        RunFolder, Systems, Worker, problems, prompt,
    },
};
use slopbench_tests::Problem;

use crate::{
    Failure,
    args::{Args, Backend, HowArgs, RunArgs},
    catalogue,
    commands::{
        agents::{default_version, named},
        runs::Figures,
    },
    output::{self, Status, print, print_json},
    setup,
    watch::Display,
};

/// What `--model` says for a model that plays the reference solution.
const SCRIPTED: &str = "scripted";

pub(crate) fn run(args: &Args, run: &RunArgs) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    let catalogue = catalogue::load(&run.how.catalogue)?;
    let plan = plan(&repository, &catalogue, run)?;
    if run.dry_run {
        return dry_run(args, &plan, &catalogue);
    }
    let root = match &run.out {
        Some(root) => root.clone(),
        None => repository.root.join("runs").join(plan.digest()?.short()),
    };
    // Before anything is written.
    let equipment = equip(&plan, &catalogue, &run.how)?;
    let how = &run.how;
    let end = setup::with_grading_context(&how.place, None, &repository, |context| {
        let instrument = instrument(how, context, &equipment)?;
        let folder = RunFolder::create(&root, Plan { instrument: instrument.clone(), ..plan })?;
        carry_out(&repository, &folder, &equipment, &instrument, how, context, Work::Missing)
    })?;
    tell(args, &root, end)
}

pub(crate) fn resume(args: &Args, root: &Path, how: &HowArgs) -> Result<Status, Failure> {
    let (folder, repository) = (RunFolder::open(root)?, setup::repository(args)?);
    let equipment = equip(&folder.plan, &catalogue::load(&how.catalogue)?, how)?;
    let end = setup::with_grading_context(&how.place, None, &repository, |context| {
        let instrument = instrument(how, context, &equipment)?;
        carry_out(&repository, &folder, &equipment, &instrument, how, context, Work::Missing)
    })?;
    tell(args, root, end)
}

pub(crate) fn regrade(args: &Args, root: &Path, how: &HowArgs) -> Result<Status, Failure> {
    let (folder, repository) = (RunFolder::open(root)?, setup::repository(args)?);
    let equipment = Equipment::none();
    let end = setup::with_grading_context(&how.place, None, &repository, |context| {
        // No session is begun.
        let Instrument { session_images, catalogue, .. } = folder.plan.instrument.clone();
        let instrument = Instrument { session_images, catalogue, ..setup::instrument(&how.place, context)? };
        carry_out(&repository, &folder, &equipment, &instrument, how, context, Work::Grades)
    })?;
    tell(args, root, end)
}

/// What of a run is done.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Missing,
    Grades,
}

/// What sessions are held and solutions graded with.
fn instrument(how: &HowArgs, context: &GradingContext<'_>, equipment: &Equipment) -> Result<Instrument, Failure> {
    let (session_images, catalogue) = (equipment.systems.images(), equipment.catalogue.clone());
    Ok(Instrument { session_images, catalogue, ..setup::instrument(&how.place, context)? })
}

fn carry_out(
    repository: &Repository,
    folder: &RunFolder,
    equipment: &Equipment,
    instrument: &Instrument,
    how: &HowArgs,
    context: &GradingContext<'_>,
    work: Work,
) -> Result<RunEnd, Failure> {
    let problems = problems(repository, &folder.plan, work == Work::Grades)?;
    let watch = Display::new(&folder.plan);
    let run = Run {
        folder,
        problems: &problems,
        context,
        equipment,
        instrument,
        accept_difference: how.accept_difference,
        hide: vec![repository.root.clone(), folder.root.clone()],
        jobs: how.jobs,
        budget: Budget::new(how.budget_usd, how.max_tokens),
        watch: &watch,
    };
    Ok(match work {
        Work::Missing => run.carry_out()?,
        Work::Grades => run.regrade()?,
    })
}

/// Shows how a run ended.
fn tell(args: &Args, root: &Path, end: RunEnd) -> Result<Status, Failure> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    match args.json {
        true => print_json(&Figures { summary: &end.summary, usage: &end.usage })?,
        false => print(&format!("{}\n{}\n", slopbench_report::run(&end.summary, &end.usage), root.display()))?,
    }
    // The first is the command's own last word.
    for (trajectory, error) in end.broken.iter().skip(1) {
        output::refuse(&format!("{trajectory}: {error}"));
    }
    if let Some((_, error)) = end.broken.into_iter().next() {
        return Err(error.into());
    }
    if let Some(reason) = &end.stopped {
        output::refuse(&format!("{reason}; `slopbench resume {}` goes on", root.display()));
    }
    Ok(Status::of_check(end.summary.complete))
}

fn plan(repository: &Repository, catalogue: &Catalogue, run: &RunArgs) -> Result<Plan, Failure> {
    let problems: Vec<Problem> = match run.problems.as_slice() {
        [] => repository.problems()?,
        names => names.iter().map(|name| repository.problem(name)).collect::<Result<_, _>>()?,
    };
    let first = problems.first().ok_or_else(|| Failure::configuration("there is no problem to solve"))?;
    let prompts =
        run.prompts.iter().map(|choice| prompt::find(choice, first)).collect::<Result<BTreeMap<_, _>, _>>()?;
    let answers = match (&run.replay, run.record) {
        (Some(path), _) => Answers::Replayed { run: recorded(path)? },
        (None, true) => Answers::Recorded,
        (None, false) => Answers::Model,
    };
    Ok(Plan::new(Choice {
        problems: &problems,
        workers: &workers(catalogue, run)?,
        prompts,
        repeats: run.repeats.get(),
        limit_seconds: run.time_limit,
        one_shot: run.one_shot,
        answers,
        allowed_hosts: run.allowed_hosts.iter().cloned().collect(),
    })?)
}

/// Agents × models, where agents have models; without agents, each model's own one.
fn workers(catalogue: &Catalogue, run: &RunArgs) -> Result<Vec<Worker>, Failure> {
    let mut workers = Vec::new();
    for name in &run.agents {
        match name.as_str() {
            "reference" => workers.push(Worker::Reference),
            "noop" => workers.push(Worker::Noop),
            "command" => workers.push(command(&run.command)?),
            _ if run.models.is_empty() => {
                return Err(Failure::configuration(format!(
                    "the agent {name} needs a model: --model {SCRIPTED}, or one of the catalogue"
                )));
            }
            _ => {
                for model in &run.models {
                    workers.push(agent(catalogue, name, model)?);
                }
            }
        }
    }
    if run.agents.is_empty() {
        for model in &run.models {
            if model == SCRIPTED {
                return Err(Failure::configuration(format!(
                    "the model {SCRIPTED} needs an agent: name one with --agent"
                )));
            }
            let entry = catalogue.models.model(model).map_err(Failure::configuration)?;
            let agents = entry.agent.ok_or_else(|| {
                Failure::configuration(format!("the model {model} names no agent: name one with --agent"))
            })?;
            workers.push(agent(catalogue, &agents, model)?);
        }
    }
    match workers.is_empty() {
        true => Err(Failure::configuration("nobody is to solve anything: name an --agent or a --model")),
        false => Ok(workers),
    }
}

fn command(words: &[String]) -> Result<Worker, Failure> {
    let (program, arguments) =
        words.split_first().ok_or_else(|| Failure::configuration("the agent command needs a program after --"))?;
    // The program is started in another folder than ours.
    let program =
        if program.contains('/') { absolute(Path::new(program))?.display().to_string() } else { program.clone() };
    Ok(Worker::Command { words: [&[program], arguments].concat() })
}

fn agent(catalogue: &Catalogue, name: &str, model: &str) -> Result<Worker, Failure> {
    let (agent, version) = named(catalogue, name)?;
    let (entry, model) = match model {
        SCRIPTED => {
            let (id, reasoning) = (agent.scripted_model.clone(), "medium".to_owned());
            (None, ModelChoice { name: SCRIPTED.to_owned(), id, provider: None, reasoning })
        }
        _ => {
            let entry = catalogue.models.model(model).map_err(Failure::configuration)?;
            let Model { name, id, provider, reasoning, .. } = entry.clone();
            let definition = &catalogue.models.providers.get(&provider).map_err(Failure::configuration)?.value;
            definition.speaks(agent.api).map_err(Failure::configuration)?;
            (Some(entry), ModelChoice { name, id, provider: Some(provider), reasoning })
        }
    };
    let of_entry = |entry: Model| entry.version.filter(|_| entry.agent.as_deref() == Some(&agent.name));
    let version = version.map(str::to_owned).or_else(|| entry.and_then(of_entry));
    let version = version.or_else(|| default_version(catalogue, agent)).unwrap_or_default();
    catalogue.lock(agent, &version).map_err(Failure::configuration)?;
    Ok(Worker::Agent { name: agent.name.clone(), version, model })
}

fn equip(plan: &Plan, catalogue: &Catalogue, how: &HowArgs) -> Result<Equipment, Failure> {
    let cache = agents_folder(how.agents_dir.clone())?;
    let installing = |name: &str, version: &str| output::tell(&format!("installing {name} {version}"));
    let in_containers = matches!(how.place.sandbox, Backend::Docker);
    if how.image.is_some() && !in_containers {
        return Err(Failure::configuration(
            "--image goes with --sandbox docker: namespaces show this machine's system",
        ));
    }
    // Before anything is installed.
    let systems = match in_containers {
        true => Systems::of_images(plan, catalogue, &|name| setup::session_image(how.image.as_deref(), name))?,
        false => Systems::default(),
    };
    let access = ProviderAccess::of(plan, catalogue).map_err(of_catalogue)?;
    let has_budget = how.budget_usd.is_some();
    let equipment = Equipment::for_plan(plan, catalogue, access, &cache, has_budget, &installing);
    let mut equipment = equipment.map_err(of_catalogue)?;
    equipment.systems = systems;
    Ok(equipment)
}

/// A run may be of a file's entries, and be resumed without it.
fn of_catalogue(error: slopbench_runner::Error) -> Failure {
    match error {
        slopbench_runner::Error::Unknown(unknown) => {
            Failure::configuration(format!("{unknown}; name the file that the run was planned with, with --catalogue"))
        }
        other => other.into(),
    }
}

/// Where agents are installed: the folder that is named, or the usual one.
pub(crate) fn agents_folder(named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    let folder = named.or_else(|| setup::cache("agents"));
    folder.ok_or_else(|| Failure::configuration("no home folder for agents: name one with --agents-dir DIR"))
}

/// The folder of a run to be replayed.
fn recorded(path: &Path) -> Result<PathBuf, Failure> {
    match path.join("trajectories").is_dir() {
        true => absolute(path),
        false => Err(Failure::configuration(format!("{} holds no recorded run", path.display()))),
    }
}

fn dry_run(args: &Args, plan: &Plan, catalogue: &Catalogue) -> Result<Status, Failure> {
    let estimate = run::Estimate::of(plan, catalogue)?;
    match args.json {
        true => print_json(&estimate)?,
        false => print(&slopbench_report::estimate(&estimate))?,
    }
    Ok(Status::Ok)
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    let here = env::current_dir().map_err(|error| Failure::configuration(format!("no current folder: {error}")))?;
    Ok(here.join(path))
}
