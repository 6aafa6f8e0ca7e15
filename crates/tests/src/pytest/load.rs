//! A problem's folder in SlopCodeBench's format, loaded and checked as a whole.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path},
};

use serde_saphyr::Spanned;

use super::{
    exposed,
    format::{CheckpointFile, ConfigFile, flaw, read},
    suite::{Marker, PytestSuite, SuiteCheckpoint},
};
use crate::LoadError;

/// The file that makes a folder a problem of this format.
pub(crate) const CONFIG: &str = "config.yaml";

/// What a problem that says nothing of timeouts gets, in seconds.
const DEFAULT_TIMEOUT: u32 = 30;

/// The longest name of a variable, a marker or a checkpoint.
const NAME_BYTES: usize = 100;

/// A problem, but for what every problem has alike.
pub(crate) struct Loaded {
    pub(crate) title: String,
    pub(crate) entry: String,
    pub(crate) tags: Vec<String>,
    /// Of each checkpoint in order: its title and its specification.
    pub(crate) checkpoints: Vec<(String, String)>,
    pub(crate) suite: PytestSuite,
}

/// Loads the problem in `dir`.
pub(crate) fn load(dir: &Path) -> Result<Loaded, LoadError> {
    let path = dir.join(CONFIG);
    let file = read(&path)?;
    let folder = dir.file_name().unwrap_or_default().to_string_lossy();
    if file.name.value != folder {
        let message = format!("name is `{}`, but the folder is called `{folder}`: name them alike", file.name.value);
        return Err(flaw(&path, &file.name, message));
    }
    let entry = entry(&path, &file.entry_file)?;
    let checkpoints = checkpoints(dir, &path, &file)?;
    let specs = checkpoints.iter().map(|checkpoint| specification(dir, &checkpoint.name)).collect::<Result<_, _>>()?;
    let assets = assets(dir, &path, &file)?;
    let dependencies = file.test_dependencies.iter().map(|one| dependency(&path, one)).collect::<Result<_, _>>()?;
    let mut suite = PytestSuite {
        dir: dir.to_path_buf(),
        entry: entry.clone(),
        checkpoints,
        markers: markers(&path, &file)?,
        assets,
        dependencies,
        exposed: Vec::new(),
    };
    exposed::look(&mut suite)?;
    let title = title(&file);
    Ok(Loaded { title, entry, tags: file.tags, checkpoints: specs, suite })
}

/// The description's first sentence, or the name.
fn title(file: &ConfigFile) -> String {
    let text = file.description.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = text.split(". ").next().unwrap_or_default().trim_end_matches('.');
    if sentence.is_empty() { file.name.value.clone() } else { sentence.to_owned() }
}

/// What is started, without the ending of Python's that it may have.
fn entry(path: &Path, given: &Spanned<String>) -> Result<String, LoadError> {
    let text = &given.value;
    if text.is_empty() || !is_plain(text) {
        let message = format!("entry_file `{text}` is not a relative path of plain names: name the file to start");
        return Err(flaw(path, given, message));
    }
    Ok(text.strip_suffix(".py").unwrap_or(text).to_owned())
}

/// The checkpoints in their order; each has its file of tests.
fn checkpoints(dir: &Path, path: &Path, file: &ConfigFile) -> Result<Vec<SuiteCheckpoint>, LoadError> {
    if file.checkpoints.value.is_empty() {
        return Err(flaw(path, &file.checkpoints, "checkpoints is empty: a problem has at least one"));
    }
    let default = file.timeout.as_ref().map(|timeout| seconds(path, timeout)).transpose()?.unwrap_or(DEFAULT_TIMEOUT);
    let mut orders = BTreeSet::new();
    let mut sorted: Vec<_> = file.checkpoints.value.iter().collect();
    for (name, one) in &sorted {
        check_name(path, one, "the checkpoint", name)?;
        if !orders.insert(one.value.order.value) {
            let order = one.value.order.value;
            return Err(flaw(
                path,
                &one.value.order,
                format!("order {order} is another checkpoint's: number them anew"),
            ));
        }
    }
    sorted.sort_by_key(|(_, one)| one.value.order.value);
    sorted.into_iter().map(|(name, one)| checkpoint(dir, path, file, default, name, &one.value)).collect()
}

