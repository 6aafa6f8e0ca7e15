//! What a task is.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, Sha256};

use super::asset::TaskProvenance;

/// What `format` says in a `task.toml` of this version.
pub const TASK_FORMAT: &str = "slopbench.slump-task/1";

/// A method of ours that is to be built, all at once or request after request.
#[derive(Clone, Debug)]
pub struct SlumpTask {
    /// The name of its folder.
    pub name: String,
    /// Its folder.
    pub dir: PathBuf,
    /// `task.toml`.
    pub manifest: TaskManifest,
    /// `paper.md`: the document.
    pub paper: String,
    /// `specification.md`: what is to be built, in its final form.
    pub specification: String,
    /// `components.toml`: what is scored.
    pub components: Vec<TaskComponent>,
    /// `versions.toml`: the way there.
    pub versions: Vec<ProjectVersion>,
    /// Dead ends on it, in `versions.toml`, too.
    pub alternatives: Vec<DesignAlternative>,
    /// `requests.toml`: what a researcher asks for, in order.
    pub requests: Vec<CodingRequest>,
    /// `provenance.toml`: where each file comes from.
    pub provenance: TaskProvenance,
    pub(super) lines: TaskLines,
}

/// Where entries begin in their files.
#[derive(Clone, Debug, Default)]
pub(super) struct TaskLines {
    pub(super) components: Vec<u32>,
    pub(super) versions: Vec<u32>,
    pub(super) alternatives: Vec<u32>,
    pub(super) requests: Vec<u32>,
    pub(super) assets: Vec<u32>,
}

/// `task.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskManifest {
    /// [`TASK_FORMAT`].
    pub format: String,
    /// The method's final name.
    pub title: String,
    /// Other words that no request may hold: an acronym, the words of the paper's title that identify it.
    pub hidden: Vec<String>,
    /// The language that it is built in: `python`.
    pub language: String,
    /// Packages that it may need beside the language's own library.
    #[serde(default)]
    pub packages: Vec<String>,
    /// What it is, in a sentence, for people.
    pub summary: String,
}

/// Something that can be found in a repository, or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskComponent {
    /// `c01` and so on.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What it does, in one or two sentences.
    pub description: String,
    /// Its formula in LaTeX; empty where it has none.
    #[serde(default)]
    pub formula: String,
    /// What it takes.
    pub inputs: Vec<String>,
    /// What it gives.
    pub outputs: Vec<String>,
    /// Components whose output it uses, or that use its output. Each names the other.
    pub connections: Vec<String>,
    /// What goes over these connections, in a sentence; empty where names say enough.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub wiring: String,
}

/// A state of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectVersion {
    /// From 1, one after the other.
    pub id: u32,
    /// What changes in it, in a sentence.
    pub summary: String,
    /// Components that get their final form.
    #[serde(default)]
    pub decides: Vec<String>,
    /// Alternatives that are tried.
    #[serde(default)]
    pub tries: Vec<String>,
    /// Alternatives that are given up.
    #[serde(default)]
    pub drops: Vec<String>,
    /// Words that give its decisions away: no request of an earlier version holds one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

/// A dead end: tried in one version, given up in a later one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignAlternative {
    /// `a01` and so on.
    pub id: String,
    /// The component that it would have been.
    pub component: String,
    /// What it is.
    pub description: String,
    /// Why it is given up.
    pub why_dropped: String,
}

/// What a researcher types.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodingRequest {
    /// The version on the way to which it is asked.
    pub version: u32,
    /// Its words.
    pub text: String,
    /// How much of a component the requests up to and with this one give away, from 0 to 4, where this one changes that.
    #[serde(default)]
    pub reveals: BTreeMap<String, u8>,
}

/// The files that are the task; what an agent is told and how it is scored follows from them.
const IDENTITY: &[&str] =
    &["task.toml", "paper.md", "specification.md", "components.toml", "versions.toml", "requests.toml"];

impl SlumpTask {
    /// The digest of the files that make it what it is: not of its audit, its provenance and its reference.
    ///
    /// # Errors
    ///
    /// [`slopbench_digest::ReadError`] if a file cannot be read.
    pub fn digest(&self) -> Result<Sha256, slopbench_digest::ReadError> {
        let mut listing = Listing::of_dir(&self.dir, "")?;
        listing.0.retain(|path, _| IDENTITY.contains(&path.as_str()));
        Ok(listing.digest())
    }

    /// A task in `dir` that is not written yet: nothing but what it is, and its document.
    pub(crate) fn unwritten(dir: &Path, manifest: TaskManifest, paper: String) -> Self {
        Self {
            name: name_of(dir),
            dir: dir.to_path_buf(),
            manifest,
            paper,
            specification: String::new(),
            components: Vec::new(),
            versions: Vec::new(),
            alternatives: Vec::new(),
            requests: Vec::new(),
            provenance: TaskProvenance::default(),
            lines: TaskLines::default(),
        }
    }

    /// The same, whose entries have their numbers, from 1, for their lines.
    pub(crate) fn by_number(self) -> Self {
        let numbers = |count: usize| (1..).take(count).collect();
        let lines = TaskLines {
            components: numbers(self.components.len()),
            versions: numbers(self.versions.len()),
            alternatives: numbers(self.alternatives.len()),
            requests: numbers(self.requests.len()),
            assets: numbers(self.provenance.assets.len()),
        };
        Self { lines, ..self }
    }

    /// The component with this id.
    pub fn component(&self, id: &str) -> Option<&TaskComponent> {
        self.components.iter().find(|component| component.id == id)
    }

    /// A repository that has all of it, where there is one.
    pub fn reference(&self) -> Option<PathBuf> {
        Some(self.dir.join(REFERENCE)).filter(|path| path.is_dir())
    }

    /// The number of the first request of `version`, from 1.
    pub(super) fn first_request(&self, version: u32) -> Option<usize> {
        self.requests.iter().position(|request| request.version == version).map(|index| index + 1)
    }
}

/// The folder of a task's reference repository.
pub(in crate::task) const REFERENCE: &str = "reference";

/// The name that a folder gives a task.
pub(super) fn name_of(dir: &Path) -> String {
    dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
