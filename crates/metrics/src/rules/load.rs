//! Reading rule files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig, from_multiple};
use ast_grep_language::SupportLang;
use include_dir::{Dir, DirEntry};
use rayon::prelude::*;
use serde::Deserialize;
use serde_saphyr::Error as YamlError;
use slopbench_digest::Sha256;
use walkdir::WalkDir;

use super::error::RuleError;
use super::tier::Tier;
use crate::{languages, memory};

/// One file of rules or of fixtures.
#[derive(Debug)]
pub(super) struct YamlFile {
    /// Where it is, for people.
    pub(super) at: PathBuf,
    /// Relative to the set, with `/`.
    path: String,
    bytes: Vec<u8>,
}

/// A rule as it is written.
pub(super) type RuleDocument = SerializableRuleConfig<SupportLang>;

/// What is wrong with a rule, and what to do about it.
pub(super) type Mistake = (String, &'static str);

/// A rule in each language that it is for, and what it is used for.
pub(super) struct RuleVersions {
    pub(super) id: String,
    pub(super) tiers: Vec<Tier>,
    pub(super) rules: Vec<RuleConfig<SupportLang>>,
}

/// The files embedded in the crate that are `wanted`, by path.
pub(super) fn embedded(folders: &[(&str, Dir<'static>)], wanted: fn(&Path) -> bool) -> Vec<YamlFile> {
    let mut files = Vec::new();
    for (name, folder) in folders {
        let mut entries: Vec<_> = folder.entries().iter().collect();
        while let Some(entry) = entries.pop() {
            match entry {
                DirEntry::Dir(inner) => entries.extend(inner.entries()),
                DirEntry::File(file) if wanted(file.path()) => {
                    let path = format!("{name}/{}", posix(file.path()));
                    files.push(YamlFile { at: PathBuf::from(&path), path, bytes: file.contents().to_owned() });
                }
                DirEntry::File(_) => {}
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// The file at `root`, whatever its name, or the `wanted` files below it, by path.
pub(super) fn below(root: &Path, wanted: fn(&Path) -> bool) -> Result<Vec<YamlFile>, RuleError> {
    let mut files = Vec::new();
    for entry in WalkDir::new(root).follow_links(true) {
        let entry = entry.map_err(|error| {
            let file = error.path().unwrap_or(root).to_owned();
            unreadable(&file, error.io_error().map_or_else(|| error.to_string(), ToString::to_string))
        })?;
        if entry.file_type().is_file() && (entry.depth() == 0 || wanted(entry.path())) {
            let bytes = fs::read(entry.path()).map_err(|error| unreadable(entry.path(), error.to_string()))?;
            let relative = match entry.depth() {
                0 => Path::new(entry.file_name()),
                _ => entry.path().strip_prefix(root).unwrap_or(entry.path()),
            };
            files.push(YamlFile { at: entry.path().to_owned(), path: posix(relative), bytes });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The rules of all files; each id may be there only once.
pub(super) fn parse(files: &[YamlFile]) -> Result<Vec<RuleVersions>, RuleError> {
    let mut rules = Vec::new();
    let mut seen: HashMap<String, &Path> = HashMap::new();
    // Nearly all of the time goes into compiling patterns; results stay in the order of the files, and so do errors.
    let of_files: Vec<_> = files.par_iter().map(parse_file).collect();
    for (file, of_file) in files.iter().zip(of_files) {
        for versions in of_file? {
            if let Some(other) = seen.insert(versions.id.clone(), &file.at) {
                return Err(RuleError {
                    file: file.at.clone(),
                    line: None,
                    message: format!("rule id `{}` is also in {}", versions.id, other.display()),
                    help: "give each rule an id of its own",
                });
            }
            rules.push(versions);
        }
    }
    Ok(rules)
}

/// The rules in a file.
fn parse_file(file: &YamlFile) -> Result<Vec<RuleVersions>, RuleError> {
    let error = |message, help| RuleError { file: file.at.clone(), line: None, message, help };
    let documents = from_multiple::<RuleDocument>(text(file)?)
        .map_err(|invalid| invalid_yaml(file, &invalid, "write YAML documents with `id`, `language` and `rule`"))?;
    if documents.is_empty() {
        return Err(error("no rule in it".to_owned(), "write a rule, or remove the file"));
    }
    let versions = documents.into_iter().map(versions);
    versions.collect::<Result<_, _>>().map_err(|(message, help)| error(message, help))
}

fn versions(document: RuleDocument) -> Result<RuleVersions, Mistake> {
    let (id, tiers) = (document.id.clone(), tiers(&document)?);
    let rules = in_each_language(document)?.into_iter().map(build).collect::<Result<_, _>>()?;
    Ok(RuleVersions { id, tiers, rules })
}

/// The tiers in a rule's `metadata.tiers`; without that, as in rules made for other tools, all.
fn tiers(document: &RuleDocument) -> Result<Vec<Tier>, Mistake> {
    let metadata = document.metadata.as_ref().and_then(|metadata| serde_json::to_value(metadata).ok());
    let Some(written) = metadata.as_ref().and_then(|metadata| metadata.get("tiers")) else {
        return Ok(Tier::ALL.to_vec());
    };
    let mut tiers: Vec<Tier> = Deserialize::deserialize(written).unwrap_or_default();
    tiers.sort();
    tiers.dedup();
    if tiers.is_empty() {
        let message = format!("rule `{}`: `metadata.tiers` is {written}", document.id);
        return Err((message, "write a list of `verbosity` and `advice`, or leave it out for both"));
    }
    Ok(tiers)
}

/// The rule as it is, and once more for each language in `metadata.also`. A rule for JavaScript is as good a rule for
/// TypeScript, but ast-grep has a grammar, and so a rule, for one language only.
fn in_each_language(document: RuleDocument) -> Result<Vec<RuleDocument>, Mistake> {
    let metadata = document.metadata.as_ref().and_then(|metadata| serde_json::to_value(metadata).ok());
    let also = metadata.as_ref().and_then(|metadata| metadata.get("also")).and_then(|also| also.as_array()).cloned();
    let mut versions = vec![document.clone()];
    for name in also.unwrap_or_default() {
        let language = name.as_str().and_then(|name| name.parse().ok()).ok_or_else(|| {
            let message = format!("rule `{}`: no language {name} in `metadata.also`", document.id);
            (message, "name languages as `language` does")
        })?;
        versions.push(RuleDocument { language, ..document.clone() });
    }
    Ok(versions)
}

/// The file as text.
pub(super) fn text(file: &YamlFile) -> Result<&str, RuleError> {
    let (at, help) = (&file.at, "save the file as UTF-8");
    std::str::from_utf8(&file.bytes).map_err(|invalid| RuleError {
        file: at.clone(),
        line: None,
        message: invalid.to_string(),
        help,
    })
}

/// What the YAML reader refused, and where.
pub(super) fn invalid_yaml(file: &YamlFile, invalid: &YamlError, help: &'static str) -> RuleError {
    let line = invalid.location().map(|location| location.line());
    RuleError { file: file.at.clone(), line, message: without_place(invalid), help }
}

/// A rule ready to be matched, or what is wrong with it and what to do.
fn build(document: RuleDocument) -> Result<RuleConfig<SupportLang>, Mistake> {
    let id = document.id.clone();
    if id.is_empty() {
        return Err(("a rule without an id".to_owned(), "add `id: <name>` to the rule"));
    }
    // The engine has no grammar for the others, and would panic.
    if !languages::ALL.iter().any(|known| known.grammar == document.language) {
        let message = format!("rule `{id}` is for {}, which is not measured", document.language);
        return Err((message, "remove the rule from the set"));
    }
    memory::install();
    RuleConfig::try_from(document, &GlobalRules::default()).map_err(|invalid| {
        (format!("rule `{id}`: {}", causes(&invalid)), "correct the rule, see ast-grep's rule reference")
    })
}

/// See [`super::RuleSet::digest`].
pub(super) fn digest(files: &[YamlFile]) -> String {
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

/// Whether a file of this name holds rules. ast-grep's own program keeps what rules matched in `*-snapshot.yml`.
pub(super) fn is_rule(path: &Path) -> bool {
    yaml_stem(path).is_some_and(|stem| !stem.ends_with("-test") && !stem.ends_with("-snapshot"))
}

/// Whether a file of this name holds a fixture.
pub(super) fn is_fixture(path: &Path) -> bool {
    yaml_stem(path).is_some_and(|stem| stem.ends_with("-test"))
}

/// The name of a YAML file without its extension.
fn yaml_stem(path: &Path) -> Option<&str> {
    let yaml = path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    path.file_stem().and_then(|stem| stem.to_str()).filter(|_| yaml)
}

fn posix(path: &Path) -> String {
    path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}
