//! What measuring costs beside the bare parse of the same files on the same threads: `cargo xtask bench-analyzer`.
//!
//! Everything is measured in one run, each round doing every job once, so that a busy machine slows all of them alike.
//! A ratio is the median of the rounds' own ratios. The exit code is 1 if a goal is missed. Beside the ratio of the time on
//! the clock stands that of processor time, which tells more on a machine that does other things as well.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic, and prints")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use std::{env, fs};

use rayon::prelude::*;
use slopbench_metrics::{RuleSet, measure, measure_sources};
use tree_sitter::Parser;
use walkdir::WalkDir;

const ROUNDS: usize = 7;

/// How many rules the smaller set lacks.
const ADDED_RULES: usize = 100;

/// Makes the program measure once and print its peak memory.
const ONCE: &str = "--once";

/// Paths and contents.
type Sources = Vec<(String, Vec<u8>)>;

fn main() -> ExitCode {
    let folder = PathBuf::from(env::args().rfind(|arg| arg != "--bench").unwrap());
    if env::args().any(|arg| arg == ONCE) {
        black_box(measure(&folder, &RuleSet::builtin().unwrap()).unwrap());
        println!("{}", peak_memory());
        return ExitCode::SUCCESS;
    }
    let sources = read(&folder);
    let bytes: usize = sources.iter().map(|(_, bytes)| bytes.len()).sum();
    println!("{} files, {bytes} bytes, {} threads", sources.len(), rayon::current_num_threads());
    let goals = goals(&times(&sources), peak_of_child(&folder));
    println!("{:<44} {:>8} {:>8}", "", "goal", "here");
    for (what, limit, value) in &goals {
        let mark = if value <= limit { "" } else { "  MISSED" };
        println!("{what:<44} {:>8} {value:>8.2}{mark}", format!("<= {limit}"));
    }
    ExitCode::from(u8::from(goals.iter().any(|(_, limit, value)| value > limit)))
}

/// The seconds that each job took, by round.
struct Times {
    parse: Vec<f64>,
    fewer_rules: Vec<f64>,
    all: Vec<f64>,
    twice: Vec<f64>,
}

fn times(sources: &Sources) -> Times {
    let (none, all, (_folder, fewer)) = (RuleSet::empty(), RuleSet::builtin().unwrap(), fewer_rules());
    let twice: Sources = ["a", "b"].iter().flat_map(|copy| below(copy, sources)).collect();
    let (rules, base) = (all.ids().len(), fewer.ids().len());
    let jobs: [(String, &dyn Fn()); 5] = [
        ("bare parse".to_owned(), &|| parse(sources)),
        ("measured without rules".to_owned(), &|| drop(black_box(measure_sources(sources, &none)))),
        (format!("measured with {base} rules"), &|| drop(black_box(measure_sources(sources, &fewer)))),
        (format!("measured with {rules} rules"), &|| drop(black_box(measure_sources(sources, &all)))),
        (format!("twice the files, {rules} rules"), &|| drop(black_box(measure_sources(&twice, &all)))),
    ];
    let (mut taken, mut ticks) = (jobs.each_ref().map(|_| Vec::new()), jobs.each_ref().map(|_| Vec::new()));
    for _ in 0..ROUNDS {
        for (((_, job), taken), ticks) in jobs.iter().zip(&mut taken).zip(&mut ticks) {
            let before = processor_ticks();
            taken.push(time(job));
            ticks.push(processor_ticks() - before);
        }
    }
    println!("{:<44} {:>17} {:>8} {:>9}", "", "median", "clock", "processor");
    for (((name, _), seconds), used) in jobs.iter().zip(&taken).zip(&ticks) {
        let (clock, processor) = (ratio(seconds, &taken[0]), ratio(used, &ticks[0]));
        println!("{name:<44} {:>15.3} s {clock:>8.2} {processor:>9.2}", median(seconds.clone()));
    }
    let [parse, _, fewer_rules, all, twice] = taken;
    Times { parse, fewer_rules, all, twice }
}

/// What is asked for: a name, the limit, and the figure.
fn goals(times: &Times, peak_mib: f64) -> Vec<(&'static str, f64, f64)> {
    vec![
        ("whole measurement / bare parse", 1.8, ratio(&times.all, &times.parse)),
        ("with 100 more rules / without them", 1.4, ratio(&times.all, &times.fewer_rules)),
        ("twice the files / once", 2.1, ratio(&times.twice, &times.all)),
        ("peak memory (MiB)", 300.0, peak_mib),
    ]
}

fn parse(sources: &Sources) {
    sources.par_iter().for_each_init(
        || {
            let mut parser = Parser::new();
            parser.set_language(&tree_sitter_python::LANGUAGE.into()).unwrap();
            parser
        },
        |parser, (_, bytes)| drop(black_box(parser.parse(bytes, None))),
    );
}

fn time(job: impl Fn()) -> f64 {
    let start = Instant::now();
    job();
    start.elapsed().as_secs_f64()
}

/// The processor time of this process in user mode so far, in the kernel's ticks.
fn processor_ticks() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, behind_name) = stat.rsplit_once(')').unwrap();
    behind_name.split_whitespace().nth(11).unwrap().parse().unwrap()
}

fn ratio(these: &[f64], those: &[f64]) -> f64 {
    median(these.iter().zip(those).map(|(this, that)| this / that).collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn read(folder: &Path) -> Sources {
    let files = WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "py"));
    files.map(|file| (file.path().display().to_string(), fs::read(file.path()).unwrap())).collect()
}

fn below(folder: &str, sources: &Sources) -> Sources {
    sources.iter().map(|(path, bytes)| (format!("{folder}/{path}"), bytes.clone())).collect()
}

/// The built-in rules but for the last [`ADDED_RULES`] by name, and the folder that they are in.
fn fewer_rules() -> (tempfile::TempDir, RuleSet) {
    let folder = tempfile::tempdir().unwrap();
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/python");
    let all = RuleSet::load(&rules).unwrap();
    for id in all.ids().iter().rev().skip(ADDED_RULES) {
        let file = format!("{id}.yml");
        fs::copy(rules.join(&file), folder.path().join(&file)).unwrap();
    }
    let fewer = RuleSet::load(folder.path()).unwrap();
    (folder, fewer)
}

/// The most memory this process ever had, in kB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

/// The peak of a process that only measures the folder once, in MiB.
fn peak_of_child(folder: &Path) -> f64 {
    let child = Command::new(env::current_exe().unwrap()).arg(ONCE).arg(folder).output().unwrap();
    let kilobytes: f64 = String::from_utf8(child.stdout).unwrap().trim().parse().unwrap();
    kilobytes / 1024.0
}
