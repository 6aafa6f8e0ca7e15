//! Runs of the small problem `echo`, solved by a small agent whose model is played behind a provider's API.

use std::{
    collections::BTreeMap,
    fs,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    pin::Pin,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, SystemTime},
};

use serde_json::Value;
use slopbench_agents::{
    catalogue::AgentCatalogue,
    stage::{Answers, Equipment, ModelChoice, ProviderAccess, Worker},
};
use slopbench_digest::Listing;
use slopbench_environments::{EnvironmentStore, Environments, PackageIndex};
use slopbench_gateway::{
    api::Api,
    backoff::Clock,
    player::Player,
    provider::{Provider, Secret},
    script::{Action, Script},
    server::{Faults, Gateway, Mode},
};
use slopbench_metrics::RuleSet;
use slopbench_runner::{Budget, Fault, RunEvent, Threads, Watch};
use slopbench_sandbox::{Namespaces, Runtime, Sandbox, Solution, session::System};
use slopbench_slopcode::{
    GradingContext, Repository, SolutionMounts, SuiteLocks,
    run::{BenchRun, Design, DesignChoice, Plan, RunFolder, STUDY, SlopCode, problems, prompt},
};
use slopbench_tests::Gate;
use tempfile::TempDir;

/// What the model tells its agent to run: the solution of the checkpoint that comes next.
const SOLVE: &str = r#"if test -e echo.py
then say='2 * int(word) if word.isdigit() else word'
else say='sys.exit(1) if word.isdigit() else word'
fi
printf 'import sys\n\nword = sys.argv[1]\nprint(%s)\n' "$say" > echo.py"#;

/// A name with a lock file, so that what is put where it would be installed is taken for it.
const VERSION: &str = "2.1.329";

pub(crate) struct Bench {
    dir: TempDir,
    repository: Repository,
    waiting: Waiting,
    limit_seconds: u64,
    answers: Answers,
    /// What its sessions and grades pass.
    pub(crate) gate: Gate,
}

/// What only the gateway and the provider know.
const KEY: &str = "canary-key";

/// How long a pause of the gateway's takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    Not,
    Forever,
}

