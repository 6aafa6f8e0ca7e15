//! Archived results, and their verification byte for byte.
//!
//! An artifact is a folder. `artifact.toml` is written by hand: the job, and what it claims. Everything else is written by
//! [`archive`]: the job's results, and `manifest.json` with the digest of every file that went in and came out.
//! [`verify`] does the job again and holds everything against everything: inputs against the manifest, new results
//! against the archived ones, figures against the claims, and the manifest against the one it would write now.

mod claims;
mod manifest;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, Sha256};
use slopbench_text::line_of;
use tempfile::NamedTempFile;
use toml::Spanned;

use crate::{Error, GradingContext, Repository, reference};

pub use claims::ClaimResult;
use manifest::{MANIFEST, Manifest};

const DEFINITION: &str = "artifact.toml";
const FORMAT: &str = "slopbench.artifact/1";

/// `artifact.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    format: Spanned<String>,
    title: String,
    job: Job,
    claims: Vec<Claim>,
}

/// What is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Job {
    /// Grade a problem's reference solutions.
    Reference {
        /// The problem's name.
        problem: String,
    },
}

/// A figure that a job's results must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    /// Unique in the artifact.
    id: Spanned<String>,
    /// What is claimed, in one sentence.
    statement: String,
    /// The result that holds the figure.
    file: String,
    /// Where in it: a JSON pointer (RFC 6901).
    pointer: String,
    /// What must stand there.
    expected: toml::Value,
}

/// An artifact's folder, read.
struct Artifact {
    name: String,
    dir: PathBuf,
    definition: Definition,
}

/// What verifying one artifact found.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// The artifact's name.
    pub artifact: String,
    /// What it shows.
    pub title: String,
    /// A row a claim.
    pub claims: Vec<ClaimResult>,
}

impl Verification {
    /// Whether everything is as claimed.
    pub fn holds(&self) -> bool {
        self.claims.iter().all(|claim| claim.holds)
    }
}

/// Does the job of the artifact in `dir` again and compares.
pub fn verify(context: &GradingContext<'_>, repository: &Repository, dir: &Path) -> Result<Verification, Error> {
    let artifact = Artifact::load(dir)?;
    let inputs = artifact.inputs(repository)?;
    let archived = Manifest::archived_inputs(dir);
    let results = artifact.run(context, repository)?;
    let rebuilt = Manifest::new(&artifact, inputs.clone(), &results);

    let mut rows = vec![
        claims::inputs(&artifact.name, &archived, &inputs),
        claims::bytes(&artifact.name, dir, &rebuilt.files(results.clone())?)?,
    ];
    rows.extend(artifact.definition.claims.iter().map(|claim| claims::figure(&artifact.name, claim, &results)));
    Ok(Verification { artifact: artifact.name, title: artifact.definition.title, claims: rows })
}

/// What can be said of the artifact in `dir` when its job could not be done because of `failure`: which of the archived
/// inputs have changed. `None` where none has, so that the failure has another cause.
pub fn explain_failure(repository: &Repository, dir: &Path, failure: &str) -> Result<Option<Verification>, Error> {
    let name = name_of(dir);
    if !dir.join(MANIFEST).is_file() {
        return Ok(None);
    }
    let archived = Manifest::archived_inputs(dir);
    let mut now = Listing::default();
    for path in archived.iter().flat_map(|archived| archived.0.keys()) {
        let file = repository.root.join(path);
        if file.is_file() {
            now.0.insert(path.clone(), Sha256::of_file(&file)?);
        }
    }
    let inputs = claims::inputs(&name, &archived, &now);
    let changed = !inputs.holds;
    let claims = vec![inputs, claims::undone(&name, failure)];
    Ok(changed.then(|| Verification { artifact: name, title: String::new(), claims }))
}

/// Does the job of the artifact in `dir` and archives what it gives, in place of what was there.
pub fn archive(context: &GradingContext<'_>, repository: &Repository, dir: &Path) -> Result<(), Error> {
    let artifact = Artifact::load(dir)?;
    let inputs = artifact.inputs(repository)?;
    let results = artifact.run(context, repository)?;
    let files = Manifest::new(&artifact, inputs, &results).files(results)?;
    replace(dir, &files)
}

/// Puts `files` in place of all results in `dir`. Nothing is moved into place before everything is on the disk.
fn replace(dir: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
    let prepared = files.iter().map(|(path, bytes)| prepare(dir.join(path), bytes)).collect::<Result<Vec<_>, _>>()?;
    for path in list_results(dir)?.0.keys().filter(|path| !is_prepared(path) && !files.contains_key(*path)) {
        let path = dir.join(path);
        fs::remove_file(&path).map_err(|source| Error::Write { path, source })?;
    }
    for (file, path) in prepared {
        file.persist(&path).map_err(|error| Error::Write { path, source: error.error })?;
    }
    Ok(())
}

impl Artifact {
    fn load(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(DEFINITION);
        let flaw = |line, message: String| Error::Artifact { path: path.clone(), line, message };
        let text = fs::read_to_string(&path).map_err(|error| {
            flaw(None, format!("cannot be read: {error}; an artifact is a folder below artifacts/ that has this file"))
        })?;
        let line_of = |offset| line_of(text.as_bytes(), offset);
        let definition: Definition = toml::from_str(&text)
            .map_err(|error| flaw(error.span().map(|span| line_of(span.start)), error.message().to_owned()))?;
        if definition.format.as_ref() != FORMAT {
            let line = line_of(definition.format.span().start);
            return Err(flaw(Some(line), format!("this version reads format \"{FORMAT}\"")));
        }
        let mut ids = std::collections::BTreeSet::from([claims::INPUTS, claims::BYTES]);
        if let Some(claim) = definition.claims.iter().find(|claim| !ids.insert(claim.id.as_ref())) {
            let line = line_of(claim.id.span().start);
            return Err(flaw(Some(line), format!("the id `{}` is taken", claim.id.as_ref())));
        }
        Ok(Self { name: name_of(dir), dir: dir.to_path_buf(), definition })
    }

    /// Everything the results depend on, by path below the repository's root.
    fn inputs(&self, repository: &Repository) -> Result<Listing, Error> {
        let Job::Reference { problem } = &self.definition.job;
        let problem = repository.problem(problem)?;
        let mut inputs = Listing::of_dir(&problem.dir, &format!("problems/{}", problem.name))?;
        inputs.extend(Listing::of_dir(&repository.root.join(Repository::RULES), Repository::RULES)?);
        let definition = Sha256::of_file(&self.dir.join(DEFINITION))?;
        inputs.0.insert(format!("artifacts/{}/{DEFINITION}", self.name), definition);
        Ok(inputs)
    }

    /// The results, by path below the artifact's folder.
    fn run(&self, context: &GradingContext<'_>, repository: &Repository) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let Job::Reference { problem } = &self.definition.job;
        reference::run(context, &repository.problem(problem)?)?.files()
    }
}

/// An artifact is called like its folder.
fn name_of(dir: &Path) -> String {
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
    real.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Everything in an artifact's folder but its definition.
fn list_results(dir: &Path) -> Result<Listing, Error> {
    let mut listing = Listing::of_dir(dir, "")?;
    listing.0.remove(DEFINITION);
    Ok(listing)
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
