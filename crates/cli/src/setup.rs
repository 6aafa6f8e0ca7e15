//! From options to what the libraries need.

use std::{
    env, fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    thread,
};

use slopbench_agents::stage::image_id;
use slopbench_environments::{EnvironmentStore, Environments, PackageIndex};
use slopbench_images::ImageLock;
use slopbench_metrics::RuleSet;
use slopbench_runner::Instrument;
use slopbench_sandbox::{
    Error, Host, Namespaces, Runtime, Sandbox, Solution,
    docker::{self, Docker, Image},
    session::System,
};
use slopbench_slopcode::{GradingContext, Repository, SolutionMounts, SuiteLocks, run};
use slopbench_tests::{Gate, Track};

use crate::{
    Failure,
    args::{Args, Backend, PlaceArgs},
    output,
    progress::Bar,
    tracks,
};

/// The repository that `--root` names or the current folder lies in.
pub(crate) fn repository(args: &Args) -> Result<Repository, Failure> {
    let here = env::current_dir().map_err(|error| Failure::configuration(format!("no current folder: {error}")))?;
    let repository = match &args.root {
        Some(root) => Repository::at(root)?,
        None if args.problem_folders.is_empty() => Repository::find(&here)?,
        None => Repository::find(&here).unwrap_or_else(|_| Repository::without_problems(&here)),
    };
    Ok(repository.with_problems(&args.problem_folders)?)
}

/// The rules at `path`, or the built-in ones.
pub(crate) fn rules(path: Option<&Path>) -> Result<RuleSet, Failure> {
    Ok(path.map_or_else(RuleSet::builtin, RuleSet::load)?)
}

