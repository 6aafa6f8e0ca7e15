//! The real command lines against the gateway. They come from npm and PyPI, so `cargo xtask agents` runs these tests.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use slopbench_agents::{
    definition::{Agent, Task},
    gateway::{Faults, Gateway, Mode, Outcome},
    install::install,
    launch::{Exit, Host},
    player::Player,
    script::Script,
    session::Session,
};

/// An installed agent with a workspace and a home of its own.
struct Bench {
    agent: Agent,
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new(agent: &str, version: &str) -> Self {
        let agent = Agent::named(agent).unwrap();
        let program = install(&agent, version, &Path::new(env!("CARGO_TARGET_TMPDIR")).join("agents")).unwrap();
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        fs::create_dir(folder.path().join("workspace")).unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        Self { agent, program, folder }
    }

    fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    fn player(&self, script: Script) -> Player {
        Player { script, workspace: self.workspace(), finish_command: self.agent.finish_command.clone() }
    }

    async fn run(&self, gateway: &Gateway) -> Session {
        let task = Task {
            prompt: "Write a greeting.",
            model: &self.agent.scripted_model,
            gateway: &gateway.url(),
            key: "no-key",
            workspace: &self.workspace(),
            home: &self.folder.path().join("home"),
        };
        // Some agents refuse to work for root; to nobody the file system is as closed as it gets.
        let is_root =
            fs::metadata(self.folder.path()).map(|meta| std::os::unix::fs::MetadataExt::uid(&meta)).unwrap() == 0;
        let launcher = Host { user: (is_root && self.agent.refuses_root).then_some((65534, 65534)) };
        self.agent.run(&self.program, &task, &launcher, Duration::from_secs(180)).await.unwrap()
    }
}

fn script(name: &str) -> Script {
    Script::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scripts").join(name)).unwrap()
}

async fn plays_the_script(agent: &str, version: &str) {
    let bench = Bench::new(agent, version);
    let mode = Mode::Scripted(bench.player(script("smoke.toml")));
    let gateway = Gateway::start(([127, 0, 0, 1], 0).into(), mode, Faults::new()).await.unwrap();
    let session = bench.run(&gateway).await;
    let told = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if let Some(folder) = std::env::var_os("SLOPBENCH_KEEP_EVENTS") {
        fs::write(Path::new(&folder).join(format!("{agent}-{version}")), &session.events).unwrap();
    }
    assert_eq!(session.ended.exit, Exit::Code(0), "{}\n{}", told(&session.events), told(&session.ended.stderr));
    let text = fs::read_to_string(bench.workspace().join("src/greeting.txt"));
    let log = gateway.log().to_json_lines();
    assert_eq!(text.unwrap(), "def f():\n    return 'no newline at the end'", "{log}\n{}", told(&session.events));
    let answered = gateway.log().entries().iter().filter(|entry| entry.outcome == Outcome::Scripted).count();
    assert!(answered >= 5, "four steps and the end take five turns: {log}");
}

macro_rules! real {
    ($($name:ident: $agent:literal $version:literal;)*) => {
        $(
            #[tokio::test]
            #[ignore = "installs from npm or PyPI: cargo xtask agents"]
            async fn $name() {
                plays_the_script($agent, $version).await;
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
