//! Which files are measured.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use slopbench_digest::Exclusion;
use walkdir::{DirEntry, WalkDir};

use crate::error::Error;
use crate::language::Language;
use crate::languages;
use crate::refusal::{Refusal, RefusalReason, SkippedFile};

/// The file that says of its folder that it is a cache, and how it must start, by the cache directory tagging
/// specification (https://bford.info/cachedir/).
const CACHE_TAG: (&str, &[u8]) = ("CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55");

/// What the name of a file or folder, without those around it, says about whether to measure it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// A file of this name is source in this language; a folder may hold source whatever its name.
    Source(&'static str),
    /// Neither; of no concern if it is a file.
    Other,
    /// Left out whatever it is, and named as left out.
    Excluded,
    /// Left out whatever it is, without a word.
    Unmentioned,
}

/// What to do with a file or folder of this name.
pub fn admission(name: &str) -> Admission {
    match Exclusion::of_name(name) {
        // Nobody takes these for source.
        Some(Exclusion::Derived | Exclusion::Cache) => Admission::Unmentioned,
        Some(Exclusion::Installed) => Admission::Excluded,
        None => {
            languages::of_path(Path::new(name)).map_or(Admission::Other, |language| Admission::Source(language.name))
        }
    }
}

/// Whether a file of this name makes its folder a cache, of which nothing is measured, if [`is_cache_tag`] says so of
/// its content.
pub fn may_be_cache_tag(name: &str) -> bool {
    name == CACHE_TAG.0
}

/// Whether a file that starts so is a valid tag.
pub fn is_cache_tag(content: &[u8]) -> bool {
    content.starts_with(CACHE_TAG.1)
}

/// The names of source files, as in `*.py`, for people: the first of each language.
pub fn known_names() -> String {
    let extensions = languages::ALL.iter().filter_map(|language| language.extensions.first());
    let names = extensions.map(|extension| format!("*.{extension}")).collect::<Vec<_>>();
    format!("{} or the like", names.join(", "))
}

/// Whether a folder holds a valid tag, which must be a regular file.
fn is_cache(folder: &Path) -> bool {
    let tag = folder.join(CACHE_TAG.0);
    let is_file = tag.symlink_metadata().is_ok_and(|tag| tag.is_file());
    let mut start = Vec::new();
    let read = |tag: File| tag.take(CACHE_TAG.1.len() as u64).read_to_end(&mut start);
    is_file && File::open(tag).and_then(read).is_ok() && is_cache_tag(&start)
}

/// One file to measure.
pub(crate) struct SourceEntry {
    /// Where to read it.
    pub(crate) file: PathBuf,
    /// Its name in the measurement: relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) language: &'static Language,
}

/// Why what is at a path below the root, a folder or not, is to be left out, if it is.
pub(crate) type Refuse<'a> = dyn Fn(&str, bool) -> Option<Refusal> + 'a;

/// The source files below `root`, and what looks like one but cannot be read; both sorted by path.
///
/// `root` may be a single file. A link is followed only if it is the root itself. `refuse` says of a path whether it is
/// to be left out.
pub(crate) fn source_files(root: &Path, refuse: &Refuse<'_>) -> Result<(Vec<SourceEntry>, Vec<SkippedFile>), Error> {
    let at_root = |source| Error::Root { path: root.to_owned(), source };
    let kind = root.metadata().map_err(at_root)?.file_type();
    if kind.is_dir() {
        return Ok(below(root, refuse));
    }
    let language = languages::of_path(root)
        .ok_or_else(|| Error::UnknownLanguage { path: root.to_owned(), known: known_names() })?;
    let path = posix(root.file_name().map(Path::new).unwrap_or(root));
    if !kind.is_file() {
        return Ok((Vec::new(), vec![Refusal::not_a_file().of_path(&path)]));
    }
    if let Some(refusal) = refuse(&path, false) {
        return Ok((Vec::new(), vec![refusal.of_path(&path)]));
    }
    let file = root.to_owned();
    Ok((vec![SourceEntry { file, path, language }], Vec::new()))
}

