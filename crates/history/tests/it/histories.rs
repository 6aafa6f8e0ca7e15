use std::os::unix::ffi::OsStrExt;
use std::{ffi::OsStr, path::Path};

use slopbench_history::{Error, GitRepository, History, HistoryOptions, history};
use slopbench_metrics::measurement::RefusalReason;
use slopbench_metrics::{RuleSet, measure};

use crate::support::{Nobody, Scratch, git, history_of, module, options, rules};

fn subjects(history: &History) -> Vec<&str> {
    history.points.iter().map(|point| point.subject.as_str()).collect()
}

/// Six commits; the third and the fifth leave all source as it was.
fn six_commits() -> Scratch {
    let mut scratch = Scratch::new();
    scratch.write("a.py", module(3));
    scratch.write("pkg/b.py", module(12));
    scratch.commit("begin");
    scratch.write("pkg/b.py", module(14));
    scratch.write("copy/of_a.py", module(3));
    scratch.commit("more");
    scratch.write("README.md", "text");
    scratch.write("node_modules/c.py", module(1));
    scratch.commit("no source");
    scratch.write("broken.py", "def");
    scratch.commit("a broken file");
    scratch.git(&["update-index", "--chmod=+x", "a.py"]);
    scratch.git(&["commit", "--quiet", "--message", "mode only"]);
    std::fs::remove_file(scratch.path().join("a.py")).unwrap();
    scratch.commit("less");
    scratch
}

#[test]
fn every_point_has_the_figures_of_a_checkout() {
    let scratch = six_commits();
    let history = history_of(scratch.path(), &options(30)).unwrap();
    assert_eq!(subjects(&history), ["begin", "more", "a broken file", "less"]);
    assert_eq!((history.commits, history.touching, history.shallow), (6, 4, false));
    for point in &history.points {
        let (_folder, checkout) = Scratch::beside();
        scratch.git(&["worktree", "add", "--quiet", checkout.to_str().unwrap(), &point.commit]);
        let measured = measure(&checkout, &rules()).unwrap();
        assert_eq!(point.total, measured.total, "{}", point.subject);
        assert_eq!(point.skipped, measured.skipped, "{}", point.subject);
    }
    assert!(history.points[0].total.erosion > 0.0);
}

#[test]
fn each_version_is_measured_once() {
    let history = history_of(six_commits().path(), &options(30)).unwrap();
    // module(3) under two names, module(12), module(14), broken.py.
    assert_eq!((history.versions.files, history.versions.distinct), (2 + 3 + 4 + 3, 4));
    let bytes = [3, 12, 14].map(|branches| module(branches).len()).iter().sum::<usize>() + "def".len();
    assert_eq!(history.versions.bytes, bytes as u64);
}

#[test]
fn rules_for_certain_paths_see_each_path() {
    let scratch = six_commits();
    let (_folder, rule) = Scratch::beside();
    let text = "id: no-if\nlanguage: Python\nmessage: m\nrule: { kind: if_statement }\nfiles: ['copy/**']\n";
    std::fs::write(rule.with_extension("yml"), text).unwrap();
    let rules = RuleSet::load(&rule.with_extension("yml")).unwrap();
    let repository = GitRepository::discover(scratch.path()).unwrap();
    let history = history(&repository, &options(30), &rules, &Nobody).unwrap();
    let (_folder, checkout) = Scratch::beside();
    scratch.git(&["worktree", "add", "--quiet", checkout.to_str().unwrap(), "HEAD~4"]);
    assert_eq!(history.points[1].total, measure(&checkout, &rules).unwrap().total);
    assert_eq!(history.points[1].total.flagged_lines, 6);
}

#[test]
fn samples_are_even_and_trends_are_over_progress() {
    let mut scratch = Scratch::new();
    for commit in 0..9 {
        scratch.write("a.py", module(commit) + &module(11));
        scratch.commit(&commit.to_string());
    }
    let history = history_of(scratch.path(), &options(5)).unwrap();
    assert_eq!(subjects(&history), ["0", "2", "4", "6", "8"]);
    assert_eq!(history.points.iter().map(|point| point.place).collect::<Vec<_>>(), [1, 3, 5, 7, 9]);
    let erosion = &history.trends.erosion;
    // The callable that grows stays below the cutoff, so the share of the other falls.
    assert_eq!((erosion.first, erosion.last), (history.points[0].total.erosion, history.points[4].total.erosion));
    assert_eq!(erosion.rising, Some(0.0));
    assert!(erosion.slope.unwrap() < 0.0 && erosion.growth.unwrap() < 0.0);
    assert_eq!(history.points[1].time, "2024-01-03T12:00:00+00:00");
}

#[test]
fn a_merge_is_one_step_of_the_first_parent_line() {
    let mut scratch = Scratch::new();
    scratch.write("a.py", module(1));
    scratch.commit("begin");
    scratch.git(&["switch", "--quiet", "--create", "side"]);
    for branches in 2..5 {
        scratch.write("b.py", module(branches));
        scratch.commit("on the side");
    }
    scratch.git(&["switch", "--quiet", "main"]);
    scratch.git(&["merge", "--quiet", "--no-ff", "--message", "merge", "side"]);
    let history = history_of(scratch.path(), &options(30)).unwrap();
    assert_eq!(subjects(&history), ["begin", "merge"]);
    let side = history_of(scratch.path(), &HistoryOptions { revision: "side".to_owned(), ..options(30) }).unwrap();
    assert_eq!(side.commits, 4);
}

