//! The anchors: pinned PyPI packages whose figures the paper's own implementation gave.
//!
//! `crates/metrics/tests/anchors.toml` has the pins and the figures. Packages are fetched and unpacked into
//! `target/anchors`; nothing of them is committed.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde::Deserialize;
use serde_json::Value;
use slopbench_sdist::Sdist;
use xshell::{Shell, cmd};

use crate::Failure;

/// How far the exact sum of masses may be from a running sum of the same terms, relatively.
const MASS_TOLERANCE: f64 = 2e-15;

#[derive(Deserialize)]
struct Anchors {
    package: Vec<Anchor>,
}

#[derive(Deserialize)]
struct Anchor {
    #[serde(flatten)]
    sdist: Sdist,
    files: u64,
    total_lines: u64,
    loc: u64,
    callables: u64,
    mass: f64,
    mass_as_published: f64,
    erosion: f64,
    clone_lines: u64,
    clone_ratio: f64,
}

/// Fetches, measures and compares; exit code 1 where a figure differs.
pub(crate) fn run(shell: &Shell, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
    let anchors = load(root)?;
    let mut differ = 0;
    say(&format!("{:<20} {:<14} {:>20} {:>20}", "package", "figure", "expected", "measured"))?;
    for anchor in &anchors.package {
        let sources = fetch(shell, root, anchor)?;
        let json = cmd!(shell, "{slopbench} measure --json --language python {sources}").quiet().read()?;
        let total: Value = serde_json::from_str(&json)?;
        for (figure, expected, measured) in anchor.rows(total.pointer("/total").unwrap_or(&Value::Null)) {
            let mark = if expected == measured { "" } else { "  DIFFERS" };
            differ += usize::from(expected != measured);
            say(&format!("{:<20} {figure:<14} {expected:>20} {measured:>20}{mark}", anchor.sdist.label()))?;
        }
    }
    say(&match differ {
        0 => "All figures are the reference implementation's.".to_owned(),
        _ => format!("{differ} figures differ."),
    })?;
    Ok(ExitCode::from(u8::from(differ > 0)))
}

/// Fetches every package; gives the folder that holds them.
pub(crate) fn fetch_all(shell: &Shell, root: &Path) -> Result<PathBuf, Failure> {
    for anchor in &load(root)?.package {
        fetch(shell, root, anchor)?;
    }
    Ok(cache(root))
}

fn load(root: &Path) -> Result<Anchors, Failure> {
    Ok(toml::from_str(&fs::read_to_string(root.join("crates/metrics/tests/anchors.toml"))?)?)
}

fn cache(root: &Path) -> PathBuf {
    root.join("target/anchors")
}

impl Anchor {
    /// Every figure as text: counts and the mass to the last digit, ratios to the three digits that were published.
    fn rows(&self, total: &Value) -> Vec<(&'static str, String, String)> {
        let measured = |key: &str| total.get(key).map_or("nothing".to_owned(), Value::to_string);
        let rounded =
            |key: &str| total.get(key).and_then(Value::as_f64).map_or("nothing".to_owned(), |n| format!("{n:.3}"));
        let mass = total.get("mass").and_then(Value::as_f64).unwrap_or(f64::NAN);
        // The published sums depend on the order of a disk's directory entries: see anchors.toml.
        let off = (mass / self.mass_as_published - 1.0).abs();
        let published = if off <= MASS_TOLERANCE { MASS_TOLERANCE } else { off };
        vec![
            ("files", self.files.to_string(), measured("files")),
            ("total lines", self.total_lines.to_string(), measured("total_lines")),
            ("LOC", self.loc.to_string(), measured("loc")),
            ("callables", self.callables.to_string(), measured("callables")),
            ("mass", self.mass.to_string(), measured("mass")),
            ("off published", format!("<= {MASS_TOLERANCE:e}"), format!("<= {published:e}")),
            ("erosion", format!("{:.3}", self.erosion), rounded("erosion")),
            ("clone lines", self.clone_lines.to_string(), measured("clone_lines")),
            ("clone ratio", format!("{:.3}", self.clone_ratio), rounded("clone_ratio")),
        ]
    }
}

/// The package's sources, documentation folders left out.
fn fetch(shell: &Shell, root: &Path, anchor: &Anchor) -> Result<PathBuf, Failure> {
    let cache = cache(root);
    let sources = cache.join(anchor.sdist.label());
    if !sources.is_dir() {
        let part = cache.join(format!("{}.part", anchor.sdist.label()));
        shell.remove_path(&part)?; // What an interrupted call left.
        let archive = anchor.sdist.fetch(&root.join("target/sdists"))?;
        archive.unpack(&part, &["docs".to_owned(), "doc".to_owned()])?;
        // Renamed into place, so that a package that is there is there whole.
        fs::rename(&part, &sources)?;
    }
    Ok(sources)
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}
