//! Builds the prefilter of a rule from what is written in it.

use std::sync::Arc;

use ast_grep_core::matcher::{Pattern, PatternNode};
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::{Language, MatchStrictness};
use ast_grep_language::SupportLang;
use serde_json::Value;

use super::lazy_regex::LazyRegex;
use super::prefilter::{Prefilter, Relation};
use crate::memory;

/// `matches` may call itself in a circle; what is asked further down is left open.
const MAX_CALLS: usize = 4;

/// The grammar's number of a node that could not be parsed; in a pattern it stands for every kind.
const ERROR: u16 = u16::MAX;

/// What must hold of a node for a rule to match it, which is `written` so, as an object with `rule`, and perhaps `utils` and
/// `constraints`.
pub(super) fn build(language: SupportLang, written: &Value) -> Prefilter {
    memory::install();
    PrefilterBuilder { language, written }.rule(&written["rule"], MAX_CALLS)
}

struct PrefilterBuilder<'a> {
    language: SupportLang,
    written: &'a Value,
}

impl PrefilterBuilder<'_> {
    /// All keys of a rule object must match. What is not looked into (`range`, most of `not`) lets every node pass.
    fn rule(&self, rule: &Value, calls: usize) -> Prefilter {
        let keys = rule.as_object().into_iter().flatten();
        Prefilter::all(keys.map(|(key, value)| self.key(key, value, calls)))
    }

    fn key(&self, key: &str, value: &Value, calls: usize) -> Prefilter {
        match key {
            "kind" => self.kind(value),
            "pattern" => self.pattern(value).unwrap_or(Prefilter::Anything),
            "regex" => value.as_str().map_or(Prefilter::Anything, regex),
            "all" => Prefilter::all(self.rules(value, calls)),
            "any" => Prefilter::any(self.rules(value, calls)),
            "nthChild" => nth_child(value),
            "not" => self.negation(value),
            "matches" if calls > 0 => self.call(value, calls - 1),
            _ => self.relation(key, value, calls),
        }
    }

    fn relation(&self, key: &str, value: &Value, calls: usize) -> Prefilter {
        let near = value.get("stopBy").is_none_or(|stop| stop == "neighbor");
        let relation = match (key, near) {
            ("has", true) => Relation::Child,
            ("has", false) => Relation::Below,
            ("inside", true) => Relation::Parent,
            ("inside", false) => Relation::Above,
            ("precedes", true) => Relation::Next,
            ("follows", true) => Relation::Previous,
            _ => return Prefilter::Anything,
        };
        Prefilter::of(relation, self.rule(value, calls))
    }

    /// What is negated has to be exact: `has` of a kind, of a position, or of both.
    fn negation(&self, negated: &Value) -> Prefilter {
        match said(negated).as_slice() {
            [("any", Value::Array(alternatives))] => {
                Prefilter::all(alternatives.iter().map(|alternative| self.negation(alternative)))
            }
            [("has", child)] => self.no_child(child).unwrap_or(Prefilter::Anything),
            _ => Prefilter::Anything,
        }
    }

    fn no_child(&self, child: &Value) -> Option<Prefilter> {
        let exact = |(key, value): (&str, &Value)| match key {
            "kind" | "nthChild" => Some(self.key(key, value, 0)).filter(Prefilter::is_exact),
            "stopBy" if value == "neighbor" => Some(Prefilter::Anything),
            _ => None,
        };
        let parts: Option<Vec<_>> = said(child).into_iter().map(exact).collect();
        Some(Prefilter::NoChild(Box::new(Prefilter::all(parts?))))
    }

    fn rules(&self, list: &Value, calls: usize) -> Vec<Prefilter> {
        let rules = list.as_array().into_iter().flatten();
        rules.map(|rule| self.rule(rule, calls)).collect()
    }

    fn call(&self, name: &Value, calls: usize) -> Prefilter {
        let util = name.as_str().and_then(|name| self.written["utils"].get(name));
        util.map_or(Prefilter::Anything, |util| self.rule(util, calls))
    }

    /// The name of a kind; it may also be a selector, such as `call > identifier`.
    fn kind(&self, kind: &Value) -> Prefilter {
        let name = kind.as_str().filter(|name| is_word(name));
        name.map_or(Prefilter::Anything, |name| Prefilter::Kind(self.language.kind_to_id(name)))
    }

    fn pattern(&self, pattern: &Value) -> Option<Prefilter> {
        let pattern = match pattern.as_str() {
            Some(text) => Pattern::try_new(text, self.language).ok()?,
            None => self.pattern_in_context(pattern)?,
        };
        let ignores_kinds = matches!(pattern.strictness, MatchStrictness::Template);
        (!ignores_kinds).then(|| self.node(&pattern.node, &pattern.strictness))
    }

    fn pattern_in_context(&self, pattern: &Value) -> Option<Pattern> {
        let part = |key| pattern.get(key).and_then(Value::as_str);
        let context = part("context")?;
        let parsed = match part("selector") {
            Some(selector) => Pattern::contextual(context, selector, self.language).ok()?,
            None => Pattern::try_new(context, self.language).ok()?,
        };
        Some(match part("strictness") {
            Some(strictness) => parsed.with_strictness(strictness.parse().ok()?),
            None => parsed,
        })
    }

    fn node(&self, node: &PatternNode, strictness: &MatchStrictness) -> Prefilter {
        let of_kind = |kind| if kind == ERROR { Prefilter::Anything } else { Prefilter::Kind(kind) };
        match node {
            PatternNode::MetaVar { meta_var } => self.variable(meta_var),
            PatternNode::Terminal { text, is_named, kind_id } => {
                let has_text = *is_named && !matches!(strictness, MatchStrictness::Signature);
                let text = if has_text { Prefilter::Text(text.clone()) } else { Prefilter::Anything };
                Prefilter::all([of_kind(*kind_id), text])
            }
            PatternNode::Internal { kind_id, children } => {
                let children = self.children(children, strictness);
                let some = children.iter().any(|child| !matches!(child, Prefilter::Anything));
                Prefilter::all([
                    of_kind(*kind_id),
                    if some { Prefilter::Children(children) } else { Prefilter::Anything },
                ])
            }
        }
    }

    /// The children that cannot be passed over. `$$$` stands for any number of nodes, and behind it, or where the
    /// strictness says so, punctuation may be missing.
    fn children(&self, children: &[PatternNode], strictness: &MatchStrictness) -> Vec<Prefilter> {
        let strict = matches!(strictness, MatchStrictness::Cst | MatchStrictness::Smart);
        let mut prefilters = Vec::new();
        let mut behind_many = false;
        for child in children {
            match child {
                PatternNode::MetaVar { meta_var: MetaVariable::Multiple | MetaVariable::MultiCapture(_) } => {
                    behind_many = true;
                }
                child if child.is_trivial() && (behind_many || !strict) => {}
                child => {
                    behind_many = false;
                    prefilters.push(self.node(child, strictness));
                }
            }
        }
        prefilters
    }

    /// What `constraints` say of a variable. If it is there twice, they are about only one of its places.
    fn variable(&self, variable: &MetaVariable) -> Prefilter {
        let MetaVariable::Capture(name, _) = variable else {
            return Prefilter::Anything;
        };
        let constraint = self.written["constraints"].get(name).filter(|_| self.is_there_once(name));
        constraint.map_or(Prefilter::Anything, |constraint| self.rule(constraint, 0))
    }

    /// Whether the variable is bound in one place of the rule and its parts.
    fn is_there_once(&self, name: &str) -> bool {
        let parts = ["rule", "utils", "constraints"].into_iter().filter_map(|part| self.written.get(part));
        parts.map(|part| places(&format!("${name}"), part)).sum::<usize>() == 1
    }
}

