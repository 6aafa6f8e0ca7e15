//! Cognitive complexity, one rule a test.

use crate::support::measure_text;

/// The complexity of a function with this body.
fn of(body: &str) -> u32 {
    let indented: String = body.lines().map(|line| format!("    {line}\n")).collect();
    measure_text(&format!("def f():\n{indented}")).callables[0].cognitive.expect("Python")
}

#[test]
fn nesting_makes_a_branch_dearer() {
    assert_eq!(of("return a"), 0);
    assert_eq!(of("if a: pass"), 1);
    assert_eq!(of("for a in b:\n    while c:\n        if d: pass"), 1 + 2 + 3);
    assert_eq!(of("with a:\n    if b: pass"), 1);
}

#[test]
fn an_elif_or_else_costs_one_however_deep() {
    assert_eq!(of("if a: pass\nelif b: pass\nelse: pass"), 3);
    assert_eq!(of("for a in b:\n    if c: pass\n    else: pass"), 1 + 2 + 1);
    assert_eq!(of("if a: pass\nelif b:\n    if c: pass"), 1 + 1 + 2);
    assert_eq!(of("for a in b: pass\nelse:\n    if c: pass"), 1 + 1 + 2);
}

#[test]
fn a_handler_nests_and_what_it_guards_does_not() {
    assert_eq!(of("try:\n    if a: pass\nexcept B:\n    if c: pass"), 1 + 1 + 2);
    assert_eq!(of("try: pass\nexcept A: pass\nelse: pass\nfinally:\n    if b: pass"), 1 + 1 + 1);
}

#[test]
fn each_run_of_equal_operators_costs_one() {
    assert_eq!(of("return a and b and c"), 1);
    assert_eq!(of("return a and (b and c)"), 1);
    assert_eq!(of("return a and b or c and d"), 3);
    assert_eq!(of("return a and not (b and c)"), 2);
    assert_eq!(of("return (a or b) and (c or d)"), 3);
}

#[test]
fn a_conditional_expression_nests_like_an_if() {
    assert_eq!(of("return a if b else c if d else e"), 1 + 2);
    assert_eq!(of("if a:\n    return b if c else d"), 1 + 2);
}

#[test]
fn a_match_is_free_but_its_cases_nest() {
    assert_eq!(of("match a:\n    case 1 if b: pass\n    case _:\n        if c: pass"), 2);
}

#[test]
fn nested_functions_and_lambdas_nest() {
    assert_eq!(of("a = 1\ndef g():\n    if b: pass"), 2);
    assert_eq!(of("return lambda: a if b else c"), 2);
    assert_eq!(of("a = 1\nclass G:\n    def h(self):\n        if b: pass"), 2);
}

#[test]
fn a_decorator_does_not_nest_its_wrapper() {
    assert_eq!(of("def g():\n    if a: pass\nreturn g"), 1);
    assert_eq!(of("def g():\n    def h():\n        if a: pass\n    return h\nreturn g"), 1);
    assert_eq!(of("def g():\n    if a: pass\nreturn wraps(g)"), 2);
    assert_eq!(of("'A docstring is a statement.'\ndef g():\n    if a: pass\nreturn g"), 2);
}

#[test]
fn recursion_jumps_comprehensions_and_assertions_are_free() {
    assert_eq!(of("f()\nassert a\nreturn [b for b in c if d]"), 0);
    assert_eq!(of("while a:\n    break"), 1);
}

#[test]
fn every_listed_callable_has_one_and_the_file_their_mean_and_maximum() {
    let text = "class A:\n    @b\n    def c(self):\n        async def d():\n            if e: pass\n        return d\n    def f(self): pass\n";
    let measurement = measure_text(text);
    let callables: Vec<_> =
        measurement.callables.iter().map(|callable| (&*callable.name, callable.cognitive)).collect();
    assert_eq!(callables, [("c", Some(1)), ("d", Some(1)), ("f", Some(0))]);
    let spread = measurement.total.cognitive.map(|spread| (spread.mean, spread.max));
    assert_eq!(spread, Some((2.0 / 3.0, 1)));
    assert_eq!(measure_text("a = 1\n").total.cognitive, None);
}
