//! Whatever a file in any language holds, there is an answer or a named skip. Python's own limits are in `hostile.rs`.

use proptest::prelude::*;
use proptest::sample::Index;
use slopbench_metrics::RuleSet;
use slopbench_metrics::measurement::{Measurement, RefusalReason};

use crate::support::{PROGRAMS, measure_file, rules};

/// One name for each grammar.
const FILES: [&str; 9] = ["a.c", "a.cpp", "a.go", "a.java", "a.js", "a.py", "a.rs", "a.ts", "a.tsx"];

/// What nests, in one of the languages at least: before the middle, and after it.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("f(", ")"),
    ("a[", "]"),
    ("a<", ">"),
    ("!", ""),
    ("-", ""),
    ("*", ""),
    ("a.", ""),
    ("a+", ""),
    ("a&&", ""),
    ("a=", ""),
    ("a=>", ""),
    ("a?b:", ""),
    ("`${", "}`"),
    ("<a>", "</a>"),
    ("|a|", ""),
    ("if(a){", "}"),
    ("if a {", "}"),
    ("if(a);else ", ""),
    ("if a {} else ", ""),
    ("for(;;)", ""),
    ("while(a){", "}"),
    ("try{", "}catch(e){}"),
    ("switch(a){case 1:", "}"),
    ("match a {b=>", "}"),
    ("class A{", "}"),
    ("struct A{", "};"),
    ("mod a{", "}"),
    ("fn f(){", "}"),
    ("function f(){", "}"),
    ("func(){", "}"),
    ("void f(){", "}"),
    ("namespace a{", "}"),
    ("#if a\n", "#endif\n"),
    ("/*", "*/"),
    ("\"", "\""),
    ("R\"(", ")\""),
    ("r#\"", "\"#"),
    ("'", "'"),
    ("a:", ""),
    ("@a ", ""),
    ("template<", ">"),
];

/// Rules that look far up and down, in each language.
fn far() -> RuleSet {
    let kinds = [
        ("C", "translation_unit"),
        ("Cpp", "translation_unit"),
        ("Go", "source_file"),
        ("Java", "program"),
        ("JavaScript", "program"),
        ("Python", "module"),
        ("Rust", "source_file"),
        ("TypeScript", "program"),
        ("Tsx", "program"),
    ];
    let both = kinds.map(|(language, root)| {
        format!(
            "---\nid: up-{language}\nlanguage: {language}\nrule: {{kind: identifier, inside: {{kind: {root}, stopBy: end}}}}\n\
             ---\nid: down-{language}\nlanguage: {language}\nrule: {{kind: {root}, has: {{kind: identifier, stopBy: end}}}}\n\
             ---\nid: twice-{language}\nlanguage: {language}\nrule: {{pattern: $A + $A}}\n"
        )
    });
    rules(&both.concat())
}

/// What holds of every measurement of one file.
fn check(measurement: &Measurement) {
    assert_eq!(measurement.files.len() + measurement.skipped.len(), 1);
    let total = &measurement.total;
    let most = total.loc.max(total.sloc_lines);
    assert!(total.verbose_lines <= most && total.unparsed_lines <= most);
    assert!(total.total_lines >= total.clone_lines.max(total.flagged_lines).max(total.sloc_lines));
    assert!((0.0..=1.0).contains(&total.erosion) && total.complex_mass <= total.mass);
    assert!((0.0..=1.0).contains(&total.clone_ratio) && (0.0..=1.0).contains(&total.violation_ratio));
    for callable in &measurement.callables {
        assert!(callable.cc >= 1 && callable.start_line <= callable.end_line);
        assert!(callable.sloc <= callable.end_line - callable.start_line + 1);
    }
}

#[test]
fn a_hundred_thousand_brackets_are_answered() {
    for file in FILES {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            check(&measure_file(file, open.repeat(100_000) + &close.repeat(100_000), &RuleSet::empty()));
        }
    }
}

/// No deeper, since error recovery in tree-sitter takes time that is quadratic and worse in some of these.
#[test]
fn whatever_nests_is_answered_in_every_language() {
    for file in FILES {
        for (open, close) in NESTS {
            check(&measure_file(file, format!("{}1{}\n", open.repeat(300), close.repeat(300)), &RuleSet::empty()));
            check(&measure_file(file, open.repeat(300), &RuleSet::empty()));
        }
    }
}

/// What a parser has no bound for: before the repeated part, that part, and what closes it.
const DEEP: &[(&str, &str, &str, &str)] = &[
    ("a.c", "int a=", "(int)", ""),
    ("a.c", "void f(){", "if(a){}else ", ""),
    ("a.c", "", "a=>", ""),
    ("a.cpp", "namespace a{", "A<", ">"),
    ("a.cpp", "auto a=", "[]{return ", ";}"),
    ("a.go", "package a\nvar a = ", "func(){", "}"),
    ("a.go", "package a\nvar a ", "map[int]", ""),
    ("a.java", "class A{String a=", "\"a\"+", ""),
    ("a.java", "class A{Object a=", "()->", ""),
    ("a.java", "", "a=>", ""),
    ("a.js", "x=", "`${", "}`"),
    ("a.js", "x=a", ".a()", ""),
    ("a.rs", "", "/* ", "*/ "),
    ("a.rs", "fn f(){", "if a {} else ", ""),
    ("a.rs", "type A=", "Vec<", ">"),
    ("a.ts", "type A=", "A<", ">"),
    ("a.ts", "x=", "()=>", ""),
    ("a.tsx", "x=", "<a>", "</a>"),
    ("a.tsx", "", "if(a){", "}"),
];

