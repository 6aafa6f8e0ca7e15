//! The last stage of a session: the tests that its agent wrote are run in what it left.
//!
//! It is a session of the sandbox as the agent's own were, in the same system, with the packages that the repository declares and pytest,
//! and with no way out. Nothing that tests write is kept; their word on themselves is not doubted, as they are the agent's.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::Deserialize;
use slopbench_agents::{
    launch::session_in,
    stage::{Answers, StageError},
};
use slopbench_digest::canonical;
use slopbench_environments::{Environment, EnvironmentRecord, Environments, PreparedEnvironment, RECORD};
use slopbench_runner::{Assignment, EndedStage, RunStore, SettledStage, Spent, read_json, write};
use slopbench_sandbox::{
    ENVIRONMENT, Limit, ProgramEnd,
    session::{INSTALLATION, Session, SessionJob, SessionSpec, System},
    snapshot::{CopyRules, Snapshot},
};

use super::{left::SessionLeft, stages::SessionStage};
use crate::{
    Error,
    own_tests::{OWN_TESTS_FORMAT, OwnTests, OwnTestsOutcome, OwnTestsRecord},
};

/// The name of an [`OwnTestsRecord`] among the files of its stage.
pub const OWN_TESTS: &str = "tests.json";
/// What [`RUNNER`] reported, and what pytest and the tests printed.
const REPORT: &str = "report.jsonl";
const PRINTED: &str = "printed";

/// Our own program, which runs pytest.
const RUNNER: &str = include_str!("own_tests.py");
const RUNNER_FILE: &str = "own_tests.py";

/// What tests are run by, where a repository does not declare one itself, and who says so in locks: the version of suites of problems.
const PYTEST: (&str, &[&str]) = ("own tests", &["pytest==9.2.0"]);

/// The most that tests may print, in bytes.
const MOST_PRINTED: u64 = 64 << 20;

/// How many lines are told of what was printed last, and how many characters.
const SAID: (usize, usize) = (12, 1000);

/// Pytest's exit statuses of sessions that came to an end: all passed, some failed, there were no tests.
const WHOLE: [i32; 3] = [0, 1, 5];

/// Where the tests of a session are run.
pub(super) struct OwnTesting<'a> {
    pub(super) environments: &'a Environments<'a>,
    /// Whose interpreter runs them: that of the agent's sessions.
    pub(super) system: System,
    pub(super) hide: &'a [PathBuf],
    pub(super) limit: Duration,
    /// A replay finds the lock of the run that it replays.
    pub(super) answers: &'a Answers,
    pub(super) assignment: &'a Assignment<'a>,
}

