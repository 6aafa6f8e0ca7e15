//! Archived results, and their verification byte for byte.
//!
//! An artifact is a folder. `artifact.toml` is written by hand: the job, and what it claims. Everything else is written by
//! [`archive`]: the job's results, and `manifest.json` with the digest of every file that went in and came out.
//! [`verify`] does the job again and holds everything against everything: inputs against the manifest, new results
//! against the archived ones, figures against the claims, and the manifest against the one it would write now.

mod claims;
mod commands;
mod definition;
mod manifest;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Serialize;
use slopbench_digest::{Listing, Sha256};
use slopbench_environments::{EnvironmentRecord, RECORD};
use tempfile::NamedTempFile;

use crate::{Error, GradingContext, Repository, reference};

pub use claims::ClaimResult;
pub use commands::Tool;
use definition::{Artifact, ArtifactJob, DEFINITION, MANIFEST, list_results, locate, name_of};
use manifest::Manifest;

/// What verifying one artifact found.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// The artifact's name.
    pub artifact: String,
    /// What it shows.
    pub title: String,
    /// A row per claim.
    pub claims: Vec<ClaimResult>,
}

impl Verification {
    /// Whether everything is as claimed.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.holds)
    }
}

/// What jobs are done with.
#[derive(Clone, Copy)]
pub struct Workshop<'a, 'c> {
    /// Grades solutions.
    pub context: &'a GradingContext<'c>,
    /// Holds problems and artifacts.
    pub repository: &'a Repository,
    /// Carries out commands.
    pub tool: Tool<'a>,
}

/// Does the job of the artifact in `dir` again and compares.
///
/// # Errors
///
/// [`Error::Artifact`] if `artifact.toml` is not as its format says, [`Error::Load`] if there is no such problem,
/// [`Error::Read`] if an input or an archived result cannot be read, [`Error::Command`] if a command fails, and as for [`reference::run`] and
/// [`Reference::files`](reference::Reference::files). What is not as claimed is no error, but a row.
pub fn verify(workshop: &Workshop<'_, '_>, dir: &Path) -> Result<Verification, Error> {
    let Workshop { context, repository, tool } = workshop;
    let artifact = Artifact::load(dir)?;
    let inputs = artifact.inputs(repository)?;
    let archived = Manifest::archived_inputs(dir);
    let results = match &artifact.definition.job {
        // An index has newer versions by now.
        ArtifactJob::Reference { problem } => {
            reference::run_again(context, &repository.problem(problem)?, dir)?.files()?
        }
        ArtifactJob::Commands(job) => job.carry_out(tool, &artifact.definition_file(), Some(&artifact.results()?))?,
    };
    let rebuilt = Manifest::new(&artifact, inputs.clone(), &results);

    let mut rows = vec![
        claims::inputs(&artifact.name, &archived, &inputs),
        claims::bytes(&artifact, &rebuilt.files(results.clone())?)?,
    ];
    rows.extend(artifact.definition.claims.iter().map(|claim| claims::figure(&artifact.name, claim, &results)));
    Ok(Verification { artifact: artifact.name, title: artifact.definition.title, claims: rows })
}

/// Compares digests alone and does no job: what goes in and what is archived of the artifact in `dir` against its manifest,
/// and archived figures against the claims.
///
/// # Errors
///
/// As for [`verify`], but for those of jobs.
pub fn compare_digests(repository: &Repository, dir: &Path) -> Result<Verification, Error> {
    let artifact = Artifact::load(dir)?;
    let archived = artifact.archived()?;
    let mut rows = vec![
        claims::inputs(&artifact.name, &Manifest::archived_inputs(dir), &artifact.inputs(repository)?),
        claims::outputs(&artifact.name, archived.len(), &Manifest::changed_outputs(dir)?),
    ];
    rows.extend(artifact.definition.claims.iter().map(|claim| claims::figure(&artifact.name, claim, &archived)));
    Ok(Verification { artifact: artifact.name, title: artifact.definition.title, claims: rows })
}

