//! Has pytest run a suite, and again where that is called for.

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    time::Duration,
};

use indexmap::IndexMap;
use slopbench_sandbox::{
    Error, Limit, Limits, ProgramEnd, Sandbox,
    suite::{Suite, SuiteLayout, SuiteObservation},
};

use super::{
    command::{Purpose, command},
    environment::{SuiteEnvironment, SuiteEnvironments},
    exposure::Exposure,
    judge::{Judge, Obstacle, file_of},
    record::{SuiteError, SuiteRecord},
    report::{Failure, SessionReport, TestRecord},
    staging::{Staging, TESTS},
    suite::PytestSuite,
};
use crate::{CaseOutcome, Entry, Gate, Unplayable, Verdict, open::OpenSandbox};

/// How often a session is tried before the infrastructure's failure becomes its tests' verdict.
const ATTEMPTS: usize = 3;

/// How many sessions in one suite may end at a limit before the tests that are left count as stopped by it, too. A
/// solution that exhausts the sandbox in one test has not failed the others; one that does so in each is not waited for.
const MOST_STOPS: usize = 8;

/// What all of a suite may take, the solution's programs and pytest together. A single test has its timeout; these are for
/// what no timeout sees, and generous, since the paper's harness has none.
const LIMITS: Limits = Limits {
    wall: Duration::from_secs(4 * 60 * 60),
    cpu: Duration::from_secs(2 * 60 * 60),
    memory: 4 << 30,
    processes: 512,
    file_size: 1 << 30,
    disk: 2 << 30,
    output: 256 << 20,
};

/// What a session may take that looks for data that are handed over. One that is not done by then is played again later.
const DISCOVERY_LIMITS: Limits = Limits { wall: Duration::from_secs(20), cpu: Duration::from_secs(20), ..LIMITS };

/// Pytest's exit statuses of sessions that came to an end: all passed, some failed, a test or a fixture ended the session,
/// there were no tests. The others are pytest's own failures.
const WHOLE: [i32; 4] = [0, 1, 2, 5];

/// One checkpoint's suite, to be played against a solution.
pub(crate) struct SuiteJob<'a, 's> {
    pub(crate) suite: &'a PytestSuite,
    pub(crate) entry: &'a Entry,
    pub(crate) number: u32,
    /// Whether only the checkpoint's own file is played.
    pub(crate) only_own: bool,
    pub(crate) solution: &'a Path,
    /// Why it cannot be run, if it cannot.
    pub(crate) unplayable: Option<&'a Unplayable>,
    pub(crate) open: &'a OpenSandbox<'s>,
    pub(crate) environments: &'a SuiteEnvironments<'s>,
    pub(crate) gate: &'a Gate,
}

/// Plays a suite. What a clock decided in company is decided again alone.
pub(crate) fn play(job: &SuiteJob<'_, '_>) -> Result<(Vec<CaseOutcome>, SuiteRecord), SuiteError> {
    let environment = (job.environments)(&job.suite.dependencies).map_err(SuiteError::Environment)?;
    let pass = job.gate.enter();
    let first = Play::new(job, &environment)?;
    let mut expectations_exposed: Vec<_> = job.suite.exposed_in(&first.staging.files).cloned().collect();
    let mut seen = first.carry_out()?;
    let had_company = !pass.was_alone();
    drop(pass);
    if had_company && seen.outcomes.values().any(|outcome| outcome.by_clock) {
        let _alone = job.gate.enter_alone();
        let again = Play::new(job, &environment)?.carry_out()?;
        for (id, outcome) in again.outcomes {
            if seen.outcomes.get(&id).is_none_or(|before| before.by_clock) {
                seen.outcomes.insert(id, outcome);
            }
        }
    }
    expectations_exposed.append(&mut seen.exposed);
    let mut outcomes: Vec<_> = seen.outcomes.into_values().collect();
    outcomes.sort_by(|a, b| (a.checkpoint, &a.id).cmp(&(b.checkpoint, &b.id)));
    let record = SuiteRecord { lock: environment.lock, expectations_exposed, handed_over: seen.handed_over };
    Ok((outcomes, record))
}

