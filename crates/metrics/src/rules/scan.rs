//! Matching the rules on one file.

use ast_grep_config::RuleConfig;
use ast_grep_core::matcher::MatcherExt;
use ast_grep_language::SupportLang;
use tree_sitter::Node;

use super::dispatch::{Dispatch, LanguageRules};
use super::flat_tree::FlatTree;
use crate::language::NodeKind;
use crate::measurement::Match;
use crate::parse::Document;
use crate::tree::line_span;

/// The rules of one file, and its tree so far.
pub(crate) struct Scan<'a> {
    document: &'a Document,
    general: Option<&'a LanguageRules>,
    by_path: RulesByPath<'a>,
    /// Absent where there is no rule to ask.
    tree: Option<FlatTree<'a>>,
}

/// The rules for some paths that are for the file's, and which of them may match a node.
type RulesByPath<'a> = (Vec<&'a RuleConfig<SupportLang>>, Dispatch);

impl<'a> Scan<'a> {
    pub(super) fn new(document: &'a Document, general: Option<&'a LanguageRules>, by_path: RulesByPath<'a>) -> Self {
        let has_rules = general.is_some() || !by_path.1.is_empty();
        let nodes = document.root().get_inner_node().descendant_count();
        let tree = has_rules.then(|| FlatTree::with_capacity(document.source(), nodes));
        Scan { document, general, by_path, tree }
    }

    /// Takes the next node, which has `depth` nodes above it. All nodes must come, in the order of the text.
    pub(crate) fn enter(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        if let Some(tree) = &mut self.tree {
            tree.add(node, kind, depth);
        }
    }

    /// The matches, by first line, last line and rule.
    pub(crate) fn finish(self) -> Vec<Match<()>> {
        let Some(mut tree) = self.tree else {
            return Vec::new();
        };
        tree.close();
        let mut matching = Matching { document: self.document, tree, found: Vec::new() };
        if let Some(general) = self.general {
            matching.ask(general.dispatch(), |number| general.rule(number));
        }
        let (by_path, dispatch) = self.by_path;
        matching.ask(&dispatch, |number| by_path.get(number).copied());
        matching.found.sort();
        matching.found
    }
}

/// A whole tree, and the matches in it so far.
struct Matching<'a> {
    document: &'a Document,
    tree: FlatTree<'a>,
    found: Vec<Match<()>>,
}

