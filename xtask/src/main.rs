//! Repository automation: `cargo xtask <command>`.
//!
//! Every command is a short list of other programs' calls; what they do lives in the crates.

mod anchors;
mod attacks;
mod bench_analyzer;
mod bench_environment;
mod bench_history;
mod bench_report;
mod bench_run;
mod bench_start;
mod browser;
mod endure;
mod endure_run;
mod endure_slump;
mod endure_units;
mod oracles;
mod replay;
mod slump_requests;
mod slump_scripts;
mod slump_study;
mod thin;
mod traces;

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use clap::{Parser, Subcommand};
use xshell::{Cmd, Shell, cmd};

/// Where the reports of problems' audits are kept.
const AUDITS: &str = "golden/audits";

/// Whatever went wrong, as one sentence.
type Failure = Box<dyn std::error::Error>;

/// Automation of this repository. Exit codes are those of the programs called.
#[derive(Parser)]
#[command(name = "cargo xtask", arg_required_else_help = true)]
struct Args {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Do the jobs of all archived artifacts again, and compare every byte and claim.
    Reproduce {
        /// Replay the recorded runs of real agents instead (installs them with npm and pip).
        #[arg(long)]
        replay: bool,
        /// How often each of them is replayed.
        #[arg(long, default_value_t = 1, value_name = "N", requires = "replay")]
        times: u32,
        /// Passed on to `slopbench verify`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Run all tests, with cargo-nextest where it is installed.
    Test {
        /// Passed on to the test runner.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Check formatting, clippy's lints, and licences and sources (with cargo-deny, where it is installed).
    Lint,
    /// Accept the analyzers' present outputs as golden snapshots; look at the difference before committing it.
    Golden,
    /// Archive the results of all artifacts anew; look at the difference before committing it.
    Archive,
    /// Record the runs of real agents anew that `reproduce --replay` replays.
    Record,
    /// Measure pinned PyPI packages and compare with the reference implementation's figures, to the last digit.
    Anchors,
    /// Measure what the analyzer costs beside bare parsing; exit code 1 where a goal is missed.
    BenchAnalyzer,
    /// Measure what an environment of packages costs a suite's cases; exit code 1 where the goal is missed (fetches with pip).
    BenchEnvironment,
    /// Measure what a guard takes of a turn without a model; exit code 1 where the goal is missed.
    BenchGuard,
    /// Measure what a history costs beside measuring, a byte; exit code 1 where the goal is missed.
    BenchHistory,
    /// Report on a made-up study of the paper's size; exit code 1 where time or memory is above its goal, or a figure differs.
    BenchReport(bench_report::BenchReport),
    /// Build the images for `--sandbox docker` from Debian packages, and compare them with crates/images/images.lock.
    Images {
        /// Names, and options of `slopbench-images`: `--load`, `--rebuild`, `--update`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Make the quick checks of an audit of the problems that have changed since their reports in golden/audits were made.
    Audit {
        /// Audit these problems wholly instead, changed or not, and keep their reports.
        #[arg(long, num_args = 1.., value_name = "PROBLEM")]
        keep: Vec<String>,
        /// Passed on to `slopbench problems audit`: `--mutants 30`.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Run the real agents' command lines against a scripted model (installs them with npm and pip).
    Agents,
    /// Play problems in SlopCodeBench's format with the real pytest, and compare with pytest run by hand (installs it with pip).
    Suites {
        /// How often each suite is played, 8 at once, in each back end.
        #[arg(long, default_value_t = 1)]
        times: u32,
    },
    /// Compare measurements of pinned PyPI packages and Python's library with independent statements of every measure.
    Oracles {
        /// CPython 3.12.
        #[arg(long, default_value = "python3.12")]
        python: String,
    },
    /// Measure what sandbox, engine and analyzer cost.
    BenchOverhead,
    /// Play cases that compete for the processors, with as many jobs as there are; takes an otherwise idle machine.
    Company,
    /// Run many suites at a time and kill some; exit code 1 where something is left behind, or a result differs.
    Endure(endure::Endure),
    /// Run the benchmark for a model of the catalogue, with its agent: `cargo xtask bench --model gpt-5.4`.
    Bench {
        /// Passed on to `slopbench run`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
        args: Vec<String>,
    },
    /// Measure what a run costs beside agents and solutions; exit code 1 where the goal is missed.
    BenchRun,
    /// Measure how long `slopbench measure` takes from start to end; exit code 1 where a goal is missed.
    BenchStart,
    /// Try the page in headless Chromium: every view, filters, keys, contrast, foreign names (installs the driver with npm).
    Browser(browser::Browser),
    /// Kill a run again and again and resume it; exit code 1 where it ends otherwise than one that is left alone.
    EndureRun(endure_run::EndureRun),
    /// Kill conversations of real agents in a request and resume them; exit code 1 where one is not the same in the end (installs with npm).
    EndureSlump(endure_slump::EndureSlump),
    /// Have trajectories done by processes of their own that are killed again and again; exit code 1 likewise.
    EndureUnits(endure_units::EndureUnits),
    /// Do the whole study SLUMP by a program and scripts; exit code 1 where a figure is not what a second program computes.
    SlumpStudy(slump_study::SlumpStudy),
    /// Play hostile agents beside an honest one, and watch the harness; exit code 1 where one comes to something.
    Attacks(attacks::Attacks),
    /// Write a made-up study of the paper's size, marked as such, into target/synthetic; or count false alarms of `compare-runs`.
    Synthetic {
        /// Compare two identical agents with 200 seeds instead; exit code 1 unless 3% to 7% of the tests are below 5%.
        #[arg(long)]
        null: bool,
        /// Options of `slopbench-synthetic`: `--out`, `--seed`, `--small`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, conflicts_with = "null")]
        args: Vec<String>,
    },
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args.command) {
        Ok(code) => code,
        Err(error) => {
            #[allow(clippy::print_stderr, reason = "a binary reports its own errors")]
            {
                eprintln!("error: {error}");
            }
            ExitCode::from(3)
        }
    }
}

fn run(task: &Task) -> Result<ExitCode, Failure> {
    let shell = Shell::new()?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    shell.change_dir(root);
    match task {
        Task::Reproduce { replay: true, times, .. } => replay::replay(root, &build(&shell, root)?, *times),
        Task::Reproduce { args, .. } => {
            let slopbench = build(&shell, root)?;
            status(cmd!(shell, "{slopbench} verify {args...}"))
        }
        Task::Test { args } => test(&shell, root, args),
        Task::Lint => lint(&shell),
        Task::Golden => {
            let test = cmd!(shell, "cargo test --quiet --package slopbench-metrics");
            status(test.env("INSTA_UPDATE", "always"))
        }
        Task::Archive => archive(&shell, root),
        Task::Record => replay::record(root, &build(&shell, root)?),
        Task::Anchors => anchors::run(&shell, root, &build(&shell, root)?),
        Task::BenchAnalyzer => bench_analyzer::run(&shell, root),
        Task::BenchEnvironment => bench_environment::run(root, &build(&shell, root)?),
        Task::BenchGuard => status(cmd!(shell, "cargo bench --quiet --package slopbench-guard --bench turn")),
        Task::BenchHistory => bench_history::run(&shell, root),
        Task::BenchReport(bench) => bench.run(&shell, root, &build_optimised(&shell, root)?),
        Task::Images { args } => {
            let out = target(root).join("images");
            build(&shell, root)?;
            let images = target(root).join("debug/slopbench-images");
            status(cmd!(shell, "{images} --out {out} {args...}"))
        }
        Task::Audit { keep, args } if keep.is_empty() => {
            let slopbench = build(&shell, root)?;
            let quick = ["--checks", "references,distinct,sentences"];
            status(cmd!(shell, "{slopbench} problems audit --changed-since {AUDITS} {quick...} {args...}"))
        }
        Task::Audit { keep, args } => {
            let slopbench = build(&shell, root)?;
            shell.create_dir(AUDITS)?;
            // A flaw of one is no reason not to look at the next.
            let mut worst = ExitCode::SUCCESS;
            for problem in keep {
                let report = Path::new(AUDITS).join(problem).with_extension("json");
                let code = status(cmd!(shell, "{slopbench} problems audit {problem} --out {report} {args...}"))?;
                worst = if code == ExitCode::SUCCESS { worst } else { code };
            }
            Ok(worst)
        }
        Task::Agents => {
            // One at a time: agents take minutes when they share two cores, and installations fill the network.
            let one = ["--", "--ignored", "--test-threads", "1"];
            // Agents work in a sandbox, whose worker is another package's program.
            status(plain(cmd!(shell, "cargo build --quiet --package slopbench-sandbox")))?;
            let tests = ["--package", "slopbench-agents", "--package", "slopbench-cli", "--test", "real"];
            status(plain(cmd!(shell, "cargo test --quiet {tests...} {one...}")))
        }
        Task::Suites { times } => {
            build(&shell, root)?;
            let one = ["--", "--ignored", "--test-threads", "1"];
            let tests =
                cmd!(shell, "cargo test --quiet --package slopbench-cli --test suites --test suite_runs {one...}");
            status(plain(tests).env("SLOPBENCH_SUITE_TIMES", times.to_string()))
        }
        Task::Oracles { python } => oracles::run(&shell, root, &build_optimised(&shell, root)?, python),
        Task::Company => {
            build(&shell, root)?;
            status(plain(cmd!(shell, "cargo test --quiet --package slopbench-tests --test company -- --ignored")))
        }
        Task::BenchOverhead => {
            build_optimised(&shell, root)?;
            anchors::fetch_all(&shell, root)?;
            status(cmd!(shell, "cargo bench --quiet --workspace --bench overhead --bench engine --bench measure"))
        }
        Task::Bench { args } => {
            let slopbench = build_optimised(&shell, root)?;
            status(cmd!(shell, "{slopbench} run {args...}"))
        }
        Task::BenchRun => bench_run::overhead(root, &build_optimised(&shell, root)?),
        Task::BenchStart => bench_start::run(root, &build_optimised(&shell, root)?),
        Task::Browser(browser) => browser.run(&shell, root, &build(&shell, root)?),
        Task::Endure(endure) => endure.run(root, &build(&shell, root)?),
        Task::EndureRun(endure) => endure.run(root, &build(&shell, root)?),
        Task::EndureSlump(endure) => endure.run(root, &build(&shell, root)?),
        Task::EndureUnits(endure) => endure.run(root, &build(&shell, root)?),
        Task::Synthetic { null: true, .. } => {
            let package =
                ["--release", "--package", "slopbench-analysis", "--test", "it", "--", "--ignored", "null_study"];
            status(cmd!(shell, "cargo test {package...} --nocapture"))
        }
        Task::Synthetic { args, .. } => {
            let out = target(root).join("synthetic");
            status(cmd!(shell, "cargo run --release --package slopbench-synthetic -- --out {out} {args...}"))
        }
        Task::SlumpStudy(study) => study.run(root, &build(&shell, root)?),
        Task::Attacks(attacks) => attacks.run(root, &build(&shell, root)?),
    }
}

/// What cargo sets for us, and ring's build script heeds: left in place, it and all above it would be built anew whenever
/// cargo is called by hand and by us in turn.
const SET_BY_CARGO: &[&str] = &[
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_LINKS",
    "CARGO_PKG_NAME",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
];

/// A call of cargo, as if made by hand.
fn plain(command: Cmd<'_>) -> Cmd<'_> {
    SET_BY_CARGO.iter().fold(command, |command, name| command.env_remove(name))
}

/// Builds every program of the workspace in the tests' profile, and gives the binary's path. Its dependencies are optimised
/// and shared with the tests; what it does takes most of its time in other programs. The sandbox's worker lies beside it. A first
/// build takes minutes, of which cargo tells.
fn build(shell: &Shell, root: &Path) -> Result<PathBuf, Failure> {
    plain(cmd!(shell, "cargo build --workspace --bins")).quiet().run()?;
    Ok(target(root).join("debug/slopbench"))
}

/// The same, as users install it: for measurements of speed, and for long work. Optimised across crates, it takes longest to build.
fn build_optimised(shell: &Shell, root: &Path) -> Result<PathBuf, Failure> {
    let build = cmd!(shell, "cargo build --release --package slopbench-cli");
    plain(build).quiet().run()?;
    Ok(target(root).join("release/slopbench"))
}

/// Where cargo builds.
fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into)
}

fn test(shell: &Shell, root: &Path, args: &[String]) -> Result<ExitCode, Failure> {
    // Tests of several packages start the binary and the sandbox's worker, which cargo builds only for their own tests.
    build(shell, root)?;
    let nextest = cmd!(shell, "cargo nextest --version").quiet().ignore_stdout().ignore_stderr().run().is_ok();
    let tests = match nextest {
        true => cmd!(shell, "cargo nextest run --workspace --profile ci {args...}"),
        false => cmd!(shell, "cargo test --workspace --quiet {args...}"),
    };
    let skips = target(root).join("skipped-tests");
    shell.remove_path(&skips)?;
    let code = status(plain(tests).env(slopbench_test_support::SKIPS, &skips))?;
    if let Ok(lines) = shell.read_file(&skips) {
        report_skips(&lines);
    }
    Ok(code)
}

/// Says which tests passed without having looked at anything.
#[allow(clippy::print_stderr, reason = "for the person who started the tests")]
fn report_skips(lines: &str) {
    eprintln!("\nskipped for what this machine lacks ({} tests):", lines.lines().count());
    lines.lines().for_each(|line| eprintln!("  {line}"));
}

fn lint(shell: &Shell) -> Result<ExitCode, Failure> {
    cmd!(shell, "cargo fmt --all --check").run()?;
    plain(cmd!(shell, "cargo clippy --workspace --all-targets --quiet -- --deny warnings")).run()?;
    if cmd!(shell, "cargo deny --version").quiet().ignore_stdout().ignore_stderr().run().is_ok() {
        cmd!(shell, "cargo deny --offline check licenses bans sources").run()?;
    }
    Ok(ExitCode::SUCCESS)
}

fn archive(shell: &Shell, root: &Path) -> Result<ExitCode, Failure> {
    let slopbench = build(shell, root)?;
    for artifact in shell.read_dir("artifacts")?.iter().filter(|path| path.join("artifact.toml").is_file()) {
        cmd!(shell, "{slopbench} archive {artifact}").run()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a program on our own terminal and passes its exit code on.
fn status(command: Cmd<'_>) -> Result<ExitCode, Failure> {
    let shown = command.to_string();
    let status = Command::from(command).status();
    // A program that a signal ended, or that could not be started, counts as failed infrastructure.
    let code = status.ok().and_then(|status| status.code()).and_then(|code| u8::try_from(code).ok());
    #[allow(clippy::print_stderr, reason = "the one place where a child's end is reported")]
    if code.is_none() {
        eprintln!("error: `{shown}` could not be run to its end");
    }
    Ok(ExitCode::from(code.unwrap_or(3)))
}