#[test]
fn a_folder_alone_has_its_own_history() {
    let scratch = six_commits();
    let history = history_of(scratch.path(), &HistoryOptions { below: "pkg/".to_owned(), ..options(30) }).unwrap();
    assert_eq!(subjects(&history), ["begin", "more"]);
    assert_eq!(history.points[1].total.files, 1);
    let error = history_of(scratch.path(), &HistoryOptions { below: "nowhere".to_owned(), ..options(30) }).unwrap_err();
    assert!(matches!(&error, Error::NoSource { .. }), "{error}");
}

#[test]
fn packed_bare_and_worktree_repositories_have_the_same_history() {
    let scratch = six_commits();
    let expected = history_of(scratch.path(), &options(30)).unwrap();
    let (_bare, bare) = Scratch::beside();
    scratch.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    git(&bare, &["pack-refs", "--all"]);
    git(&bare, &["repack", "-a", "-d", "--quiet"]);
    assert_eq!(history_of(&bare, &options(30)).unwrap(), expected);
    let (_worktree, worktree) = Scratch::beside();
    scratch.git(&["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
    assert_eq!(history_of(&worktree, &options(30)).unwrap(), expected);
    let with_graph = git(&bare, &["commit-graph", "write", "--reachable"]);
    assert_eq!(history_of(&bare, &options(30)).unwrap(), expected, "{with_graph}");
}

#[test]
fn a_shallow_clone_says_so() {
    let scratch = six_commits();
    let (_folder, clone) = Scratch::beside();
    let url = format!("file://{}", scratch.path().display());
    scratch.git(&["clone", "--quiet", "--depth", "3", &url, clone.to_str().unwrap()]);
    let history = history_of(&clone, &options(30)).unwrap();
    assert!(history.shallow);
    assert_eq!(subjects(&history), ["a broken file", "less"]);
    assert_eq!(history.commits, 3);
}

#[test]
fn links_submodules_and_odd_names_are_as_on_disk() {
    let mut scratch = Scratch::new();
    let mut library = Scratch::new();
    library.write("lib.py", module(2));
    library.commit("library");
    let latin = Path::new(OsStr::from_bytes(b"caf\xe9.py"));
    std::fs::write(scratch.path().join(latin), module(1)).unwrap();
    std::os::unix::fs::symlink("caf.py", scratch.path().join("link.py")).unwrap();
    scratch.write("crlf.py", "def f():\r\n    pass\r\n");
    scratch.write(".gitattributes", "*.py -text\n");
    scratch.write(&("deep/".repeat(200) + "none.txt"), "");
    scratch.git(&["submodule", "--quiet", "add", library.path().to_str().unwrap(), "library"]);
    scratch.commit("odd");
    let history = history_of(scratch.path(), &options(30)).unwrap();
    let point = &history.points[0];
    let reasons: Vec<_> = point.skipped.iter().map(|skip| (skip.path.as_str(), skip.reason)).collect();
    assert_eq!(reasons, [("library", RefusalReason::Submodule), ("link.py", RefusalReason::SymbolicLink)]);
    std::fs::remove_dir_all(scratch.path().join("library")).unwrap();
    let measured = measure(scratch.path(), &rules()).unwrap();
    assert_eq!(point.total, measured.total);
    assert_eq!(measured.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), ["caf\u{fffd}.py", "crlf.py"]);
}

#[test]
fn folders_that_are_tagged_as_caches_are_left_out_as_on_disk() {
    let mut scratch = Scratch::new();
    scratch.write("a.py", module(1));
    scratch.write("out/b.py", module(2));
    scratch.commit("untagged");
    scratch.write("out/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
    scratch.commit("tagged");
    scratch.write("out/b.py", module(3));
    scratch.commit("of no concern");
    let history = history_of(scratch.path(), &options(30)).unwrap();
    let subjects: Vec<_> = history.points.iter().map(|point| (point.subject.as_str(), point.total.files)).collect();
    assert_eq!(subjects, [("untagged", 2), ("tagged", 1)]);
    assert_eq!(history.points[1].total, measure(scratch.path(), &rules()).unwrap().total);
    assert_eq!(history.points[1].skipped, measure(scratch.path(), &rules()).unwrap().skipped);
}

#[test]
fn what_is_asked_wrongly_is_named() {
    let scratch = six_commits();
    let error =
        history_of(scratch.path(), &HistoryOptions { revision: "nothing".to_owned(), ..options(30) }).unwrap_err();
    assert!(error.to_string().contains("`nothing` is no commit"), "{error}");
    let (_folder, nowhere) = Scratch::beside();
    std::fs::create_dir(&nowhere).unwrap();
    let error = history_of(&nowhere, &options(30)).unwrap_err();
    assert!(matches!(error, Error::Open { .. }), "{error}");
    let empty = Scratch::new();
    assert!(matches!(history_of(empty.path(), &options(30)), Err(Error::Revision { .. })));
}

#[test]
fn a_missing_object_is_an_error_that_names_it() {
    let scratch = six_commits();
    let blob = scratch.git(&["rev-parse", "HEAD:pkg/b.py"]);
    let file = scratch.path().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    std::fs::remove_file(file).unwrap();
    let error = history_of(scratch.path(), &options(30)).unwrap_err();
    assert!(error.to_string().contains(&blob), "{error}");
}
