//! radon's definitions, one per test. Every figure here was checked against radon 6.0.1 on CPython 3.12; `cargo xtask
//! oracles` compares whole packages.

use std::fmt::Write;

use slopbench_metrics::radon::{Block, BlockKind, Halstead, Radon, Raw};

use crate::support::measure_text;

/// What radon says about a program, and the blocks it lists.
struct Report {
    radon: Radon,
    blocks: Vec<Block>,
}

fn report(text: &str) -> Report {
    let mut measurement = measure_text(text);
    let radon = measurement.files.remove(0).measures.radon.expect("Python");
    assert_eq!(measurement.total.radon, Some(radon), "of one file the total is its own");
    Report { radon, blocks: measurement.blocks }
}

/// The complexity of a function with this body line by line.
fn complexity(body: &str) -> u32 {
    let indented: String = body.lines().map(|line| format!("    {line}\n")).collect();
    report(&format!("def f():\n{indented}")).blocks[0].complexity
}

/// The program with everything radon says about it.
fn shown(text: &str) -> String {
    let report = report(text);
    let mut shown = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        let _ = writeln!(shown, "{}", format!("{number:3} | {line}").trim_end());
    }
    let Raw { loc, lloc, sloc, comments, multi, blank, single_comments } = report.radon.raw;
    let _ = writeln!(
        shown,
        "\nloc {loc} lloc {lloc} sloc {sloc} comments {comments} multi {multi} blank {blank} single comments {single_comments}"
    );
    for block in &report.blocks {
        let _ = writeln!(
            shown,
            "{:?} {} at {}: {} ({})",
            block.kind, block.name, block.line, block.complexity, block.total
        );
    }
    let Halstead { distinct_operators, distinct_operands, operators, operands, volume, effort } = report.radon.halstead;
    let _ = writeln!(
        shown,
        "operators {operators} ({distinct_operators} distinct) operands {operands} ({distinct_operands} distinct)"
    );
    let _ = writeln!(
        shown,
        "volume {volume} effort {effort} complexity {} maintainability {}",
        report.radon.complexity, report.radon.maintainability
    );
    shown
}

