//! Suppression by comment: what suppresses, what does not, and that all of it is shown.

use slopbench_metrics::{Configuration, Measurement, Overrides, Roots, SuppressedBy, measure, measure_roots};

use crate::support::{folder, rules};

const RULES: &str = "id: no-print\nlanguage: Python\nrule: {pattern: print($$$)}\n---\nid: no-eval\nlanguage: Python\nrule: {pattern: eval($A)}\n";

fn measured(text: &str) -> (Measurement, Overrides) {
    let folder = folder(&[("a.py", text)]);
    let roots = Roots::one(folder.path()).expect("a folder");
    let measurement = measure_roots(&roots, &rules(RULES), Some(&Configuration::default()));
    let measurement = measurement.expect("a folder");
    let overrides = measurement.overrides.clone().expect("an owner's measurement has overrides");
    (measurement, overrides)
}

/// In each of the other grammars: at the end of the line, on a line of its own, and in no string.
#[test]
fn a_comment_of_another_language_suppresses_as_well() {
    for (file, language, one, start, end) in [
        ("a.c", "C", "number_literal", "void f() {\n", "}\n"),
        ("a.cpp", "Cpp", "number_literal", "void f() {\n", "}\n"),
        ("a.go", "Go", "int_literal", "package a; func f() {\n", "}\n"),
        ("a.java", "Java", "decimal_integer_literal", "class A { void f() {\n", "} }\n"),
        ("a.js", "JavaScript", "number", "{\n", "}\n"),
        ("a.jsx", "JavaScript", "number", "{\n", "}\n"),
        ("a.rs", "Rust", "integer_literal", "fn f() {\n", "}\n"),
        ("a.ts", "TypeScript", "number", "{\n", "}\n"),
        ("a.tsx", "Tsx", "number", "{\n", "}\n"),
    ] {
        let rule = format!("id: no-one\nlanguage: {language}\nrule: {{kind: {one}}}\n");
        let comment = "// slopbench: ignore[no-one] for people";
        let text = format!("{start}f(1); {comment}\n{comment}\nf(1);\nf(\"{comment}\", 1);\nf(1);\n{end}");
        let folder = folder(&[(file, &text)]);
        let roots = Roots::one(folder.path()).expect("a folder");
        let measurement = measure_roots(&roots, &rules(&rule), Some(&Configuration::default())).expect("a folder");
        let lines = |found: &mut dyn Iterator<Item = u32>| {
            let mut lines: Vec<_> = found.collect();
            lines.dedup();
            lines
        };
        assert_eq!(lines(&mut measurement.matches.iter().map(|found| found.start_line)), [5, 6], "{file}");
        let overrides = measurement.overrides.expect("an owner's measurement has overrides");
        assert_eq!(lines(&mut overrides.suppressed.iter().map(|one| one.found.start_line)), [2, 4], "{file}");
    }
}

/// The lines of the matches that count, and of those that do not.
fn lines(text: &str) -> (Vec<u32>, Vec<u32>) {
    let (measurement, overrides) = measured(text);
    let kept = measurement.matches.iter().map(|found| found.start_line).collect();
    (kept, overrides.suppressed.iter().map(|suppressed| suppressed.found.start_line).collect())
}

/// Line and text of the first thing that does not fit.
fn misfit(text: &str) -> (u32, String) {
    let (_, overrides) = measured(text);
    let first = overrides.misfits.first().expect("a misfit");
    (first.line, first.detail.clone())
}

#[test]
fn a_comment_at_the_end_of_the_line_suppresses_and_says_why() {
    let (measurement, overrides) = measured("print(1)  # slopbench: ignore[no-print] for people\nprint(2)\n");
    assert_eq!((measurement.total.flagged_lines, measurement.total.verbose_lines), (1, 1));
    let [suppressed] = &overrides.suppressed[..] else { panic!("one suppressed match: {overrides:?}") };
    assert_eq!((&*suppressed.found.rule, suppressed.found.start_line), ("no-print", 1));
    assert_eq!((suppressed.by, &*suppressed.reason), (SuppressedBy::Comment, "for people"));
    assert_eq!((overrides.configuration, overrides.misfits), (None, vec![]));
}