/// Calls `work` with a context that plays cases of solutions in `track` where `args` say, `jobs` at once [default: one per
/// processor]. Hidden cases in `repository` are out of solutions' reach.
pub(crate) fn with_grading_context<T>(
    args: &PlaceArgs,
    track: Track,
    jobs: Option<NonZeroUsize>,
    repository: &Repository,
    work: impl FnOnce(&GradingContext<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    with_tracks(args, &[track], jobs, repository, |context, _| work(context))
}

/// The same for solutions in several tracks, which containers of one image have not: there, it is the first one's. `work` is told
/// what no solution may see, too.
pub(crate) fn with_tracks<T>(
    args: &PlaceArgs,
    tracks: &[Track],
    jobs: Option<NonZeroUsize>,
    repository: &Repository,
    work: impl FnOnce(&GradingContext<'_>, &[PathBuf]) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let hide = hidden(repository)?;
    let place = Place::find(args, tracks)?;
    let open = |dir: &Path, mounts: SolutionMounts<'_>| -> Result<Box<dyn Sandbox>, Error> {
        let [environment, assets] = [mounts.environment, mounts.assets].map(|folder| folder.map(Path::to_path_buf));
        let (dir, hide, whole) = (dir.to_path_buf(), hide.clone(), mounts.whole);
        let solution = Solution { dir, hide, environment, assets, whole };
        Ok(match &place {
            Place::Namespaces(runtime) => Box::new(Namespaces::open(&solution, runtime)?),
            Place::Docker(image) => Box::new(Docker::open(&solution, image)?),
            Place::Host(_) => Box::new(Host::open(&solution)?),
        })
    };
    if matches!(args.sandbox, Backend::None) {
        output::warn("--sandbox none: the solution runs on this machine without any protection");
    }
    let rules = rules(None)?;
    let bar = Bar::new();
    let (store, tell) = (environments(args.environments_dir.as_deref())?, |what: &str| output::tell(what));
    let environments = Environments::new(store, place.system()?, hide.clone(), PackageIndex::default(), &tell);
    let context = GradingContext {
        open: &open,
        environments: &environments,
        suites: SuiteLocks::default(),
        jobs: jobs.unwrap_or_else(processors),
        gate: &Gate::default(),
        rules: &rules,
        progress: &bar,
    };
    work(&context, &hide)
}

/// A back end, and what each of its sandboxes needs.
enum Place {
    Namespaces(Runtime),
    Docker(Image),
    /// With solutions of these tracks.
    Host(Vec<Track>),
}

impl Place {
    fn find(args: &PlaceArgs, tracks: &[Track]) -> Result<Self, Failure> {
        let first = tracks.first().copied().unwrap_or_default();
        Ok(match (args.sandbox, &args.system) {
            (Backend::Namespaces, Some(system)) => Self::Namespaces(Runtime::system(system)?),
            (Backend::Namespaces, None) => {
                let python = args.python.as_deref().map_or_else(Runtime::python3, Runtime::python)?;
                Self::Namespaces(tracks::runtime(python, tracks))
            }
            (_, None) if args.python.is_some() => {
                let message = "--python goes with --sandbox namespaces: a container's interpreter is its image's";
                return Err(Failure::configuration(message.to_owned()));
            }
            (_, Some(_)) => {
                let message = "--system goes with --sandbox namespaces: a container's system is its image";
                return Err(Failure::configuration(message.to_owned()));
            }
            (Backend::Docker, None) => Self::Docker(image(first.definition().image)?),
            (Backend::None, None) => Self::Host(tracks.to_vec()),
        })
    }

    /// The same as sessions are told.
    fn system(&self) -> Result<System, Failure> {
        Ok(match self {
            Self::Namespaces(runtime) => System::Machine(runtime.clone()),
            Self::Docker(image) => System::Image(image.clone()),
            // What solutions find is this machine's, and so are their packages; nothing of those runs before. They are built
            // in namespaces, too.
            Self::Host(tracks) => System::Machine(tracks::runtime(Runtime::python3()?, tracks)),
        })
    }
}

/// What results are made with in this context, which is where `args` say; `nothing` is an empty folder.
pub(crate) fn instrument(
    args: &PlaceArgs,
    track: Track,
    context: &GradingContext<'_>,
    nothing: &Path,
) -> Result<Instrument, Failure> {
    let (back_end, image) = match (args.sandbox, &args.system) {
        (Backend::Namespaces, Some(_)) => ("namespaces", Some("an unpacked system".to_owned())),
        (Backend::Namespaces, None) => ("namespaces", None),
        (Backend::Docker, _) => ("docker", Some(image_id(&image(track.definition().image)?))),
        (Backend::None, _) => ("none", None),
    };
    Ok(run::instrument(context, back_end, image, track, nothing)?)
}

/// The locked image of a recipe.
pub(crate) fn image(name: &str) -> Result<Image, Failure> {
    locked(name).map_err(Failure::configuration)
}

fn locked(name: &str) -> Result<Image, slopbench_images::Error> {
    Ok(ImageLock::builtin()?.get(name)?.reference(name))
}

/// The image of a worker's sessions, which the engine has: the one that is `named`, or the locked one of `recipe`.
pub(crate) fn session_image(named: Option<&str>, recipe: &str) -> Result<Image, slopbench_slopcode::Error> {
    let engine = docker::ContainerEngine::connect()?;
    engine.fit()?;
    if let Some(named) = named {
        return Ok(engine.find_image(named)?);
    }
    let image = locked(recipe).map_err(|error| slopbench_slopcode::Error::Images(error.to_string()))?;
    engine.check(&image)?;
    Ok(image)
}

/// What no solution may see: the repository, and by name each folder of cases, so that none is taken for a solution.
fn hidden(repository: &Repository) -> Result<Vec<PathBuf>, Failure> {
    let own = repository.is_clone().then(|| canonical(&repository.root));
    let mut hidden: Vec<PathBuf> = own.into_iter().collect::<Result<_, _>>()?;
    for dir in repository.problems_dirs() {
        for problem in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let entries = fs::read_dir(problem.path()).into_iter().flatten().flatten();
            hidden.extend(entries.map(|entry| entry.path()).filter(|path| holds_expectations(path)));
        }
        hidden.push(canonical(&dir)?);
    }
    Ok(hidden)
}

/// Whether this folder of a problem holds cases, or tests.
fn holds_expectations(path: &Path) -> bool {
    path.join("cases").is_dir() || (path.ends_with("tests") && path.join("conftest.py").is_file())
}

/// `slopbench/<name>` in the user's cache folder, as the XDG base directory specification finds it.
pub(crate) fn cache(name: &str) -> Option<PathBuf> {
    let named = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let base = named.or_else(|| Some(env::home_dir()?.join(".cache")))?;
    Some(base.join("slopbench").join(name))
}

/// The store of environments: the folder that is named, or the usual one.
pub(crate) fn environments(named: Option<&Path>) -> Result<EnvironmentStore, Failure> {
    let folder = named.map(Path::to_path_buf).or_else(|| cache("environments"));
    let missing = || Failure::configuration("no home folder for environments: name one with --environments-dir DIR");
    Ok(EnvironmentStore(absolute(&folder.ok_or_else(missing)?)?))
}

/// The path from the root, of something that need not exist.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    let here = env::current_dir().map_err(|error| Failure::configuration(format!("no current folder: {error}")))?;
    Ok(here.join(path))
}

fn processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

fn canonical(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|error| Failure::configuration(format!("{}: {error}", path.display())))
}
