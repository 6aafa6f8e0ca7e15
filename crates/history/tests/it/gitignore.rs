//! What git ignores, by git's own word.

use std::path::Path;

use slopbench_history::{SourceSnapshot, gitignored};
use slopbench_metrics::{Roots, read_sources};

use crate::support::Scratch;

/// A repository with every sort of rule: nested, negated, for folders, of the clone alone; and what is tracked all the same.
fn repository() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(".gitignore", "generated_*.py\nout/\n/top.py\n**/deep/*.py\n!deep/kept.py\n");
    scratch.write("package/.gitignore", "*.py\n!good.py\nback\\slash.py\n");
    scratch.write(".git/info/exclude", "mine.py\n");
    for path in [
        "top.py",
        "below/top.py",
        "generated_a.py",
        "below/generated_b.py",
        "out/a.py",
        "out/tracked.py",
        "below/out/deeper/a.py",
        "deep/kept.py",
        "deep/lost.py",
        "package/good.py",
        "package/bad.py",
        "package/sub/good.py",
        "mine.py",
        "main.py",
    ] {
        scratch.write(path, "x = 1\n");
    }
    scratch.git(&["add", "--force", "out/tracked.py", "generated_a.py"]);
    scratch
}

fn sources(root: &Path) -> Vec<String> {
    let paths = SourceSnapshot::on_disk(root, true).unwrap().sources.into_iter();
    paths.map(|(path, _)| path).collect()
}

/// What git itself says is there and not ignored.
fn told_by_git(scratch: &Scratch) -> Vec<String> {
    let listed = scratch.git(&["ls-files", "--cached", "--others", "--exclude-standard", "*.py"]);
    let mut listed: Vec<_> = listed.lines().map(str::to_owned).collect();
    listed.sort();
    listed
}

#[test]
fn what_git_ignores_is_left_out_and_what_it_tracks_is_not() {
    let scratch = repository();
    let expected = told_by_git(&scratch);
    assert!(expected.contains(&"out/tracked.py".to_owned()) && !expected.contains(&"out/a.py".to_owned()));
    assert_eq!(sources(scratch.path()), expected);
    let skipped = SourceSnapshot::on_disk(scratch.path(), true).unwrap().skipped;
    let named: Vec<_> = skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    assert!(named.contains(&"mine.py") && named.contains(&"out/a.py") && named.contains(&"below/out"), "{named:?}");
    assert!(skipped.iter().all(|skipped| skipped.detail == "left out because git ignores it"), "{skipped:?}");
    assert_eq!(SourceSnapshot::on_disk(scratch.path(), false).unwrap().sources.len(), 14);
}

/// Rules of folders above hold below them; what is named itself is measured, ignored or not.
#[test]
fn a_folder_or_file_of_a_repository_is_measured_by_its_rules() {
    let scratch = repository();
    assert_eq!(sources(&scratch.path().join("below")), ["top.py"]);
    assert_eq!(sources(&scratch.path().join("below/out")), ["deeper/a.py"]);
    assert_eq!(sources(&scratch.path().join("mine.py")), ["mine.py"]);
    let several = Roots::several(scratch.path(), &["package".into(), "below/out/deeper".into(), "top.py".into()]);
    let (several, _) = read_sources(&several.unwrap().without_ignored(gitignored)).unwrap();
    let several: Vec<_> = several.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(several, ["below/out/deeper/a.py", "package/good.py", "package/sub/good.py", "top.py"]);
}

#[test]
fn outside_of_a_working_tree_nothing_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".gitignore"), "*\n").unwrap();
    std::fs::write(folder.path().join("a.py"), "x = 1\n").unwrap();
    assert!(gitignored(folder.path()).unwrap().is_none());
    assert_eq!(sources(folder.path()), ["a.py"]);
}

#[test]
fn a_linked_worktree_has_rules_and_an_index_of_its_own() {
    let mut scratch = Scratch::new();
    scratch.write(".gitignore", "made.py\n");
    scratch.write("main.py", "x = 1\n");
    scratch.commit("first");
    let (_folder, linked) = Scratch::beside();
    scratch.git(&["worktree", "add", "--quiet", linked.to_str().unwrap(), "-b", "other"]);
    std::fs::write(linked.join("made.py"), "x = 1\n").unwrap();
    assert_eq!(sources(&linked), ["main.py"]);
}

#[test]
fn a_broken_index_is_an_error_and_no_figure() {
    let scratch = repository();
    scratch.write(".git/index", "nonsense");
    let error = SourceSnapshot::on_disk(scratch.path(), true).unwrap_err().to_string();
    assert!(error.contains("what git ignores cannot be told") && error.contains("--no-gitignore"), "{error}");
}