/// What was seen of a suite.
#[derive(Default)]
struct Seen {
    outcomes: BTreeMap<String, CaseOutcome>,
    /// What the session showed of the solution in pytest's own process, and of programs beside it.
    exposed: Vec<Exposure>,
    /// See [`SuiteRecord::handed_over`].
    handed_over: BTreeSet<String>,
}

/// Sessions of one suite against one solution.
struct Play<'a, 's> {
    job: &'a SuiteJob<'a, 's>,
    judge: Judge<'a>,
    environment: &'a SuiteEnvironment,
    staging: Staging,
    /// Whether the solution is elsewhere than the tests.
    has_rooms: Cell<bool>,
    seen: Seen,
}

impl<'a, 's> Play<'a, 's> {
    fn new(job: &'a SuiteJob<'a, 's>, environment: &'a SuiteEnvironment) -> Result<Self, SuiteError> {
        let SuiteJob { suite, number, only_own, .. } = *job;
        let played = suite.played_at(number).filter(|other| !only_own || *other == number);
        let staging = Staging::new(suite, played)?;
        let judge = Judge { suite, number };
        Ok(Self { job, judge, environment, staging, has_rooms: Cell::new(false), seen: Seen::default() })
    }

    /// Sessions, until every test has its verdict.
    fn carry_out(mut self) -> Result<Seen, SuiteError> {
        if let Some(verdict) = self.unplayable() {
            for (id, record) in self.clean_collection()? {
                self.keep(self.unplayed(below(&id), &record.markers, &verdict));
            }
            let unplayed = |judge: &Judge<'_>, file: &str| judge.outcome(file, &[], verdict.clone());
            self.of_files(unplayed);
            return Ok(self.seen);
        }
        let mut stops = 0;
        let mut failures = 0;
        let mut purpose = Purpose::UntilHanded;
        loop {
            match self.session(purpose)? {
                Session::Whole => return Ok(self.seen),
                Session::Handed => {
                    if purpose == Purpose::UntilHanded {
                        self.discover()?;
                    }
                    purpose = Purpose::Outcomes;
                    self.seen = Seen::default();
                    self.staging.leave_out(&[])?;
                }
                Session::Stopped(limit, left) => {
                    stops += 1;
                    if limit == Limit::Wall || stops == MOST_STOPS || left.is_empty() {
                        self.stop(limit, &left);
                        return Ok(self.seen);
                    }
                    let done: Vec<_> = self.seen.outcomes.keys().map(|id| format!("{TESTS}/{id}")).collect();
                    self.staging.leave_out(&done)?;
                }
                Session::Lost(cause) => {
                    failures += 1;
                    if failures == ATTEMPTS {
                        self.lose(&cause)?;
                        return Ok(self.seen);
                    }
                    self.seen = Seen::default();
                    self.staging.leave_out(&[])?;
                }
            }
        }
    }

    /// What every test gets, where there is nothing to be tested.
    fn unplayable(&self) -> Option<Verdict> {
        let is_missing = !self.job.solution.join(self.job.entry.required()).is_file();
        is_missing.then_some(Verdict::Missing).or(self.job.unplayable.map(Unplayable::verdict))
    }

    fn unplayed(&self, id: &str, markers: &[String], verdict: &Verdict) -> CaseOutcome {
        let unplayable = self.job.unplayable.filter(|unplayable| unplayable.verdict() == *verdict);
        let details = unplayable.map(Unplayable::detail);
        let outcome = self.judge.outcome(id, markers, verdict.clone());
        CaseOutcome { details: details.into_iter().collect(), ..outcome }
    }

    /// Shows the solution what tests hand to a program that does nothing, as far as they come with it.
    fn discover(&mut self) -> Result<(), SuiteError> {
        let nothing = tempfile::tempdir()?;
        let mut sandbox = (self.job.open)(nothing.path(), None)?;
        let report = self.run(sandbox.as_mut(), Purpose::Discovery).ok();
        if let Some(report) = report.and_then(|observed| SessionReport::parse(&observed.report).ok()) {
            self.staging.share(&report.handed);
        }
        Ok(())
    }

