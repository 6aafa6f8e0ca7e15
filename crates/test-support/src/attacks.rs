//! Hostile agents, each played beside an honest one in a run of the small problem of `cli/tests/repository`, while the harness
//! is watched from outside. `cargo xtask attacks` plays all of them, a test of the binary some.

use std::{
    collections::BTreeMap,
    error::Error,
    fs::{self, File},
    io,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::Value;
use walkdir::WalkDir;

use crate::package_index::MockIndex;

/// What both agents are. Which one it is, its prompt says.
const AGENT: &str = include_str!("../attacks/agent.py");

/// The attacks, by what they aim at.
const TABLES: [&str; 3] = [
    include_str!("../attacks/leaves.toml"),
    include_str!("../attacks/sends.toml"),
    include_str!("../attacks/does.toml"),
];

/// The agent whose place a session with a model and a gateway takes.
const WITH_MODEL: &str = "claude-code@2.1.329";

/// How often the harness is looked at.
const PAUSE: Duration = Duration::from_millis(10);

/// One hostile agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// In one word.
    pub name: String,
    /// What it tries, in one sentence.
    pub tries: String,
    /// How its sessions end, one per checkpoint that is produced.
    #[serde(default = "twice_done")]
    pub outcome: Vec<String>,
    /// Whether it is over soon.
    #[serde(default)]
    pub quick: bool,
    /// What it is.
    #[serde(default)]
    agent: Option<AttackKind>,
    /// What it does, in Python.
    code: String,
}

/// What an agent is to the harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AttackKind {
    /// A program without a model.
    Command,
    /// A known agent with a scripted model, whose exchanges are recorded.
    Model,
}

