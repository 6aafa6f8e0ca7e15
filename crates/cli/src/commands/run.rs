mod ground;

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use slopbench_agents::{
    catalogue::AgentCatalogue,
    stage::{Answers, Equipment, ModelChoice, ProviderAccess, StageError, Systems, Worker},
};
use slopbench_environments::PackageIndex;
use slopbench_gateway::models::Model;
use slopbench_runner::Budget;
use slopbench_sandbox::Runtime;
use slopbench_slopcode::{
    Repository,
    run::{self, BenchEnd, BenchRun, Design, DesignChoice, Plan, RunFolder, STUDY, origins, prompt},
};
use slopbench_tests::{Problem, Track};

use crate::{
    Failure,
    args::{AnswersArgs, Args, Backend, EquipmentArgs, HowArgs, PlaceArgs, RunArgs},
    catalogue,
    commands::{
        agents::{default_version, named},
        runs::RunFigures,
    },
    output::{self, Status, print, print_json},
    setup, tracks,
};
use ground::{Ground, RunOptions, RunPlace};

/// What `--model` says for a model that plays the reference solution.
const SCRIPTED: &str = "scripted";

pub(crate) fn run(args: &Args, run: &RunArgs) -> Result<Status, Failure> {
    let repository = setup::repository(args)?;
    let catalogue = catalogue::load(&run.how.equipment.catalogue)?;
    let plan = plan(&repository, &catalogue, run)?;
    if run.dry_run {
        return dry_run(args, &plan, &catalogue);
    }
    let root = match &run.out {
        Some(root) => root.clone(),
        None => repository.root.join("runs").join(plan.digest()?.short()),
    };
    // Before anything is written.
    let how = &run.how;
    let (place, track) = (&how.equipment.place, plan.design.track);
    let equipment = equip(&plan.design, &catalogue, &how.equipment, how.budget_usd.is_some())?;
    let end = setup::with_grading_context(place, track, None, &repository, |context| {
        let place = RunPlace { repository: &repository, args: place, context, equipment: Some(&equipment) };
        let begun = RunFolder::open(&root, STUDY).ok();
        let ground = Ground::find(&place, &plan.design, begun.as_ref())?;
        let plan = Plan { instrument: ground.instrument.clone(), origins: origins(&equipment), ..plan };
        let folder = RunFolder::create(&root, plan)?;
        if run.plan_only {
            return Ok(ground.suites.keep(&folder).map(|()| None)?);
        }
        ground.with_run(&place, &folder, how, |run| run.carry_out(budget(how))).map(Some)
    })?;
    match end {
        Some(end) => tell(args, &root, end),
        None => print(format!("{}\n", setup::absolute(&root)?.display())).map(|()| Status::Ok),
    }
}

pub(crate) fn resume(args: &Args, root: &Path, how: &HowArgs) -> Result<Status, Failure> {
    let folder = RunFolder::open(root, STUDY)?;
    let catalogue = catalogue::load(&how.equipment.catalogue)?;
    let equipment = equip(&folder.plan.design, &catalogue, &how.equipment, how.budget_usd.is_some())?;
    let end =
        go_on(args, &folder, &how.equipment.place, (Some(&equipment), how.into()), |run| run.carry_out(budget(how)))?;
    tell(args, root, end)
}

pub(crate) fn run_unit(args: &Args, root: &Path, unit: &str, options: &EquipmentArgs) -> Result<Status, Failure> {
    let folder = RunFolder::open(root, STUDY)?;
    let equipment = equip(&folder.plan.design, &catalogue::load(&options.catalogue)?, options, false)?;
    let how = RunOptions { jobs: NonZeroUsize::MIN, accept_difference: false };
    let stopped = go_on(args, &folder, &options.place, (Some(&equipment), how), |run| run.carry_out_unit(unit))?;
    Ok(Status::of_check(stopped.is_none()))
}

pub(crate) fn regrade(args: &Args, root: &Path, how: &HowArgs) -> Result<Status, Failure> {
    let folder = RunFolder::open(root, STUDY)?;
    // No session is begun.
    let end = go_on(args, &folder, &how.equipment.place, (None, how.into()), |run| run.regrade())?;
    tell(args, root, end)
}

/// Has `carry_out` do something to a run that is begun, with what its sessions need, if there are any.
fn go_on<T>(
    args: &Args,
    folder: &RunFolder,
    place: &PlaceArgs,
    (equipment, how): (Option<&Equipment>, RunOptions),
    carry_out: impl FnOnce(&BenchRun<'_, '_>) -> Result<T, slopbench_slopcode::Error>,
) -> Result<T, Failure> {
    let repository = setup::repository(args)?;
    let design = &folder.plan.design;
    setup::with_grading_context(place, design.track, None, &repository, |context| {
        let place = RunPlace { repository: &repository, args: place, context, equipment };
        Ground::find(&place, design, Some(folder))?.with_run(&place, folder, how, carry_out)
    })
}

fn budget(how: &HowArgs) -> Budget {
    Budget::new(how.budget_usd, how.max_tokens)
}

