use slopbench_history::comparison::{Existence, Growth};
use slopbench_history::{Comparison, Error, GitRepository, SourceSnapshot, compare};

use crate::support::{Scratch, module, rules};

fn in_memory(files: &[(&str, &str)]) -> SourceSnapshot {
    SourceSnapshot {
        name: "memory".to_owned(),
        sources: files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect(),
        skipped: Vec::new(),
        is_file: false,
    }
}

fn compared(before: &[(&str, &str)], after: &[(&str, &str)]) -> Comparison {
    compare(&in_memory(before), &in_memory(after), &rules(), None)
}

#[test]
fn nothing_changed() {
    let files = [("a.py", &*module(3)), ("b.py", "x = 1\n")];
    let comparison = compared(&files, &files);
    assert_eq!(comparison.churn.churn, Some(0.0));
    assert!(comparison.files.is_empty() && comparison.callables.is_empty() && comparison.rule_changes.is_empty());
    assert!(comparison.delta.values().all(|change| change.as_f64() == Some(0.0)), "{:?}", comparison.delta);
}

#[test]
fn churn_is_lines_added_and_removed_by_lines_before() {
    let before = [("a.py", "a = 1\nb = 2\nc = 3\n"), ("gone.py", "x = 1\n")];
    let after = [("a.py", "a = 1\nb = 3\nc = 3\nd = 4\n"), ("new.py", "y = 1\nz = 1\n")];
    let comparison = compared(&before, &after);
    let churn = comparison.churn;
    assert_eq!((churn.lines_added, churn.lines_removed, churn.lines_before), (4, 2, 4));
    assert_eq!(churn.churn, Some(1.5));
    let files: Vec<_> = comparison.files.iter().map(|file| (file.path.as_str(), file.change)).collect();
    assert_eq!(files, [("a.py", Existence::Changed), ("gone.py", Existence::Vanished), ("new.py", Existence::New)]);
    assert_eq!(comparison.delta["total_lines"].as_i64(), Some(2));
    assert_eq!(compared(&[], &after).churn.churn, None);
}

/// A file that is no program has lines all the same.
#[test]
fn what_cannot_be_measured_still_churns() {
    let comparison = compared(&[("a.py", "def\n")], &[("a.py", "def\nclass\n")]);
    assert_eq!(comparison.churn.churn, Some(1.0));
    assert_eq!(comparison.after.skipped.len(), 1);
}

#[test]
fn callables_are_followed_by_name() {
    let before = module(9) + "\nclass A:\n    def grows(self):\n        pass\n\ndef gone():\n    pass\n";
    let after = "def new():\n    pass\n\nclass A:\n    def grows(self):\n        x = 1\n\n".to_owned() + &module(12);
    let comparison = compared(&[("a.py", &before)], &[("a.py", &after)]);
    let changes: Vec<_> = comparison
        .callables
        .iter()
        .map(|change| (change.qualified_name.as_str(), change.change, change.became_complex))
        .collect();
    // `A.grows` has another body of the same mass.
    assert_eq!(changes, [("f", Growth::Grew, true), ("gone", Growth::Vanished, false), ("new", Growth::New, false)]);
    let f = &comparison.callables[0];
    assert_eq!((f.before.unwrap().cc, f.after.unwrap().cc), (10, 13));
}

#[test]
fn callables_of_one_name_are_paired_in_their_order() {
    let before = "def f():\n    pass\n\ndef f():\n    a = 1\n    b = 2\n";
    let after = "def f():\n    pass\n\ndef f():\n    a = 1\n    b = 2\n    c = 3\n";
    let comparison = compared(&[("a.py", before)], &[("a.py", after)]);
    let [change] = &comparison.callables[..] else { panic!("{:?}", comparison.callables) };
    assert_eq!((change.change, change.before.unwrap().sloc), (Growth::Grew, 3));
}