impl OwnTesting<'_> {
    /// Runs the tests of what a session left.
    pub(super) fn carry_out(&self, left: Option<SessionLeft>) -> Result<EndedStage, Error> {
        let tree = match left {
            Some(SessionLeft::Workspace(id)) => self.assignment.store.tree(id)?,
            Some(SessionLeft::NotKept) => {
                return self.ended(&unrun("what the session left was not kept"), &BTreeMap::new());
            }
            Some(SessionLeft::Nothing) | None => {
                return self.ended(&record(OwnTestsOutcome::NoTests), &BTreeMap::new());
            }
        };
        let environments = self.environments.in_system(self.system.clone());
        let prepared = environments.prepare_beside(&tree, PYTEST, self.kept()?)?;
        let PreparedEnvironment { record: lock, environment } = prepared;
        let identity = lock.identity()?;
        let mut files = BTreeMap::from([(RECORD, lock.to_bytes()?)]);
        let tests = match environment {
            None => record(OwnTestsOutcome::NoEnvironment { reason: identity.refused.clone().unwrap_or_default() }),
            Some(environment) => self.run(&tree, &environment, &mut files)?,
        };
        self.ended(&OwnTestsRecord { environment: Some(identity), ..tests }, &files)
    }

    /// The lock of the run that is replayed.
    fn kept(&self) -> Result<Option<EnvironmentRecord>, Error> {
        let Answers::Replayed { run } = self.answers else { return Ok(None) };
        let path = run.join("units").join(self.assignment.unit).join(self.assignment.stage).join(RECORD);
        Ok(path.is_file().then(|| read_json(&path)).transpose()?)
    }

    fn run(
        &self,
        tree: &Path,
        environment: &Environment,
        files: &mut BTreeMap<&'static str, Vec<u8>>,
    ) -> Result<OwnTestsRecord, Error> {
        let place = self.assignment.scratch.join("room");
        for name in ["home", "streams", "installation"] {
            let path = place.join(name);
            fs::create_dir_all(&path).map_err(|source| Error::Write { path, source })?;
        }
        let installation = place.join("installation");
        write(&installation.join(RUNNER_FILE), RUNNER.as_bytes())?;
        Snapshot::take(tree, &place.join("workspace"), &CopyRules::default()).map_err(StageError::from)?;
        let spec = SessionSpec {
            environment: Some(environment.path.clone()),
            ..session_in(&place, installation, self.system.clone(), self.hide.to_vec())
        };
        let (session, listener) = Session::open(&spec)?;
        // Whoever asks for a way out is refused at once.
        drop(listener);
        let argv = vec![format!("{ENVIRONMENT}/bin/python"), format!("{INSTALLATION}/{RUNNER_FILE}")];
        let mut job = SessionJob::new(argv, self.limit);
        job.limits.output = MOST_PRINTED;
        job.env = [("PYTHONDONTWRITEBYTECODE", "1"), ("PYTHONHASHSEED", "0")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let clock = Instant::now();
        let end = session.run(&job)?.end;
        let seconds = clock.elapsed().as_secs_f64();
        let read = |path: &PathBuf| fs::read(path).map_err(|source| Error::Write { path: path.clone(), source });
        let (report, printed) = (read(&spec.stdout)?, read(&spec.stderr)?);
        let told = Told::parse(&report);
        let record = OwnTestsRecord { seconds, ..told.judge(end, &String::from_utf8_lossy(&printed)) };
        files.extend([(REPORT, report), (PRINTED, printed)]);
        Ok(record)
    }

    /// Prepares the stage's files.
    fn ended(&self, record: &OwnTestsRecord, files: &BTreeMap<&str, Vec<u8>>) -> Result<EndedStage, Error> {
        let folder = self.assignment.scratch.join("ended");
        let session = folder.join("session");
        write(&session.join(OWN_TESTS), &canonical::to_vec(record)?)?;
        for (name, bytes) in files {
            write(&session.join(name), bytes)?;
        }
        Ok(EndedStage { folder, spent: Spent { usd: 0.0, tokens: 0 } })
    }
}

/// Settles the stage: its files are what it left.
pub(super) fn settle_tests(ended: &Path) -> Result<SettledStage, Error> {
    let files = ended.join("session");
    let record: OwnTestsRecord = read_json(&files.join(OWN_TESTS))?;
    Ok(SettledStage { files, trees: BTreeSet::new(), unanswered: None, outcome: record.tests.text() })
}

/// What became of the tests that the agent of a session wrote; nothing where they are not run, or not yet.
///
/// # Errors
///
/// [`Error::Run`] if it is not as it was kept.
pub fn own_tests(store: &RunStore, unit: &str) -> Result<Option<OwnTests>, Error> {
    let Some(folder) = store.stage(unit, &SessionStage::Tests.name())? else { return Ok(None) };
    let record: OwnTestsRecord = read_json(&folder.join(OWN_TESTS))?;
    Ok(Some(record.tests))
}

fn record(outcome: OwnTestsOutcome) -> OwnTestsRecord {
    let tests = OwnTests::none(outcome);
    OwnTestsRecord { format: OWN_TESTS_FORMAT.to_owned(), tests, exit: None, seconds: 0.0, environment: None }
}

