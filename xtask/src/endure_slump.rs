//! Whether a conversation of SLUMP with a real agent endures that the harness is killed in one of its requests. A scripted model
//! answers; every request writes a file and commits.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use serde_json::Value;

use crate::{Failure, endure_run::count_again, slump_requests::Conversation, thin, traces};

/// Its specification and its requests, one after the other until there are enough, make up the task.
const TASK: &str = "stream_segments";

/// How long a request may take.
const REQUEST_LIMIT: Duration = Duration::from_secs(600);

/// What is endured.
#[derive(Args)]
pub(crate) struct EndureSlump {
    /// Agents, each with its version, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "codex@0.169.0,claude-code@2.1.329", value_name = "NAMES")]
    agents: Vec<String>,
    /// How many requests a conversation has.
    #[arg(long, default_value_t = 60)]
    requests: usize,
    /// In which request the harness is killed: once its first file is written, before it is committed.
    #[arg(long, default_value_t = 31)]
    killed_in: usize,
}

/// The made task, and where its runs are.
struct Field<'a> {
    slopbench: &'a Path,
    scratch: PathBuf,
    /// What is asked, in order.
    requests: Vec<String>,
    killed_in: usize,
}

impl EndureSlump {
    /// Exit code 1 where a conversation that was killed and resumed is not that of an undisturbed one, something was asked twice, or
    /// something is left behind.
    pub(crate) fn run(&self, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        if !(2..self.requests).contains(&self.killed_in) {
            return Err(format!("--killed-in is from 2 to {}, the last request but one", self.requests - 1).into());
        }
        let scratch = root.join("target/endure-slump");
        drop(fs::remove_dir_all(&scratch));
        let task = scratch.join("tasks").join(TASK);
        thin::copy(&root.join("tasks").join(TASK), &task)?;
        let requests = rewrite(&task, self.requests)?;
        let field = Field { slopbench, scratch, requests, killed_in: self.killed_in };
        let mut flaws = 0;
        for agent in &self.agents {
            flaws += field.endure(agent)?;
        }
        writeln!(io::stdout(), "{flaws} flaws")?;
        Ok(ExitCode::from(u8::from(flaws > 0)))
    }
}

/// Gives the task `count` requests, and a reference of one small file for each; what is asked.
fn rewrite(task: &Path, count: usize) -> Result<Vec<String>, Failure> {
    let path = task.join("requests.toml");
    let table: toml::Table = toml::from_str(&fs::read_to_string(&path)?)?;
    let all = table.get("request").and_then(toml::Value::as_array).ok_or("the task has no request")?;
    let (parts, mut requests, mut texts) = (task.join("reference/parts"), Vec::new(), Vec::new());
    fs::remove_dir_all(task.join("reference"))?;
    fs::create_dir_all(&parts)?;
    for (number, request) in (1..=count).zip(all.iter().cycle()) {
        let (version, text) = (request.get("version"), request.get("text").and_then(toml::Value::as_str));
        let (version, text) = version.zip(text).ok_or("a request has no version or no text")?;
        // So that none is like another.
        let text = format!("{}{text}", Conversation::mark(number));
        let table = [("version".to_owned(), version.clone()), ("text".to_owned(), text.clone().into())];
        requests.push(toml::Value::Table(table.into_iter().collect()));
        texts.push(text);
        fs::write(parts.join(part(number)), format!("PART = {number}\n"))?;
    }
    fs::write(path, toml::to_string(&BTreeMap::from([("request", requests)]))?)?;
    Ok(texts)
}

/// What a request writes.
fn part(number: usize) -> String {
    format!("part_{number:03}.py")
}

