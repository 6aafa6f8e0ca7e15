//! Whatever a file holds, there is an answer or a named skip: no panic, no stack overflow, no endless loop.

use crate::support::{measure_bytes, measure_text, refusal, rules};
use proptest::prelude::*;
use slopbench_metrics::measurement::RefusalReason;
use slopbench_metrics::{RuleSet, measure_sources};

/// Rules that look far up and down, and one that compares two parts of a match.
const FAR: &str = "
id: up
language: Python
rule: {kind: integer, inside: {kind: module, stopBy: end}}
---
id: down
language: Python
rule: {kind: expression_statement, has: {kind: integer, stopBy: end}}
---
id: twice
language: Python
rule: {pattern: $A + $A}
";

#[test]
fn a_hundred_thousand_brackets_are_too_deep() {
    for bracket in ["(", "[", "{", "f(", "a[", "{1:", "f'{", "lambda: (", "not (", "-", "not ", "a.b(", "await ("] {
        let reason = refusal(bracket.repeat(100_000)).map(|(reason, _)| reason);
        assert_eq!(reason, Some(RefusalReason::TooDeep), "{bracket}");
    }
    assert_eq!(refusal("1+".repeat(1_000_000) + "1").map(|(reason, _)| reason), Some(RefusalReason::TooDeep));
}

#[test]
fn what_is_as_deep_as_allowed_is_measured() {
    let rules = rules(FAR);
    let indented: String = (0..99).map(|level| " ".repeat(level) + "if a:\n").collect();
    for text in [
        "(".repeat(190) + "1" + &")".repeat(190),
        "1+".repeat(2_900) + "1\n",
        "not ".repeat(2_900) + "1\n",
        format!("x = {}\n", "a and ".repeat(2_900) + "1"),
        indented + &" ".repeat(99) + "pass\n",
        format!("if a: pass\n{}", "elif a: pass\n".repeat(2_900)),
    ] {
        let measurement = measure_bytes(text, &rules);
        assert_eq!(measurement.skipped, []);
    }
}

#[test]
fn functions_as_deep_as_allowed_have_a_cognitive_complexity() {
    let complexity = |text: &str| measure_text(text).callables[0].cognitive;
    let deep = "a if b else ".repeat(2_900);
    assert_eq!(complexity(&format!("def f(): return {deep} c\n")), Some((1..=2_900).sum()));
    let wrappers: String = (0..98).map(|level| " ".repeat(level) + "def f():\n").collect();
    assert_eq!(complexity(&format!("{wrappers}{}return a if b else c\n", " ".repeat(98))), Some(1));
}

#[test]
fn broken_code_that_nests_without_brackets_is_refused() {
    for text in [
        "if a: ",
        "class a: ",
        "lambda ",
        "yield ",
        "await ",
        "for a in ",
        "else: ",
        "match a: ",
        "def f(): ",
        "\\\n",
        "@",
        "*",
    ] {
        assert!(refusal(text.repeat(100_000)).is_some(), "{text}");
    }
}

/// The line is split there for radon's count, and what was a comment is parsed as code.
#[test]
fn brackets_after_a_form_feed_in_a_comment_are_no_code() {
    let text = format!("a = 1 #\x0c {}\n", "[".repeat(100_000));
    assert_eq!(measure_text(&text).total.loc, 1);
}

/// As in CPython's `test_compile.py`: the grammar takes `b)` for the end of the block, and loses everything around it.
#[test]
fn what_only_the_grammar_cannot_read_is_named() {
    let text = "class A:\n    def f(self):\n        def g():\n            (a.\n        b)\n            (a.\n        b(\n        ))\n        return g\n";
    let total = measure_text(text).total;
    assert_eq!((total.files, total.callables), (1, 0));
    assert!(total.unparsed_lines > 0, "{total:?}");
    assert_eq!(measure_text("def f():\n    (a.\n    b)\n").total.unparsed_lines, 0);
}

/// Valid Python that is long in one direction: each is measured, or refused for its depth.
#[test]
fn what_is_valid_and_long_is_answered() {
    let continued = format!("a = 1{}\n", " + \\\n1".repeat(2_000));
    let decorated = "@a\n".repeat(100_000) + "def f(): pass\n";
    let cases = format!("match a:\n{}", "    case 1: pass\n".repeat(100_000));
    let handlers = format!("try: pass\n{}", "except a: pass\n".repeat(100_000));
    let strings = format!("a = ({})\n", "f'{b!r:>{c}}' ".repeat(50_000));
    for text in [continued, decorated, cases, handlers, strings, "a; ".repeat(100_000)] {
        assert_eq!(refusal(text), None);
    }
    let chain = format!("if a: pass\n{}", "elif a: pass\n".repeat(100_000));
    for text in [chain, "1 + ".repeat(250_000) + "1", "a < b and ".repeat(100_000) + "c"] {
        assert_eq!(refusal(text).map(|(reason, _)| reason), Some(RefusalReason::TooDeep));
    }
}