#[test]
fn a_whole_program() {
    let text = r#""""A module docstring
over two lines."""

import os; import sys  # two logical lines

LIMIT = 10 if os.name == "nt" else 20


@decorated(lambda: 1 or 2)
def read(path, limit=LIMIT and 3):
    "A one-line docstring."
    # A comment.
    if path is None or path == "": return
    def clean(line):
        return line.strip() if line else ""
    with open(path) as file:
        for line in file:
            assert line or limit > 0
            yield clean(line) + "\n"
        else:
            return


class Table:
    rows = [row for row in range(LIMIT) if row % 2 if row % 3]

    class Row:
        def get(self):
            return self.value

    def add(self, row):
        try:
            self.total += row.get() * 2
        except (TypeError, ValueError):
            self.total += -1
        except KeyError:
            pass
        else:
            self.count += 1
        finally:
            row.close()

    async def all(self):
        return [row async for row in self.rows]
"#;
    insta::with_settings!({snapshot_path => "../../../../golden/metrics", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("radon", shown(text));
    });
}

#[test]
fn branches_count_one_each_and_a_plain_else_nothing() {
    assert_eq!(complexity("pass"), 1);
    assert_eq!(complexity("if a: pass\nelif b: pass\nelse: pass"), 3);
    assert_eq!(complexity("return a if b else c"), 2);
    assert_eq!(complexity("return a and b and c or d"), 4);
}

#[test]
fn an_else_of_a_loop_or_try_counts() {
    assert_eq!(complexity("for a in b: pass"), 2);
    assert_eq!(complexity("while a: pass\nelse: pass"), 3);
    assert_eq!(complexity("try: pass\nexcept A: pass\nelse: pass\nfinally: pass"), 3);
    assert_eq!(complexity("try: pass\nexcept* A: pass"), 1);
}

#[test]
fn a_match_counts_its_cases_but_for_one_that_catches_all() {
    assert_eq!(complexity("match a:\n    case 1: pass\n    case 2: pass"), 3);
    assert_eq!(complexity("match a:\n    case 1: pass\n    case _: pass"), 2);
    assert_eq!(complexity("match a:\n    case 1 as b: pass\n    case b: pass"), 2);
}

#[test]
fn an_assertion_hides_what_it_asserts_and_a_lambda_does_not_hide() {
    assert_eq!(complexity("assert a or b, c if d else e"), 2);
    assert_eq!(complexity("return lambda a: a or b"), 2);
    assert_eq!(complexity("return [a for b in c for a in b if a if b]"), 5);
}

#[test]
fn closures_are_listed_and_count_in_nothing_around_them() {
    let report = report("def a():\n    def b():\n        if c: pass\n    class D:\n        def e(self): pass\n");
    let blocks: Vec<_> = report.blocks.iter().map(|block| (block.kind, &*block.name, block.complexity)).collect();
    assert_eq!(blocks, [(BlockKind::Function, "a", 1), (BlockKind::Closure, "a.b", 2)]);
    assert_eq!(report.radon.complexity, 1);
}

#[test]
fn a_class_has_the_mean_complexity_of_its_methods_and_its_total() {
    let report = report("class A:\n    x = 1 or 2\n    def b(self): return c or d\n    def e(self): pass\n");
    let class = &report.blocks[0];
    assert_eq!((class.kind, class.complexity, class.total), (BlockKind::Class, 5 / 2 + 1, 5));
}

#[test]
fn a_block_starts_at_its_keyword() {
    let report = report("@a(\n    b)\n@c\nasync def d(): pass\n@e\nclass F: pass\n");
    assert_eq!(report.blocks.iter().map(|block| block.line).collect::<Vec<_>>(), [4, 6]);
}

#[test]
fn logical_lines_follow_semicolons_and_colons() {
    let lloc = |text| report(text).radon.raw.lloc;
    assert_eq!(lloc("a = 1\n# b\n\n"), 1);
    assert_eq!(lloc("a; b; # c\n"), 2);
    assert_eq!(lloc("if a: return_\n"), 2);
    assert_eq!(lloc("if a:  # b\n    c\n"), 2);
    assert_eq!(lloc("a = b[1:]\n"), 2, "the last colon is not the last token");
    assert_eq!(lloc("if a: b; c\n"), 2, "before a semicolon the one token after the colon goes unseen");
    assert_eq!(lloc("if a: b(); c\n"), 3);
}

#[test]
fn lines_of_lone_strings_are_comments_or_blank() {
    let raw = report("'''a\n\nb'''\n'c'\nd = '''\n\n'''\n").radon.raw;
    assert_eq!((raw.loc, raw.multi, raw.single_comments, raw.sloc, raw.blank), (7, 2, 1, 2, 2));
}

#[test]
fn operands_are_the_same_where_their_values_are() {
    let distinct = |text| report(text).radon.halstead.distinct_operands;
    assert_eq!(distinct("a + b.a + 'a'\n"), 2, "`a` three times, and the inner sum");
    assert_eq!(distinct("1 < 1.0 < True < 0x1 < 1e0\n"), 1);
    assert_eq!(distinct("'a' < b'a' < 0j < 0\n"), 3);
    assert_eq!(distinct("f() + f()\n"), 2);
    assert_eq!(distinct("def f(): a + a\ndef g(): a + a\ndef g(): a + a\n"), 2, "one per name of function");
}

#[test]
fn an_operator_is_told_from_another_by_what_it_does() {
    let operators = |text| report(text).radon.halstead.distinct_operators;
    assert_eq!(operators("a + b\na += b\n"), 1);
    assert_eq!(operators("a - -b\n"), 2);
    assert_eq!(operators("a < b < c > d\n"), 2);
}

#[test]
fn without_operations_maintainability_is_full() {
    assert_eq!(report("").radon.maintainability, 100.0);
    assert_eq!(report("f()\n").radon.maintainability, 100.0);
    assert!(report("a = b + 1\n").radon.maintainability < 100.0);
}

#[test]
fn of_several_files_counts_are_sums_and_maintainability_is_the_mean() {
    let sources = [("a.py".to_owned(), b"a = b + 1\n".to_vec()), ("c.py".to_owned(), b"def f(): pass\n".to_vec())];
    let measurement = slopbench_metrics::measure_sources(&sources, &slopbench_metrics::RuleSet::empty());
    let [a, c] = [0, 1].map(|index: usize| measurement.files[index].measures.radon.expect("Python"));
    let total = measurement.total.radon.expect("Python");
    assert_eq!((total.raw.lloc, total.complexity, total.blocks), (1 + 2, 1 + 1, 1));
    assert_eq!(total.halstead, a.halstead, "the other file has no operations");
    assert_eq!(total.maintainability, (a.maintainability + c.maintainability) / 2.0);
}

#[test]
fn a_listed_callable_has_the_complexity_that_radon_gives_it() {
    let text = "@a\ndef f():\n    for b in c: return b if d else e\n    class G:\n        def h(self): pass\n";
    let of_callables: Vec<_> = measure_text(text).callables.iter().map(|callable| callable.radon_cc).collect();
    assert_eq!(of_callables, [Some(3), None], "radon does not list what is in classes within functions");
}
