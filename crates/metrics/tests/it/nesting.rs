//! How deeply blocks nest, one rule a test.

use crate::support::measure_text;

/// The depth of a function with this body.
fn of(body: &str) -> u32 {
    let indented: String = body.lines().map(|line| format!("    {line}\n")).collect();
    measure_text(&format!("def f():\n{indented}")).callables[0].nesting.expect("Python")
}

#[test]
fn each_compound_statement_is_a_level() {
    assert_eq!(of("return a"), 0);
    for head in ["if a:", "for a in b:", "async for a in b:", "while a:", "with a:", "try:\n    b\nfinally:"] {
        assert_eq!(of(&format!("{head}\n    pass")), 1, "{head}");
    }
    assert_eq!(of("match a:\n    case 1: pass"), 1);
    assert_eq!(of("if a:\n    for b in c:\n        with d: pass\n    e"), 3);
}

#[test]
fn a_clause_is_as_deep_as_its_statement() {
    assert_eq!(of("if a: pass\nelif b: pass\nelif c: pass\nelse: pass"), 1);
    assert_eq!(of("if a: pass\nelse:\n    if b: pass"), 2);
    assert_eq!(of("try: pass\nexcept A:\n    if b: pass\nelse:\n    while c: pass"), 2);
    assert_eq!(of("match a:\n    case 1:\n        if b: pass"), 2);
}

#[test]
fn expressions_are_no_level() {
    assert_eq!(of("return [a if b else c for d in e if (lambda: f)]"), 0);
}

#[test]
fn what_is_in_an_inner_function_or_class_counts_and_they_themselves_do_not() {
    assert_eq!(of("def g():\n    if a: pass"), 1);
    assert_eq!(of("if a:\n    class B:\n        def g(self):\n            if c: pass"), 2);
}

#[test]
fn the_total_has_mean_and_maximum() {
    let measurement = measure_text("def f(): pass\ndef g():\n    if a:\n        for b in c: pass\n");
    let spread = measurement.total.nesting.expect("two callables");
    assert_eq!((spread.mean, spread.max), (1.0, 2));
}
