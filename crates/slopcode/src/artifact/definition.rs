//! An artifact's folder, and `artifact.toml` in it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, ReadError, Sha256};
use slopbench_tests::Problem;
use slopbench_text::line_of;
use toml::Spanned;

use super::commands::CommandJob;
use crate::{Error, Repository};

/// The claim every artifact makes of what goes in.
pub(super) const INPUTS: &str = "inputs";
/// The claim every artifact makes of what comes out.
pub(super) const BYTES: &str = "bytes";

pub(super) const DEFINITION: &str = "artifact.toml";
pub(super) const MANIFEST: &str = "manifest.json";
pub(super) const FORMAT: &str = "slopbench.artifact/1";

/// What the paths of a problem's files begin with, wherever its folder is.
const PROBLEMS: &str = "problems/";

/// `artifact.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Definition {
    pub(super) format: Spanned<String>,
    pub(super) title: String,
    pub(super) job: ArtifactJob,
    pub(super) claims: Vec<Claim>,
}

/// What is done.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ArtifactJob {
    /// Grade a problem's reference solutions.
    Reference {
        /// The problem's name.
        problem: String,
    },
    /// Carry out commands of this tool.
    Commands(CommandJob),
}

/// A figure that a job's results must hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Claim {
    /// Unique in the artifact.
    pub(super) id: Spanned<String>,
    /// What is claimed, in one sentence.
    pub(super) statement: String,
    /// The result that holds the figure.
    pub(super) file: String,
    /// Where in it: a JSON pointer (RFC 6901).
    pub(super) pointer: String,
    /// What must stand there.
    pub(super) expected: toml::Value,
}

/// An artifact's folder, read.
pub(super) struct Artifact {
    pub(super) name: String,
    pub(super) dir: PathBuf,
    pub(super) definition: Definition,
}

impl Artifact {
    pub(super) fn load(dir: &Path) -> Result<Self, Error> {
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
        let mut ids = BTreeSet::from([INPUTS, BYTES]);
        if let Some(claim) = definition.claims.iter().find(|claim| !ids.insert(claim.id.as_ref())) {
            let line = line_of(claim.id.span().start);
            return Err(flaw(Some(line), format!("the id `{}` is taken", claim.id.as_ref())));
        }
        Ok(Self { name: name_of(dir), dir: dir.to_path_buf(), definition })
    }

    /// Everything the results depend on, by path below the repository's root.
    pub(super) fn inputs(&self, repository: &Repository) -> Result<Listing, Error> {
        let own = format!("artifacts/{}", self.name);
        let definition = (format!("{own}/{DEFINITION}"), Sha256::of_file(&self.definition_file())?);
        let mut inputs = match &self.definition.job {
            ArtifactJob::Reference { problem } => Self::inputs_of(repository, &repository.problem(problem)?)?,
            ArtifactJob::Commands(_) => {
                let results = self.results()?;
                let mut inputs = Listing::of_dir(&self.dir, "")?;
                inputs.0.retain(|path, _| !results.0.contains_key(path));
                Listing(inputs.0.into_iter().map(|(path, digest)| (format!("{own}/{path}"), digest)).collect())
            }
        };
        inputs.0.extend([definition]);
        Ok(inputs)
    }

    /// What the results of a problem's reference solutions depend on.
    fn inputs_of(repository: &Repository, problem: &Problem) -> Result<Listing, Error> {
        let listing = problem.listing()?.0.into_iter();
        let mut inputs = Listing(listing.map(|(path, digest)| (format!("{PROBLEMS}{path}"), digest)).collect());
        if problem.harness.pytest().is_none() {
            // Solutions in other languages, and hasty ones, go into no result.
            let (solutions, own) = ("/solution/", format!("/solution/{}/", problem.entry.track));
            let hasty = format!("{PROBLEMS}{}/hasty/", problem.name);
            inputs.0.retain(|path, _| !path.starts_with(&hasty) && (!path.contains(solutions) || path.contains(&own)));
        }
        // Beside problems from elsewhere there need not be any: these are the binary's, and the summary has their digest.
        let rules = repository.root.join(Repository::RULES);
        if repository.is_own(problem) && rules.is_dir() {
            inputs.extend(Listing::of_dir(&rules, Repository::RULES)?);
        }
        Ok(inputs)
    }

    /// The file of its definition.
    pub(super) fn definition_file(&self) -> PathBuf {
        self.dir.join(DEFINITION)
    }

    /// The bytes of every archived result but the manifest.
    pub(super) fn archived(&self) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        let paths = self.results()?.0.into_keys().filter(|path| path != MANIFEST);
        let read = |path: String| {
            let file = self.dir.join(&path);
            fs::read(&file).map(|bytes| (path, bytes)).map_err(|source| ReadError { path: file, source }.into())
        };
        paths.map(read).collect()
    }

    /// Every result that is archived, the manifest included.
    pub(super) fn results(&self) -> Result<Listing, Error> {
        let mut results = list_results(&self.dir)?;
        if let ArtifactJob::Commands(job) = &self.definition.job {
            let is_result = job.results(&self.definition_file())?;
            results.0.retain(|path, _| path == MANIFEST || is_result.is_match(path));
        }
        Ok(results)
    }
}

/// Where an archived input of the artifact in `dir` lies now.
pub(super) fn locate(repository: &Repository, dir: &Path, path: &str) -> PathBuf {
    let of_problem = path.strip_prefix(PROBLEMS).and_then(|rest| rest.split_once('/'));
    let of_problem = of_problem.and_then(|(name, rest)| Some(repository.problem_dir(name)?.join(rest)));
    match path.strip_prefix(&format!("artifacts/{}/", name_of(dir))) {
        Some(own) => dir.join(own),
        None => of_problem.unwrap_or_else(|| repository.root.join(path)),
    }
}

/// An artifact is called like its folder.
pub(super) fn name_of(dir: &Path) -> String {
    let real = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
    real.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Everything in an artifact's folder but its definition.
pub(super) fn list_results(dir: &Path) -> Result<Listing, Error> {
    let mut listing = Listing::of_dir(dir, "")?;
    listing.0.remove(DEFINITION);
    Ok(listing)
}