    /// One session, whose tests' outcomes are kept.
    fn session(&mut self, purpose: Purpose) -> Result<Session, SuiteError> {
        let mut sandbox = (self.job.open)(self.job.solution, None)?;
        let observed = match self.run(sandbox.as_mut(), purpose) {
            Ok(observed) => observed,
            Err(error) => return Ok(Session::Lost(error.to_string())),
        };
        let report = match SessionReport::parse(&observed.report) {
            Ok(report) => report,
            Err(flaw) => return Ok(Session::Lost(flaw)),
        };
        let ended = report.status;
        if self.has_rooms.get() && self.staging.share(&report.handed) {
            return Ok(Session::Handed);
        }
        for (id, record) in report.tests.iter().filter(|(_, record)| record.is_over) {
            self.keep(self.judge.test(below(id), record));
        }
        match (ended, observed.end) {
            (Some(status), _) if WHOLE.contains(&status) && report.broken.is_none() => {
                let assets = self.job.suite.assets.keys().map(|name| Path::new(TESTS).join("assets").join(name));
                let assets: Vec<_> = assets.collect();
                let mut handed = report.handed.clone();
                handed.retain(|path| !assets.iter().any(|asset| path.starts_with(asset)));
                let text = |path: &PathBuf| below(&path.to_string_lossy()).to_owned();
                self.seen.handed_over = handed.iter().map(text).collect();
                self.seen.exposed = exposures(&report);
                self.fail_unfinished(&report);
                self.fail_uncollected(&report.uncollected)?;
                Ok(Session::Whole)
            }
            (None, ProgramEnd::Limit(limit)) => Ok(self.stopped_in(&report, limit)),
            _ => Ok(Session::Lost(lost(&report, &observed))),
        }
    }

    /// A limit stopped the session: the test that was at work gets it as its verdict.
    fn stopped_in(&mut self, report: &SessionReport, limit: Limit) -> Session {
        let at_work = report.started.as_ref().and_then(|id| Some((id, report.tests.get(id)?)));
        if let Some((id, record)) = at_work.filter(|(_, record)| !record.is_over) {
            self.keep(self.judge.stopped(below(id), &record.markers, limit));
        }
        let left = report.tests.iter().filter(|(id, _)| !self.seen.outcomes.contains_key(below(id)));
        Session::Stopped(limit, left.map(|(id, record)| (id.clone(), record.clone())).collect())
    }

    /// All tests that are left get this limit as their verdict; where none is known, their files.
    fn stop(&mut self, limit: Limit, left: &IndexMap<String, TestRecord>) {
        for (id, record) in left {
            self.keep(self.judge.stopped(below(id), &record.markers, limit));
        }
        self.of_files(|judge, file| judge.stopped(file, &[], limit));
    }

    /// Nothing is known of any test. Where tests import the solution, that is the solution's doing as likely as not, and it
    /// is not to gain by it.
    fn lose(&mut self, cause: &str) -> Result<(), SuiteError> {
        self.seen = Seen::default();
        if self.job.suite.exposed_in(&self.staging.files).next().is_none() {
            self.of_files(|judge, file| judge.unknown(file, &[], cause));
            return Ok(());
        }
        let failure = Failure { message: cause.to_owned(), text: cause.to_owned() };
        let files = self.staging.files.iter().map(|file| (format!("{TESTS}/{file}"), failure.clone())).collect();
        self.fail_uncollected(&files)
    }

