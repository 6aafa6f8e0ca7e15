//! Plays cases in sandboxes.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use slopbench_sandbox::{ASSETS_VARIABLE, Error, FileEntry, Sandbox, Task};

use crate::{
    Case, CaseOutcome, Category, Expectations, Gate, Harness, Problem, Selection, Unplayable, Verdict,
    case::{ASSETS_PLACE, CaseAction},
    http,
    judging::{judge, judge_service},
    open::OpenSandbox,
    program_run::ProgramRun,
    pytest::{self, SuiteEnvironments, SuiteError, SuiteJob, SuiteRecord},
};

/// How often a case is tried before the sandbox's failure becomes its verdict.
const ATTEMPTS: usize = 3;

/// Runs cases, several at once.
pub struct Engine<'a> {
    /// Where solutions run.
    pub open: &'a OpenSandbox<'a>,
    /// How many sandboxes at once.
    pub jobs: NonZeroUsize,
    /// What suites of tests are run with.
    pub environments: &'a SuiteEnvironments<'a>,
    /// Who else is at work: what the clock decides beside others is decided again alone.
    pub gate: &'a Gate,
}

/// What playing a checkpoint gave.
#[derive(Debug)]
pub struct PlayedCheckpoint {
    /// By checkpoint and identifier.
    pub outcomes: Vec<CaseOutcome>,
    /// What tests were run with; of cases, nothing.
    pub suite: Option<SuiteRecord>,
}

impl<'a> Engine<'a> {
    /// Plays checkpoint `number` of `problem` against the solution in `solution`, whatever the problem's harness.
    ///
    /// `unplayable` says why the solution cannot be run, if it cannot: then nothing is. In tracks with a build, `solution` is
    /// what was built. A suite of tests has no outcome before its end: then `done` is called for each.
    ///
    /// # Errors
    ///
    /// What a sandbox fails with that cannot be opened at all, and what is missing to run a suite.
    pub fn play_checkpoint(
        &self,
        problem: &Problem,
        number: u32,
        selection: Selection,
        solution: &Path,
        unplayable: Option<&Unplayable>,
        done: &(dyn Fn(&CaseOutcome) + Sync),
    ) -> Result<PlayedCheckpoint, SuiteError> {
        let is_wanted = |outcome: &CaseOutcome| match selection {
            Selection::Suite => true,
            Selection::OwnCore => outcome.checkpoint == number && outcome.category == Category::Core,
        };
        let Harness::Pytest(suite) = &problem.harness else {
            let mut cases = problem.suite(number);
            if selection == Selection::OwnCore {
                cases.retain(|case| case.checkpoint == number && case.category == Category::Core);
            }
            let outcomes = match unplayable {
                Some(why) => cases.iter().map(|case| CaseOutcome::unplayed(case, why)).collect(),
                None => self.run(problem, &cases, solution, done)?,
            };
            return Ok(PlayedCheckpoint { outcomes, suite: None });
        };
        let (open, environments, gate) = (self.open, self.environments, self.gate);
        let only_own = selection == Selection::OwnCore;
        let entry = &problem.entry;
        let job = SuiteJob { suite, entry, number, only_own, solution, unplayable, open, environments, gate };
        let (mut outcomes, suite) = pytest::play(&job)?;
        outcomes.retain(is_wanted);
        outcomes.iter().for_each(done);
        Ok(PlayedCheckpoint { outcomes, suite: Some(suite) })
    }

