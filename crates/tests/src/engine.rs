//! Plays cases in sandboxes and judges what was observed.

use std::{
    num::NonZeroUsize,
    path::Path,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use slopbench_sandbox::{Error, Observation, ProgramEnd, Sandbox, Task};

use crate::{
    Case, CaseOutcome, Gate, Mismatch, Problem, Verdict,
    expect::Expectation,
    http::{self, Halt},
};

/// Opens a sandbox in which the solution in the given folder can be run.
pub type OpenSandbox<'a> = dyn Fn(&Path) -> Result<Box<dyn Sandbox + 'a>, Error> + Sync + 'a;

/// How often a case is tried before the sandbox's failure becomes its verdict.
const ATTEMPTS: usize = 3;

/// Runs cases, several at once.
pub struct Engine<'a> {
    /// Where solutions run.
    pub open: &'a OpenSandbox<'a>,
    /// How many sandboxes at once.
    pub jobs: NonZeroUsize,
    /// Who else is at work: what the clock decides beside others is decided again alone.
    pub gate: &'a Gate,
}

impl<'a> Engine<'a> {
    /// Runs `cases` of `problem` against the solution in `solution`; outcomes come in the order of `cases`.
    ///
    /// A solution without the entry file gives [`Verdict::Missing`] throughout. A sandbox that fails is reopened, and only then
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
        if !solution.join(&problem.entry).is_file() {
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
        let mut sandbox = (self.open)(solution)?;
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
        let mut sandbox = (self.open)(solution)?;
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
        let task = task(problem, case, sandbox.solution());
        let mut failure = None;
        for _ in 0..ATTEMPTS {
            let played = match &problem.server {
                None => sandbox.run(&task).map(|observation| judge(case, &observation)),
                Some(server) => http::play(sandbox.as_mut(), server, &case.steps, task.clone())
                    .map(|(observation, halt)| judge_service(case, &observation, halt)),
            };
            match played {
                Ok(outcome) => return outcome,
                Err(error) => failure = Some(error.to_string()),
            }
            // A sandbox that failed once is not trusted again; where no new one opens, the old one fails again.
            if let Ok(fresh) = (self.open)(solution) {
                *sandbox = fresh;
            }
        }
        CaseOutcome { infrastructure: failure, ..CaseOutcome::new(case, Verdict::Infrastructure) }
    }
}

/// What goes into the sandbox. Of the expectations only the names of the files to hand back, which the specification
/// gives as well.
fn task(problem: &Problem, case: &Case, solution: &Path) -> Task {
    let mut argv = problem.command(solution);
    argv.extend(case.args.iter().cloned());
    Task {
        argv,
        env: case.env.clone(),
        stdin: case.stdin.clone(),
        files: case.files.clone(),
        collect: case.expect.paths(),
        limits: case.limits,
    }
}

/// Compares what was observed with what the case expects.
fn judge(case: &Case, observation: &Observation) -> CaseOutcome {
    match observation.end {
        ProgramEnd::Limit(limit) => CaseOutcome::of(case, observation, Verdict::Limit { limit }, Vec::new()),
        ProgramEnd::Signalled(signal) => CaseOutcome::of(case, observation, Verdict::Crashed { signal }, Vec::new()),
        ProgramEnd::Exited(code) => CaseOutcome::compared(case, observation, mismatches(case, Some(code), observation)),
        ProgramEnd::Stopped => CaseOutcome::compared(case, observation, mismatches(case, None, observation)),
    }
}

/// The same for a server. How it ended counts if it was still needed; after the last answer, only a limit does, for all
/// else would depend on how fast it is.
fn judge_service(case: &Case, observation: &Observation, halt: Option<Halt>) -> CaseOutcome {
    let is_late = matches!(halt, Some(Halt::Late(_)));
    let mut outcome = match (observation.end, halt) {
        (ProgramEnd::Limit(limit), halt) => {
            CaseOutcome::of(case, observation, Verdict::Limit { limit }, halt.map_or(Vec::new(), Halt::details))
        }
        (ProgramEnd::Signalled(signal), Some(halt @ Halt::Over(_))) => {
            CaseOutcome::of(case, observation, Verdict::Crashed { signal }, halt.details())
        }
        (ProgramEnd::Exited(code), Some(Halt::Over(step))) => {
            let detail = format!(
                "the server ended with exit code {code}; it has to run, in the foreground, until it is stopped"
            );
            CaseOutcome::compared(case, observation, vec![Mismatch::sentence(&step, detail)])
        }
        (_, Some(halt)) => CaseOutcome::compared(case, observation, halt.details()),
        (_, None) => CaseOutcome::compared(case, observation, mismatches(case, None, observation)),
    };
    // A limit that was hit meanwhile is the better reason, whatever the server was slow at.
    outcome.by_clock |= is_late && !matches!(outcome.verdict, Verdict::Limit { .. });
    if outcome.verdict != Verdict::Pass {
        outcome.details.extend(log("standard output", &observation.stdout));
        outcome.details.extend(log("standard error", &observation.stderr));
    }
    outcome
}

/// How much of a server's log is shown, in lines.
const LOG_LINES: usize = 20;

/// The end of what a server printed, for people.
fn log(stream: &str, bytes: &[u8]) -> Option<Mismatch> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<_> = text.lines().collect();
    let shown = lines.get(lines.len().saturating_sub(LOG_LINES)..).unwrap_or_default();
    let what = format!("the server's {stream}");
    let detail = format!("its last {} of {} lines", shown.len(), lines.len());
    (!lines.is_empty()).then(|| Mismatch {
        what,
        detail,
        diff: shown.iter().map(|line| format!(" {line}\n")).collect(),
    })
}

fn mismatches(case: &Case, code: Option<i32>, observation: &Observation) -> Vec<Mismatch> {
    let expect = &case.expect;
    let exit_code = expect.exit_code.filter(|expected| code.is_none_or(|code| !expected.fits(code))).map(|expected| {
        let stderr = String::from_utf8_lossy(&observation.stderr);
        let got = code.map_or("none".to_owned(), |code| code.to_string());
        Mismatch::sentence("exit code", format!("expected {expected}, got {got}{}", last_line(&stderr)))
    });
    let stream = |expectation: &Option<Expectation>, what, bytes: &[u8]| expectation.as_ref()?.check(what, bytes);
    let files = expect.files.iter().filter_map(|(path, file)| file.check_file(path, &observation.files));
    exit_code
        .into_iter()
        .chain(stream(&expect.stdout, "stdout", &observation.stdout))
        .chain(stream(&expect.stderr, "stderr", &observation.stderr))
        .chain(files)
        .collect()
}

/// The last line of standard error, which in most languages says what went wrong.
fn last_line(stderr: &str) -> String {
    stderr.lines().next_back().map_or(String::new(), |line| format!("; standard error ends: {line}"))
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
