//! Reading rule files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ast_grep_config::{RuleConfig, Severity, from_multiple};
use ast_grep_language::SupportLang;
use include_dir::{Dir, DirEntry};
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use serde_saphyr::Error as YamlError;
use slopbench_digest::Sha256;
use walkdir::WalkDir;

use super::RuleDescription;
use super::error::RuleError;
use super::lazy_rule::{LazyRule, Mistake, RuleDocument, compile};
use super::tier::Tier;

/// One file of rules or of fixtures.
#[derive(Debug)]
pub(super) struct YamlFile {
    /// Where it is, for people.
    pub(super) at: PathBuf,
    /// Relative to the set, with `/`.
    path: String,
    bytes: Vec<u8>,
}

/// A rule in each language that it is for.
pub(super) struct RuleVersions {
    pub(super) description: RuleDescription,
    /// Whether its severity is another one than `off`.
    pub(super) is_active: bool,
    pub(super) rules: Vec<LazyRule>,
    /// Where it has `files` or `ignores`: these in place of [`Self::rules`].
    pub(super) by_path: Vec<RuleConfig<SupportLang>>,
}

/// What there is to know of a rule before it is compiled.
#[derive(Deserialize)]
struct Header {
    id: String,
    language: SupportLang,
    #[serde(default)]
    message: String,
    note: Option<String>,
    #[serde(default)]
    metadata: Value,
}

/// The built-in rules as JSON, by path; see `build.rs`.
const PREPARED: &str = include_str!(concat!(env!("OUT_DIR"), "/rules.json"));

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
            if let Some(other) = seen.insert(versions.description.id.clone(), &file.at) {
                return Err(RuleError {
                    file: file.at.clone(),
                    line: None,
                    message: format!("rule id `{}` is also in {}", versions.description.id, other.display()),
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
    let metadata = document.metadata.as_ref().and_then(|metadata| serde_json::to_value(metadata).ok());
    let header = Header {
        id: document.id.clone(),
        language: document.language,
        message: document.message.clone(),
        note: document.note.clone(),
        metadata: metadata.unwrap_or_default(),
    };
    let (description, languages) = header.read()?;
    let is_active = document.severity != Severity::Off;
    let is_general = document.files.is_none() && document.ignores.is_none();
    let compiled = languages.into_iter().map(|language| compile(RuleDocument { language, ..document.clone() }));
    let compiled = compiled.collect::<Result<Vec<_>, _>>()?;
    let (general, by_path) = if is_general { (compiled, Vec::new()) } else { (Vec::new(), compiled) };
    Ok(RuleVersions { description, is_active, rules: general.into_iter().map(LazyRule::compiled).collect(), by_path })
}

/// The built-in rules, to be compiled when they are asked. `build.rs` refuses whatever [`versions`] would set apart.
pub(super) fn prepared() -> Result<Vec<RuleVersions>, RuleError> {
    let error = |message, help| RuleError { file: "the built-in rules".into(), line: None, message, help };
    let rules: Vec<Value> =
        serde_json::from_str(PREPARED).map_err(|invalid| error(invalid.to_string(), "build the program again"))?;
    let rules = rules.into_iter().map(prepared_rule);
    rules.collect::<Result<_, _>>().map_err(|(message, help)| error(message, help))
}

fn prepared_rule(written: Value) -> Result<RuleVersions, Mistake> {
    let header =
        Header::deserialize(&written).map_err(|invalid| (invalid.to_string(), "write `id`, `language` and `rule`"))?;
    let (description, languages) = header.read()?;
    let rules = languages.into_iter().map(|language| LazyRule::prepared(written.clone(), language)).collect();
    Ok(RuleVersions { description, is_active: true, rules, by_path: Vec::new() })
}

impl Header {
    /// What the rule says of itself, and its languages.
    fn read(self) -> Result<(RuleDescription, Vec<SupportLang>), Mistake> {
        let (tiers, languages) = (self.tiers()?, self.languages()?);
        let language = languages.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let note = self.note.unwrap_or_default();
        Ok((RuleDescription { id: self.id, language, tiers, message: self.message, note }, languages))
    }

    /// The tiers in `metadata.tiers`; without that, as in rules made for other tools, all.
    fn tiers(&self) -> Result<Vec<Tier>, Mistake> {
        let Some(written) = self.metadata.get("tiers") else {
            return Ok(Tier::ALL.to_vec());
        };
        let mut tiers: Vec<Tier> = Deserialize::deserialize(written).unwrap_or_default();
        tiers.sort();
        tiers.dedup();
        if tiers.is_empty() {
            let message = format!("rule `{}`: `metadata.tiers` is {written}", self.id);
            return Err((message, "write a list of `verbosity` and `advice`, or leave it out for both"));
        }
        Ok(tiers)
    }

    /// The rule's language, and those in `metadata.also`. A rule for JavaScript is as good a rule for TypeScript, but
    /// ast-grep has a grammar, and so a rule, for one language only.
    fn languages(&self) -> Result<Vec<SupportLang>, Mistake> {
        let mut languages = vec![self.language];
        for name in self.metadata.get("also").and_then(Value::as_array).into_iter().flatten() {
            languages.push(name.as_str().and_then(|name| name.parse().ok()).ok_or_else(|| {
                let message = format!("rule `{}`: no language {name} in `metadata.also`", self.id);
                (message, "name languages as `language` does")
            })?);
        }
        Ok(languages)
    }
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
