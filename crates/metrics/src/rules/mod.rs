//! Rules: ast-grep rules, matched on the tree that the metrics are counted on.
//!
//! A rule set is a fixed instrument: it has a digest, an unreadable rule is an error and never a smaller set, and
//! `ast-grep-ignore` comments are not heeded, since whoever is measured must not be able to switch the measure off.

mod description;
mod dispatch;
mod error;
pub mod fixtures;
mod flat_tree;
mod lazy_regex;
mod lazy_rule;
mod load;
mod prefilter;
mod prefilter_builder;
mod scan;
mod tier;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use ast_grep_config::{RuleCollection, RuleConfig};
use ast_grep_language::SupportLang;
use include_dir::{Dir, include_dir};

use crate::parse::Document;
pub use description::RuleDescription;
use dispatch::{Dispatch, LanguageRules};
pub use error::RuleError;
use load::{RuleVersions, YamlFile};
use prefilter::Prefilter;
pub(crate) use scan::Scan;
pub use tier::Tier;

/// The rules that come with the crate, one folder per language.
static BUILTIN: &[(&str, Dir<'static>)] = &[
    ("cpp", include_dir!("$CARGO_MANIFEST_DIR/rules/cpp")),
    ("go", include_dir!("$CARGO_MANIFEST_DIR/rules/go")),
    ("java", include_dir!("$CARGO_MANIFEST_DIR/rules/java")),
    ("javascript", include_dir!("$CARGO_MANIFEST_DIR/rules/javascript")),
    ("python", include_dir!("$CARGO_MANIFEST_DIR/rules/python")),
    ("rust", include_dir!("$CARGO_MANIFEST_DIR/rules/rust")),
];

/// Their fixtures.
static BUILTIN_FIXTURES: &[(&str, Dir<'static>)] = &[("tests", include_dir!("$CARGO_MANIFEST_DIR/rules/tests"))];

/// A set of rules, ready to be matched.
pub struct RuleSet {
    /// Rules for every file of their language.
    general: Vec<LanguageRules>,
    /// Rules with `files` or `ignores` of their own.
    by_path: RuleCollection<SupportLang>,
    /// What their prefilters are, and which kinds they can match, by id and language.
    prefilters_by_path: HashMap<(String, String), (Prefilter, BTreeSet<u16>)>,
    ids: Vec<String>,
    descriptions: Vec<RuleDescription>,
    digest: String,
}

impl RuleSet {
    /// No rules at all: nothing is ever flagged.
    pub fn empty() -> Self {
        RuleSet {
            general: Vec::new(),
            by_path: RuleCollection::default(),
            prefilters_by_path: HashMap::new(),
            ids: Vec::new(),
            descriptions: Vec::new(),
            digest: load::digest(&[]),
        }
    }

    /// The rules that come with the crate.
    ///
    /// # Errors
    ///
    /// Never for a released crate, whose rules are tested; the error names the file of a broken rule.
    pub fn builtin() -> Result<Self, RuleError> {
        Self::select(None, |_| true)
    }

    /// The rules in a file, or in all `*.yml` and `*.yaml` files below a folder, fixtures (`*-test.yml`) aside. A
    /// file may hold several documents.
    ///
    /// # Errors
    ///
    /// Names the file, and the line where known, if it cannot be read, is no YAML, is no ast-grep rule, names a kind or
    /// language that there is not, or repeats an id; or if there is no rule at all.
    pub fn load(path: &Path) -> Result<Self, RuleError> {
        Self::select(Some(path), |_| true)
    }

    /// The rules at `path`, or the built-in ones, whose ids `keep` keeps. Their [digest](Self::digest) is that of all.
    ///
    /// # Errors
    ///
    /// As [`Self::load`].
    pub fn select(path: Option<&Path>, keep: impl FnMut(&str) -> bool) -> Result<Self, RuleError> {
        let Some(path) = path else {
            let files = load::embedded(BUILTIN, load::is_rule);
            return Self::new(load::prepared()?, &files, keep)?.or_none_active(Path::new("the built-in rules"));
        };
        let files = load::below(path, load::is_rule)?;
        Self::new(load::parse(&files)?, &files, keep)?.or_none_active(path)
    }

    /// The set itself, unless it would never flag anything.
    fn or_none_active(self, path: &Path) -> Result<Self, RuleError> {
        if self.ids.is_empty() {
            return Err(RuleError {
                file: path.to_owned(),
                line: None,
                message: "no active rule in it".to_owned(),
                help: "name a file or a folder with ast-grep rules (*.yml) whose severity is not `off`",
            });
        }
        Ok(self)
    }

    /// The ids of the active rules (those whose severity is not `off`), sorted.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// What the active rules say of themselves, sorted by id.
    pub fn descriptions(&self) -> &[RuleDescription] {
        &self.descriptions
    }

    /// Whether a rule is in a tier; one that is not in the set is in none.
    pub fn is_in(&self, tier: Tier, rule: &str) -> bool {
        let found = self.descriptions.binary_search_by(|description| description.id.as_str().cmp(rule));
        found.ok().and_then(|at| self.descriptions.get(at)).is_some_and(|rule| rule.tiers.contains(&tier))
    }

    /// `sha256:` and the SHA-256, in hexadecimal, of every rule file in the order of the paths: the path relative to the
    /// set with `/`, a zero byte, the length in bytes as 8 bytes little-endian, the bytes. A file alone has its name as
    /// its path.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Whether some rule has `files` or `ignores`, so that what it finds depends on where a file is.
    pub fn depends_on_path(&self) -> bool {
        self.by_path.total_rule_count() > 0
    }

    /// Starts matching the file at `path`.
    pub(crate) fn scan<'a>(&'a self, path: &str, document: &'a Document) -> Scan<'a> {
        let language = *document.lang();
        let general = self.general.iter().find(|rules| rules.language == language);
        let by_path = self.by_path.get_rule_from_lang(Path::new(path), language);
        let prefilters =
            by_path.iter().map(|rule| self.prefilters_by_path.get(&key(rule)).cloned().unwrap_or_default());
        let dispatch = Dispatch::new(prefilters);
        Scan::new(document, general, (by_path, dispatch))
    }

    /// The rules of these files whose ids `keep` keeps.
    fn new(
        mut rules: Vec<RuleVersions>,
        files: &[YamlFile],
        mut keep: impl FnMut(&str) -> bool,
    ) -> Result<Self, RuleError> {
        rules.retain(|versions| versions.is_active && keep(&versions.description.id));
        rules.sort_by(|a, b| a.description.id.cmp(&b.description.id));
        let (mut general, mut by_path, mut descriptions) = (Vec::new(), Vec::new(), Vec::new());
        for versions in rules {
            general.extend(versions.rules);
            by_path.extend(versions.by_path);
            descriptions.push(versions.description);
        }
        let prefilters_by_path = by_path.iter().map(|rule| (key(rule), lazy_rule::prefilter(rule))).collect();
        let by_path = RuleCollection::try_new(by_path).map_err(|error| RuleError {
            file: PathBuf::from(error.glob().unwrap_or_default()),
            line: None,
            message: error.to_string(),
            help: "correct the glob in the rule's `files` or `ignores`",
        })?;
        let ids = descriptions.iter().map(|rule: &RuleDescription| rule.id.clone()).collect();
        let (general, digest) = (LanguageRules::group(general), load::digest(files));
        Ok(RuleSet { general, by_path, prefilters_by_path, ids, descriptions, digest })
    }
}

impl std::fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RuleSet").field("ids", &self.ids).field("digest", &self.digest).finish_non_exhaustive()
    }
}

fn key(rule: &RuleConfig<SupportLang>) -> (String, String) {
    (rule.id.clone(), rule.language.to_string())
}
