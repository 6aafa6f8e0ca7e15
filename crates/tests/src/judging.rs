//! From what was observed to verdicts.

use slopbench_sandbox::{Observation, ProgramEnd, ResourceUsage, signal_name};

use crate::{
    Case, CaseOutcome, Expectations, Mismatch, Verdict, exit_code::ExitCode, expect::Expectation, http::Halt,
    program_run::ProgramRun,
};

/// Compares what was observed with what the case expects: the first run that differs decides.
pub(crate) fn judge(case: &Case, runs: &[ProgramRun], seen: &[Observation]) -> CaseOutcome {
    let outcomes = runs.iter().zip(seen).map(|(run, observation)| judge_run(case, run, observation));
    let mut last = CaseOutcome::new(case, Verdict::Infrastructure);
    for outcome in outcomes {
        let is_over = outcome.verdict != Verdict::Pass;
        last = outcome;
        if is_over {
            break;
        }
    }
    last.usage = seen.iter().map(|observation| observation.usage).reduce(ResourceUsage::and);
    last
}

fn judge_run(case: &Case, run: &ProgramRun, observation: &Observation) -> CaseOutcome {
    let named = |mismatch: Mismatch| match run.name.as_str() {
        "" => mismatch,
        name => Mismatch { what: format!("{name} {}", mismatch.what), ..mismatch },
    };
    let end = |verdict: Verdict, what: String| {
        let details = if run.name.is_empty() { Vec::new() } else { vec![Mismatch::sentence(&run.name, what)] };
        CaseOutcome::of(case, observation, verdict, details)
    };
    match observation.end {
        ProgramEnd::Limit(limit) => end(Verdict::Limit { limit }, format!("the limit of {limit} was hit")),
        ProgramEnd::Signalled(signal) if run.expect.signal.is_none() => {
            end(Verdict::Crashed { signal }, format!("the program ended by {}", signal_name(signal)))
        }
        _ => {
            let unsent = run.signal.as_ref().filter(|_| !observation.signal_sent).map(|signal| {
                let detail = format!("the program ended before it was sent {}", signal_name(signal.number));
                Mismatch::sentence("signal", detail)
            });
            let mut details = mismatches(&run.expect, observation);
            if let Some(unsent) = unsent {
                // Then it cannot have ended by it, either.
                details.retain(|mismatch| mismatch.what != unsent.what);
                details.insert(0, unsent);
            }
            let details = details.into_iter().map(named).collect();
            CaseOutcome::compared(case, observation, details)
        }
    }
}

/// The same for a server. How it ended counts if it was still needed; after the last answer, only a limit does, for all
/// else would depend on how fast it is.
pub(crate) fn judge_service(
    case: &Case,
    expect: &Expectations,
    observation: &Observation,
    halt: Option<Halt>,
) -> CaseOutcome {
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
        (_, None) => CaseOutcome::compared(case, observation, mismatches(expect, observation)),
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

fn mismatches(expect: &Expectations, observation: &Observation) -> Vec<Mismatch> {
    let stderr = String::from_utf8_lossy(&observation.stderr);
    let ended = match observation.end {
        ProgramEnd::Exited(code) => format!("exit code {code}"),
        ProgramEnd::Signalled(signal) => signal_name(signal),
        _ => "none".to_owned(),
    };
    let signal = expect.signal.filter(|expected| observation.end != ProgramEnd::Signalled(*expected)).map(|expected| {
        let expected = signal_name(expected);
        Mismatch::sentence("signal", format!("expected an end by {expected}, got {ended}{}", last_line(&stderr)))
    });
    let is_other = |expected: &ExitCode| !matches!(observation.end, ProgramEnd::Exited(code) if expected.fits(code));
    let exit_code = expect.exit_code.filter(is_other).map(|expected| {
        let got = ended.trim_start_matches("exit code ");
        Mismatch::sentence("exit code", format!("expected {expected}, got {got}{}", last_line(&stderr)))
    });
    let stream = |expectation: &Option<Expectation>, what, bytes: &[u8]| expectation.as_ref()?.check(what, bytes);
    let files = expect.files.iter().filter_map(|(path, file)| file.check_file(path, &observation.files));
    signal
        .into_iter()
        .chain(exit_code)
        .chain(stream(&expect.stdout, "stdout", &observation.stdout))
        .chain(stream(&expect.stderr, "stderr", &observation.stderr))
        .chain(files)
        .collect()
}

/// The last line of standard error, which in most languages says what went wrong.
fn last_line(stderr: &str) -> String {
    stderr.lines().next_back().map_or(String::new(), |line| format!("; standard error ends: {line}"))
}