impl Field<'_> {
    /// How much is wrong with an agent's conversation.
    fn endure(&self, agent: &str) -> Result<usize, Failure> {
        let folder = self.scratch.join(agent);
        let [calm, killed, temporary] = ["calm", "killed", "tmp"].map(|name| folder.join(name));
        fs::create_dir_all(&temporary)?;
        let run = |out: &Path, more: &[&str]| {
            let mut command = Command::new(self.slopbench);
            command.args(["slump", "run", "--task", TASK, "--condition", "emergent", "--model", "scripted", "--agent"]);
            command.arg(agent).args(more).arg("--out").arg(out).arg("--tasks").arg(self.scratch.join("tasks"));
            command.env("TMPDIR", &temporary).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let began = Instant::now();
        carry_out(&mut run(&calm, &["--record"]))?;
        let calm_seconds = began.elapsed().as_secs_f64();

        let (mut steps, mut flaws, began) = (BTreeMap::new(), Vec::new(), Instant::now());
        let mut child = run(&killed, &["--record"]).spawn()?;
        self.wait_for_the_request(&mut child, &killed)?;
        child.kill()?;
        child.wait()?;
        let done = Conversation::count(&killed)?;
        if done + 1 != self.killed_in {
            flaws.push(format!("{done} requests were done when it was killed, not {}", self.killed_in - 1));
        }
        count_again(&mut steps, &killed);
        flaws.extend(traces::processes_of(&temporary)?.into_iter().map(|process| format!("left: {process}")));
        carry_out(&mut run(&killed, &["--record"]))?;
        let killed_seconds = began.elapsed().as_secs_f64();
        let again = count_again(&mut steps, &killed);
        flaws.extend((again > 0).then(|| format!("{again} files of done requests were written anew")));

        let replayed = folder.join("replayed");
        let recorded = killed.to_string_lossy();
        carry_out(&mut run(&replayed, &["--replay", &recorded]))?;
        let (calm, killed) = (Conversation::read(&calm)?, Conversation::read(&killed)?);
        flaws.extend(killed.flaws(&self.requests));
        flaws.extend(killed.differences(&calm));
        let sessions = |summary: &Value| summary["sessions"].clone();
        if sessions(&Conversation::read(&replayed)?.summary) != sessions(&killed.summary) {
            flaws.push("the replay of its recorded answers ended otherwise".to_owned());
        }
        let left = ["scratch", "ended", "leases", "attempts"].into_iter().filter(|name| killed.run.join(name).exists());
        flaws.extend(left.map(|name| format!("left: {name} in the run's folder")));
        flaws.extend(fs::read_dir(&temporary)?.flatten().map(|entry| format!("left: {}", entry.path().display())));

        let mut out = io::stdout();
        writeln!(out, "agent         {agent}")?;
        writeln!(out, "requests      {}, killed in number {}", killed.requests.len(), self.killed_in)?;
        writeln!(out, "model's turns {}", killed.turns())?;
        writeln!(out, "last request  {} entries in its conversation", killed.last_entries())?;
        writeln!(out, "seconds       {calm_seconds:.0} undisturbed, {killed_seconds:.0} killed and resumed")?;
        flaws.iter().try_for_each(|flaw| writeln!(out, "flaw          {flaw}"))?;
        Ok(flaws.len())
    }

    /// Waits until the request's file is in the workspace of the session that is at work.
    fn wait_for_the_request(&self, child: &mut Child, run: &Path) -> Result<(), Failure> {
        let (mut done, mut began) = (0, Instant::now());
        loop {
            let units = fs::read_dir(run.join("scratch")).into_iter().flatten().flatten();
            let file = Path::new("workspace/parts").join(part(self.killed_in));
            if units.into_iter().any(|unit| unit.path().join(&file).exists()) {
                return Ok(());
            }
            if let Some(status) = child.try_wait()? {
                return Err(format!("the run ended before it was killed: {status}").into());
            }
            let now = Conversation::count(run)?;
            if now != done {
                (done, began) = (now, Instant::now());
            }
            if began.elapsed() > REQUEST_LIMIT {
                child.kill()?;
                child.wait()?;
                return Err(format!("nothing came after request {done}").into());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

fn carry_out(command: &mut Command) -> Result<(), Failure> {
    let status = command.status()?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("{command:?} could not be run to its end: {status}").into()),
    }
}
