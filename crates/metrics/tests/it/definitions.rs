//! The definitions of the paper, one per test. The snapshots in `golden/metrics` read as examples: each line of source
//! with `s` where it is an SLOC line, `c` where it is in a clone, `f` where a rule flags it.

use crate::support::{annotated, measure_bytes, measure_text, refusal, rules};
use slopbench_metrics::RuleSet;

use slopbench_metrics::measurement::RefusalReason;

/// Locks everything that is known about one program.
macro_rules! golden {
    ($name:literal, $text:expr) => {
        golden!($name, $text, &RuleSet::empty())
    };
    ($name:literal, $text:expr, $rules:expr) => {{
        let measurement = measure_bytes($text, $rules);
        insta::with_settings!({snapshot_path => "../../../../golden/metrics", prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!($name, annotated($text, &measurement));
        });
    }};
}

#[test]
fn loc_counts_lines_that_are_no_comment_no_blank_and_no_lone_string() {
    golden!(
        "loc",
        r#"#!/usr/bin/env python3
"""A module docstring
over two lines."""

import sys  # a comment behind code does not matter


TABLE = {
    # a comment between brackets is code
    "a": 1,

    "b": 2,
}
"a lone string"
"two strings" "are code"
f"and so is {TABLE}"
TEXT = """a string
that is assigned
"""; "one more"
"#
    );
}

#[test]
fn sloc_lines_are_where_code_starts_and_no_docstring_is() {
    golden!(
        "sloc-lines",
        r#""""Module."""
class Store:
    """A class
    docstring."""

    def get(self, key):
        """Of a function."""
        query = """
            of a string only the first line counts
        """
        return self.rows(
            query,
            key,
        )


if True:
    "first in a body: taken for a docstring"
    "second: a statement"
else:
    "an else has no body"
message = f"""{1
    } an f-string is several tokens {
    2}
"""
"#
    );
}

#[test]
fn decision_points_are_counted_by_kind() {
    golden!(
        "complexity",
        r#"def none(rows):
    with open(rows) as lines:
        try:
            return [print(line) or 1, lambda: 1]
        finally:
            pass


def comprehensions(rows):
    return [r for r in rows if r], {r for r in rows}, {r: 1 for r in rows}, sum(r for r in rows)


def statements(rows):
    assert rows
    while rows:
        for row in rows:
            if row and row.a and row.b or row.c:
                return 1 if row else 2
            elif row.d:
                pass
            else:
                pass
    try:
        pass
    except ValueError:
        pass
    except TypeError:
        pass


def cases(row):
    match row:
        case 1:
            pass
        case [a, b] if a:
            pass
        case _:
            pass
"#
    );
}

#[test]
fn callables_are_listed_below_modules_classes_and_functions_only() {
    golden!(
        "callables",
        r#"@decorated
def plain():
    def nested(flag):
        return 1 if flag else 2

    return nested


class Outer:
    class Inner:
        async def method(self):
            # a comment is not in the size

            """A docstring is."""

    if TYPE_CHECKING:
        def hidden(self): ...


try:
    def hidden_too(): ...
except ImportError:
    pass
name = lambda: 1 if 2 else 3
"#
    );
}

#[test]
fn erosion_is_the_share_of_mass_above_ten() {
    let branches = |count: usize| "    if x: pass\n".repeat(count);
    let text = format!("def at_ten():\n{}\n\ndef above():\n{}", branches(9), branches(10));
    golden!("erosion", text.as_str());
}

#[test]
fn clones_are_units_of_one_shape() {
    golden!(
        "clones",
        r#"def total(rows):
    result = 0
    for row in rows:
        result += row.price
    return result


def biggest(items):
    best = 99
    for item in items:
        best -= item.cost
    return best


def other(rows):
    result = 0
    for row in rows:
        result += row.result
    return result


if a:
    b(a, 1.0)
    c()
if a:
    b(c, 1.0)
    c()
if x:
    y(x, 2.5)
    z()
if x: y(x, 2.5); z()
"#
    );
}

/// `row` stands for itself in the inner loops, though only the first function has it as an argument.
#[test]
fn a_nested_unit_numbers_its_names_anew() {
    golden!(
        "clones-nested",
        r#"def outer(rows, row):
    print(rows, row)
    for row in rows:
        check(row)
        store(row, rows)


def different(data, x, y):
    return [
        [y for x in data] for y in data
    ], [
        for_each(x)
        for x in data
    ]


class Loader:
    def load(self, items):
        for item in items:
            call(item)
            save(item, items)
"#
    );
}

