//! What to measure, and what its paths are relative to.

use std::path::{Path, PathBuf, absolute};

use crate::error::Error;
use crate::file_discovery::{self, SourceEntry, posix};
use crate::language::Language;
use crate::languages;
use crate::python::imports;
use crate::refusal::{Refusal, RefusalReason, SkippedFile};

/// Says of a path below a root, and whether a folder is there, whether it is ignored; or why that cannot be told.
pub type Ignored = Box<dyn Fn(&Path, bool) -> Result<bool, String>>;

/// Finds what is ignored below a root, if anything.
type FindIgnored = fn(&Path) -> Result<Option<Ignored>, String>;

/// One folder or file, or several below one folder.
#[derive(Debug, Clone)]
pub struct Roots {
    base: PathBuf,
    /// Where to read each, and what its name is below the base: nothing for the base itself.
    parts: Vec<(PathBuf, String)>,
    /// The Python packages that the base lies in, such as `a/b`, if that is to be known.
    packages: String,
    /// The languages to measure, if not all.
    languages: Option<Vec<&'static str>>,
    /// What is no part of the project, if that is to be left out.
    ignored: Option<FindIgnored>,
}

impl Roots {
    /// A folder, whose files' paths will be relative to it, or a file, which will go by its name.
    ///
    /// # Errors
    ///
    /// [`Error::Root`] if there is nothing at `path`.
    pub fn one(path: &Path) -> Result<Self, Error> {
        let kind = path.metadata().map_err(|source| Error::Root { path: path.to_owned(), source })?;
        let folder = if kind.is_dir() { Some(path) } else { path.parent() };
        let base = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self {
            base: base.to_owned(),
            parts: vec![(path.to_owned(), String::new())],
            packages: String::new(),
            languages: None,
            ignored: None,
        })
    }

    /// Folders and files below `base`, to which all paths will be relative. Links on the way are not resolved.
    ///
    /// # Errors
    ///
    /// [`Error::Outside`] if a path is not below `base`, and [`Error::Root`] if there is no current folder.
    pub fn several(base: &Path, paths: &[PathBuf]) -> Result<Self, Error> {
        let in_full = |path: &Path| absolute(path).map_err(|source| Error::Root { path: path.to_owned(), source });
        let full_base = in_full(base)?;
        let part = |path: &PathBuf| {
            let full = in_full(&base.join(path))?;
            let below = full.strip_prefix(&full_base).ok().filter(|below| !below.iter().any(|part| part == ".."));
            let outside = || Error::Outside { path: path.clone(), base: base.to_owned() };
            let below = below.ok_or_else(outside)?;
            // A file's name is found by whoever reads it.
            let folder = if full.is_dir() { Some(below) } else { below.parent() };
            Ok((base.join(path), folder.map(posix).unwrap_or_default()))
        };
        let parts = paths.iter().map(part).collect::<Result<_, Error>>()?;
        Ok(Self { base: base.to_owned(), parts, packages: String::new(), languages: None, ignored: None })
    }

    /// Lets absolute imports of the packages that the base lies in lead to the files in it, by the names of its folders.
    ///
    /// Not for what has to have the same figures wherever it lies: without this, nothing around the files counts.
    pub fn named_by_folders(self) -> Self {
        Self { packages: imports::outer_packages(&self.base), ..self }
    }

    /// Measures files of these languages alone, as for a track of one language.
    ///
    /// # Errors
    ///
    /// [`Error::NoTable`] if a language has no table.
    pub fn only(self, languages: &[impl AsRef<str>]) -> Result<Self, Error> {
        let found = languages.iter().map(|name| languages::named(name.as_ref()).map(|language| language.name));
        Ok(Self { languages: Some(found.collect::<Result<_, _>>()?), ..self })
    }

    /// Leaves out what `find` says is ignored below each root, such as what git ignores.
    ///
    /// Not for what is measured by others, which has no say in it.
    pub fn without_ignored(self, find: FindIgnored) -> Self {
        Self { ignored: Some(find), ..self }
    }

    fn wants(&self, language: &Language) -> bool {
        self.languages.as_ref().is_none_or(|wanted| wanted.contains(&language.name))
    }

    pub(crate) fn packages(&self) -> &str {
        &self.packages
    }

    /// The folder that all paths are relative to.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Where the base lies below a folder, with `/` behind each part: empty if it does not, or is the folder itself.
    pub fn folder_below(&self, folder: &Path) -> String {
        match (self.base.canonicalize(), folder.canonicalize()) {
            (Ok(base), Ok(folder)) => folder_below(&base, &folder),
            _ => String::new(),
        }
    }

    /// Whether all of the base is to be measured.
    pub(crate) fn is_folder(&self) -> bool {
        self.parts.iter().any(|(path, name)| name.is_empty() && path.is_dir())
    }

    fn ignored_below(&self, root: &Path) -> Result<Option<Ignored>, Error> {
        // A root that is not there has an error of its own.
        let find = self.ignored.filter(|_| root.exists());
        let ignored = find.map_or(Ok(None), |find| find(root));
        ignored.map_err(|message| Error::Ignored { path: root.to_owned(), message })
    }

    /// All source files, and what looks like one but cannot be read; both sorted by path, and each there once.
    pub(crate) fn source_files(
        &self,
        is_unwanted: &dyn Fn(&str) -> bool,
    ) -> Result<(Vec<SourceEntry>, Vec<SkippedFile>), Error> {
        let (mut files, mut skipped) = (Vec::new(), Vec::new());
        for (path, name) in &self.parts {
            let ignored = self.ignored_below(path)?;
            let refuse = |below: &str, is_folder| match is_unwanted(&join(name, below)) {
                true => Some(Refusal::unwanted()),
                false => ignored.as_ref().and_then(|ignored| refusal(ignored(Path::new(below), is_folder))),
            };
            let (of_part, skipped_of_part) = file_discovery::source_files(path, &refuse)?;
            files.extend(of_part.into_iter().map(|file| SourceEntry { path: join(name, &file.path), ..file }));
            skipped
                .extend(skipped_of_part.into_iter().map(|skip| SkippedFile { path: join(name, &skip.path), ..skip }));
        }
        files.retain(|file| self.wants(file.language));
        // What has no language, such as a folder or a link to one, may hold any.
        skipped.retain(|skip| languages::of_path(Path::new(&skip.path)).is_none_or(|language| self.wants(language)));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.dedup_by(|a, b| a.path == b.path);
        skipped.sort_by(|a, b| a.path.cmp(&b.path));
        skipped.dedup();
        Ok((files, skipped))
    }
}

/// Why what was looked up is left out, if it is.
fn refusal(is_ignored: Result<bool, String>) -> Option<Refusal> {
    match is_ignored {
        Ok(ignored) => ignored.then(Refusal::ignored),
        Err(cause) => {
            Some(Refusal::new(RefusalReason::Unreadable, format!("whether git ignores it cannot be told: {cause}")))
        }
    }
}

/// See [`Roots::folder_below`]; both paths are canonical.
pub(crate) fn folder_below(path: &Path, folder: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(Path::new(""));
    below.iter().map(|part| format!("{}/", part.to_string_lossy())).collect()
}

fn join(folder: &str, below: &str) -> String {
    match (folder, below) {
        ("", below) => below.to_owned(),
        (folder, ".") => folder.to_owned(),
        (folder, below) => format!("{folder}/{below}"),
    }
}