/// The keys of a rule object and what they say.
fn said(rule: &Value) -> Vec<(&str, &Value)> {
    let keys = rule.as_object().into_iter().flatten();
    keys.map(|(key, value)| (key.as_str(), value)).filter(|(_, value)| !value.is_null()).collect()
}

/// A position as a number. What is counted by a rule or a formula lets every node pass.
fn nth_child(value: &Value) -> Prefilter {
    let part = |key| value.get(key).filter(|part| !part.is_null());
    let position = value.as_u64().or_else(|| part("position")?.as_u64());
    // The engine keeps a position in 32 bits.
    match position.filter(|position| *position <= i32::MAX as u64).and_then(|position| usize::try_from(position).ok()) {
        Some(position) if part("ofRule").is_none() => {
            Prefilter::Nth { position, from_end: part("reverse").is_some_and(|reverse| reverse == true) }
        }
        _ => Prefilter::Anything,
    }
}

/// In how many places a variable may be bound at once: of the alternatives of `any` only one binds it.
fn places(variable: &str, written: &Value) -> usize {
    let place = |part: &Value| places(variable, part);
    match written {
        Value::String(text) => occurrences(variable, text),
        Value::Array(parts) => parts.iter().map(place).sum(),
        Value::Object(parts) => {
            let of_part = |(key, part): (&String, &Value)| match part {
                Value::Array(alternatives) if key == "any" => alternatives.iter().map(place).max().unwrap_or(0),
                part => place(part),
            };
            parts.iter().map(of_part).sum()
        }
        _ => 0,
    }
}