#[test]
fn whatever_nests_a_hundred_thousand_times_is_answered() {
    for (file, before, open, close) in DEEP {
        let text = format!("{before}{}1{}\n", open.repeat(100_000), close.repeat(100_000));
        check(&measure_file(file, text, &RuleSet::empty()));
    }
}

#[test]
fn nesting_just_below_the_limit_is_measured_with_rules_that_look_far() {
    let rules = far();
    for (file, text) in [
        ("a.js", format!("x = {}1{};", "(".repeat(4_900), ")".repeat(4_900))),
        ("a.js", format!("x = {}1;", "a + ".repeat(4_900))),
        ("a.tsx", format!("x = {}1{};", "[".repeat(4_900), "]".repeat(4_900))),
        ("a.java", format!("class A {{ int a = {}1{}; }}", "(".repeat(4_900), ")".repeat(4_900))),
        ("a.go", format!("package a\nvar a = {}1{}", "(".repeat(4_900), ")".repeat(4_900))),
        ("a.rs", format!("fn f() {{ {}1{} }}", "{".repeat(2_400), "}".repeat(2_400))),
        ("a.cpp", format!("int a = {}1{};", "(".repeat(4_900), ")".repeat(4_900))),
    ] {
        let measurement = measure_file(file, text, &rules);
        assert_eq!(measurement.skipped, [], "{file}");
        check(&measurement);
    }
}

#[test]
fn deeper_trees_are_refused_with_their_line() {
    let text = format!("let x =\n{}1{};", "(".repeat(6_000), ")".repeat(6_000));
    let measurement = measure_file("a.js", text, &RuleSet::empty());
    let skipped: Vec<_> = measurement.skipped.iter().map(|skipped| (skipped.reason, skipped.line)).collect();
    assert_eq!(skipped, [(RefusalReason::TooDeep, Some(2))]);
}

#[test]
fn odd_characters_are_answered_in_every_language() {
    for file in FILES {
        for bytes in [
            &b"\0"[..],
            b"a\0b\n\0",
            b"\xef\xbb\xbfa = 1\r\nb = 2\r",
            b"\x0c\x0ba\x0c\n",
            b" \t a\n\t  b\n",
            b"\xed\xa0\x80",
            b"a \xed\xbf\xbf b",
            "\u{2028}\u{2029}\u{85}\u{feff}a\n".as_bytes(),
            "\"\u{10ffff}\u{1f468}\u{200d}\u{1f469}".as_bytes(),
        ] {
            check(&measure_file(file, bytes, &RuleSet::empty()));
        }
        let surrogate = measure_file(file, &b"a = '\xed\xa0\x80'"[..], &RuleSet::empty());
        assert_eq!(surrogate.skipped[0].reason, RefusalReason::NotUtf8, "{file}");
    }
}

#[test]
fn line_ends_and_byte_order_mark_change_nothing() {
    for (path, text) in PROGRAMS {
        let unix = measure_file(path, text, &RuleSet::empty());
        assert_eq!(unix, measure_file(path, text.replace('\n', "\r\n"), &RuleSet::empty()), "{path}");
        assert_eq!(unix, measure_file(path, format!("\u{feff}{text}"), &RuleSet::empty()), "{path}");
    }
}

#[test]
fn long_lines_are_answered_and_long_files_refused() {
    for file in FILES {
        let list = format!("a = [{}];\n", "1, ".repeat(100_000));
        check(&measure_file(file, list, &RuleSet::empty()));
        let string = format!("\"{}\"\n", "x".repeat(4_000_000));
        check(&measure_file(file, string, &RuleSet::empty()));
        let long = measure_file(file, vec![b'x'; 50_000_000], &RuleSet::empty());
        assert_eq!(long.skipped[0].reason, RefusalReason::TooLarge, "{file}");
    }
}

/// A program with some of its tokens left out, doubled or moved.
fn mutated() -> impl Strategy<Value = (&'static str, String)> {
    let edits = prop::collection::vec((any::<Index>(), 0..3, any::<Index>()), 0..12);
    (prop::sample::select(&PROGRAMS[..]), edits).prop_map(|((path, text), edits)| {
        let boundary = |before: char, after: char| before.is_alphanumeric() != after.is_alphanumeric() || after == '\n';
        let mut tokens: Vec<&str> = Vec::new();
        let mut start = 0;
        for ((_, before), (at, after)) in text.char_indices().zip(text.char_indices().skip(1)) {
            if boundary(before, after) || !after.is_alphanumeric() {
                tokens.push(&text[start..at]);
                start = at;
            }
        }
        tokens.push(&text[start..]);
        for (at, edit, other) in edits {
            let (at, other) = (at.index(tokens.len()), other.index(tokens.len()));
            match edit {
                0 => tokens[at] = "",
                1 => tokens.insert(at, tokens[other]),
                _ => tokens.swap(at, other),
            }
        }
        (path, tokens.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn arbitrary_bytes_are_answered(
        file in prop::sample::select(&FILES[..]),
        bytes in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        check(&measure_file(file, bytes, &RuleSet::empty()));
    }

    #[test]
    fn arbitrary_text_is_answered(file in prop::sample::select(&FILES[..]), text in "[ -~\n\t\u{e9}]{0,300}") {
        check(&measure_file(file, text, &RuleSet::empty()));
    }

    #[test]
    fn programs_with_errors_are_answered_twice_alike((path, text) in mutated()) {
        let measurement = measure_file(path, text.clone(), &RuleSet::empty());
        check(&measurement);
        prop_assert_eq!(measure_file(path, text, &RuleSet::empty()), measurement);
    }
}