#[test]
fn very_long_lines_and_files_are_measured() {
    let list = format!("a = [{}]\n", "1, ".repeat(300_000));
    assert_eq!(measure_text(&list).total.loc, 1);
    let string = format!("a = '{}'\n", "x".repeat(5_000_000));
    assert_eq!(measure_text(&string).total.sloc_lines, 1);
    assert_eq!(measure_text(&"\n".repeat(1_000_000)).total.total_lines, 1_000_000);
    let reason = refusal(vec![b' '; (16 << 20) + 1]).map(|(reason, _)| reason);
    assert_eq!(reason, Some(RefusalReason::TooLarge));
}

#[test]
fn integers_are_limited_as_in_cpython() {
    assert_eq!(refusal("1".repeat(4_300)), None);
    assert_eq!(refusal("a\n".to_owned() + &"1".repeat(4_301)), Some((RefusalReason::Syntax, Some(2))));
    assert_eq!(refusal("0x".to_owned() + &"1".repeat(5_000)), None);
}

/// Functions in functions: each is a clone unit that contains all the following ones.
#[test]
fn deeply_nested_units_take_linear_time() {
    let nest = |name: &str| -> String {
        (0..90).map(|level| format!("{0}def {name}{level}(a):\n{0} b = a\n", " ".repeat(level))).collect()
    };
    let measurement = measure_text(&(nest("f") + &nest("g")));
    assert_eq!(measurement.total.clone_lines, measurement.total.total_lines);
}

/// Fragments that make half-valid programs more likely than random bytes do.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "if a:\n",
        "    ",
        "\t",
        "\n",
        "def f(x):\n",
        "return ",
        "class A:\n",
        "pass\n",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "f'",
        "'",
        "\"\"\"",
        "{a!r:>{b}}",
        "\\\n",
        "#c\n",
        "x",
        " = ",
        "1",
        "1.5",
        ":",
        ",",
        "\x0c",
        "\r",
        "\u{2028}",
        "\u{feff}",
        "match x:\n",
        "case _:\n",
        "try:\n",
        "except* E:\n",
        "for x in y:\n",
        "async ",
        "lambda: ",
        "print(x)\n",
        "é",
        "\0",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn arbitrary_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let measurement = measure_bytes(bytes, &rules(FAR));
        prop_assert_eq!(measurement.files.len() + measurement.skipped.len(), 1);
    }

    #[test]
    fn half_valid_programs_are_answered_twice_alike(text in pieces()) {
        let rules = rules(FAR);
        let measurement = measure_bytes(text.clone(), &rules);
        prop_assert_eq!(measurement.files.len() + measurement.skipped.len(), 1);
        let total = &measurement.total;
        prop_assert!(total.loc >= total.verbose_lines || total.sloc_lines >= total.verbose_lines);
        prop_assert!(total.total_lines >= total.clone_lines.max(total.flagged_lines).max(total.sloc_lines));
        prop_assert_eq!(measure_bytes(text, &rules), measurement);
    }

    #[test]
    fn both_parsers_list_the_same_callables(text in pieces()) {
        let measurement = measure_text(&text);
        for file in &measurement.files {
            prop_assert_eq!(file.measures.radon.map(|radon| radon.raw.sloc), Some(file.measures.loc));
        }
        for callable in &measurement.callables {
            prop_assert!(callable.cognitive.is_some() && callable.nesting.is_some(), "{}", callable.qualified_name);
        }
    }

    #[test]
    fn the_order_of_the_files_does_not_matter(texts in prop::collection::vec(pieces(), 0..6), by in 0_usize..6) {
        let name = |(index, text): (usize, String)| (format!("{index}.py"), text.into_bytes());
        let mut sources: Vec<_> = texts.into_iter().enumerate().map(name).collect();
        let forwards = measure_sources(&sources, &RuleSet::empty());
        let by = by.min(sources.len());
        sources.rotate_left(by);
        prop_assert_eq!(measure_sources(&sources, &RuleSet::empty()), forwards);
    }
}