/// What can be said of the artifact in `dir` when its job could not be done because of `failure`: which of the archived
/// inputs and results have changed. `None` where none has, so that the failure has another cause.
///
/// # Errors
///
/// [`Error::Read`] if one that is there cannot be read.
pub fn explain_failure(repository: &Repository, dir: &Path, failure: &str) -> Result<Option<Verification>, Error> {
    let name = name_of(dir);
    if !dir.join(MANIFEST).is_file() {
        return Ok(None);
    }
    let archived = Manifest::archived_inputs(dir);
    let mut now = Listing::default();
    for path in archived.iter().flat_map(|archived| archived.0.keys()) {
        let file = locate(repository, dir, path);
        if file.is_file() {
            now.0.insert(path.clone(), Sha256::of_file(&file)?);
        }
    }
    let inputs = claims::inputs(&name, &archived, &now);
    let outputs = Manifest::changed_outputs(dir)?;
    let has_changed = !inputs.holds || !outputs.is_empty();
    let claims = vec![inputs, claims::undone(&name, failure, &outputs)];
    Ok(has_changed.then(|| Verification { artifact: name, title: String::new(), claims }))
}

/// Whether `dir` is an artifact's folder.
pub fn is_artifact(dir: &Path) -> bool {
    dir.join(DEFINITION).is_file()
}

/// What the requirements of all solutions in the artifact in `dir` became, and of the tests that they were played against.
///
/// # Errors
///
/// [`Error::Run`] if one cannot be read.
pub fn environments(dir: &Path) -> Result<Vec<EnvironmentRecord>, Error> {
    let is_lock = |path: &&String| [RECORD, reference::SUITE].iter().any(|name| Path::new(path).ends_with(name));
    let results = list_results(dir)?;
    results.0.keys().filter(is_lock).map(|path| Ok(slopbench_runner::read_json(&dir.join(path))?)).collect()
}

/// Does the job of the artifact in `dir` and archives what it gives, in place of what was there.
///
/// # Errors
///
/// As for [`verify`], and [`Error::Write`] if a result cannot be written.
pub fn archive(workshop: &Workshop<'_, '_>, dir: &Path) -> Result<(), Error> {
    let Workshop { context, repository, tool } = workshop;
    let artifact = Artifact::load(dir)?;
    let inputs = artifact.inputs(repository)?;
    let results = match &artifact.definition.job {
        ArtifactJob::Reference { problem } => reference::run(context, &repository.problem(problem)?)?.files()?,
        ArtifactJob::Commands(job) => job.carry_out(tool, &artifact.definition_file(), None)?,
    };
    let files = Manifest::new(&artifact, inputs, &results).files(results)?;
    replace(&artifact, &files)
}

/// Puts `files` in place of all results of an artifact. Nothing is moved into place before everything is on the disk.
fn replace(artifact: &Artifact, files: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
    let dir = &artifact.dir;
    let prepared = files.iter().map(|(path, bytes)| prepare(dir.join(path), bytes)).collect::<Result<Vec<_>, _>>()?;
    for path in artifact.results()?.0.keys().filter(|path| !is_prepared(path) && !files.contains_key(*path)) {
        let path = dir.join(path);
        fs::remove_file(&path).map_err(|source| Error::Write { path, source })?;
    }
    for (file, path) in prepared {
        file.persist(&path).map_err(|error| Error::Write { path, source: error.error })?;
    }
    Ok(())
}

const PREPARED: &str = ".new-";

fn is_prepared(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with(PREPARED))
}

/// Writes a file beside its place, to be renamed into it.
fn prepare(path: PathBuf, bytes: &[u8]) -> Result<(NamedTempFile, PathBuf), Error> {
    let failed = |source| Error::Write { path: path.clone(), source };
    let dir = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir).map_err(failed)?;
    let mut file = tempfile::Builder::new().prefix(PREPARED).tempfile_in(dir).map_err(failed)?;
    std::io::Write::write_all(&mut file, bytes).map_err(failed)?;
    // A temporary file is private to its owner; an archived result is not.
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(permissions).map_err(failed)?;
    Ok((file, path))
}