    /// Runs `cases` of `problem` against the solution in `solution`; outcomes come in the order of `cases`.
    ///
    /// A solution without the file that its track requires gives [`Verdict::Missing`] throughout. A sandbox that fails is reopened, and only then
    /// becomes [`Verdict::Infrastructure`]. `done` is called once for each case, from several threads.
    ///
    /// Verdicts do not depend on [`jobs`](Engine::jobs) or on who else passed the [`gate`](Engine::gate) meanwhile: a case
    /// that the clock decided in such company is played again alone, after all others, and that counts.
    ///
    /// # Errors
    ///
    /// What a sandbox fails with that cannot be opened at all.
    pub fn run(
        &self,
        problem: &Problem,
        cases: &[&Case],
        solution: &Path,
        done: &(dyn Fn(&CaseOutcome) + Sync),
    ) -> Result<Vec<CaseOutcome>, Error> {
        if !solution.join(problem.entry.required()).is_file() {
            return Ok(cases.iter().map(|case| CaseOutcome::new(case, Verdict::Missing)).collect());
        }
        let (mut outcomes, had_company) = self.play(problem, cases, solution, done)?;
        let late = cases.iter().zip(&mut outcomes).filter(|(_, outcome)| outcome.by_clock);
        let late: Vec<(&Case, &mut CaseOutcome)> = late.map(|(case, outcome)| (*case, outcome)).collect();
        if had_company && !late.is_empty() {
            self.play_alone(problem, late, solution, done)?;
        } else {
            late.iter().for_each(|(_, outcome)| done(outcome));
        }
        Ok(outcomes)
    }

    /// Plays cases in their order in one sandbox, up to the first that does not pass, which is given. What the clock decides
    /// stands: nobody is asked to leave the machine alone.
    ///
    /// # Errors
    ///
    /// As for [`Engine::run`].
    pub fn first_failure(
        &self,
        problem: &Problem,
        cases: &[&Case],
        solution: &Path,
    ) -> Result<Option<CaseOutcome>, Error> {
        if !solution.join(problem.entry.required()).is_file() {
            return Ok(cases.first().map(|case| CaseOutcome::new(case, Verdict::Missing)));
        }
        let _pass = self.gate.enter();
        let mut sandbox = self.open(problem, solution)?;
        let mut outcomes = cases.iter().map(|case| self.attempt(problem, case, solution, &mut sandbox));
        Ok(outcomes.find(|outcome| outcome.verdict != Verdict::Pass))
    }

    /// Plays all cases, several at once. Says whether any of them may have had to share the machine. Those that the clock
    /// decided are not done.
    fn play(
        &self,
        problem: &Problem,
        cases: &[&Case],
        solution: &Path,
        done: &(dyn Fn(&CaseOutcome) + Sync),
    ) -> Result<(Vec<CaseOutcome>, bool), Error> {
        let pass = self.gate.enter();
        let queue = Queue::new(cases.len());
        let workers = self.jobs.get().min(cases.len());
        thread::scope(|scope| {
            let work = || self.work(problem, cases, solution, &queue, done);
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| match thread.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        Ok((queue.into_outcomes(), workers > 1 || !pass.was_alone()))
    }

    /// Plays cases again, one after the other and beside no one else.
    fn play_alone(
        &self,
        problem: &Problem,
        late: Vec<(&Case, &mut CaseOutcome)>,
        solution: &Path,
        done: &(dyn Fn(&CaseOutcome) + Sync),
    ) -> Result<(), Error> {
        let _alone = self.gate.enter_alone();
        let mut sandbox = self.open(problem, solution)?;
        for (case, outcome) in late {
            *outcome = self.attempt(problem, case, solution, &mut sandbox);
            done(outcome);
        }
        Ok(())
    }

    /// One thread's share: takes the next case until none is left.
    fn work(
        &self,
        problem: &Problem,
        cases: &[&Case],
        solution: &Path,
        queue: &Queue,
        done: &(dyn Fn(&CaseOutcome) + Sync),
    ) -> Result<(), Error> {
        let mut sandbox = self.open(problem, solution)?;
        while let Some((index, case)) = queue.next().and_then(|index| Some((index, *cases.get(index)?))) {
            let outcome = self.attempt(problem, case, solution, &mut sandbox);
            if !outcome.by_clock {
                done(&outcome);
            }
            queue.finish(index, outcome);
        }
        Ok(())
    }

    fn attempt(
        &self,
        problem: &Problem,
        case: &Case,
        solution: &Path,
        sandbox: &mut Box<dyn Sandbox + 'a>,
    ) -> CaseOutcome {
        let mut failure = None;
        for _ in 0..ATTEMPTS {
            match play(problem, case, sandbox.as_mut()) {
                Ok(outcome) => return outcome,
                Err(error) => failure = Some(error.to_string()),
            }
            // A sandbox that failed once is not trusted again; where no new one opens, the old one fails again.
            if let Ok(fresh) = self.open(problem, solution) {
                *sandbox = fresh;
            }
        }
        CaseOutcome { infrastructure: failure, ..CaseOutcome::new(case, Verdict::Infrastructure) }
    }

    fn open(&self, problem: &Problem, solution: &Path) -> Result<Box<dyn Sandbox + 'a>, Error> {
        (self.open)(solution, problem.assets.as_deref())
    }
}

fn play(problem: &Problem, case: &Case, sandbox: &mut dyn Sandbox) -> Result<CaseOutcome, Error> {
    let tasks = Tasks { problem, case, solution: sandbox.solution(), assets: sandbox.assets() };
    match (&case.action, problem.harness.server()) {
        (CaseAction::Runs(runs), _) => {
            let tasks: Vec<_> = runs.iter().enumerate().map(|(index, run)| tasks.of_run(index, run)).collect();
            sandbox.run_series(&tasks).map(|seen| judge(case, runs, &seen))
        }
        (CaseAction::Service { args, steps, expect }, Some(server)) => {
            let task = tasks.task(args, &BTreeMap::new(), expect, &case.files);
            let (observation, halt) = http::play(sandbox, server, steps, task)?;
            Ok(judge_service(case, expect, &observation, halt))
        }
        (CaseAction::Service { .. }, None) => Err(Error::Task("the problem does not say how its server starts".into())),
    }
}

/// What goes into the sandbox. Of the expectations only the names of the files to hand back, which the specification
/// gives as well.
struct Tasks<'a> {
    problem: &'a Problem,
    case: &'a Case,
    /// Where the sandbox has the solution.
    solution: &'a Path,
    /// Where it has the problem's assets.
    assets: &'a Path,
}

