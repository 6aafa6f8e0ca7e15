//! From a folder to a task. Every file is read, so that all that is wrong with their forms is said at once.

use std::{fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};
use slopbench_digest::ReadError;
use slopbench_text::line_of;
use toml::Spanned;

use super::{
    asset::{AssetOrigin, TaskProvenance},
    flaw::TaskFlaw,
    model::{
        CodingRequest, DesignAlternative, ProjectVersion, SlumpTask, TASK_FORMAT, TaskComponent, TaskLines,
        TaskManifest, name_of,
    },
};
use crate::Error;

/// The entries of a file, each with its place.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentsFile {
    #[serde(rename = "component", default)]
    components: Vec<Spanned<TaskComponent>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VersionsFile {
    #[serde(rename = "version", default)]
    versions: Vec<Spanned<ProjectVersion>>,
    #[serde(rename = "alternative", default)]
    alternatives: Vec<Spanned<DesignAlternative>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestsFile {
    #[serde(rename = "request", default)]
    requests: Vec<Spanned<CodingRequest>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProvenanceFile {
    #[serde(rename = "asset", default)]
    assets: Vec<Spanned<AssetOrigin>>,
}

/// Reads files of one folder, and keeps what is wrong with them.
struct Reader<'a> {
    dir: &'a Path,
    flaws: Vec<TaskFlaw>,
}

impl Reader<'_> {
    fn text(&mut self, file: &str) -> String {
        fs::read_to_string(self.dir.join(file)).unwrap_or_else(|error| {
            self.flaws.push(TaskFlaw::of(file, format!("cannot be read: {error}; a task has this file")));
            String::new()
        })
    }

    /// The values of a TOML file, and its text; nothing where it has another form.
    fn toml<T: DeserializeOwned>(&mut self, file: &str) -> Option<(T, String)> {
        let before = self.flaws.len();
        let text = self.text(file);
        match toml::from_str(&text) {
            _ if self.flaws.len() > before => None,
            Ok(value) => Some((value, text)),
            Err(error) => {
                let line = line_of(text.as_bytes(), error.span().map_or(0, |span| span.start));
                self.flaws.push(TaskFlaw::at(file, line, error.message()));
                None
            }
        }
    }
}

/// Takes entries out of their places, and gives their lines.
fn placed<T>(entries: Vec<Spanned<T>>, text: &str) -> (Vec<T>, Vec<u32>) {
    let place = |entry: Spanned<T>| {
        let line = line_of(text.as_bytes(), entry.span().start);
        (entry.into_inner(), line)
    };
    entries.into_iter().map(place).unzip()
}

impl SlumpTask {
    /// Reads the task in the folder `dir`. Whether it keeps the rules is for [`super::check`] to say.
    ///
    /// # Errors
    ///
    /// [`Error::Task`] with every file that is missing or has another form.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        let mut reader = Reader { dir, flaws: Vec::new() };
        let manifest = reader.toml::<TaskManifest>("task.toml");
        if let Some((manifest, text)) = &manifest
            && manifest.format != TASK_FORMAT
        {
            let message = format!("format is \"{}\"; this version reads \"{TASK_FORMAT}\"", manifest.format);
            reader.flaws.push(TaskFlaw::at("task.toml", line_with(text, "format"), message));
        }
        let (paper, specification) = (reader.text("paper.md"), reader.text("specification.md"));
        let components = reader.toml::<ComponentsFile>("components.toml");
        let versions = reader.toml::<VersionsFile>("versions.toml");
        let requests = reader.toml::<RequestsFile>("requests.toml");
        let provenance = reader.toml::<ProvenanceFile>("provenance.toml");
        let (Some(manifest), Some(components), Some(versions), Some(requests), Some(provenance), []) =
            (manifest, components, versions, requests, provenance, &reader.flaws[..])
        else {
            return Err(Error::Task { dir: dir.to_path_buf(), flaws: reader.flaws });
        };
        let mut lines = TaskLines::default();
        let (components, of) = placed(components.0.components, &components.1);
        lines.components = of;
        let VersionsFile { versions: all, alternatives } = versions.0;
        let (alternatives, of) = placed(alternatives, &versions.1);
        lines.alternatives = of;
        let (versions, of) = placed(all, &versions.1);
        lines.versions = of;
        let (requests, of) = placed(requests.0.requests, &requests.1);
        lines.requests = of;
        let (assets, of) = placed(provenance.0.assets, &provenance.1);
        lines.assets = of;
        let (name, dir, manifest, provenance) =
            (name_of(dir), dir.to_path_buf(), manifest.0, TaskProvenance { assets });
        Ok(Self {
            name,
            dir,
            manifest,
            paper,
            specification,
            components,
            versions,
            alternatives,
            requests,
            provenance,
            lines,
        })
    }

    /// The task called `name` in the folder of tasks `dir`.
    ///
    /// # Errors
    ///
    /// [`Error::NoTask`], and those of [`Self::load`].
    pub fn find(dir: &Path, name: &str) -> Result<Self, Error> {
        let folder = dir.join(name);
        if !name.is_empty() && !name.contains(['/', '.']) && folder.is_dir() {
            return Self::load(&folder);
        }
        let known = task_names(dir)?;
        let known = if known.is_empty() { "none is there".to_owned() } else { known.join(", ") };
        Err(Error::NoTask { name: name.to_owned(), dir: dir.to_path_buf(), known })
    }
}

/// Every task in the folder `dir`, by name; none where there is no such folder.
///
/// # Errors
///
/// Those of [`SlumpTask::load`], for the first task that is not as the format has it.
pub fn load_tasks(dir: &Path) -> Result<Vec<SlumpTask>, Error> {
    task_names(dir)?.iter().map(|name| SlumpTask::load(&dir.join(name))).collect()
}

/// The names of the folders in `dir` that are tasks.
///
/// # Errors
///
/// [`Error::Read`] if it cannot be listed.
pub fn task_names(dir: &Path) -> Result<Vec<String>, Error> {
    if !dir.is_dir() {
        return Ok(Vec::new());
    }
    let failed = |source| ReadError { path: dir.to_path_buf(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        names.extend(path.join("task.toml").is_file().then(|| name_of(&path)));
    }
    names.sort();
    Ok(names)
}

/// The line that gives `key` its value; the first where there is none.
fn line_with(text: &str, key: &str) -> u32 {
    let is_it = |line: &str| line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
    (1..).zip(text.lines()).find(|(_, line)| is_it(line)).map_or(1, |(number, _)| number)
}
