//! One rule in one language, compiled when it is first asked.
//!
//! To compile a rule is to parse its patterns and regular expressions, which for all built-in rules takes longer than to
//! measure a small project; most of them are asked about no node of it.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use ast_grep_config::{GlobalRules, RuleConfig, SerializableRuleConfig};
use ast_grep_core::Matcher;
use ast_grep_language::SupportLang;
use serde::Deserialize;
use serde_json::{Value, json, to_value};

use super::prefilter::Prefilter;
use super::prefilter_builder;
use crate::{languages, memory};

/// A rule as it is written.
pub(super) type RuleDocument = SerializableRuleConfig<SupportLang>;

/// What is wrong with a rule, and what to do about it.
pub(super) type Mistake = (String, &'static str);

/// A rule in one language.
pub(super) struct LazyRule {
    pub(super) language: SupportLang,
    /// As it is written; of a rule that was compiled at once, what decides whether it matches.
    written: Value,
    /// `None` where it cannot be compiled, as no rule of a loaded set: one that is read from a file is compiled at once, and a
    /// test compiles the built-in ones.
    compiled: OnceLock<Option<RuleConfig<SupportLang>>>,
}

impl LazyRule {
    /// A built-in rule, which is compiled when it is first asked.
    pub(super) fn prepared(written: Value, language: SupportLang) -> Self {
        LazyRule { language, written, compiled: OnceLock::new() }
    }

    /// A rule that was compiled already.
    pub(super) fn compiled(rule: RuleConfig<SupportLang>) -> Self {
        let written = written(&rule);
        LazyRule { language: rule.language, written, compiled: OnceLock::from(Some(rule)) }
    }

    /// The rule as the engine matches it.
    pub(super) fn get(&self) -> Option<&RuleConfig<SupportLang>> {
        let compile = || {
            let document = RuleDocument::deserialize(&self.written).ok()?;
            compile(RuleDocument { language: self.language, ..document }).ok()
        };
        self.compiled.get_or_init(compile).as_ref()
    }

    /// Whether somebody asked for it.
    #[cfg(test)]
    pub(super) fn is_compiled(&self) -> bool {
        self.compiled.get().is_some()
    }

    /// What must hold of a node for the rule to match it, and the kinds that such nodes have.
    pub(super) fn prefilter(&self) -> (Prefilter, BTreeSet<u16>) {
        let prefilter = prefilter_builder::build(self.language, &self.written);
        let named = prefilter.kinds().filter(|_| self.compiled.get().is_none());
        let kinds = named.unwrap_or_else(|| self.get().map(kinds).unwrap_or_default());
        (prefilter, kinds)
    }
}

/// The prefilter of a rule that is compiled, and the kinds of nodes that it can match.
pub(super) fn prefilter(rule: &RuleConfig<SupportLang>) -> (Prefilter, BTreeSet<u16>) {
    (prefilter_builder::build(rule.language, &written(rule)), kinds(rule))
}

/// What decides whether a rule matches.
fn written(rule: &RuleConfig<SupportLang>) -> Value {
    let part = |part: Result<Value, serde_json::Error>| part.unwrap_or_default();
    json!({
        "rule": part(to_value(&rule.rule)),
        "utils": part(to_value(&rule.utils)),
        "constraints": part(to_value(&rule.constraints)),
    })
}

/// The grammar counts its kinds in 16 bits. The engine refuses to load a rule that names no kind.
fn kinds(rule: &RuleConfig<SupportLang>) -> BTreeSet<u16> {
    rule.matcher.potential_kinds().unwrap_or_default().iter().map(|kind| kind as u16).collect()
}

/// A rule ready to be matched, or what is wrong with it and what to do.
pub(super) fn compile(document: RuleDocument) -> Result<RuleConfig<SupportLang>, Mistake> {
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

/// The engine says what is wrong in the last of a chain of errors.
fn causes(error: &dyn std::error::Error) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    let mut messages: Vec<String> = chain.map(|error| error.to_string().trim_end_matches('.').to_owned()).collect();
    messages.dedup();
    messages.join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure_sources;
    use crate::rules::dispatch::LanguageRules;
    use crate::rules::{BUILTIN, RuleSet, load};

    #[test]
    fn prepared_rules_are_those_of_the_files_and_each_compiles() {
        let json = |document: RuleDocument| to_value(&document).expect("a rule is JSON");
        let files = load::embedded(BUILTIN, load::is_rule);
        let texts = files.iter().map(|file| load::text(file).unwrap_or_else(|error| panic!("{error}")));
        let of_files = texts.flat_map(|text| ast_grep_config::from_multiple::<RuleDocument>(text).expect("a rule"));
        let prepared = load::prepared().unwrap_or_else(|error| panic!("{error}"));
        let of_build = prepared.iter().map(|rule| RuleDocument::deserialize(&rule.rules[0].written).expect("a rule"));
        assert_eq!(of_build.map(json).collect::<Vec<_>>(), of_files.map(json).collect::<Vec<_>>());
        for rule in prepared.iter().flat_map(|versions| &versions.rules) {
            assert!(rule.get().is_some(), "{} in {}", rule.written["id"], rule.language);
        }
    }

    /// The rules that are compiled once a file is measured, by language and id, and how many there are.
    fn compiled(path: &str, text: &str) -> (Vec<(SupportLang, String)>, usize) {
        let rules = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
        let all = || rules.general.iter().flat_map(LanguageRules::rules);
        assert_eq!(all().filter(|rule| rule.is_compiled()).count(), 0, "to load rules compiles none");
        measure_sources(&[(path.to_owned(), text.as_bytes().to_owned())], &rules);
        let id = |rule: &LazyRule| rule.written["id"].as_str().unwrap_or_default().to_owned();
        let compiled = all().filter(|rule| rule.is_compiled());
        (compiled.map(|rule| (rule.language, id(rule))).collect(), all().count())
    }

    #[test]
    fn only_rules_that_may_match_are_compiled() {
        assert_eq!(compiled("a.py", "def f(x):\n    x = x + 1\n").0, [], "nothing may match");
        let equality = "if result == None:\n    stop()\n";
        let map = "const names = list.map((name) => name);\n";
        let cases = [
            ("a.py", equality, SupportLang::Python, "none-equality"),
            ("a.js", map, SupportLang::JavaScript, "js-identity-map"),
            ("a.ts", map, SupportLang::TypeScript, "js-identity-map"),
        ];
        for (path, text, language, id) in cases {
            let (compiled, count) = compiled(path, text);
            assert!(compiled.contains(&(language, id.to_owned())), "{path}: {compiled:?}");
            assert!(compiled.iter().all(|(of, _)| *of == language), "{path}: {compiled:?}");
            assert!(compiled.len() * 40 < count, "{path}: {} of {count}: {compiled:?}", compiled.len());
        }
    }
}