fn checkpoint(
    dir: &Path,
    path: &Path,
    problem: &ConfigFile,
    default: u32,
    name: &str,
    file: &CheckpointFile,
) -> Result<SuiteCheckpoint, LoadError> {
    let mut env = variables(path, &problem.env)?;
    env.extend(variables(path, &file.env)?);
    let timeout = file.timeout.as_ref().map(|timeout| seconds(path, timeout)).transpose()?.unwrap_or(default);
    let includes_prior = file.include_prior_tests;
    let checkpoint = SuiteCheckpoint { name: name.to_owned(), timeout, env, includes_prior, functions: 0 };
    let tests = dir.join("tests").join(checkpoint.file());
    match tests.is_file() {
        true => Ok(checkpoint),
        false => {
            Err(LoadError::new(&tests, format!("{CONFIG} lists {name}, whose tests were expected here: add them")))
        }
    }
}

/// Whole seconds, at least one.
fn seconds(path: &Path, given: &Spanned<f64>) -> Result<u32, LoadError> {
    let value = given.value;
    if value >= 1.0 && value.fract() == 0.0 && value <= f64::from(u32::MAX) {
        return Ok(value as u32);
    }
    Err(flaw(path, given, format!("timeout {value} is not a whole number of seconds, at least 1: write one")))
}

fn variables(path: &Path, given: &BTreeMap<String, Spanned<String>>) -> Result<BTreeMap<String, String>, LoadError> {
    let variable = |(name, value): (&String, &Spanned<String>)| {
        check_name(path, value, "the variable", name)?;
        match value.value.contains('\0') {
            true => Err(flaw(path, value, "no program can be given a text with a null character")),
            false => Ok((name.clone(), value.value.clone())),
        }
    };
    given.iter().map(variable).collect()
}

/// What stands in a pytest.ini, a path or an environment variable, and nothing else.
fn check_name<T>(path: &Path, at: &Spanned<T>, what: &str, name: &str) -> Result<(), LoadError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if !name.is_empty() && name.len() <= NAME_BYTES && name.bytes().all(plain) {
        return Ok(());
    }
    Err(flaw(path, at, format!("{what} `{name}` is not called by letters, digits, `_` and `-`: rename it")))
}

/// `checkpoint_<n>.md`, or `checkpoint_<n>/spec.md`; and the title, its first heading.
fn specification(dir: &Path, name: &str) -> Result<(String, String), LoadError> {
    let flat = dir.join(format!("{name}.md"));
    let nested = dir.join(name).join("spec.md");
    let path = if !flat.exists() && nested.exists() { nested } else { flat };
    let text = fs::read_to_string(&path).map_err(|error| LoadError::read(&path, &error))?;
    let heading = text.lines().find_map(|line| line.strip_prefix('#'));
    let title = heading.map(|line| line.trim_start_matches('#').trim()).filter(|title| !title.is_empty());
    Ok((title.unwrap_or(name).to_owned(), text))
}

fn markers(path: &Path, file: &ConfigFile) -> Result<BTreeMap<String, Marker>, LoadError> {
    let marker = |(name, one): (&String, &Spanned<super::format::MarkerFile>)| {
        check_name(path, one, "the marker", name)?;
        let description = one.value.description.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok((name.clone(), Marker { description, category: one.value.group }))
    };
    file.markers.iter().map(marker).collect()
}

fn assets(dir: &Path, path: &Path, file: &ConfigFile) -> Result<BTreeMap<String, String>, LoadError> {
    let asset = |(name, asset): (&String, &super::format::AssetFile)| {
        check_name(path, &asset.path, "the asset", name)?;
        let at = asset.path.value.trim_end_matches('/');
        if !is_plain(at) {
            let message =
                format!("`{at}` is not a relative path of plain names: an asset lies in the problem's folder");
            return Err(flaw(path, &asset.path, message));
        }
        match dir.join(at).exists() {
            true => Ok((name.clone(), at.to_owned())),
            false => Err(flaw(path, &asset.path, format!("there is no `{at}` in the problem's folder: add it"))),
        }
    };
    file.static_assets.iter().map(asset).collect()
}

/// A package of the index by its name, with versions and extras perhaps: what a lock can be made of.
fn dependency(path: &Path, given: &Spanned<String>) -> Result<String, LoadError> {
    let text = given.value.trim();
    let starts = text.starts_with(|first: char| first.is_ascii_alphanumeric());
    if !starts || text.contains(['/', '\n', '@', '\0']) {
        let message =
            format!("`{text}` is not the name of a package, with versions perhaps: write it as in `pyyaml>=6`");
        return Err(flaw(path, given, message));
    }
    Ok(text.to_owned())
}

fn is_plain(path: &str) -> bool {
    !path.is_empty() && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}
