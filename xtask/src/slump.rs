//! Archived runs of the study SLUMP: `artifacts/slump-*`.
//!
//! Such a folder holds what is written by hand (`slump.toml`, tasks, and the scripts that answer for models) and what is kept of a run and
//! of its judging, which comes out again to the byte: summary, scores, every judgement, and what the guard said and kept.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
};

use serde::Deserialize;
use walkdir::WalkDir;

use crate::Failure;

const DEFINITION: &str = "slump.toml";
const FORMAT: &str = "slopbench.slump-archive/1";

/// What is kept of a run's units; clocks are in other files.
const OF_UNITS: &[&str] = &["brief.json", "update.json"];
/// What is kept beside them.
const SUMMARY: &str = "summary.json";
const SCORES: &str = "scores.json";
const JUDGEMENTS: &str = "judgements";

/// `slump.toml`. Arguments name files of the archive.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    format: String,
    title: String,
    /// Of `slopbench slump run`, but for where the run is kept.
    run: Vec<String>,
    /// Of `slopbench slump judge`, but for run and folder.
    judge: Vec<String>,
}

struct Archive {
    dir: PathBuf,
    definition: Definition,
    scratch: PathBuf,
}

/// Files by their names in an archive.
type Kept = BTreeMap<PathBuf, Vec<u8>>;

/// Does every archived run again, judged from its archived judgements alone; gives whether all bytes came out again.
pub(crate) fn reproduce(root: &Path, slopbench: &Path) -> Result<bool, Failure> {
    let mut all_same = true;
    for archive in archives(root)? {
        let kept = archive.kept()?;
        let obtained = archive.again(slopbench, Some(&kept))?;
        for (path, what) in differences(&kept, &obtained) {
            writeln!(io::stdout(), "  {}: {what}", path.display())?;
        }
        let same = kept == obtained && !kept.is_empty();
        all_same &= same;
        let verdict = if same { "ok" } else { "FAILED" };
        writeln!(io::stdout(), "{}  {verdict}  {} files  {}", archive.name(), kept.len(), archive.definition.title)?;
    }
    Ok(all_same)
}

/// Archives every such run anew.
pub(crate) fn archive(root: &Path, slopbench: &Path) -> Result<(), Failure> {
    for archive in archives(root)? {
        let obtained = archive.again(slopbench, None)?;
        for path in archive.kept()?.keys() {
            fs::remove_file(archive.dir.join(path))?;
        }
        for (path, bytes) in obtained {
            let target = archive.dir.join(path);
            fs::create_dir_all(target.parent().unwrap_or(root))?;
            fs::write(target, bytes)?;
        }
    }
    Ok(())
}

fn archives(root: &Path) -> Result<Vec<Archive>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("artifacts"))? {
        let dir = entry?.path();
        let path = dir.join(DEFINITION);
        if !path.is_file() {
            continue;
        }
        let definition: Definition =
            toml::from_str(&fs::read_to_string(&path)?).map_err(|error| format!("{}: {error}", path.display()))?;
        if definition.format != FORMAT {
            return Err(format!("{}: expected format \"{FORMAT}\"", path.display()).into());
        }
        let name = dir.file_name().unwrap_or_default();
        found.push(Archive { scratch: root.join("target/slump").join(name), dir, definition });
    }
    found.sort_by(|a, b| a.dir.cmp(&b.dir));
    Ok(found)
}

impl Archive {
    fn name(&self) -> String {
        self.dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Runs and judges; `judgements` of an archive answer in the place of the judge's model.
    fn again(&self, slopbench: &Path, judgements: Option<&Kept>) -> Result<Kept, Failure> {
        drop(fs::remove_dir_all(&self.scratch));
        let (run, judged) = (self.scratch.join("run"), self.scratch.join("judged"));
        fs::create_dir_all(judged.join(JUDGEMENTS))?;
        for (path, bytes) in judgements.into_iter().flatten().filter(|(path, _)| path.starts_with(JUDGEMENTS)) {
            let target = judged.join(path);
            fs::create_dir_all(target.parent().unwrap_or(&judged))?;
            fs::write(target, bytes)?;
        }
        let mut command = self.slump(slopbench, "run");
        self.carry_out(command.arg("--out").arg(&run).args(&self.definition.run))?;
        let mut command = self.slump(slopbench, "judge");
        command.arg(&run).args(&self.definition.judge).arg("--out").arg(&judged);
        self.carry_out(command.args(judgements.map(|_| "--offline")))?;
        let mut kept = below(&run.join("units"), &run, |name| OF_UNITS.contains(&name))?;
        kept.extend(below(&judged.join(JUDGEMENTS), &judged, |_| true)?);
        kept.insert(SUMMARY.into(), fs::read(run.join(SUMMARY))?);
        kept.insert(SCORES.into(), fs::read(judged.join(SCORES))?);
        Ok(kept)
    }

    /// In the archive's folder, so that arguments name its files.
    fn slump(&self, slopbench: &Path, what: &str) -> Command {
        let mut command = Command::new(slopbench);
        command.args(["slump", what]).current_dir(&self.dir).stdout(io::stderr());
        command
    }

    fn carry_out(&self, command: &mut Command) -> Result<(), Failure> {
        let status = command.status()?;
        match status.success() {
            true => Ok(()),
            false => Err(format!("{} could not be done again: {status}", self.name()).into()),
        }
    }

    /// What is archived.
    fn kept(&self) -> Result<Kept, Failure> {
        let mut kept = Kept::new();
        for folder in ["units", JUDGEMENTS].map(|name| self.dir.join(name)).iter().filter(|folder| folder.is_dir()) {
            kept.extend(below(folder, &self.dir, |_| true)?);
        }
        for name in [SUMMARY, SCORES] {
            let path = self.dir.join(name);
            if path.is_file() {
                kept.insert(name.into(), fs::read(path)?);
            }
        }
        Ok(kept)
    }
}

/// The files below `folder` whose names are wanted, by their paths from `root`.
fn below(folder: &Path, root: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<Kept, Failure> {
    let mut found = Kept::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() && entry.file_name().to_str().is_some_and(&is_wanted) {
            found.insert(entry.path().strip_prefix(root)?.to_path_buf(), fs::read(entry.path())?);
        }
    }
    Ok(found)
}

fn differences<'a>(kept: &'a Kept, obtained: &'a Kept) -> Vec<(&'a PathBuf, &'static str)> {
    let gone = kept.iter().filter_map(|(path, bytes)| match obtained.get(path) {
        None => Some((path, "did not come out again")),
        Some(now) if now != bytes => Some((path, "came out otherwise")),
        Some(_) => None,
    });
    let new = obtained.keys().filter(|path| !kept.contains_key(*path)).map(|path| (path, "is not archived"));
    gone.chain(new).collect()
}