#[test]
fn literals_are_alike_within_their_class_and_operators_do_not_matter() {
    golden!(
        "clones-literals",
        r#"while a:
    b("text", 1)
    c(True)
while a:
    b(f"{other} {text}", 2)
    c(False)
while a:
    b(1, "text")
    c(True)
while not_a:
    b("text", 1)
    c(None)
with a + 1:
    b += 1
    # a comment is a node
with a - 2:
    b -= 3
    # whatever it says
with a * 1:
    b *= 1
    b
"#
    );
}

const PRINT: &str = "id: no-print\nlanguage: Python\nrule: {pattern: print($$$)}\n---\n\
                     id: no-pass\nlanguage: Python\nrule: {kind: pass_statement}\n";

#[test]
fn flagged_lines_go_from_the_start_to_the_end_of_a_match() {
    golden!(
        "flagged",
        r#"def show(rows):
    """Shows."""
    print(
        # a comment line can be flagged, but not verbose
        rows,

    )
    print(print(1))
    pass
"#,
        &rules(PRINT)
    );
}

#[test]
fn flagged_and_clone_lines_are_counted_once() {
    golden!(
        "verbosity",
        r#"def a(x):
    print(x)
    return x


def b(y):
    print(y)
    return y
"#,
        &rules(PRINT)
    );
}

/// Comments and blank lines dilute verbosity and the clone share, but not the variant over lines of code.
#[test]
fn shares_are_of_all_lines_and_parts_are_of_code() {
    let function = "def a(x):\n    # twice\n    print(x)\n    return x\n\n\n";
    let total = measure_bytes(function.repeat(2), &rules(PRINT)).total;
    assert_eq!((total.total_lines, total.loc, total.clone_lines), (12, 6, 8));
    assert_eq!((total.verbose_lines, total.verbosity, total.verbosity_loc), (6, 0.5, 1.0));
    assert_eq!((total.sloc_clone_lines, total.sloc_clone_ratio), (6, 0.5));
}

/// A module ends in column 0 of a line that does not exist; only nodes of this sort end so.
#[test]
fn a_match_that_ends_in_column_0_ends_on_the_line_before() {
    let whole = rules("id: whole\nlanguage: Python\nrule: {kind: module}\n");
    let measurement = measure_bytes("a = 1\nb = 2\n", &whole);
    assert_eq!((measurement.matches[0].start_line, measurement.matches[0].end_line), (1, 2));
    assert_eq!(measurement.total.flagged_lines, measurement.total.total_lines);
}

#[test]
fn line_ends_and_byte_order_mark_change_nothing() {
    let text = "def f(a):\n    if a:\n        '''b\n        c'''\n    return a\n";
    let unix = measure_text(text);
    assert_eq!(unix, measure_text(&text.replace('\n', "\r\n")));
    assert_eq!(unix, measure_text(&text.replace('\n', "\r")));
    assert_eq!(unix, measure_text(&format!("\u{feff}{text}")));
}

/// radon splits lines at form feeds, physical lines are not split there.
#[test]
fn a_form_feed_divides_a_line_of_code_for_radon_only() {
    let of = |text: &str| {
        let total = measure_text(text).total;
        (total.total_lines, total.loc, total.sloc_lines)
    };
    assert_eq!(of("a = 1\n\x0c\nb = 2\n"), (3, 2, 2));
    assert_eq!(of("a = 1 #\x0c b\n"), (1, 2, 1));
    assert_eq!(of("a = '\x0c'\n"), (1, 1, 1), "radon gives up; the line is still one of code");
}

/// Nobody writes this, but radon counts the comment as code.
#[test]
fn a_blank_line_after_a_backslash_ends_no_group() {
    assert_eq!(measure_text("x = 1 \\\n\n# comment\ny = 1\n").total.loc, 3);
    assert_eq!(measure_text("x = 1 \\\n\n").total.loc, 1);
}

#[test]
fn what_python_3_12_refuses_is_left_out_with_its_line() {
    for (text, line) in [
        ("print 'hello'\n", 1),
        ("a = 1\nif a:\n", 2),
        ("a = 1\n  b = 2\n", 2),
        ("t'new in 3.14'\n", 1),
        ("def f[T = int](): pass\n", 1),
        ("try: pass\nexcept A, B: pass\n", 2),
        ("a = 'text\n", 1),
        ("\0", 1),
    ] {
        assert_eq!(refusal(text), Some((RefusalReason::Syntax, Some(line))), "{text}");
    }
    let valid = ["return 1\n", "type A[T] = T\n", "f(a=1, a=2)\n", "f'{'nested'}'\n", "nonlocal a\n", ""];
    for text in valid {
        assert_eq!(refusal(text), None, "{text}");
    }
}