fn below(root: &Path, refuse: &Refuse<'_>) -> (Vec<SourceEntry>, Vec<SkippedFile>) {
    let (mut files, mut skipped) = (Vec::new(), Vec::new());
    // `root` gets a trailing separator, so that a root that is a link is entered.
    let mut walk = WalkDir::new(root.join("")).into_iter();
    while let Some(entry) = walk.next() {
        match entry.map(|entry| (left_out(root, &entry, refuse), entry)) {
            Ok((Some(mention), entry)) => {
                skipped.extend(mention);
                if entry.file_type().is_dir() {
                    walk.skip_current_dir();
                }
            }
            Ok((None, entry)) => match classify(root, &entry) {
                Some(Ok(file)) => files.push(file),
                Some(Err(skip)) => skipped.push(skip),
                None => {}
            },
            Err(error) => skipped.push(unreadable(root, &error)),
        }
    }
    files.sort_by(|a: &SourceEntry, b: &SourceEntry| a.path.cmp(&b.path));
    skipped.sort_by(|a: &SkippedFile, b: &SkippedFile| a.path.cmp(&b.path));
    (files, skipped)
}

/// Whether something is left out for its name, as a cache or by wish; and what to say of it, if anything.
fn left_out(root: &Path, entry: &DirEntry, refuse: &Refuse<'_>) -> Option<Option<SkippedFile>> {
    if entry.depth() == 0 {
        return None;
    }
    let path = relative(root, entry.path());
    match admission(&entry.file_name().to_string_lossy()) {
        Admission::Unmentioned => return Some(None),
        Admission::Excluded => return Some(Some(Refusal::excluded().of_path(&path))),
        Admission::Source(_) | Admission::Other => {}
    }
    if entry.file_type().is_dir() && is_cache(entry.path()) {
        return Some(Some(Refusal::cache().of_path(&path)));
    }
    let is_folder = entry.file_type().is_dir();
    let looks_like_source = is_folder || languages::of_path(entry.path()).is_some();
    let refusal = if looks_like_source { refuse(&path, is_folder) } else { None };
    refusal.map(|refusal| Some(refusal.of_path(&path)))
}

/// A source file, something to name as left out, or nothing that concerns us.
fn classify(root: &Path, entry: &DirEntry) -> Option<Result<SourceEntry, SkippedFile>> {
    let path = relative(root, entry.path());
    let language = languages::of_path(entry.path());
    let kind = entry.file_type();
    if kind.is_symlink() {
        let leads_to_source = language.is_some() || entry.path().is_dir();
        return leads_to_source.then(|| Err(Refusal::symbolic_link().of_path(&path)));
    }
    match language {
        Some(language) if kind.is_file() => Some(Ok(SourceEntry { file: entry.path().to_owned(), path, language })),
        Some(_) if !kind.is_dir() => Some(Err(Refusal::not_a_file().of_path(&path))),
        _ => None,
    }
}

fn unreadable(root: &Path, error: &walkdir::Error) -> SkippedFile {
    let path = relative(root, error.path().unwrap_or(root));
    let detail = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Refusal::new(RefusalReason::Unreadable, detail).of_path(&path)
}

/// A file in memory, with its language; nothing if it has none or is left out.
pub(crate) fn known_source((path, bytes): &(String, Vec<u8>)) -> Option<(&str, &[u8], &'static Language)> {
    let language = languages::of_path(Path::new(path))?;
    (!path.split('/').any(|part| Exclusion::of_name(part).is_some())).then_some((path, bytes, language))
}

fn relative(root: &Path, path: &Path) -> String {
    match path.strip_prefix(root) {
        Ok(relative) if relative.as_os_str().is_empty() => ".".to_owned(),
        Ok(relative) => posix(relative),
        Err(_) => posix(path),
    }
}

pub(crate) fn posix(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}
