//! What a history costs beside measuring, a byte: `history` over 30 commits of a repository with 5,000, git included,
//! against `measure` on a checkout of its last commit. The goal is a ratio of at most 1.2; exit code 1 where it is missed.
//!
//! The repository is made of real sources (the folders named on the command line): each commit moves a function or class
//! past its neighbour; every tenth changes no source instead, every hundredth moves a file. Git packs it as for a server.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark may panic, and it prints")]

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use slopbench_history::{GitRepository, History, HistoryOptions, Progress, history};
use slopbench_metrics::{Roots, RuleSet, measure, read_sources};

const COMMITS: usize = 5_000;
const SAMPLES: usize = 30;
const RUNS: usize = 5;
const GOAL: f64 = 1.2;

fn main() -> ExitCode {
    let folders: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).filter(|path| path.is_dir()).collect();
    assert!(!folders.is_empty(), "name folders of Python sources: run `cargo xtask bench-history`");
    let scratch = tempfile::tempdir().unwrap();
    let (repository, checkout) = (scratch.path().join("repository.git"), scratch.path().join("checkout"));
    make(&repository, &folders);
    git(&repository, &["worktree", "add", "--quiet", checkout.to_str().unwrap(), "main"]);
    let rules = RuleSet::builtin().unwrap();
    let bytes: usize =
        read_sources(&Roots::one(&checkout).unwrap()).unwrap().0.iter().map(|(_, bytes)| bytes.len()).sum();
    let (mut measuring, mut histories, mut last) = (Vec::new(), Vec::new(), None);
    for _ in 0..RUNS {
        measuring.push(timed(|| measure(&checkout, &rules).unwrap()).0);
        let (time, found) = timed(|| sampled(&repository, &rules));
        histories.push(time);
        last = Some(found);
    }
    let last = last.unwrap();
    let per_byte = median(&mut measuring).as_secs_f64() / bytes as f64;
    let history_per_byte = median(&mut histories).as_secs_f64() / last.versions.bytes as f64;
    let skipped: usize = last.points.iter().map(|point| point.skipped.len()).sum();
    let ratio = history_per_byte / per_byte;
    println!("repository  {} commits, {} of them touch sources; {skipped} files left out", last.commits, last.touching);
    println!("measure     {:?} for {bytes} bytes: {:.1} ns a byte", median(&mut measuring), per_byte * 1e9);
    println!(
        "history     {:?} for {} bytes in {} distinct of {} files: {:.1} ns a byte",
        median(&mut histories),
        last.versions.bytes,
        last.versions.distinct,
        last.versions.files,
        history_per_byte * 1e9
    );
    println!("ratio       {ratio:.3} (at most {GOAL})");
    ExitCode::from(u8::from(ratio > GOAL))
}

fn sampled(repository: &Path, rules: &RuleSet) -> History {
    let commits = NonZeroUsize::new(SAMPLES).unwrap();
    let options = HistoryOptions { revision: "main".to_owned(), commits, below: ".".to_owned() };
    history(&GitRepository::discover(repository).unwrap(), &options, rules, &Nobody).unwrap()
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let begun = Instant::now();
    let result = work();
    (begun.elapsed(), result)
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

struct Nobody;

impl Progress for Nobody {
    fn begin(&self, _: usize) {}
    fn step(&self) {}
}

/// Makes and packs the repository.
fn make(repository: &Path, folders: &[PathBuf]) {
    git(Path::new("."), &["init", "--quiet", "--bare", "--initial-branch=main", repository.to_str().unwrap()]);
    let mut import = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(repository)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git can be started");
    stream(&mut std::io::BufWriter::new(import.stdin.take().unwrap()), folders).unwrap();
    assert!(import.wait().unwrap().success(), "git fast-import failed");
    git(repository, &["repack", "-a", "-d", "-f", "--quiet"]);
}

fn stream(out: &mut impl Write, folders: &[PathBuf]) -> std::io::Result<()> {
    let mut files = BTreeMap::new();
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy();
        for (path, bytes) in read_sources(&Roots::one(folder).unwrap()).unwrap().0 {
            files.extend(String::from_utf8(bytes).ok().map(|text| (format!("{name}/{path}"), blocks(&text))));
        }
    }
    begin(out, 0)?;
    files.iter().try_for_each(|(path, blocks)| modify(out, path, &blocks.concat()))?;
    let mut dice = Dice(1);
    for commit in 1..COMMITS {
        begin(out, commit)?;
        let (path, blocks) = dice.movable(&mut files);
        if commit % 10 == 0 {
            modify(out, "README.md", &format!("{commit}\n"))?;
        } else if commit % 100 == 1 {
            let moved = format!("{}/{commit}_{}", path.rsplit_once('/').unwrap().0, path.rsplit('/').next().unwrap());
            writeln!(out, "R {path} {moved}")?;
            let blocks = files.remove(&path).unwrap();
            files.insert(moved, blocks);
        } else {
            modify(out, &path, &blocks)?;
        }
    }
    writeln!(out, "done")
}

fn begin(out: &mut impl Write, commit: usize) -> std::io::Result<()> {
    let subject = format!("change {commit}");
    let time = 1_500_000_000 + commit * 3600;
    writeln!(out, "commit refs/heads/main\ncommitter A <a@example.org> {time} +0000")?;
    writeln!(out, "data {}\n{subject}", subject.len())
}

fn modify(out: &mut impl Write, path: &str, text: &str) -> std::io::Result<()> {
    writeln!(out, "M 100644 inline {path}\ndata {}\n{text}", text.len())
}

/// The text up to the first function or class, then each of these with what follows it.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = vec![String::new()];
    let mut blank = false;
    for line in text.split_inclusive('\n') {
        let starts = ["def ", "class ", "async def ", "@"].iter().any(|start| line.starts_with(start));
        if starts && blank {
            blocks.push(String::new());
        }
        blank = line.trim().is_empty();
        blocks.last_mut().unwrap().push_str(line);
    }
    // The last block has to end its line, now that it may come before another.
    let last = blocks.last_mut().unwrap();
    if !last.is_empty() && !last.ends_with('\n') {
        last.push('\n');
    }
    blocks
}

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        // Knuth's multiplier; the upper half is random enough.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// A file with two blocks that can change places; gives it with them having done so.
    fn movable(&mut self, files: &mut BTreeMap<String, Vec<String>>) -> (String, String) {
        loop {
            let index = self.below(files.len());
            let (path, blocks) = files.iter_mut().nth(index).unwrap();
            if blocks.len() > 2 {
                let first = 1 + self.below(blocks.len() - 2);
                blocks.swap(first, first + 1);
                return (path.clone(), blocks.concat());
            }
        }
    }
}

fn git(folder: &Path, args: &[&str]) {
    let status = Command::new("git").args(args).current_dir(folder).status().expect("git can be started");
    assert!(status.success(), "git {args:?} failed");
}