/// What a run left.
pub(crate) struct Left {
    root: PathBuf,
    trajectory: String,
    provider: String,
    /// Each checkpoint's state, and how many cases pass where it is graded.
    pub(crate) states: Vec<String>,
    /// How each session ended, those that were put aside included.
    pub(crate) outcomes: Vec<String>,
    /// What was wrong with the infrastructure.
    pub(crate) broken: Option<String>,
    /// The bytes of `summary.json`, where there is one.
    pub(crate) summary: Option<String>,
    /// The pauses of the gateway, in whole seconds.
    pub(crate) waited: Vec<u64>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/tests/repository");
        let (dir, repository) = (tempfile::tempdir().unwrap(), Repository::at(&root).unwrap());
        let gate = Gate::default();
        Self { dir, repository, waiting: Waiting::Not, limit_seconds: 600, answers: Answers::Model, gate }
    }

    pub(crate) fn waiting(self, waiting: Waiting) -> Self {
        Self { waiting, ..self }
    }

    /// With so much time for a session.
    pub(crate) fn limited(self, limit_seconds: u64) -> Self {
        Self { limit_seconds, ..self }
    }

    /// With a cassette of each session.
    pub(crate) fn recording(self) -> Self {
        Self { answers: Answers::Recorded, ..self }
    }

    /// The id of the only trajectory.
    pub(crate) fn trajectory(&self) -> String {
        self.plan().design.trajectories[0].id.clone()
    }

    /// Whether a session of the run in the folder `name` has its workspace.
    pub(crate) fn has_begun(&self, name: &str) -> bool {
        let scratch = fs::read_dir(self.dir.path().join(name).join("scratch")).into_iter().flatten().flatten();
        scratch.into_iter().any(|unit| unit.path().join("workspace").exists())
    }

    /// A run in the folder `name`, with a provider that has these faults and an agent in this mood.
    pub(crate) fn run(&self, name: &str, faults: &Faults, mood: &str) -> Left {
        self.carry_out(&self.dir.path().join(name), &provider(faults.clone()), mood)
    }

    fn plan(&self) -> Plan {
        let problems = [self.repository.problem("echo").unwrap()];
        let (name, id) = ("played".to_owned(), "claude-sonnet-4-5-20250929".to_owned());
        let model = ModelChoice { name, id, provider: Some("anthropic".to_owned()), reasoning: "high".to_owned() };
        let worker = Worker::Agent { name: "claude-code".to_owned(), version: VERSION.to_owned(), model };
        let design = Design::new(DesignChoice {
            problems: &problems,
            workers: &[worker],
            prompts: BTreeMap::from([prompt::find("just-solve", &problems[0]).unwrap()]),
            repeats: 1,
            limit_seconds: self.limit_seconds,
            one_shot: false,
            answers: self.answers.clone(),
            allowed_hosts: [].into(),
            offline: true,
        });
        Plan::new(STUDY, design.unwrap())
    }

    /// The agent, installed: `mood` lies beside its program.
    fn install(&self, mood: &str) -> PathBuf {
        let cache = self.dir.path().join(format!("agents in the mood {mood}"));
        let place = cache.join(format!("claude-code-{VERSION}"));
        let programs = place.join("node_modules/.bin");
        fs::create_dir_all(&programs).unwrap();
        let agent = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent/claude");
        fs::copy(agent, programs.join("claude")).unwrap();
        fs::write(programs.join("mood"), mood).unwrap();
        fs::write(place.join("complete"), "").unwrap();
        cache
    }

    fn carry_out(&self, root: &Path, provider: &str, mood: &str) -> Left {
        let folder = RunFolder::create(root, self.plan()).unwrap();
        let clock = Arc::new(MockClock { waiting: self.waiting, waited: Mutex::default() });
        let provider = Provider::keyed(Api::AnthropicMessages, provider, "x-api-key", &Secret::new(KEY));
        let provider_access = ProviderAccess {
            providers: [("anthropic".to_owned(), provider.clone())].into(),
            clock: Arc::clone(&clock) as Arc<dyn Clock>,
            // On a busy machine a thread may well sleep for a second.
            idle: Duration::from_secs(3),
        };
        let design = &folder.plan.design;
        let (workers, cache, catalogue) = (design.workers(), self.install(mood), AgentCatalogue::built_in().unwrap());
        let equipment =
            Equipment::for_workers(workers, &catalogue, provider_access, &cache, false, &|_, _| ()).unwrap();
        let runtime = Runtime::python3().unwrap();
        let open = |dir: &Path, mounts: SolutionMounts<'_>| {
            let SolutionMounts { environment, assets, whole } = mounts;
            let [environment, assets] = [environment, assets].map(|folder| folder.map(Path::to_path_buf));
            let solution = Solution { dir: dir.to_path_buf(), hide: Vec::new(), environment, assets, whole };
            Namespaces::open(&solution, &runtime).map(|sandbox| Box::new(sandbox) as Box<dyn Sandbox>)
        };
        let (store, system) = (self.dir.path().join("environments"), System::Machine(runtime.clone()));
        let environments =
            Environments::new(EnvironmentStore(store), system, Vec::new(), PackageIndex::default(), &|_| ());
        let context = GradingContext {
            open: &open,
            environments: &environments,
            suites: SuiteLocks::default(),
            jobs: NonZeroUsize::MIN,
            gate: &self.gate,
            rules: &RuleSet::builtin().unwrap(),
            progress: &(),
        };
        let ends = Ends::default();
        let problems = problems(&self.repository, design, false).unwrap();
        let hide = vec![root.to_path_buf()];
        let run = BenchRun {
            folder: &folder,
            study: SlopCode { design, problems: &problems, context: &context, equipment: &equipment, hide },
            instrument: &folder.plan.instrument,
            accept_difference: false,
            executor: &Threads(NonZeroUsize::MIN),
            watch: &ends,
        };
        let end = run.carry_out(Budget::default()).unwrap();
        for file in Listing::of_dir(root, "").unwrap().0.keys() {
            let text = String::from_utf8_lossy(&fs::read(root.join(file)).unwrap()).into_owned();
            assert!(!text.contains(KEY), "{file}: {text}");
        }
        let summary = serde_json::to_value(&end.summary).unwrap();
        Left {
            root: root.to_path_buf(),
            trajectory: self.trajectory(),
            provider: provider.base,
            states: summary["trajectories"][0]["checkpoints"].as_array().unwrap().iter().map(state).collect(),
            outcomes: ends.outcomes.into_inner().unwrap(),
            broken: end.broken.first().map(|(_, error)| {
                assert_eq!(error.fault(), Fault::Infrastructure);
                error.to_string()
            }),
            summary: fs::read_to_string(root.join("summary.json")).ok(),
            waited: clock.waited.lock().unwrap().iter().map(Duration::as_secs).collect(),
        }
    }
}