fn twice_done() -> Vec<String> {
    ["done", "done"].map(str::to_owned).to_vec()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AttackTable {
    attack: Vec<Attack>,
}

/// All attacks.
///
/// # Errors
///
/// If a table is not one.
pub fn all() -> Result<Vec<Attack>, toml::de::Error> {
    let mut attacks = Vec::new();
    for (number, text) in TABLES.into_iter().enumerate() {
        // Those that send need somebody to send to.
        let kind = if number == 1 { AttackKind::Model } else { AttackKind::Command };
        let table: AttackTable = toml::from_str(text)?;
        let known = table.attack.into_iter();
        attacks.extend(known.map(|attack| Attack { agent: attack.agent.or(Some(kind)), ..attack }));
    }
    Ok(attacks)
}

impl Attack {
    /// Its row in the documentation.
    pub fn row(&self) -> String {
        format!("| `{}` | {} | {} |\n", self.name, self.tries, self.outcome.join(", "))
    }

    fn kind(&self) -> AttackKind {
        self.agent.unwrap_or(AttackKind::Command)
    }
}

/// Where attacks are played.
pub struct Arena {
    slopbench: PathBuf,
    /// A folder of our own, empty again after each attack.
    scratch: PathBuf,
    repository: PathBuf,
    /// How long a gateway is attacked.
    seconds: f64,
    /// What the honest trajectory comes to where nobody attacks.
    undisturbed: BTreeMap<AttackKind, Results>,
    /// In place of those that the machine is configured for.
    index: MockIndex,
}

/// Results of a trajectory by the paths of their files, and its part of the summary.
type Results = BTreeMap<String, Vec<u8>>;

/// What an attack came to.
#[derive(Debug)]
pub struct Played {
    /// The harness's exit code.
    pub code: Option<i32>,
    /// How the attack's sessions ended.
    pub outcome: Vec<String>,
    /// The most memory that the harness took, in bytes.
    pub memory: u64,
    /// The most descriptors that it had open beyond those at its start.
    pub descriptors: usize,
    /// The honest trajectory's results that are not those of the undisturbed run.
    pub changed: Vec<String>,
    /// Whether the same command, once more, ends at once in the same summary.
    pub resumed: bool,
    /// How long the run took.
    pub took: Duration,
    /// The harness's last words.
    pub words: String,
}

impl Played {
    /// The most memory that a harness may take, in bytes.
    pub const MOST_MEMORY: u64 = 512 << 20;

    /// The most descriptors beyond its start.
    pub const MOST_DESCRIPTORS: usize = 256;

    /// What is wrong, one sentence each.
    pub fn flaws(&self, attack: &Attack) -> Vec<String> {
        let mut flaws = Vec::new();
        let mut check = |is_well: bool, what: String| flaws.extend((!is_well).then_some(what));
        check(self.code == Some(0), format!("exit code {:?}: {}", self.code, self.words));
        check(self.outcome == attack.outcome, format!("ended {:?}, not {:?}", self.outcome, attack.outcome));
        check(self.memory < Self::MOST_MEMORY, format!("{} MiB of memory", self.memory >> 20));
        check(self.descriptors < Self::MOST_DESCRIPTORS, format!("{} more descriptors", self.descriptors));
        check(self.changed.is_empty(), format!("the honest trajectory differs in {:?}", self.changed));
        check(self.resumed, "resumed, it does not end in the same summary".to_owned());
        flaws
    }
}

type Failure = Box<dyn Error>;

impl Arena {
    /// An arena for attacks on `slopbench` that last `seconds` where they last; `repository` has the small problem.
    ///
    /// # Errors
    ///
    /// If files cannot be copied.
    pub fn open(slopbench: &Path, repository: &Path, scratch: &Path, seconds: f64) -> Result<Self, Failure> {
        let copy = scratch.join("repository");
        for entry in WalkDir::new(repository) {
            let entry = entry?;
            let to = copy.join(entry.path().strip_prefix(repository)?);
            match entry.file_type().is_dir() {
                true => fs::create_dir_all(to)?,
                false => fs::copy(entry.path(), to).map(drop)?,
            }
        }
        fs::write(scratch.join("attack.md"), "Attack.\n")?;
        let (slopbench, scratch) = (slopbench.to_path_buf(), scratch.to_path_buf());
        let index = MockIndex::serve(&scratch.join("index"));
        Ok(Self { slopbench, scratch, repository: copy, seconds, undisturbed: BTreeMap::new(), index })
    }

    /// Plays an attack.
    ///
    /// # Errors
    ///
    /// If the harness cannot be started, or files cannot be written or read.
    pub fn play(&mut self, attack: &Attack) -> Result<Played, Failure> {
        let kind = attack.kind();
        if !self.undisturbed.contains_key(&kind) {
            let run = self.run(kind, "pass")?;
            let honest = self.honest()?;
            if run.0 != Some(0) || honest.is_empty() {
                return Err(format!("the undisturbed run ends with exit code {:?}: {}", run.0, self.words()).into());
            }
            self.undisturbed.insert(kind, honest);
            self.clear()?;
        }
        let began = Instant::now();
        let (code, memory, descriptors) = self.run(kind, &attack.code)?;
        let (took, words) = (began.elapsed(), self.words());
        let (outcome, honest) = (self.outcome()?, self.honest()?);
        let expected = self.undisturbed.get(&kind).unwrap_or(&honest);
        let paths = expected.keys().chain(honest.keys().filter(|path| !expected.contains_key(*path)));
        let changed = paths.filter(|path| expected.get(*path) != honest.get(*path)).cloned().collect();
        let summary = || fs::read(self.out().join("summary.json")).ok();
        let before = summary();
        let again = self.run(kind, &attack.code)?.0;
        let resumed = before.is_some() && summary() == before && again == code;
        self.clear()?;
        Ok(Played { code, outcome, memory, descriptors, changed, resumed, took, words })
    }

    fn out(&self) -> PathBuf {
        self.scratch.join("out")
    }

    fn clear(&self) -> io::Result<()> {
        // Where the harness failed, all that the attack left is still there.
        slopbench_walk::remove(&self.out())
    }

    /// Runs both agents; the exit code, the most memory and the most descriptors.
    fn run(&self, kind: AttackKind, code: &str) -> Result<(Option<i32>, u64, usize), Failure> {
        // A JSON string is one of Python's, too.
        let attack = serde_json::to_string(code)?;
        let first = AGENT.lines().next().unwrap_or_default();
        let agent = format!("{first}\nSECONDS = {}\nATTACK = {attack}\n{AGENT}", self.seconds);
        let mut command = Command::new(&self.slopbench);
        command.arg("--root").arg(&self.repository).args(["run", "--jobs", "2", "--time-limit", "900", "--out"]);
        command.arg(self.out()).args(["--prompt", "just-solve", "--prompt"]).arg(self.scratch.join("attack.md"));
        command.env("PIP_FIND_LINKS", "").env("PIP_INDEX_URL", self.index.python());
        command.env("npm_config_registry", self.index.npm());
        match kind {
            AttackKind::Command => {
                command.args(["--agent", "command", "--", "python3", "-c", &agent, "{prompt}"]);
            }
            AttackKind::Model => {
                let agents = self.install(&agent)?;
                command.args(["--agent", WITH_MODEL, "--model", "scripted", "--record", "--agents-dir"]).arg(agents);
            }
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(self.scratch.join("stderr"))?);
        Ok(watch(command.spawn()?)?)
    }

    /// Puts `agent` where a known one would be installed.
    fn install(&self, agent: &str) -> io::Result<PathBuf> {
        let agents = self.scratch.join("agents");
        let place = agents.join(WITH_MODEL.replace('@', "-"));
        let program = place.join("node_modules/.bin/claude");
        fs::create_dir_all(program.parent().unwrap_or(&place))?;
        fs::write(&program, agent)?;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
        fs::write(place.join("complete"), "")?;
        Ok(agents)
    }

    /// The last line that the harness said.
    fn words(&self) -> String {
        let text = fs::read(self.scratch.join("stderr")).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().last().unwrap_or_default().to_owned()
    }

    /// The folder of the trajectory that is told `prompt`, once something of it is kept.
    fn trajectory(&self, prompt: &str) -> io::Result<Option<PathBuf>> {
        let entries = fs::read_dir(self.out().join("units"))?;
        let paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        let mark = format!("--{prompt}--");
        Ok(paths.into_iter().find(|path| path.to_string_lossy().contains(&mark)))
    }

    /// How the attack's sessions ended, by the records that are kept.
    fn outcome(&self) -> Result<Vec<String>, Failure> {
        let mut outcomes = Vec::new();
        let Some(folder) = self.trajectory("attack")? else { return Ok(outcomes) };
        for checkpoint in 1..=2 {
            let path = folder.join(format!("checkpoint_{checkpoint}/session/session.json"));
            let Ok(bytes) = fs::read(path) else { break };
            let record: Value = serde_json::from_slice(&bytes)?;
            outcomes.push(record["outcome"]["outcome"].as_str().unwrap_or("none").to_owned());
        }
        Ok(outcomes)
    }

    /// The honest trajectory's results: all but clocks, the diagnostics of cases, and seals, which hold digests of the two.
    fn honest(&self) -> Result<Results, Failure> {
        let mut results = Results::new();
        let Some(folder) = self.trajectory("just-solve")? else { return Ok(results) };
        for entry in WalkDir::new(&folder) {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy();
            if entry.file_type().is_dir() || ["seal.json", "usage.json"].contains(&&*name) {
                continue;
            }
            let mut bytes = fs::read(entry.path())?;
            if matches!(&*name, "session.json" | "trajectory.json") {
                bytes = without_clocks(&bytes)?;
            }
            results.insert(entry.path().strip_prefix(&folder)?.display().to_string(), bytes);
        }
        if let Ok(bytes) = fs::read(self.out().join("summary.json")) {
            let summary: Value = serde_json::from_slice(&bytes)?;
            let all = summary["trajectories"].as_array().into_iter().flatten();
            let ours = all.filter(|one| one["prompt"] == "just-solve").map(Value::to_string).collect::<String>();
            results.insert("summary.json".to_owned(), ours.into_bytes());
        }
        Ok(results)
    }
}

/// A JSON document without the fields that tell when, and how long.
fn without_clocks(bytes: &[u8]) -> Result<Vec<u8>, serde_json::Error> {
    let mut value: Value = serde_json::from_slice(bytes)?;
    if let Some(fields) = value.as_object_mut() {
        fields.remove("began");
        fields.remove("seconds");
    }
    serde_json::to_vec(&value)
}

/// Waits for the harness; its exit code, the most memory and the most descriptors beyond those of its start.
fn watch(mut child: Child) -> io::Result<(Option<i32>, u64, usize)> {
    let process = PathBuf::from(format!("/proc/{}", child.id()));
    let (mut memory, mut start, mut most) = (0, None, 0);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status.code(), memory, most - start.unwrap_or(most)));
        }
        let count = fs::read_dir(process.join("fd")).map(Iterator::count).unwrap_or(0);
        most = most.max(count);
        start = start.or(Some(count).filter(|count| *count > 0));
        memory = memory.max(peak(&process));
        thread::sleep(PAUSE);
    }
}

/// The most memory that a process had, in bytes.
fn peak(process: &Path) -> u64 {
    let status = fs::read_to_string(process.join("status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or_default() * 1024
}
