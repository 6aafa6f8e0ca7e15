//! Imports as a graph: how names become files, and what is said of the graph.

use std::fs;

use slopbench_metrics::dependencies::Dependencies;
use slopbench_metrics::{Roots, RuleSet, measure, measure_roots, measure_sources};

/// The graph of files with these contents.
fn graph(files: &[(&str, &str)]) -> Dependencies {
    let sources: Vec<_> = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    measure_sources(&sources, &RuleSet::empty()).dependencies.remove(0)
}

/// Where the imports of a file with this text lead, in a tree with these other, empty files.
fn targets(path: &str, text: &str, others: &[&str]) -> Vec<String> {
    let others = others.iter().map(|&other| (other, ""));
    graph(&others.chain([(path, text)]).collect::<Vec<_>>()).edges.into_iter().map(|edge| edge.to).collect()
}

const PACKAGE: &[&str] = &["a/__init__.py", "a/b.py", "a/c/__init__.py", "a/c/d.py"];

#[test]
fn an_import_leads_to_the_module_that_it_names() {
    assert_eq!(targets("m.py", "import a.b", PACKAGE), ["a/b.py"]);
    assert_eq!(targets("m.py", "import a.c, a.c.d as e", PACKAGE), ["a/c/__init__.py", "a/c/d.py"]);
    assert_eq!(targets("m.py", "from a import b, f", PACKAGE), ["a/__init__.py", "a/b.py"]);
    assert_eq!(targets("m.py", "from a.c.d import *", PACKAGE), ["a/c/d.py"]);
    assert_eq!(targets("m.py", "from a.__init__ import f", PACKAGE), ["a/__init__.py"]);
    assert_eq!(targets("m.py", "import os.path, a.x", PACKAGE), [""; 0]);
}

#[test]
fn dots_lead_up_from_the_folder_of_the_file() {
    assert_eq!(targets("a/c/m.py", "from . import d", PACKAGE), ["a/c/d.py"]);
    assert_eq!(targets("a/c/m.py", "from .d import e", PACKAGE), ["a/c/d.py"]);
    assert_eq!(targets("a/c/m.py", "from .. import b", PACKAGE), ["a/b.py"]);
    assert_eq!(targets("a/c/m.py", "from ..b import e", PACKAGE), ["a/b.py"]);
    assert_eq!(targets("a/c/m.py", "from ... import b\nfrom ..... import b", PACKAGE), [""; 0]);
}

#[test]
fn an_import_counts_wherever_it_stands_and_only_once() {
    let text =
        "if a:\n    import a.b\ntry: pass\nexcept E: import a.b\nmatch a:\n    case 1:\n        def f(): import a.c.d";
    assert_eq!(targets("m.py", text, PACKAGE), ["a/b.py", "a/c/d.py"]);
}

#[test]
fn absolute_imports_are_looked_up_from_the_package_upwards() {
    assert_eq!(targets("a/c/m.py", "import a.b, b, d", PACKAGE), ["a/b.py"], "a package's own folder is not searched");
    assert_eq!(
        targets("scripts/m.py", "import n, a.b", &["scripts/n.py", "n.py", "a/b.py"]),
        ["a/b.py", "scripts/n.py"]
    );
    assert_eq!(targets("tests/m.py", "import a.b", &["src/a/__init__.py", "src/a/b.py"]), ["src/a/b.py"]);
    let libraries = ["x/src/a/b.py", "y/src/a/b.py"];
    assert_eq!(targets("y/tests/m.py", "import a.b", &libraries), ["y/src/a/b.py"]);
}

#[test]
fn a_package_comes_before_a_module_of_its_name() {
    assert_eq!(targets("m.py", "import a", &["a.py", "a/__init__.py"]), ["a/__init__.py"]);
}

/// Its modules name it, although its name is outside of what is measured: only who asks for that gets figures that depend
/// on where the root lies.
#[test]
fn the_root_may_be_a_package_itself() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path().join("outer/inner");
    fs::create_dir_all(&root).expect("a folder");
    let files = [
        ("../__init__.py", ""),
        ("__init__.py", "from outer.inner import a"),
        ("a.py", "import outer.inner.b, outer"),
        ("b.py", ""),
    ];
    files.iter().for_each(|(path, text)| fs::write(root.join(path), text).expect("a file"));
    let rules = RuleSet::empty();
    let roots = Roots::one(&root).expect("a folder").named_by_folders();
    let measurement = measure_roots(&roots, &rules, None).expect("a folder");
    let edges: Vec<_> = measurement.dependencies[0].edges.iter().map(|edge| (&*edge.from, &*edge.to)).collect();
    assert_eq!(edges, [("__init__.py", "a.py"), ("a.py", "b.py")]);
    let without_names = measure(&root, &rules).expect("a folder");
    assert_eq!(without_names.dependencies[0].edges, []);
}

#[test]
fn without_imports_each_module_reaches_itself() {
    let graph = graph(&[("a.py", ""), ("b.py", "import b"), ("c.py", ""), ("d.py", "")]);
    assert_eq!((graph.modules, graph.imports, graph.cyclic_modules), (4, 0, 0));
    assert_eq!((graph.cyclic_mass, graph.propagation_cost), (0.0, 0.25));
}

/// a → b ⇄ c → d, and e alone: a reaches 4, b and c reach 3 each, d and e themselves.
#[test]
fn cycles_and_reach_are_counted() {
    let graph =
        graph(&[("a.py", "import b"), ("b.py", "import c"), ("c.py", "import b, d"), ("d.py", ""), ("e.py", "")]);
    assert_eq!((graph.modules, graph.imports, graph.cyclic_modules), (5, 4, 2));
    assert_eq!((graph.cyclic_mass, graph.propagation_cost), (2.0 / 5.0, (4 + 3 + 3 + 1 + 1) as f64 / 25.0));
}

/// More modules than are taken at a time, in one line: n (n + 1) / 2 pairs.
#[test]
fn a_long_chain_is_followed_to_its_end() {
    let names: Vec<_> = (0..300).map(|index| (format!("m{index}.py"), format!("import m{}", index + 1))).collect();
    let files: Vec<_> = names.iter().map(|(path, text)| (&**path, &**text)).collect();
    let graph = graph(&files);
    assert_eq!((graph.imports, graph.cyclic_modules), (299, 0));
    assert_eq!(graph.propagation_cost, f64::from(300 * 301 / 2) / 90_000.0);
}