    /// An outcome for each file of which there is none.
    fn of_files(&mut self, outcome: impl Fn(&Judge<'_>, &str) -> CaseOutcome) {
        for file in self.staging.files.clone() {
            if !self.seen.outcomes.keys().any(|id| file_of(id) == file) {
                self.keep(outcome(&self.judge, &file));
            }
        }
    }

    /// A session that came to an end leaves no test out, unless something in it ended it.
    fn fail_unfinished(&mut self, report: &SessionReport) {
        let message = "the session ended before this test: a test or a fixture ended it".to_owned();
        let failure = Failure { text: message.clone(), message };
        for (id, record) in report.tests.iter().filter(|(_, record)| !record.is_over) {
            self.keep(self.judge.unrun(below(id), &record.markers, Obstacle::Session, &failure));
        }
    }

    /// A file that cannot be collected has all its tests failed: those that are found where there is no solution, or else the file.
    fn fail_uncollected(&mut self, uncollected: &BTreeMap<String, Failure>) -> Result<(), SuiteError> {
        if uncollected.is_empty() {
            return Ok(());
        }
        let clean = self.clean_collection()?;
        for (place, failure) in uncollected {
            let of_place = clean.iter().filter(|(id, _)| file_of(id) == file_of(place));
            let known: Vec<_> = of_place.filter(|(id, _)| !self.seen.outcomes.contains_key(below(id))).collect();
            if known.is_empty() {
                self.keep(self.judge.unrun(below(place), &[], Obstacle::Collection, failure));
            }
            for (id, record) in known {
                self.keep(self.judge.unrun(below(id), &record.markers, Obstacle::Collection, failure));
            }
        }
        Ok(())
    }

    /// The tests that are found beside an empty folder in place of the solution; none where that fails.
    fn clean_collection(&self) -> Result<IndexMap<String, TestRecord>, SuiteError> {
        let nothing = tempfile::tempdir()?;
        let mut sandbox = (self.job.open)(nothing.path(), None)?;
        let report = self.run(sandbox.as_mut(), Purpose::Collection).ok();
        let report = report.and_then(|observed| SessionReport::parse(&observed.report).ok());
        Ok(report.map_or_else(IndexMap::new, |report| report.tests))
    }

    fn run(&self, sandbox: &mut dyn Sandbox, purpose: Purpose) -> Result<SuiteObservation, Error> {
        let Some(checkpoint) = self.job.suite.checkpoint(self.job.number) else {
            return Err(Error::Task(format!("there is no checkpoint {}", self.job.number)));
        };
        let suite = Suite {
            folder: self.staging.path().to_path_buf(),
            shared: self.staging.shared.clone(),
            environment: self.environment.dir.clone(),
            env: checkpoint.env.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
            limits: if purpose == Purpose::Discovery { DISCOVERY_LIMITS } else { LIMITS },
        };
        let command = |layout: &SuiteLayout<'_>| {
            self.has_rooms.set(!layout.launcher.is_empty());
            command(self.job.entry, checkpoint, layout, purpose)
        };
        sandbox.play_suite(&suite, &command)
    }

    fn keep(&mut self, outcome: CaseOutcome) {
        self.seen.outcomes.insert(outcome.id.to_string(), outcome);
    }
}

/// What a session showed that no look at the tests' text can.
fn exposures(report: &SessionReport) -> Vec<Exposure> {
    let exposure = |place: &String, how: &str| Exposure { place: place.clone(), how: how.to_owned() };
    let loaded = report.exposed.iter().map(|module| exposure(module, "was loaded by the tests"));
    let started = report.started_beside.iter();
    loaded.chain(started.map(|program| exposure(program, "was started by the tests beside themselves"))).collect()
}

/// How a session ended.
enum Session {
    /// It showed that the solution needs more of the tests' data, and has to be played again.
    Handed,
    /// Every test has its outcome.
    Whole,
    /// This limit stopped it, with these tests left.
    Stopped(Limit, IndexMap<String, TestRecord>),
    /// It broke, for this reason, which is not the solution's.
    Lost(String),
}

/// A node's identifier without the folder that all tests lie in.
fn below(id: &str) -> &str {
    id.strip_prefix(TESTS).and_then(|rest| rest.strip_prefix('/')).unwrap_or(id)
}

/// Why a session came to no proper end.
fn lost(report: &SessionReport, observed: &SuiteObservation) -> String {
    let status = report.status.map(|status| format!(" with status {status}")).unwrap_or_default();
    let said = [report.broken.as_deref().unwrap_or_default().as_bytes(), &observed.stderr, &observed.stdout];
    let said = said.map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    let said = said.iter().find(|text| !text.is_empty()).map_or("it said nothing", String::as_str);
    let lines: Vec<_> = said.lines().collect();
    let last = lines.get(lines.len().saturating_sub(LAST_LINES)..).unwrap_or_default().join("\n");
    format!("pytest's session did not come to its end ({:?}{status}): {last}", observed.end)
}

/// How much is told of what a lost session printed.
const LAST_LINES: usize = 20;