impl Tasks<'_> {
    fn of_run(&self, index: usize, run: &ProgramRun) -> Task {
        // The case's files are there from the first run on.
        let files = if index == 0 { self.case.files.as_slice() } else { &[] };
        let task = self.task(&run.args, &run.env, &run.expect, files);
        Task { stdin: run.stdin.clone(), signal: run.signal.clone(), ..task }
    }

    fn task(
        &self,
        args: &[String],
        env: &BTreeMap<String, String>,
        expect: &Expectations,
        files: &[(String, FileEntry)],
    ) -> Task {
        let mut argv = self.problem.command(self.solution);
        argv.extend(args.iter().map(|text| self.filled(text)));
        let assets = self.problem.assets.as_ref();
        let mut variables: BTreeMap<_, _> = assets
            .map(|_| (ASSETS_VARIABLE.to_owned(), self.assets.to_string_lossy().into_owned()))
            .into_iter()
            .collect();
        variables.extend(self.case.env.iter().chain(env).map(|(name, value)| (name.clone(), self.filled(value))));
        let (files, collect) = (files.to_vec(), expect.paths());
        Task { env: variables, files, collect, ..Task::new(argv, self.case.limits) }
    }

    /// With the assets' folder where the case names it.
    fn filled(&self, text: &str) -> String {
        match self.problem.assets {
            Some(_) => text.replace(ASSETS_PLACE, &self.assets.to_string_lossy()),
            None => text.to_owned(),
        }
    }
}

/// Indices handed out to threads, and their outcomes.
struct Queue {
    next: AtomicUsize,
    outcomes: Mutex<Vec<Option<CaseOutcome>>>,
}

impl Queue {
    fn new(length: usize) -> Self {
        Self { next: AtomicUsize::new(0), outcomes: Mutex::new(vec![None; length]) }
    }

    fn next(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Ordering::Relaxed))
    }

    fn finish(&self, index: usize, outcome: CaseOutcome) {
        if let Some(slot) = self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).get_mut(index) {
            *slot = Some(outcome);
        }
    }

    fn into_outcomes(self) -> Vec<CaseOutcome> {
        self.outcomes.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
    }
}