impl Matching<'_> {
    /// Asks every rule that may match a node, node by node.
    fn ask<'r>(&mut self, dispatch: &Dispatch, rule: impl Fn(usize) -> Option<&'r RuleConfig<SupportLang>>) {
        // Usually there is no rule for some paths only.
        let nodes = if dispatch.is_empty() { 0..0 } else { self.tree.numbers() };
        for number in nodes {
            for rule in dispatch.candidates(&self.tree, number).filter_map(&rule) {
                if let Some(matched) = rule.matcher.match_node(self.document.adopt(self.tree.node(number))) {
                    let (start_line, end_line) = line_span(&matched.get_inner_node());
                    self.found.push(Match { path: (), start_line, end_line, rule: rule.id.clone() });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use ast_grep_language::{LanguageExt, SupportLang};
    use walkdir::WalkDir;

    use super::*;
    use crate::languages;
    use crate::rules::RuleSet;
    use crate::tree::{self, Visitor};

    /// Rules that use what the built-in ones do not, or in other places.
    const ODD_RULES: &str = r#"
{id: any-error, language: Python, rule: {kind: ERROR}}
---
{id: selector, language: Python, rule: {kind: 'call > identifier'}}
---
{id: far-around, language: Python, rule: {kind: call, inside: {kind: return_statement, stopBy: end}}}
---
{id: far-until, language: Python, rule: {kind: call, inside: {kind: block, stopBy: {kind: function_definition}}}}
---
{id: far-below, language: Python, rule: {kind: block, has: {regex: '^(self|x|ensure)$', stopBy: end}}}
---
{id: below-until, language: Python, rule: {kind: if_statement, has: {kind: call, stopBy: {kind: block}}}}
---
{id: field, language: Python, rule: {kind: assignment, has: {field: right, regex: '^\w+$', stopBy: end}}}
---
{id: neighbours, language: Python, rule: {kind: identifier, follows: {pattern: (}, precedes: {regex: '^[,)]$'}}}
---
{id: neighbours-of-any-kind, language: Python, rule: {kind: comment, any: [{precedes: {kind: comment}}, {follows: {regex: .}}]}}
---
{id: far-neighbours, language: Python, rule: {kind: expression_statement, follows: {kind: if_statement, stopBy: end}}}
---
{id: among-many, language: Python, rule: {pattern: '$F($$$A, $B, $$$C)'}}
---
{id: last-of-many, language: Python, rule: {pattern: '$F($A, $$$B,)'}}
---
{id: second-of-many, language: Python, rule: {kind: identifier, nthChild: 2}}
---
{id: last-but-one, language: Python, rule: {kind: expression_statement, nthChild: {position: 2, reverse: true}}}
---
{id: every-other, language: Python, rule: {kind: expression_statement, nthChild: 2n+1}}
---
{id: second-call, language: Python, rule: {kind: call, nthChild: {position: 2, ofRule: {kind: call}}}}
---
{id: with-three, language: Python, rule: {kind: argument_list, has: {nthChild: 3}}}
---
{id: with-none, language: Python, rule: {kind: argument_list, not: {has: {nthChild: 1}}}}
---
{id: with-neither, language: Python, rule: {kind: argument_list, not: {any: [{has: {kind: string}}, {has: {nthChild: 2}}, {regex: x}]}}}
---
{id: other-first, language: Python, rule: {kind: block, not: {has: {kind: expression_statement, nthChild: 1}}}}
---
{id: empty, language: Python, rule: {any: [{pattern: '[]'}, {pattern: '()'}, {pattern: 'f()'}, {pattern: '""'}]}}
---
{id: tree-only, language: Python, rule: {pattern: {context: '$F($A,)', strictness: ast}}}
---
{id: without-comments, language: Python, rule: {pattern: {context: '[$A, $B,]', strictness: relaxed}}}
---
{id: without-text, language: Python, rule: {pattern: {context: 'f(a)', strictness: signature}}}
---
{id: every-token, language: Python, rule: {pattern: {context: '$F($A)', strictness: cst}}}
---
{id: text-only, language: Python, rule: {kind: call, pattern: {context: 'len($A)', strictness: template}}}
---
{id: part, language: Python, rule: {pattern: {context: '{$K: $V}', selector: pair}}}
---
{id: one-of-two, language: Python, rule: {any: [{kind: call, has: {kind: attribute}}, {kind: list, has: {kind: list}}]}}
---
{id: nested, language: Python, rule: {kind: block, matches: n}, utils: {n: {has: {any: [{kind: pass_statement}, {matches: n}]}}}}
---
{id: once, language: Python, rule: {pattern: $A = $B}, constraints: {A: {kind: identifier}, B: {regex: '[(]'}}}
---
{id: twice, language: Python, rule: {pattern: $A = $A + $B}, constraints: {A: {kind: identifier}}}
---
{id: not-there, language: Python, rule: {kind: function_definition, not: {has: {kind: block, has: {kind: return_statement}}}}}
---
{id: for-some-files, language: Python, files: ['*.py'], rule: {pattern: 'return $A', inside: {kind: block}}}
"#;

    impl<'a> Visitor<'a> for Scan<'a> {
        fn enter(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
            self.enter(node, kind, depth);
        }
        fn leave(&mut self, _: Node<'a>, _: NodeKind, _: u32) {}
    }

    fn filtered(path: &str, document: &Document, rules: &RuleSet) -> Vec<Match<()>> {
        let mut scan = rules.scan(path, document);
        let language = languages::of_path(Path::new(path)).expect("a known language");
        tree::walk(document.root().get_inner_node(), language.kinds(), &mut scan);
        scan.finish()
    }

    /// What the engine says when every rule is asked about every node.
    fn unfiltered(path: &str, document: &Document, rules: &RuleSet) -> Vec<Match<()>> {
        let scan = rules.scan(path, document);
        let general = scan.general.into_iter().flat_map(LanguageRules::rules);
        let general = general.map(|rule| rule.get().expect("a rule that compiles"));
        let rules: Vec<&RuleConfig<SupportLang>> = general.chain(scan.by_path.0).collect();
        let mut found = Vec::new();
        for node in document.root().dfs() {
            for rule in rules.iter().filter(|rule| rule.matcher.match_node(node.clone()).is_some()) {
                let (start_line, end_line) = line_span(&node.get_inner_node());
                found.push(Match { path: (), start_line, end_line, rule: rule.id.clone() });
            }
        }
        found.sort();
        found
    }

    /// The rules' fixtures and the references of the problems, as they end. Fixtures are YAML, which makes them bad programs.
    fn corpus() -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let problems = WalkDir::new(root.join("../../problems")).min_depth(1).max_depth(1).sort_by_file_name();
        let problems = problems.into_iter().map(|problem| problem.expect("a readable folder").into_path());
        let solutions = problems.map(|problem| problem.join("solution/python")).filter(|folder| folder.exists());
        let ends = solutions.filter_map(|solution| {
            let checkpoints = WalkDir::new(solution).min_depth(1).max_depth(1).sort_by_file_name();
            checkpoints.into_iter().last().map(|checkpoint| checkpoint.expect("a readable folder").into_path())
        });
        let files = ends.chain([root.join("rules/tests")]).flat_map(|folder| WalkDir::new(folder).sort_by_file_name());
        let files = files.map(|file| file.expect("a readable folder").into_path());
        let is_text = |path: &Path| path.extension().is_some_and(|extension| extension == "py" || extension == "yml");
        files.filter(|path| is_text(path)).map(|path| std::fs::read_to_string(path).expect("a readable file")).collect()
    }

    /// Bad programs have nodes that are missing, empty, or of no kind.
    fn without_every_seventh_line(text: &str) -> String {
        let lines = text.lines().enumerate().filter(|(at, _)| at % 7 != 3);
        lines.map(|(_, line)| line.trim_start_matches("- ").to_owned() + "\n").collect()
    }

    #[test]
    fn rules_that_are_not_asked_would_not_match() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("odd.yml"), ODD_RULES).expect("a writable folder");
        let odd = RuleSet::load(folder.path()).unwrap_or_else(|error| panic!("{error}"));
        let built_in = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
        let mut matched = std::collections::BTreeSet::new();
        for text in corpus().iter().flat_map(|text| [text.clone(), without_every_seventh_line(text)]) {
            let document = SupportLang::Python.ast_grep(&text);
            for rules in [&built_in, &odd] {
                let found = unfiltered("a.py", &document, rules);
                assert_eq!(filtered("a.py", &document, rules), found, "{text}");
                matched.extend(found.into_iter().map(|found| found.rule));
            }
        }
        let unmatched: Vec<_> = odd.ids().iter().filter(|id| !matched.contains(*id)).collect();
        assert_eq!(unmatched, Vec::<&String>::new(), "what never matches tests nothing");
    }

    /// Where the other languages' rules match: the fixtures whose names start so, and the example programs.
    const OTHERS: [(&str, &str); 8] = [
        ("a.c", "cpp-"),
        ("a.cpp", "cpp-"),
        ("a.go", "go-"),
        ("a.java", "java-"),
        ("a.js", "js-"),
        ("a.rs", "rust-"),
        ("a.ts", "js-"),
        ("a.tsx", "js-"),
    ];

    fn texts(of_rules: &str) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/tests");
        let files = WalkDir::new(root).sort_by_file_name().into_iter().map(|file| file.expect("a readable folder"));
        let files = files.filter(|file| file.file_name().to_string_lossy().starts_with(of_rules));
        files.map(|file| std::fs::read_to_string(file.path()).expect("a readable file")).collect()
    }

    #[test]
    fn rules_of_other_languages_that_are_not_asked_would_not_match() {
        let built_in = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let programs: Vec<_> = WalkDir::new(programs)
            .into_iter()
            .filter_map(|file| std::fs::read_to_string(file.expect("a readable folder").path()).ok())
            .collect();
        for (path, of_rules) in OTHERS {
            let language = languages::of_path(Path::new(path)).expect("a known language");
            let mut matched = std::collections::BTreeSet::new();
            let texts = texts(of_rules).into_iter().chain(programs.clone());
            for text in texts.flat_map(|text| [without_every_seventh_line(&text), text]) {
                let document = language.grammar.ast_grep(&text);
                let found = unfiltered(path, &document, &built_in);
                assert_eq!(filtered(path, &document, &built_in), found, "{path}: {text}");
                matched.extend(found.into_iter().map(|found| found.rule));
            }
            let has_rules = built_in.ids().iter().any(|id| id.starts_with(of_rules)) && path != "a.c";
            assert!(!has_rules || matched.len() >= 2, "{path}: what never matches tests nothing: {matched:?}");
        }
    }
}
