//! The real command lines against the gateway. They come from npm and PyPI, so `cargo xtask agents` runs these tests.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use slopbench_agents::{
    catalogue::AgentCatalogue,
    definition::{Agent, AgentTask},
    events::{SessionEnd, SessionReport},
    install::{Installed, install},
    launch::{AgentSandbox, session_in},
    session::EndedSession,
};
use slopbench_digest::{TreeId, tree_id};
use slopbench_gateway::{
    backoff::{RetryPolicy, SystemClock},
    cassette::{Cassette, Replay},
    player::Player,
    provider::{Provider, Secret},
    request_key::SessionPaths,
    script::{Action, Script},
    server::{Allowed, Faults, Forwarder, Gateway, Mode, Models, Recorder, RequestOutcome},
};
use slopbench_sandbox::snapshot::{CopyRules, Snapshot};

const PROMPT: &str = "Write a greeting.";

/// How often a recording is replayed.
const REPLAYS: usize = 3;

/// An installed agent with a workspace and a home on this machine; it sees them at the same places in every run.
struct Bench {
    agent: Agent,
    version: String,
    installed: Installed,
    folder: PathBuf,
}

impl Bench {
    fn new(agent: &str, version: &str) -> Self {
        let catalogue = AgentCatalogue::built_in().unwrap();
        let agent = catalogue.agents.get(agent).unwrap().value.clone();
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let agents = root.join("agents");
        let installed = install(&catalogue, &agent, version, &agents, &|| ()).unwrap();
        let folder = root.join("sessions").join(format!("{}-{version}", agent.name));
        Self { agent, version: version.to_owned(), installed, folder }
    }

    fn workspace(&self) -> PathBuf {
        self.folder.join("workspace")
    }

    fn scripted(&self, script: Script) -> Mode {
        let finish_command = self.agent.finish_command.clone();
        let tools = self.agent.tools.clone();
        Mode::Scripted(Player { script, workspace: AgentSandbox::workspace().into(), tools, finish_command })
    }

    /// As in a run: the agent's own model, and those that it asks beside.
    fn allowed(&self) -> Allowed {
        let side = self.agent.side_models(None).iter().cloned();
        let models = Models::Only(side.chain([self.agent.scripted_model.clone()]).collect());
        Allowed { models, ..Allowed::default() }
    }

    /// An empty home, and a workspace that holds `before`.
    fn prepare(&self, before: Option<&Path>) {
        drop(fs::remove_dir_all(&self.folder));
        for folder in ["home", "streams", "workspace"] {
            fs::create_dir_all(self.folder.join(folder)).unwrap();
        }
        if let Some(before) = before {
            copy(before, &self.workspace());
        }
    }

    fn sandbox(&self) -> (AgentSandbox, TcpListener) {
        let (installation, system) = (self.installed.folder.clone(), AgentSandbox::machine().unwrap());
        AgentSandbox::open(session_in(&self.folder, installation, system, Vec::new())).unwrap()
    }

    /// Runs the agent with a model behind it, in a new conversation or in that one.
    async fn run(&self, mode: Mode, conversation: Option<&str>) -> (EndedSession, Gateway) {
        let (sandbox, listener) = self.sandbox();
        let gateway = Gateway::serve(listener, mode, Faults::new(), self.allowed()).unwrap();
        let task = AgentTask {
            prompt: PROMPT,
            conversation,
            model: &self.agent.scripted_model,
            small_model: self.agent.small_model(None, &self.agent.scripted_model),
            reasoning: "medium",
            gateway: &gateway.url(),
            key: "no-key",
            workspace: AgentSandbox::workspace(),
            home: AgentSandbox::home(),
        };
        let session = self.agent.run(&self.installed.program, &task, &sandbox, Duration::from_secs(180)).await.unwrap();
        (session, gateway)
    }