#[test]
fn a_comment_of_its_own_speaks_of_the_next_line_only() {
    assert_eq!(lines("# slopbench: ignore[no-print] for people\nprint(1)\nprint(2)\n"), (vec![3], vec![2]));
    assert_eq!(lines("# slopbench: ignore[no-print] for people\n\nprint(1)\n"), (vec![3], vec![]));
}

#[test]
fn comments_of_their_own_may_stand_above_each_other() {
    let text = "# slopbench: ignore[no-print] people\n# slopbench: ignore[no-eval] trusted\nprint(eval(x))\n";
    assert_eq!(lines(text), (vec![], vec![3, 3]));
}

#[test]
fn a_match_over_several_lines_is_met_at_its_first() {
    assert_eq!(lines("print(  # slopbench: ignore[no-print] for people\n    1,\n)\n"), (vec![], vec![1]));
    assert_eq!(lines("print(\n    1,  # slopbench: ignore[no-print] for people\n)\n"), (vec![1], vec![]));
}

#[test]
fn a_comment_may_follow_another_and_name_several_rules() {
    assert_eq!(lines("print(eval(x))  # noqa # slopbench: ignore[no-print, no-eval] old\n"), (vec![], vec![1, 1]));
}

#[test]
fn a_whole_file_may_be_spoken_of() {
    let text = "# slopbench: ignore-file[no-print] a script\nprint(1)\nprint(2)\neval(x)\n";
    assert_eq!(lines(text), (vec![4], vec![2, 3]));
}

#[test]
fn only_comments_suppress() {
    assert_eq!(lines("print('# slopbench: ignore[no-print] a string')\n"), (vec![1], vec![]));
    assert_eq!(lines("'''\n# slopbench: ignore-file[no-print] a docstring\n'''\nprint(1)\n"), (vec![4], vec![]));
    let (_, overrides) = measured("x = 1  # how to write slopbench: ignore is in the manual\n");
    assert_eq!(overrides.misfits, [], "text about it is no suppression");
}

#[test]
fn what_suppresses_nothing_is_named() {
    let unused = "`no-print` matches nothing here; remove the suppression".to_owned();
    assert_eq!(misfit("x = 1\ny = 2  # slopbench: ignore[no-print] once\n"), (2, unused.clone()));
    assert_eq!(misfit("# slopbench: ignore-file[no-print] once\n"), (1, unused));
}

#[test]
fn without_rules_or_a_reason_nothing_is_suppressed() {
    for comment in ["ignore", "ignore[] why", "ignore[no-print,] why", "ignore no-print", "off[no-print] why", ""] {
        let text = format!("print(1)  # slopbench: {comment}\n");
        assert_eq!(lines(&text), (vec![1], vec![]), "{comment}");
        let expected = format!("expected `slopbench: ignore[rule] reason`, or `ignore-file`; got `{comment}`");
        assert_eq!(misfit(&text), (1, expected));
    }
    let (line, detail) = misfit("print(1)  # slopbench: ignore[no-print]\n");
    assert_eq!((line, &*detail), (1, "`ignore[no-print]` gives no reason; write one behind the bracket"));
}

/// A solution under test is measured by others: it could silence the measure.
#[test]
fn who_is_measured_by_others_has_no_say() {
    let text = "# slopbench: ignore-file[no-print] because\nprint(1)  # slopbench: ignore[no-print] because\n";
    let configuration = "exclude = ['b.py']\n[[suppress]]\nrule = 'no-print'\npaths = ['*']\nreason = 'because'\n";
    let folder = folder(&[("a.py", text), ("b.py", "print(2)\n"), ("slopbench.toml", configuration)]);
    let measurement = measure(folder.path(), &rules(RULES)).expect("a folder");
    assert_eq!((measurement.total.files, measurement.total.flagged_lines), (2, 2));
    assert_eq!(measurement.overrides, None);
    let json = serde_json::to_value(&measurement).expect("every measurement is JSON");
    assert!(json.get("overrides").is_none(), "what is archived knows nothing of it");
}