/// Shows how a run ended.
fn tell(args: &Args, root: &Path, end: BenchEnd) -> Result<Status, Failure> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    match args.json {
        true => print_json(&RunFigures { summary: &end.summary, usage: &end.usage })?,
        false => {
            let mut text = slopbench_report::run(&end.summary, &end.usage);
            text += format!("\n{}\n", root.display());
            print(text)?;
        }
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

fn plan(repository: &Repository, catalogue: &AgentCatalogue, run: &RunArgs) -> Result<Plan, Failure> {
    let problems: Vec<Problem> = match run.problems.as_slice() {
        [] => repository.problems()?,
        names => names.iter().map(|name| repository.problem(name)).collect::<Result<_, _>>()?,
    };
    let problems: Vec<_> = problems.into_iter().map(|problem| problem.in_track(run.track.track)).collect();
    let first = problems.first().ok_or_else(|| Failure::configuration("there is no problem to solve"))?;
    let prompts =
        run.prompts.iter().map(|choice| prompt::find(choice, first)).collect::<Result<BTreeMap<_, _>, _>>()?;
    let design = Design::new(DesignChoice {
        problems: &problems,
        workers: &workers(catalogue, &run.agents, &run.models, &run.command)?,
        prompts,
        repeats: run.repeats.get(),
        limit_seconds: run.time_limit,
        one_shot: run.one_shot,
        answers: answers(&run.answers)?,
        allowed_hosts: run.allowed_hosts.iter().cloned().collect(),
        offline: run.offline,
    })?;
    Ok(Plan::new(STUDY, design))
}

/// Agents × models, where agents have models; without agents, each model's own one.
pub(crate) fn workers(
    catalogue: &AgentCatalogue,
    agents: &[String],
    models: &[String],
    words: &[String],
) -> Result<Vec<Worker>, Failure> {
    let mut workers = Vec::new();
    for name in agents {
        match name.as_str() {
            "reference" => workers.push(Worker::Reference),
            "noop" => workers.push(Worker::Noop),
            "command" => workers.push(command(words)?),
            _ if models.is_empty() => {
                return Err(Failure::configuration(format!(
                    "the agent {name} needs a model: --model {SCRIPTED}, or one of the catalogue"
                )));
            }
            _ => {
                for model in models {
                    workers.push(agent(catalogue, name, model)?);
                }
            }
        }
    }
    if agents.is_empty() {
        for model in models {
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
    let program = if program.contains('/') {
        setup::absolute(Path::new(program))?.display().to_string()
    } else {
        program.clone()
    };
    Ok(Worker::Command { words: [&[program], arguments].concat() })
}

fn agent(catalogue: &AgentCatalogue, name: &str, model: &str) -> Result<Worker, Failure> {
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

fn equip(
    design: &Design,
    catalogue: &AgentCatalogue,
    options: &EquipmentArgs,
    has_budget: bool,
) -> Result<Equipment, Failure> {
    let access = provider_access(&design.answers, design.workers(), catalogue)?;
    let mut equipment = equip_workers(design.workers(), access, design.track, catalogue, (options, has_budget))?;
    equipment.packages = design.package_indexes.then(|| PackageIndex::default().mirror());
    Ok(equipment)
}

/// Where answers come from, as a command line names it.
pub(crate) fn answers(asked: &AnswersArgs) -> Result<Answers, Failure> {
    Ok(match (&asked.replay, asked.record) {
        (Some(path), _) => Answers::Replayed { run: recorded(path)? },
        (None, true) => Answers::Recorded,
        (None, false) => Answers::Model,
    })
}

/// The providers that these workers' models are asked of. What was recorded needs none.
pub(crate) fn provider_access<'a>(
    answers: &Answers,
    workers: impl Iterator<Item = &'a Worker>,
    catalogue: &AgentCatalogue,
) -> Result<ProviderAccess, Failure> {
    match answers {
        Answers::Replayed { .. } => Ok(ProviderAccess::default()),
        Answers::Model | Answers::Recorded => ProviderAccess::of(workers, catalogue).map_err(of_catalogue),
    }
}

/// What sessions of these workers need, who write in `track`.
pub(crate) fn equip_workers<'a>(
    workers: impl Iterator<Item = &'a Worker> + Clone,
    access: ProviderAccess,
    track: Track,
    catalogue: &AgentCatalogue,
    (options, has_budget): (&EquipmentArgs, bool),
) -> Result<Equipment, Failure> {
    let cache = agents_folder(options.agents_dir.clone())?;
    let installing = |name: &str, version: &str| output::tell(&format!("installing {name} {version}"));
    let in_containers = matches!(options.place.sandbox, Backend::Docker);
    if options.image.is_some() && !in_containers {
        return Err(Failure::configuration(
            "--image goes with --sandbox docker: namespaces show this machine's system",
        ));
    }
    // Before anything is installed.
    let systems = match in_containers {
        true => {
            let image = |name: &str| setup::session_image(options.image.as_deref(), tracks::command_image(name, track));
            Systems::of_images(workers.clone(), catalogue, &image)?
        }
        false => match &options.place.python {
            Some(program) => Systems::of_machine(Runtime::python(program)?),
            None => Systems::default(),
        },
    };
    let equipment = Equipment::for_workers(workers, catalogue, access, &cache, has_budget, &installing);
    let mut equipment = equipment.map_err(of_catalogue)?;
    equipment.systems = systems;
    Ok(equipment)
}

/// A run may be of a file's entries, and be resumed without it.
fn of_catalogue(error: StageError) -> Failure {
    match error {
        StageError::Unknown(unknown) => {
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
    match path.join("units").is_dir() {
        true => setup::absolute(path),
        false => Err(Failure::configuration(format!("{} holds no recorded run", path.display()))),
    }
}

fn dry_run(args: &Args, plan: &Plan, catalogue: &AgentCatalogue) -> Result<Status, Failure> {
    let estimate = run::Estimate::of(plan, catalogue)?;
    match args.json {
        true => print_json(&estimate)?,
        false => print(slopbench_report::estimate(&estimate))?,
    }
    Ok(Status::Ok)
}