    /// Runs the agent to a good end, and gives the tree that it leaves behind.
    async fn work(&self, mode: Mode) -> (TreeId, Gateway) {
        let (session, gateway) = self.run(mode, None).await;
        let report = SessionReport::of(&self.agent, &self.agent.scripted_model, PROMPT, &session.events);
        let told = String::from_utf8_lossy(&session.ended.stderr).into_owned();
        assert_eq!(report.ending(&session), SessionEnd::Done, "{}{told}", gateway.log().to_json_lines());
        assert!(report.total().output > 0, "{} {}: {report:?}", self.agent.name, self.version);
        let snapshot = self.folder.join("snapshot");
        let Snapshot { skipped, .. } = Snapshot::take(&self.workspace(), &snapshot, &CopyRules::default()).unwrap();
        assert_eq!(skipped.named, []);
        (tree_id(&snapshot).unwrap(), gateway)
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

async fn gateway(mode: Mode) -> Gateway {
    Gateway::start(([127, 0, 0, 1], 0).into(), mode, Faults::new()).await.unwrap()
}

fn smoke() -> Script {
    Script::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts/smoke.toml")).unwrap()
}

async fn plays_the_script(agent: &str, version: &str) {
    let bench = Bench::new(agent, version);
    bench.prepare(None);
    let (_, gateway) = bench.work(bench.scripted(smoke())).await;
    let text = fs::read_to_string(bench.workspace().join("src/greeting.txt")).unwrap();
    assert_eq!(text, "def f():\n    return 'no newline at the end'");
    let turns = gateway.log().entries().iter().filter(|entry| entry.outcome == RequestOutcome::Scripted).count();
    assert!(turns >= 5, "four steps and the end take five turns: {}", gateway.log().to_json_lines());
}

/// The second session's model finds the first one's action in the conversation, and plays the next.
async fn goes_on_with_a_conversation(agent: &str, version: &str) {
    let bench = Bench::new(agent, version);
    bench.prepare(None);
    let mut conversation: Option<String> = None;
    let append = |word: &str| Action::Run(format!("echo {word} >> words"));
    for actions in [vec![append("first")], vec![append("first"), append("second")]] {
        drop(fs::remove_dir_all(bench.folder.join("streams")));
        fs::create_dir_all(bench.folder.join("streams")).unwrap();
        let mode = bench.scripted(Script::of_actions(actions));
        let (session, gateway) = bench.run(mode, conversation.as_deref()).await;
        let report = SessionReport::of(&bench.agent, &bench.agent.scripted_model, PROMPT, &session.events);
        let told = String::from_utf8_lossy(&session.ended.stderr).into_owned();
        assert_eq!(report.ending(&session), SessionEnd::Done, "{}{told}", gateway.log().to_json_lines());
        conversation = report.session_id;
        assert!(conversation.is_some(), "{agent} does not say what it calls its conversation");
    }
    assert_eq!(fs::read_to_string(bench.workspace().join("words")).unwrap(), "first\nsecond\n");
}

async fn replays_what_was_recorded(agent: &str, version: &str) {
    let bench = Bench::new(agent, version);
    let provider = gateway(bench.scripted(smoke())).await;
    let provider = Provider::keyed(bench.agent.api, provider.url(), "x-key", &Secret::new("no-key"));
    let forwarder =
        Forwarder::new(vec![provider], RetryPolicy::default(), Arc::new(SystemClock), Duration::from_secs(60)).unwrap();
    let places = SessionPaths::new(AgentSandbox::workspace(), AgentSandbox::home());
    let recorder = Recorder::new(&format!("{agent} {version}"), places.clone());
    bench.prepare(None);
    let (recorded, _) = bench.work(Mode::Record(forwarder, recorder.clone())).await;
    let cassette = bench.folder.with_extension("cassette");
    recorder.save(&cassette).await.unwrap();
    for number in 0..REPLAYS {
        bench.prepare(None);
        let replay = Replay::new(Cassette::load(&cassette).unwrap(), &places).unwrap();
        let (replayed, gateway) = bench.work(Mode::Replay(replay)).await;
        assert_eq!(replayed, recorded, "replay {number}: {}", gateway.log().to_json_lines());
        let missed = |outcome: &RequestOutcome| matches!(outcome, RequestOutcome::Missed { .. });
        assert!(!gateway.log().entries().iter().any(|entry| missed(&entry.outcome)));
    }
}

async fn writes_the_reference_solutions(agent: &str, version: &str) {
    let bench = Bench::new(agent, version);
    let solutions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/code_search/solution");
    let solution = |number: usize| solutions.join(format!("checkpoint_{number}"));
    for number in 1..=5 {
        let before = (number > 1).then(|| solution(number - 1));
        bench.prepare(before.as_deref());
        let script = Script::of_solution(before.as_deref(), &solution(number)).unwrap();
        let (tree, _) = bench.work(bench.scripted(script)).await;
        assert_eq!(tree, tree_id(&solution(number)).unwrap(), "checkpoint {number}");
    }
}

macro_rules! real {
    ($($name:ident: $agent:literal $version:literal;)*) => {
        $(
            mod $name {
                #[tokio::test]
                #[ignore = "installs from npm or PyPI: cargo xtask agents"]
                async fn plays_the_script() {
                    super::plays_the_script($agent, $version).await;
                }

                #[tokio::test]
                #[ignore = "installs from npm or PyPI: cargo xtask agents"]
                async fn replays_what_was_recorded() {
                    super::replays_what_was_recorded($agent, $version).await;
                }

                #[tokio::test]
                #[ignore = "installs from npm or PyPI: cargo xtask agents"]
                async fn writes_the_reference_solutions() {
                    super::writes_the_reference_solutions($agent, $version).await;
                }
            }
        )*
    };
}

real! {
    claude_code_2_0_51: "claude-code" "2.0.51";
    claude_code_2_1_329: "claude-code" "2.1.329";
    codex_0_65_0: "codex" "0.65.0";
    codex_0_169_0: "codex" "0.169.0";
    opencode_1_18_33: "opencode" "1.18.33";
    gemini_cli_0_61_0: "gemini-cli" "0.61.0";
    mini_swe_agent_2_4_6: "mini-swe-agent" "2.4.6";
}

macro_rules! goes_on {
    ($($name:ident: $agent:literal $version:literal;)*) => {
        mod goes_on {
            $(
                #[tokio::test]
                #[ignore = "installs from npm or PyPI: cargo xtask agents"]
                async fn $name() {
                    super::goes_on_with_a_conversation($agent, $version).await;
                }
            )*
        }
    };
}

goes_on! {
    claude_code_2_0_51: "claude-code" "2.0.51";
    claude_code_2_1_329: "claude-code" "2.1.329";
    codex_0_65_0: "codex" "0.65.0";
    codex_0_169_0: "codex" "0.169.0";
    opencode_1_18_33: "opencode" "1.18.33";
    gemini_cli_0_61_0: "gemini-cli" "0.61.0";
}