/// A match that only moved down is no new one; the same match on a new line is.
#[test]
fn a_match_is_new_if_its_line_is() {
    let old = "import json\n\ndef f(x):\n    if x == True:\n        return 1\n";
    let after = format!("# moved down\n{old}\n\ndef g(y):\n    if y == True:\n        return 2\n");
    let comparison = compared(&[("a.py", old)], &[("a.py", &after)]);
    let rule = comparison.rule_changes.iter().find(|change| change.after == 2).expect("a rule matches both");
    assert_eq!((rule.before, rule.new, rule.vanished), (1, 1, 0));
    let lines: Vec<_> =
        comparison.new_matches.iter().filter(|found| found.rule == rule.rule).map(|found| found.start_line).collect();
    assert_eq!(lines, [10]);
}

#[test]
fn clone_lines_are_new_where_the_code_was_repeated() {
    let block = "if x:\n    y = 1\n    z = 2\n";
    let comparison = compared(&[("a.py", block)], &[("a.py", &format!("{block}w = 1\n{block}"))]);
    // All six lines are clones now, and none was.
    assert_eq!(comparison.files[0].new_clone_lines, 6);
    let back = compared(&[("a.py", &format!("{block}w = 1\n{block}"))], &[("a.py", block)]);
    assert_eq!((back.files[0].new_clone_lines, back.files[0].vanished_clone_lines), (0, 6));
}

#[test]
fn revisions_and_working_trees_compare() {
    let mut scratch = Scratch::new();
    scratch.write("src/a.py", module(3));
    scratch.commit("begin");
    scratch.write("src/a.py", module(5));
    scratch.commit("more");
    let repository = GitRepository::discover(scratch.path()).unwrap();
    let revision = |name: &str| SourceSnapshot::of_revision(&repository, name).unwrap();
    let disk = SourceSnapshot::on_disk(scratch.path(), false).unwrap();
    assert_eq!(disk.sources, revision("HEAD").sources);
    let comparison = compare(&revision("HEAD~1:src"), &revision("main:src"), &rules(), None);
    assert_eq!(comparison.files[0].path, "a.py");
    assert_eq!((comparison.before.name.as_str(), comparison.delta["callables"].as_i64()), ("HEAD~1:src", Some(0)));
    let error = SourceSnapshot::of_revision(&repository, "HEAD:src/a.py").unwrap_err();
    assert!(matches!(error, Error::Revision { expected: "tree", .. }), "{error}");
}

#[test]
fn two_files_compare_whatever_their_names() {
    let scratch = Scratch::new();
    scratch.write("a.py", module(3));
    scratch.write("b.py", module(4));
    let read = |name: &str| SourceSnapshot::on_disk(&scratch.path().join(name), false).unwrap();
    let comparison = compare(&read("a.py"), &read("b.py"), &rules(), None);
    assert_eq!((comparison.files.len(), comparison.churn.lines_removed), (1, 0));
}

/// Git's own counts, on edits of a file with many lines alike.
#[test]
fn line_counts_are_those_of_git() {
    let mut scratch = Scratch::new();
    let lines: Vec<String> = (0..400_u32).map(|line| format!("x{} = {}\n", line * 7 % 13, line % 5)).collect();
    scratch.write("a.py", lines.concat());
    scratch.commit("begin");
    let kept = lines.iter().enumerate().filter(|(line, _)| line % 11 != 3);
    let edited: Vec<String> =
        kept.map(|(line, text)| if line % 17 == 5 { format!("{text}x1 = {line}\n") } else { text.clone() }).collect();
    scratch.write("a.py", edited.concat());
    scratch.commit("edit");
    let repository = GitRepository::discover(scratch.path()).unwrap();
    let revision = |name: &str| SourceSnapshot::of_revision(&repository, name).unwrap();
    let churn = compare(&revision("HEAD~1"), &revision("HEAD"), &rules(), None).churn;
    let ours = format!("{}\t{}\ta.py", churn.lines_added, churn.lines_removed);
    assert_eq!(ours, scratch.git(&["diff", "--numstat", "HEAD~1", "HEAD"]));
}
