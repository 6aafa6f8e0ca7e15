//! Trivial wrappers and single-use functions, one rule a test.

use crate::support::measure_text;

/// The callee of each trivial wrapper.
fn callees(text: &str) -> Vec<String> {
    measure_text(text).trivial_wrappers.into_iter().map(|wrapper| wrapper.callee).collect()
}

/// The name and the calls of each single-use function.
fn single_use(text: &str) -> Vec<(String, u64)> {
    measure_text(text).single_use.into_iter().map(|function| (function.name, function.calls)).collect()
}

#[test]
fn a_function_that_only_passes_a_call_on_is_a_trivial_wrapper() {
    assert_eq!(callees("def f(a):\n    return g(a)\n"), ["g"]);
    assert_eq!(callees("def f(a):\n    'Documented.'\n    pass\n    os.path.join(a, 1)\n"), ["os.path.join"]);
    assert_eq!(callees("@b\nasync def f(a):\n    return await g(a) + 1\n"), ["g"]);
}

#[test]
fn with_two_calls_or_statements_it_is_none() {
    for body in ["return g(h())", "return g().h()", "a = g()", "g(); h()", "if a: g()", "return a", "pass", "raise g()"]
    {
        assert_eq!(callees(&format!("def f():\n    {body}\n")), [""; 0], "{body}");
    }
}

#[test]
fn the_callee_must_have_a_name() {
    assert_eq!(callees("def f():\n    return ', '.join(a)\n"), [""; 0]);
    assert_eq!(callees("def f():\n    return a[0](b)\n"), [""; 0]);
}

#[test]
fn only_functions_directly_in_the_module_are_wrappers_and_only_the_last_of_a_name() {
    assert_eq!(callees("class A:\n    def f(self): g()\nif a:\n    def h(): g()\n"), [""; 0]);
    assert_eq!(callees("def f(): g()\ndef f(): h()\n"), ["h"]);
}

#[test]
fn a_function_that_is_called_once_or_never_is_single_use() {
    let text = "def never(): pass\ndef once(): pass\ndef twice(): pass\nonce(); twice(); twice(once)\n";
    assert_eq!(single_use(text), [("never".to_owned(), 0), ("once".to_owned(), 1)]);
}

#[test]
fn calls_of_itself_do_not_count() {
    assert_eq!(single_use("def f(a):\n    return f(a) or f(a - 1)\nf(1)\n"), [("f".to_owned(), 1)]);
}

#[test]
fn methods_and_what_is_hidden_below_a_branch_are_not_judged() {
    assert_eq!(single_use("class A:\n    def f(self): pass\nif a:\n    def g(): pass\n"), []);
    assert_eq!(single_use("class A:\n    def f(self):\n        def g(): pass\n"), [("g".to_owned(), 0)]);
}

#[test]
fn a_call_counts_by_its_plain_name() {
    assert_eq!(single_use("def f(): pass\nf(); a.f(); map(f, b)\n"), [("f".to_owned(), 1)]);
}

#[test]
fn the_ratio_is_over_all_callables() {
    let text = "def f(): g()\ndef g(): a = 1\nclass A:\n    def h(self): g(), f(), f()\n    def i(self): pass\n";
    let wrappers = measure_text(text).total.wrappers.expect("Python");
    assert_eq!((wrappers.trivial, wrappers.single_use, wrappers.ratio), (1, 0, 1.0 / 4.0));
}
