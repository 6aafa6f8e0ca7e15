//! `slopbench history` on a repository that the test makes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::{Command, Output};

fn git(folder: &Path, day: u32, args: &[&str]) {
    let time = format!("2024-01-{day:02}T12:00:00+00:00");
    let status = Command::new("git")
        .args(["-c", "user.name=A", "-c", "user.email=a@example.org"])
        .args(args)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_AUTHOR_DATE", &time)
        .env("GIT_COMMITTER_DATE", &time)
        .status()
        .expect("git can be started");
    assert!(status.success(), "git {args:?}");
}

/// Three commits of one function that grows past CC 10, and one of a file that is no source.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), 1, &["init", "--quiet", "--initial-branch=main"]);
    for (day, branches) in [(1, 2), (2, 9), (4, 12)] {
        let text = format!("def f(x):\n{}    return x\n", "    if x:\n        x -= 1\n".repeat(branches));
        std::fs::write(folder.path().join("f.py"), text).unwrap();
        git(folder.path(), day, &["add", "--all"]);
        git(folder.path(), day, &["commit", "--quiet", "--message", &format!("{branches} branches")]);
        if day == 2 {
            std::fs::write(folder.path().join("README.md"), "text").unwrap();
            git(folder.path(), 3, &["add", "--all"]);
            git(folder.path(), 3, &["commit", "--quiet", "--message", "words"]);
        }
    }
    folder
}

fn slopbench(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_slopbench")).args(args).current_dir(folder).output().unwrap()
}

#[test]
fn a_history_is_a_table_json_and_a_figure() {
    let repository = repository();
    let table = slopbench(repository.path(), &["history", "--figure", "figure.svg"]);
    insta::assert_snapshot!(String::from_utf8(table.stdout).unwrap(), @r"
    3 of 3 commits that change source files, among 4 on the first-parent line of HEAD.
    3 versions of files measured once each, for 3 files in these commits.

    place  date        commit      files  LOC  erosion  verbosity  subject
        1  2024-01-01  2e044a120d      1    6    0.000      0.000  2 branches
        2  2024-01-02  f0aa0c015f      1   20    0.000      0.000  9 branches
        3  2024-01-04  40b809046a      1   26    1.000      0.000  12 branches

    trend      first   last  growth   slope  rising steps
    erosion    0.000  1.000       -  +1.000         50.0%
    verbosity  0.000  0.000       -  +0.000          0.0%
    ");
    let figure = std::fs::read_to_string(repository.path().join("figure.svg")).unwrap();
    assert!(figure.starts_with("<svg ") && figure.contains("erosion 1.000"), "{figure}");
    let json = slopbench(repository.path(), &["history", "--json", "--figure", "again.svg"]);
    let history: slopbench_history::History = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(history.points.len(), 3);
    assert_eq!(std::fs::read_to_string(repository.path().join("again.svg")).unwrap(), figure);
    assert!(slopbench(repository.path(), &["history", "--figure", "data.csv"]).status.success());
    let data = std::fs::read_to_string(repository.path().join("data.csv")).unwrap();
    assert_eq!(data.lines().count(), 1 + 2 * 3, "{data}");
    assert!(data.contains(",erosion,line,3,2024-01-04,1,,,,,2024-01-04 40b809046a,false"), "{data}");
    let refused = slopbench(repository.path(), &["history", "--figure", "figure.pdf"]);
    assert!(String::from_utf8(refused.stderr).unwrap().contains("expected a name that ends in .svg"));
}

#[test]
fn revisions_and_the_working_tree_compare() {
    let repository = repository();
    let table = slopbench(repository.path(), &["compare", "HEAD~1..HEAD"]);
    insta::assert_snapshot!(String::from_utf8(table.stdout).unwrap(), @r"
    measure             before   after   change
    files                    1       1       +0
    total lines             20      26       +6
    LOC                     20      26       +6
    callables                1       1       +0
    clone lines              0       0       +0
    flagged lines            0       0       +0
    complexity mass     44.721  66.287  +21.566
    erosion              0.000   1.000   +1.000
    verbosity            0.000   0.000   +0.000
    verbosity over LOC   0.000   0.000   +0.000

    churn 0.300: 6 lines added, 0 removed, 20 before
    clone lines: 0 new, 0 vanished

    Callables that changed, by complexity mass, 1 of 1:

     mass  CC       SLOC     change          callable  place
    +21.6  10 → 13  20 → 26  became complex  f         f.py:1

    Files that changed, by lines, 1 of 1:

    added  removed  change   file
        6        0  changed  f.py
    ");
    let same = slopbench(repository.path(), &["compare", "HEAD", ".", "--json"]);
    let comparison: slopbench_history::Comparison = serde_json::from_slice(&same.stdout).unwrap();
    assert_eq!(comparison.churn.churn, Some(0.0));
}
