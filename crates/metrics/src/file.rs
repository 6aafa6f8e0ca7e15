//! One file: parsed once, walked once, and everything counted on the way.

use tree_sitter::Node;

use crate::callables::Callables;
use crate::clones::Clones;
use crate::configuration::Configuration;
use crate::extra_measures::ExtraMeasures;
use crate::language::{Facts, Language, NodeKind, NodeKinds};
use crate::line_set::LineSet;
use crate::measurement::{Callable, FileLines, Match, Measures};
use crate::parse::{self, Document};
use crate::refusal::Refusal;
use crate::rules::{RuleSet, Scan, Tier};
use crate::suppress::{self, CheckedMatches};
use crate::syntax;
use crate::tree::{self, Visitor};

/// What is known about one file, wherever it lies.
pub(crate) struct FileReport {
    pub(crate) language: &'static str,
    pub(crate) measures: Measures,
    pub(crate) lines: FileLines,
    pub(crate) callables: Vec<Callable<()>>,
    pub(crate) checked: CheckedMatches,
    pub(crate) extra: Option<ExtraMeasures>,
}

/// Measures the text of the file at `path`, on which rules and suppressions may depend; without a configuration,
/// nothing is suppressed.
pub(crate) fn measure(
    path: &str,
    text: &str,
    language: &Language,
    rules: &RuleSet,
    configuration: Option<&Configuration>,
) -> Result<FileReport, Refusal> {
    let own_facts = language.analyze.map(|analyze| analyze(text)).transpose()?;
    let document = parse::parse(text, language.grammar)?;
    let root = document.root().get_inner_node();
    let facts = match own_facts {
        Some(facts) => Facts { unparsed: syntax::unparsed(root, language.kinds(), &facts.sloc), ..facts },
        None => syntax::facts(text, root, language.kinds())?,
    };
    let mut counted = count(path, &document, language.kinds(), &facts.code, rules);
    let checked = match configuration {
        Some(configuration) => suppress::check(counted.matches, path, &document, language, configuration),
        None => CheckedMatches { kept: counted.matches, ..CheckedMatches::default() },
    };
    let lines = FileLines { sloc: facts.sloc, clone: counted.clone_lines, flagged: flagged(&checked.kept, rules) };
    let mut measures = Measures {
        files: 1,
        total_lines: slopbench_text::count_lines(text.as_bytes()),
        loc: facts.loc,
        sloc_lines: lines.sloc.len(),
        unparsed_lines: facts.unparsed.len(),
        clone_lines: lines.clone.len(),
        flagged_lines: lines.flagged.len(),
        sloc_clone_lines: lines.clone.common(&lines.sloc),
        violations: count_in(Tier::Verbosity, &checked.kept, rules),
        advice_matches: count_in(Tier::Advice, &checked.kept, rules),
        verbose_lines: lines.flagged.union(&lines.clone).common(&lines.sloc),
        ..Measures::default()
    };
    if let Some(extra) = &facts.extra {
        extra.complete(&mut measures, &mut counted.callables);
    }
    measures.set_callables(counted.callables.iter());
    let (measures, callables, extra) = (measures.with_ratios(), counted.callables, facts.extra);
    Ok(FileReport { language: language.name, measures, lines, callables, checked, extra })
}

struct Counted {
    callables: Vec<Callable<()>>,
    clone_lines: LineSet,
    matches: Vec<Match<()>>,
}

fn count(path: &str, document: &Document, kinds: &NodeKinds, code: &LineSet, rules: &RuleSet) -> Counted {
    let root = document.root().get_inner_node();
    let mut counters = Counters {
        callables: Callables::new(kinds, document.source(), code),
        clones: Clones::new(document.source()),
        scan: rules.scan(path, document),
    };
    tree::walk(root, kinds, &mut counters);
    Counted {
        callables: counters.callables.finish(),
        clone_lines: counters.clones.finish(),
        matches: counters.scan.finish(),
    }
}

/// The lines of the matches that count.
fn flagged(matches: &[Match<()>], rules: &RuleSet) -> LineSet {
    let mut lines = LineSet::default();
    let counted = matches.iter().filter(|found| rules.is_in(Tier::Verbosity, &found.rule));
    counted.for_each(|found| lines.insert_span(found.start_line..=found.end_line));
    lines
}

fn count_in(tier: Tier, matches: &[Match<()>], rules: &RuleSet) -> u64 {
    matches.iter().filter(|found| rules.is_in(tier, &found.rule)).count() as u64
}

/// Everything that is counted on the one walk.
struct Counters<'a> {
    callables: Callables<'a>,
    clones: Clones<'a>,
    scan: Scan<'a>,
}

impl<'a> Visitor<'a> for Counters<'a> {
    fn enter(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        self.callables.enter(node, kind, depth);
        self.clones.enter(node, kind, depth);
        self.scan.enter(node, kind, depth);
    }

    fn leave(&mut self, node: Node<'a>, kind: NodeKind, depth: u32) {
        self.callables.leave(node, kind, depth);
        self.clones.leave(node, kind, depth);
    }
}