fn unrun(reason: &str) -> OwnTestsRecord {
    record(OwnTestsOutcome::NotRun { reason: reason.to_owned() })
}

/// A line of the report.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case", deny_unknown_fields)]
enum Event {
    Collected {
        id: String,
    },
    Uncollected {
        place: String,
        /// For who reads the report.
        #[serde(rename = "message")]
        _message: String,
    },
    Test {
        id: String,
        end: TestEnd,
    },
    Ended {
        status: i32,
    },
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum TestEnd {
    Passed,
    Failed,
    Error,
    Skipped,
}

/// A report as far as it came.
#[derive(Default)]
struct Told {
    /// Every test, by its id, with its end if it has one.
    tests: BTreeMap<String, Option<TestEnd>>,
    uncollected: BTreeSet<String>,
    status: Option<i32>,
    /// What is wrong with it.
    flaw: Option<String>,
}

impl Told {
    /// A line that was not finished is none.
    fn parse(report: &[u8]) -> Self {
        let mut told = Self::default();
        for line in report.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
            match serde_json::from_slice(line) {
                Ok(Event::Collected { id }) => drop(told.tests.entry(id).or_default()),
                Ok(Event::Uncollected { place, .. }) => drop(told.uncollected.insert(place)),
                Ok(Event::Test { id, end }) => drop(told.tests.insert(id, Some(end))),
                Ok(Event::Ended { status }) => told.status = Some(status),
                Err(error) => told.flaw = Some(format!("the report has a line that is no event of its own: {error}")),
            }
        }
        told
    }

    /// What it says of a program that ended so and `printed` this.
    fn judge(self, end: ProgramEnd, printed: &str) -> OwnTestsRecord {
        let lost = |what: String| OwnTestsOutcome::NotRun { reason: format!("{what}: {}", last_words(printed)) };
        let has_none = self.tests.is_empty() && self.uncollected.is_empty();
        let endless = self.tests.values().filter(|end| end.is_none()).count();
        let outcome = match (self.flaw, self.status, end) {
            (_, _, ProgramEnd::Limit(Limit::Wall)) => OwnTestsOutcome::TimedOut,
            (_, _, ProgramEnd::Limit(limit)) => lost(format!("they take more {limit} than an agent's session may")),
            (Some(flaw), ..) => lost(flaw),
            (None, Some(status), _) if WHOLE.contains(&status) && has_none => OwnTestsOutcome::NoTests,
            (None, Some(status), _) if WHOLE.contains(&status) && endless > 0 => {
                lost(format!("pytest ends with {status} and has not run {endless} of {} tests", self.tests.len()))
            }
            (None, Some(status), _) if WHOLE.contains(&status) => OwnTestsOutcome::Whole,
            (None, Some(status), _) => lost(format!("pytest ends with {status}")),
            (None, None, end) => lost(format!("pytest did not come to its end ({end:?})")),
        };
        let count = |wanted| self.tests.values().filter(|end| **end == Some(wanted)).count();
        let tests = OwnTests {
            collected: self.tests.len(),
            passed: count(TestEnd::Passed),
            failed: count(TestEnd::Failed),
            errors: count(TestEnd::Error),
            skipped: count(TestEnd::Skipped),
            uncollected: self.uncollected.into_iter().collect(),
            ..OwnTests::none(outcome)
        };
        OwnTestsRecord { tests: tests.rated(), exit: self.status, ..unrun("") }
    }
}

/// The last that was printed.
fn last_words(printed: &str) -> String {
    let lines: Vec<_> = printed.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    let last = lines.get(lines.len().saturating_sub(SAID.0)..).unwrap_or_default().join("\n");
    match last.is_empty() {
        true => "nothing was printed".to_owned(),
        false => last.chars().take(SAID.1).collect(),
    }
}