impl Left {
    /// The same run, carried out again with an agent in this mood.
    pub(crate) fn resumed(&self, bench: &Bench, mood: &str) -> Self {
        bench.carry_out(&self.root, &self.provider, mood)
    }

    /// Every request of a checkpoint's session, or of the first that was put aside: how it ended, and which attempt that
    /// was.
    pub(crate) fn asked(&self, checkpoint: u32) -> Vec<String> {
        let text = fs::read_to_string(self.session(checkpoint).join("gateway.jsonl")).unwrap();
        let entries = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        entries
            .map(|entry| {
                let status = entry["status"].as_u64().map_or(String::new(), |status| format!(" {status}"));
                format!("{}{status} after {}", entry["outcome"].as_str().unwrap(), entry["attempts"])
            })
            .collect()
    }

    /// A checkpoint's `session.json`.
    pub(crate) fn record(&self, checkpoint: u32) -> Value {
        serde_json::from_slice(&fs::read(self.session(checkpoint).join("session.json")).unwrap()).unwrap()
    }

    /// Where a checkpoint's session is kept, or the first that was put aside.
    pub(crate) fn session(&self, checkpoint: u32) -> PathBuf {
        let stage = format!("{}/checkpoint_{checkpoint}/session", self.trajectory);
        let session = self.root.join("units").join(&stage);
        if session.is_dir() { session } else { self.root.join("attempts").join(stage).join("1") }
    }
}

fn state(row: &Value) -> String {
    let state = row["state"].as_str().unwrap();
    let kinds = ["core", "functionality", "error", "regression"];
    let passed = || kinds.iter().filter_map(|kind| row["counts"][kind]["passed"].as_u64()).sum::<u64>();
    if row["counts"].is_null() { state.to_owned() } else { format!("{state} {}", passed()) }
}

/// A model behind a provider's API, on a thread of its own that ends with the process.
fn provider(faults: Faults) -> String {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let script = Script::of_actions([Action::Run(SOLVE.to_owned())]);
            let tools = AgentCatalogue::built_in().unwrap().agents.get("claude-code").unwrap().value.tools.clone();
            let player = Player { script, workspace: "/workspace".into(), tools, finish_command: None };
            let gateway = Gateway::start(([127, 0, 0, 1], 0).into(), Mode::Scripted(player), faults).await.unwrap();
            sender.send(gateway.url()).unwrap();
            std::future::pending::<()>().await;
        });
    });
    receiver.recv().unwrap()
}

/// Keeps how each session ended.
#[derive(Default)]
struct Ends {
    outcomes: Mutex<Vec<String>>,
}

impl Watch for Ends {
    fn tell(&self, _: &str, event: &RunEvent<'_>) {
        if let RunEvent::Ended { stage, outcome } = event
            && stage.ends_with("/session")
        {
            self.outcomes.lock().unwrap().push((*outcome).to_owned());
        }
    }
}

/// A clock on which a wait is over at once, or never; it keeps how long each would have been.
#[derive(Debug)]
struct MockClock {
    waiting: Waiting,
    waited: Mutex<Vec<Duration>>,
}

impl Clock for MockClock {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        self.waited.lock().unwrap().push(time);
        match self.waiting {
            Waiting::Not => Box::pin(std::future::ready(())),
            Waiting::Forever => Box::pin(std::future::pending()),
        }
    }
}
