//! What each table says, on a program of its language that has (nearly) all of it. The snapshots in `golden/metrics` are
//! read as those of `definitions.rs`.

use slopbench_metrics::RuleSet;
use slopbench_metrics::measurement::RefusalReason;

use crate::support::{PROGRAMS, annotated, measure_file};

/// The callables of a file as `name cc`.
fn complexities(path: &str, text: &str) -> Vec<String> {
    let callables = measure_file(path, text, &RuleSet::empty()).callables;
    callables.iter().map(|callable| format!("{} {}", callable.qualified_name, callable.cc)).collect()
}

#[test]
fn whole_programs() {
    let rules = RuleSet::builtin().unwrap_or_else(|error| panic!("{error}"));
    for (path, text) in PROGRAMS {
        let measurement = measure_file(path, text, &rules);
        assert_eq!(measurement.skipped, [], "{path}");
        insta::with_settings!({snapshot_path => "../../../../golden/metrics", prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!(format!("language-{path}"), annotated(text, &measurement));
        });
    }
}

#[test]
fn a_file_says_its_language() {
    let language = |path: &str| measure_file(path, "", &RuleSet::empty()).files[0].language.clone();
    for (language_name, paths) in [
        ("javascript", &["a.js", "a.jsx", "a.mjs", "a.cjs"][..]),
        ("typescript", &["a.ts", "a.mts", "a.cts", "a.tsx"]),
        ("rust", &["a.rs"]),
        ("go", &["a.go"]),
        ("java", &["a.java"]),
        ("c", &["a.c"]),
        ("cpp", &["a.cc", "a.cpp", "a.cxx", "a.hpp", "a.hh", "a.h"]),
    ] {
        paths.iter().for_each(|path| assert_eq!(language(path), language_name, "{path}"));
    }
}

#[test]
fn an_operator_is_a_decision_only_where_it_decides() {
    assert_eq!(complexities("a.cpp", "void f(T&& a, T&& b) { g(a && b); }"), ["f 2"]);
    assert_eq!(complexities("a.rs", "fn f() { g(&&a, || b || c) }"), ["f 2"]);
    assert_eq!(complexities("a.js", "function f(a) { a ??= b ?? c?.d; }"), ["f 3"]);
    assert_eq!(complexities("a.java", "class A { void f() { g(a & b, c && d); } }"), ["A.f 2"]);
}

#[test]
fn the_last_way_out_is_no_decision() {
    assert_eq!(complexities("a.rs", "fn f() { match a { 1 => b, 2 | 3 => c, _ => d } }"), ["f 3"]);
    assert_eq!(complexities("a.rs", "fn f() { match a { 1 if b => c, _ => d } }"), ["f 3"]);
    assert_eq!(complexities("a.rs", "fn f() { match a {} }"), ["f 1"]);
    for path in ["a.js", "a.ts", "a.c", "a.cpp"] {
        let text = "function f() { switch (a) { case 1: b; case 2: c; default: d; } }";
        let text = if path.starts_with("a.c") { text.replace("function", "void") } else { text.to_owned() };
        assert_eq!(complexities(path, &text), ["f 3"], "{path}");
    }
    assert_eq!(complexities("a.go", "func f() { switch a { case 1, 2: b()\ndefault: c() } }"), ["f 2"]);
}

#[test]
fn a_function_is_called_what_it_is_bound_to() {
    let text = "const a = () => 1; b.c = function () {}; x = { d: async () => 2, e() {} }; export default () => {};";
    assert_eq!(complexities("a.js", text), ["a 1", "b.c 1", "d 1", "e 1", "<anonymous> 1"]);
    assert_eq!(complexities("a.ts", "class A { b = ((c) => c) as D; }"), ["A.b 1"]);
    assert_eq!(complexities("a.go", "var a, b = func() {}, T{c: func() {}}"), ["a 1", "c 1"]);
}

#[test]
fn a_lambda_is_no_callable_and_neither_is_what_only_wraps_callables() {
    assert_eq!(complexities("a.js", "function f() { return rows.map((row) => row || 1); }"), ["f 2"]);
    assert_eq!(complexities("a.js", "app.get('/', (a, b) => { a || b; });"), ["<anonymous> 2"]);
    assert_eq!(complexities("a.js", "(function () { function f() {} f || g; })();"), ["f 1"]);
    assert_eq!(complexities("a.rs", "fn f() { g(|| { a || b }) }"), ["f 2"]);
    assert_eq!(complexities("a.java", "class A { B c = () -> { d(); }; void f() { e(() -> { }); } }"), ["A.f 1"]);
}

#[test]
fn what_has_no_body_or_lies_below_a_statement_is_not_listed() {
    assert_eq!(complexities("a.js", "if (a) { function f() {} }"), Vec::<String>::new());
    assert_eq!(complexities("a.ts", "declare function f(): void; interface A { g(): void }"), Vec::<String>::new());
    assert_eq!(complexities("a.rs", "trait A { fn f(); fn g() {} }"), ["A.g 1"]);
    assert_eq!(complexities("a.java", "interface A { void f(); default void g() {} }"), ["A.g 1"]);
    assert_eq!(complexities("a.cpp", "struct A { A() = default; void f(); void g() {} };"), ["A.g 1"]);
    assert_eq!(complexities("a.h", "#ifndef A\n#if B\nint* f() { return 0; }\n#endif\n#endif\n"), ["f 1"]);
}

#[test]
fn comments_are_no_code_wherever_they_are() {
    let text = "/* a\n\n b */ f(); // c\n// d\ng(`\n\n// e\n`); /* f */\n";
    let total = measure_file("a.js", text, &RuleSet::empty()).total;
    assert_eq!((total.total_lines, total.loc, total.sloc_lines), (8, 4, 4), "lines 3, 5, 7 and 8");
}

#[test]
fn what_the_grammar_does_not_know_is_counted_and_what_it_knows_nothing_of_is_left_out() {
    let broken = measure_file("a.java", "class A {\n  void f() {}\n  %%%;\n  void g() {}\n}\n", &RuleSet::empty());
    assert_eq!((broken.total.callables, broken.total.unparsed_lines), (2, 1));
    let garbage = measure_file("a.java", "}}}} ?? 1 { = ((\n", &RuleSet::empty());
    assert_eq!(garbage.skipped.first().map(|skipped| skipped.reason), Some(RefusalReason::Syntax));
}
