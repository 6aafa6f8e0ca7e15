//! Which files of a folder are measured, and what is said about the others.

use std::fs;
use std::path::Path;

use slopbench_metrics::measurement::{Measurement, RefusalReason};
use slopbench_metrics::{Error, Roots, RuleSet, measure, measure_roots};

fn measured(root: &Path) -> Measurement {
    measure(root, &RuleSet::empty()).expect("a root that is there")
}

fn write(root: &Path, files: &[&str]) {
    for file in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().expect("a path in the root")).expect("a writable root");
        fs::write(path, "x = 1\n").expect("a writable root");
    }
}

fn paths(measurement: &Measurement) -> Vec<&str> {
    measurement.files.iter().map(|file| &*file.path).collect()
}

fn reasons(measurement: &Measurement) -> Vec<(&str, RefusalReason)> {
    measurement.skipped.iter().map(|skipped| (&*skipped.path, skipped.reason)).collect()
}

#[test]
fn caches_and_environments_are_not_looked_into() {
    let root = tempfile::tempdir().expect("a temporary folder");
    write(root.path(), &["b.py", "a/b.py", "a-b/c.py", "README.md", "a.pyi", "venvs/c.py"]);
    write(root.path(), &[".venv/a.py", "a/__pycache__/a.py", "a/node_modules/b/c.py", ".git/hook.py", "old.pyc/a.py"]);
    let measurement = measured(root.path());
    assert_eq!(paths(&measurement), ["a-b/c.py", "a/b.py", "b.py", "venvs/c.py"]);
    assert_eq!(
        reasons(&measurement),
        [(".venv", RefusalReason::Excluded), ("a/node_modules", RefusalReason::Excluded)]
    );
}

/// By the cache directory tagging specification: a regular file of this name that starts so.
#[test]
fn folders_that_are_tagged_as_caches_are_left_out() {
    const SIGNATURE: &str = "Signature: 8a477f597d28d172789f06886806bc55";
    let root = tempfile::tempdir().expect("a temporary folder");
    write(root.path(), &["a.py", "target/debug/b.py", "untagged/c.py", "linked/d.py"]);
    let tag = |folder: &str, content: &str| fs::write(root.path().join(folder).join("CACHEDIR.TAG"), content);
    tag("target", &format!("{SIGNATURE}\n# made by a tool\n")).expect("a writable folder");
    tag("untagged", "Signature: another").expect("a writable folder");
    std::os::unix::fs::symlink("../target/CACHEDIR.TAG", root.path().join("linked/CACHEDIR.TAG")).expect("a link");
    assert_eq!(paths(&measured(root.path())), ["a.py", "linked/d.py", "untagged/c.py"]);
    assert_eq!(reasons(&measured(root.path())), [("target", RefusalReason::Excluded)]);
    assert_eq!(paths(&measured(&root.path().join("target"))), ["debug/b.py"], "who names it wants it");
}

#[test]
fn a_root_may_be_excluded_by_name_or_be_one_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), &["venv/a.py"]);
    assert_eq!(paths(&measured(&folder.path().join("venv"))), ["a.py"]);
    assert_eq!(paths(&measured(&folder.path().join("venv/a.py"))), ["a.py"]);
}

#[test]
fn a_missing_root_and_an_unknown_language_are_errors() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("notes.txt"), "").expect("a writable folder");
    let error = |path| measure(&folder.path().join(path), &RuleSet::empty()).expect_err("nothing to measure");
    assert!(matches!(error("nowhere"), Error::Root { .. }));
    assert!(matches!(error("notes.txt"), Error::UnknownLanguage { .. }));
    assert!(error("notes.txt").to_string().contains("*.py"));
}

#[test]
fn languages_can_be_chosen() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write(folder.path(), &["a.py", "b.js", "c/d.py", "e.ts", "f.tsx"]);
    let only = |languages: &[&str]| Roots::one(folder.path()).and_then(|roots| roots.only(languages));
    let chosen = |languages: &[&str]| measure_roots(&only(languages)?, &RuleSet::empty(), None);
    assert_eq!(paths(&chosen(&["python"]).expect("a table")), ["a.py", "c/d.py"]);
    assert_eq!(paths(&chosen(&["typescript", "javascript"]).expect("tables")), ["b.js", "e.ts", "f.tsx"]);
    let unknown = only(&["cobol"]).expect_err("no table").to_string();
    assert!(unknown.contains("`cobol`; name one of c, cpp, go, java, javascript, typescript, python"), "{unknown}");
}

#[test]
fn an_empty_folder_has_no_mass_and_no_ratio_is_not_a_number() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let total = measured(folder.path()).total;
    assert_eq!((total.files, total.erosion, total.verbosity), (0, 0.0, 0.0));
}

#[test]
fn what_is_left_out_is_named() {
    let root = tempfile::tempdir().expect("a temporary folder");
    write(root.path(), &["good.py"]);
    fs::write(root.path().join("latin.py"), b"a = '\xe9'\n").expect("a writable root");
    fs::write(root.path().join("old.py"), "print 1\n").expect("a writable root");
    let measurement = measured(root.path());
    assert_eq!(paths(&measurement), ["good.py"]);
    assert_eq!(reasons(&measurement), [("latin.py", RefusalReason::NotUtf8), ("old.py", RefusalReason::Syntax)]);
}

#[cfg(unix)]
#[test]
fn links_are_named_and_not_followed() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().expect("a temporary folder");
    write(root.path(), &["a/b.py"]);
    for (target, link) in [(".", "a/loop"), ("b.py", "a/same.py"), ("gone.py", "dangling.py"), ("x.txt", "text")] {
        symlink(target, root.path().join(link)).expect("a file system with links");
    }
    let measurement = measured(root.path());
    assert_eq!(paths(&measurement), ["a/b.py"]);
    let links = ["a/loop", "a/same.py", "dangling.py"].map(|link| (link, RefusalReason::SymbolicLink));
    assert_eq!(reasons(&measurement), links);

    let outside = tempfile::tempdir().expect("a temporary folder");
    symlink(root.path(), outside.path().join("root")).expect("a file system with links");
    assert_eq!(paths(&measured(&outside.path().join("root"))), ["a/b.py"], "the root itself may be a link");
}

#[cfg(unix)]
#[test]
fn a_socket_is_no_file_and_is_never_opened() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let _socket = std::os::unix::net::UnixListener::bind(root.path().join("s.py")).expect("a socket");
    assert_eq!(reasons(&measured(root.path())), [("s.py", RefusalReason::NotAFile)]);
}

#[test]
fn the_format_is_what_is_written_and_read() {
    let root = tempfile::tempdir().expect("a temporary folder");
    write(root.path(), &["a.py"]);
    let measurement = measured(root.path());
    let json = serde_json::to_value(&measurement).expect("every measurement is JSON");
    assert_eq!(json["format"], "slopbench.measurement/2");
    assert_eq!(json["files"][0]["loc"], 1);
    let mut read: Measurement = serde_json::from_value(json).expect("what was written can be read");
    read.files[0].lines = measurement.files[0].lines.clone();
    assert_eq!(read, measurement);
}
