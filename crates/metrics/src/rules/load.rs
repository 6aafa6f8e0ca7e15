//! Reading rule files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig, from_multiple};
use ast_grep_language::SupportLang;
use include_dir::{Dir, DirEntry};
use slopbench_digest::Sha256;
use walkdir::WalkDir;

use super::RuleError;
use crate::language;

/// One rule file.
pub(super) struct RuleFile {
    /// Where it is, for people.
    at: PathBuf,
    /// Relative to the set, with `/`.
    path: String,
    bytes: Vec<u8>,
}

/// The files embedded in the crate, by path.
pub(super) fn embedded(folders: &[(&str, Dir<'static>)]) -> Vec<RuleFile> {
    let mut files = Vec::new();
    for (name, folder) in folders {
        let mut entries: Vec<_> = folder.entries().iter().collect();
        while let Some(entry) = entries.pop() {
            match entry {
                DirEntry::Dir(inner) => entries.extend(inner.entries()),
                DirEntry::File(file) if is_rule(file.path()) => {
                    let path = format!("{name}/{}", posix(file.path()));
                    files.push(RuleFile { at: PathBuf::from(&path), path, bytes: file.contents().to_owned() });
                }
                DirEntry::File(_) => {}
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The file at `root`, whatever its name, or the rule files below it, by path.
pub(super) fn below(root: &Path) -> Result<Vec<RuleFile>, RuleError> {
    let mut files = Vec::new();
    for entry in WalkDir::new(root).follow_links(true) {
        let entry = entry.map_err(|error| {
            let file = error.path().unwrap_or(root).to_owned();
            unreadable(&file, error.io_error().map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        if entry.file_type().is_file() && (entry.depth() == 0 || is_rule(entry.path())) {
            let bytes = fs::read(entry.path()).map_err(|error| unreadable(entry.path(), error.to_string()))?;
            let relative = match entry.depth() {
                0 => Path::new(entry.file_name()),
                _ => entry.path().strip_prefix(root).unwrap_or(entry.path()),
            };
            files.push(RuleFile { at: entry.path().to_owned(), path: posix(relative), bytes });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The rules of all files; each id may be there only once.
pub(super) fn parse(files: &[RuleFile]) -> Result<Vec<RuleConfig<SupportLang>>, RuleError> {
    let mut rules = Vec::new();
    let mut seen: HashMap<String, &Path> = HashMap::new();
    for file in files {
        for rule in parse_file(file)? {
            if let Some(other) = seen.insert(rule.id.clone(), &file.at) {
                return Err(RuleError {
                    file: file.at.clone(),
                    line: None,
                    message: format!("rule id `{}` is also in {}", rule.id, other.display()),
                    help: "give each rule an id of its own",
                });
            }
            rules.push(rule);
        }
    }
    Ok(rules)
}

fn parse_file(file: &RuleFile) -> Result<Vec<RuleConfig<SupportLang>>, RuleError> {
    let error = |line, message, help| RuleError { file: file.at.clone(), line, message, help };
    let text = std::str::from_utf8(&file.bytes)
        .map_err(|invalid| error(None, invalid.to_string(), "save the rule file as UTF-8"))?;
    let documents = from_multiple::<SerializableRuleConfig<SupportLang>>(text).map_err(|invalid| {
        let line = invalid.location().map(|location| location.line());
        error(line, without_place(&invalid), "write YAML documents with `id`, `language` and `rule`")
    })?;
    if documents.is_empty() {
        return Err(error(None, "no rule in it".to_owned(), "write a rule, or remove the file"));
    }
    let rules =
        documents.into_iter().map(|document| build(document).map_err(|(message, help)| error(None, message, help)));
    rules.collect()
}

/// A rule ready to be matched, or what is wrong with it and what to do.
fn build(document: SerializableRuleConfig<SupportLang>) -> Result<RuleConfig<SupportLang>, (String, &'static str)> {
    let id = document.id.clone();
    if id.is_empty() {
        return Err(("a rule without an id".to_owned(), "add `id: <name>` to the rule"));
    }
    // The engine has no grammar for the others, and would panic.
    if !language::ALL.iter().any(|known| known.grammar == document.language) {
        let message = format!("rule `{id}` is for {}, which is not measured", document.language);
        return Err((message, "remove the rule from the set"));
    }
    RuleConfig::try_from(document, &GlobalRules::default()).map_err(|invalid| {
        (format!("rule `{id}`: {}", causes(&invalid)), "correct the rule, see ast-grep's rule reference")
    })
}

/// See [`super::RuleSet::digest`].
pub(super) fn digest(files: &[RuleFile]) -> String {
    let mut bytes = Vec::new();
    for file in files {
        bytes.extend_from_slice(file.path.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(&(file.bytes.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&file.bytes);
    }
    Sha256::of(&bytes).to_string()
}

/// The YAML reader begins with `error: line L column C: `, which the error says already, and ends with a drawing of
/// the place.
fn without_place(error: &dyn std::error::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    let message = line.split_once(" column ").and_then(|(_, rest)| rest.split_once(": "));
    message.map_or(line, |(_, message)| message).to_owned()
}

/// The engine says what is wrong in the last of a chain of errors.
fn causes(error: &dyn std::error::Error) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    let mut messages: Vec<String> = chain.map(|error| error.to_string().trim_end_matches('.').to_owned()).collect();
    messages.dedup();
    messages.join(": ")
}

fn unreadable(file: &Path, message: String) -> RuleError {
    RuleError { file: file.to_owned(), line: None, message, help: "name a rule file or a folder that can be read" }
}

fn is_rule(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

fn posix(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