/// How often a variable is in a text, and not only the beginning of another one.
fn occurrences(variable: &str, text: &str) -> usize {
    let is_end = |rest: &str| !rest.starts_with(|next: char| next == '_' || next.is_ascii_alphanumeric());
    let ends = text.match_indices(variable).filter_map(|(at, _)| text.get(at + variable.len()..));
    ends.filter(|rest| is_end(rest)).count()
}

/// A regular expression for a few whole words is read as these, since words are in the Bloom filter.
fn regex(pattern: &str) -> Prefilter {
    let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    let group = inner.and_then(|inner| inner.strip_prefix('(')?.strip_suffix(')'));
    let words: Vec<_> = group.map_or_else(|| inner.into_iter().collect(), |group| group.split('|').collect());
    if !words.is_empty() && words.iter().all(|word| is_word(word)) {
        return Prefilter::any(words.into_iter().map(|word| Prefilter::Text(word.to_owned())));
    }
    Prefilter::Regex(Arc::new(LazyRegex::new(pattern)))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::super::prefilter::GuardedPrefilter;
    use super::*;

    /// The prefilter of the rule, kinds by their names.
    fn derived(rule: &str) -> String {
        let utils = "{loads: {pattern: loads($A)}, loop: {has: {kind: block, matches: loop}}}";
        let constraints = if rule.contains("$ONCE") { "{ONCE: {kind: list}}" } else { "{}" };
        let yaml = format!("{{rule: {rule}, utils: {utils}, constraints: {constraints}}}");
        show(&build(SupportLang::Python, &ast_grep_config::from_str(&yaml).expect("a valid rule")))
    }

    fn show(prefilter: &Prefilter) -> String {
        let list = |prefilters: &mut dyn Iterator<Item = &Prefilter>, between| {
            prefilters.map(show).collect::<Vec<_>>().join(between)
        };
        let grammar = ast_grep_language::LanguageExt::get_ts_language(&SupportLang::Python);
        match prefilter {
            Prefilter::Anything => "_".to_owned(),
            Prefilter::Never => "never".to_owned(),
            Prefilter::Kind(kind) => grammar.node_kind_for_id(*kind).unwrap_or("?").to_owned(),
            Prefilter::Text(text) => format!("'{text}'"),
            Prefilter::Regex(regex) => format!("/{}/", regex.pattern()),
            Prefilter::Nth { position, from_end } => format!("{}{position}", if *from_end { "-" } else { "+" }),
            Prefilter::NoChild(prefilter) => format!("NoChild {}", show(prefilter)),
            Prefilter::All(prefilters) => format!("({})", list(&mut prefilters.iter(), " & ")),
            Prefilter::Any(prefilters) => {
                format!("({})", list(&mut prefilters.iter().map(GuardedPrefilter::prefilter), " | "))
            }
            Prefilter::Children(prefilters) => format!("[{}]", list(&mut prefilters.iter(), ", ")),
            Prefilter::Of(relation, prefilter) => format!("{relation:?} {}", show(prefilter.prefilter())),
        }
    }

    #[test]
    fn patterns_need_their_nodes_in_their_order() {
        assert_eq!(derived("{pattern: $A + 1}"), "(binary_operator & [_, +, (integer & '1')])");
        assert_eq!(
            derived("{pattern: 'f($A, $$$REST)'}"),
            "(call & [(identifier & 'f'), (argument_list & [(, _, ,])])",
            "behind `$$$` the bracket is not looked for",
        );
        assert_eq!(derived("{pattern: {context: '[1,]', strictness: relaxed}}"), "(list & [(integer & '1')])");
        assert_eq!(derived("{pattern: {context: '[x]', strictness: signature}}"), "(list & [identifier])");
        assert_eq!(derived("{kind: call, pattern: {context: 'f(x)', strictness: template}}"), "call");
    }

    #[test]
    fn variables_need_what_is_asked_of_them_unless_they_are_there_twice() {
        assert_eq!(derived("{pattern: 'not $ONCE'}"), "(not_operator & [not, list])");
        assert_eq!(derived("{pattern: '$ONCE + $ONCE'}"), "(binary_operator & [_, +, _])");
        assert_eq!(
            derived("{any: [{pattern: 'not $ONCE'}, {pattern: 'await $ONCE'}]}"),
            "((not_operator & [not, list]) | (await & [await, list]))",
        );
    }

    #[test]
    fn composite_rules_need_what_their_parts_need() {
        assert_eq!(derived("{any: [{kind: call}, {kind: list}]}"), "(call | list)");
        assert_eq!(derived("{kind: call, any: [{regex: a+}, {nthChild: 2n}]}"), "call");
        assert_eq!(derived("{kind: call, not: {has: {kind: list}}, matches: loads}").matches("loads").count(), 1);
        assert_eq!(derived("{kind: block, matches: loop}").matches("Child").count(), MAX_CALLS);
    }

    #[test]
    fn positions_are_looked_at_and_negated_where_they_are_exact() {
        assert_eq!(derived("{kind: call, nthChild: 2}"), "(call & +2)");
        assert_eq!(derived("{kind: call, has: {nthChild: {position: 3, reverse: true}}}"), "(call & Child -3)");
        assert_eq!(derived("{kind: call, nthChild: {position: 2, ofRule: {kind: call}}}"), "call");
        assert_eq!(derived("{kind: call, nthChild: 2n+1}"), "call");
        assert_eq!(derived("{kind: call, not: {has: {kind: list, nthChild: 1}}}"), "(call & NoChild (list & +1))");
        let one_of = "any: [{has: {kind: list}}, {regex: a}, {has: {kind: list, regex: a}}, {inside: {kind: list}}]";
        assert_eq!(derived(&format!("{{kind: call, not: {{{one_of}}}}}")), "(call & NoChild list)");
        for inexact in ["kind: list, stopBy: end", "kind: list, field: function", "nthChild: 2n", "kind: call > list"] {
            assert_eq!(derived(&format!("{{kind: call, not: {{has: {{{inexact}}}}}}}")), "call", "{inexact}");
        }
    }

    #[test]
    fn relations_reach_as_far_as_they_may() {
        assert_eq!(derived("{kind: call, has: {kind: list, stopBy: end}}"), "(call & Below list)");
        assert_eq!(derived("{kind: call, has: {kind: list, stopBy: {kind: block}}}"), "(call & Below list)");
        assert_eq!(derived("{kind: call, inside: {kind: list}}"), "(call & Parent list)");
        assert_eq!(derived("{kind: call, precedes: {kind: call > list}}"), "call", "a selector, not a kind");
        assert_eq!(
            derived("{kind: call, precedes: {kind: list}, follows: {kind: list}}"),
            "(call & Next list & Previous list)"
        );
        assert_eq!(derived("{kind: call, follows: {kind: list, stopBy: end}}"), "call");
    }

    #[test]
    fn regular_expressions_of_words_are_words() {
        let kind = "kind: identifier, regex";
        assert_eq!(derived(&format!("{{{kind}: ^get$}}")), "(identifier & 'get')");
        assert_eq!(derived(&format!("{{{kind}: ^(get|set)$}}")), "(identifier & ('get' | 'set'))");
        assert_eq!(derived(&format!("{{{kind}: ^get|set$}}")), "(identifier & /^get|set$/)");
        assert_eq!(derived(&format!("{{{kind}: ^(a|b)(c|d)$}}")), "(identifier & /^(a|b)(c|d)$/)");
    }
}
