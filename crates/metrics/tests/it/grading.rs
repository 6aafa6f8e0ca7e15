//! What grading a solution says, and what it names as unmeasured.

use std::fs;
use std::path::Path;

use slopbench_metrics::grading::{Grading, MOST_NAMED, grade, measured_sources};
use slopbench_metrics::measurement::RefusalReason;
use slopbench_metrics::{Error, RuleSet};
use tempfile::TempDir;

/// A hundred lines of code.
fn program() -> String {
    "x = 0\n".repeat(100)
}

fn solution(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a path in the folder")).expect("a writable folder");
        fs::write(path, bytes).expect("a writable folder");
    }
    folder
}

fn graded(root: &Path) -> Grading {
    grade(root, "python", &[], &RuleSet::empty()).expect("a folder")
}

/// What is said of one file beside a program.
fn unmeasured(path: &str, bytes: &[u8]) -> Option<(RefusalReason, u64)> {
    let folder = solution(&[("main.py", program().as_bytes()), (path, bytes)]);
    let files = graded(folder.path()).unmeasured.files;
    assert!(files.iter().all(|file| file.skipped.path == path), "{files:?}");
    files.first().map(|file| (file.skipped.reason, file.lines))
}

/// A file's name, its content and what is said of it.
type Case<'a> = (&'a str, &'a [u8], Option<(RefusalReason, u64)>);

#[test]
fn what_could_run_is_known_by_its_content() {
    let function = b"def f(a):\n    return a\n";
    let bytecode = [b"\xcb\x0d\r\n".as_slice(), &[0; 96]].concat();
    let archive = [b"import nothing\n".as_slice(), b"PK\x05\x06", &[0; 18], b"comment"].concat();
    let mut tar = vec![0; 512];
    tar[257..262].copy_from_slice(b"ustar");
    let cases: &[Case] = &[
        ("a.txt", function, Some((RefusalReason::OtherName, 2))),
        ("a.js", function, Some((RefusalReason::OtherName, 2))),
        ("a.pth", b"import os; os.abort()\n", Some((RefusalReason::OtherName, 1))),
        ("run", b"#!/usr/bin/env python3\nprint(1)\n", Some((RefusalReason::Script, 2))),
        ("handler", b"f = lambda a: a\n", Some((RefusalReason::OtherName, 1))),
        ("a.dat", b"# coding: rot13\nvzcbeg flf\n", Some((RefusalReason::Encoding, 2))),
        ("a.bin", &bytecode, Some((RefusalReason::Bytecode, 3))),
        ("a.png", b"\x7fELF\0\0\0\0", Some((RefusalReason::NativeCode, 1))),
        ("a.py", &archive, Some((RefusalReason::Archive, 2))),
        ("b.py", &bytecode, Some((RefusalReason::Bytecode, 3))),
        ("a.tar", &tar, Some((RefusalReason::Archive, 13))),
        ("a.gz", b"\x1f\x8b\x08\0", Some((RefusalReason::Archive, 1))),
        ("c.py", b"def\n", Some((RefusalReason::Syntax, 1))),
        ("d.py", b"'\xff'\n", Some((RefusalReason::NotUtf8, 1))),
        ("a.json", b"{\"if\": [1, null]}\n", None),
        ("a.ini", b"[a]\nimport = yes\n", None),
        ("a.toml", b"a = 1\n[b]\nc = 'd'\n", None),
        ("a.md", b"# Use\n\nimport this, and\n\n    def f(): pass\n", None),
        ("a.c", b"int f(int a) { return a; }\n", None),
        ("a.png", b"\x89PNG\r\n\x1a\n", None),
        ("empty", b"", None),
    ];
    for (path, bytes, expected) in cases {
        assert_eq!(unmeasured(path, bytes), *expected, "{path}: {}", String::from_utf8_lossy(bytes));
    }
}

#[test]
fn what_is_excluded_is_no_part_of_a_solution() {
    let files: &[(&str, &[u8])] =
        &[("main.py", b"x = 0\n"), ("virtualenv/a.py", b"x = 0\n"), ("a.pyc", b"?"), (".cache/a.py", b"x = 0\n")];
    let grading = graded(solution(files).path());
    let names: Vec<_> = grading.unmeasured.files.iter().map(|file| (&*file.skipped.path, file.lines)).collect();
    assert_eq!(names, [("virtualenv", 0)]);
    assert_eq!((grading.unmeasured.share, grading.data.files), (0.0, 0));
}

#[test]
fn above_five_per_cent_there_are_no_figures() {
    let with = |lines: usize| {
        let code = format!("import os\n{}", "os\n".repeat(lines - 1));
        let folder = solution(&[("main.py", program().as_bytes()), ("code.txt", code.as_bytes())]);
        graded(folder.path())
    };
    let few = with(5);
    assert_eq!((few.unmeasured.lines, few.unmeasured.share), (5, 5.0 / 105.0));
    assert_eq!(few.measurement.map(|measurement| measurement.total.loc), Some(100));
    let many = with(6);
    assert_eq!((many.measurement, many.unmeasured.share), (None, 6.0 / 106.0));
    let reason = many.withheld.expect("a reason");
    assert!(reason.starts_with("5.7% of its lines could run and are not measured, more than 5%"), "{reason}");
    assert!(reason.ends_with("the largest is code.txt: python, by another name"), "{reason}");
}

/// A line can hold any amount of code.
#[test]
fn long_lines_count_by_their_bytes() {
    let line = format!("import os; x = '{}'\n", "a".repeat(4000));
    assert_eq!(unmeasured("a.txt", line.as_bytes()), Some((RefusalReason::OtherName, 101)));
}

/// Blank lines and comments would dilute the share of what is hidden for nothing.
#[test]
fn the_share_is_of_lines_of_code() {
    let padded = ("x = 0\n".to_owned() + &"\n# nothing\n".repeat(50)).repeat(100);
    let folder = solution(&[("main.py", padded.as_bytes()), ("code.txt", "import os\n".repeat(6).as_bytes())]);
    assert_eq!(graded(folder.path()).unmeasured.share, 6.0 / 106.0);
}

#[test]
fn large_files_are_named_without_being_read() {
    let large = "x = 0\n".repeat(400_000);
    assert_eq!(unmeasured("a.py", large.as_bytes()), Some((RefusalReason::TooLarge, 174_763)));
    assert_eq!(unmeasured("a.csv", large.as_bytes()), None);
    let code = format!("import os\n{large}");
    assert_eq!(unmeasured("a.csv", code.as_bytes()).map(|(reason, _)| reason), Some(RefusalReason::OtherName));
    let archive = [large.as_bytes(), b"PK\x05\x06", &[0; 18]].concat();
    assert_eq!(unmeasured("a.csv", &archive).map(|(reason, _)| reason), Some(RefusalReason::Archive));
}

#[test]
fn no_more_files_are_named_than_can_be_read() {
    let names: Vec<_> = (0..MOST_NAMED + 5).map(|number| format!("{number}.bin")).collect();
    let files: Vec<_> = names.iter().map(|name| (&**name, b"\x7fELF".as_slice())).collect();
    let Grading { unmeasured, .. } = graded(solution(&files).path());
    assert_eq!((unmeasured.files.len(), unmeasured.unnamed, unmeasured.lines), (MOST_NAMED, 5, MOST_NAMED as u64 + 5));
}

#[test]
fn what_is_beyond_the_budget_is_named_whatever_it_is() {
    let large = "x=0\n".repeat(35_000);
    let files = ["a.py", "b.py", "c.py", "d.txt"].map(|name| (name, large.as_bytes()));
    let code = "import os\n";
    let files = [files.as_slice(), &[("e.txt", code.as_bytes())]].concat();
    let Grading { unmeasured, .. } = graded(solution(&files).path());
    let reasons: Vec<_> = unmeasured.files.iter().map(|file| (&*file.skipped.path, file.skipped.reason)).collect();
    assert_eq!(reasons, [("c.py", RefusalReason::OverBudget), ("e.txt", RefusalReason::OtherName)]);
}

#[test]
fn the_figures_are_those_of_the_language_alone() {
    let code = "def f(a):\n    return a\n";
    let alone = graded(solution(&[("a.py", code.as_bytes())]).path());
    let files: &[(&str, &[u8])] =
        &[("a.py", code.as_bytes()), ("b.cpp", b"int f() { return 1; }\n"), ("c.rs", b"fn f() {}\n")];
    let mixed = graded(solution(files).path());
    assert_eq!(mixed.measurement, alone.measurement);
    assert_eq!((mixed.data.files, alone.data.files), (2, 0));
}

#[test]
fn a_folder_and_a_language_are_needed() {
    let folder = solution(&[]);
    let missing = grade(&folder.path().join("nowhere"), "python", &[], &RuleSet::empty());
    assert!(matches!(missing, Err(Error::Root { .. })), "{missing:?}");
    let unknown = grade(folder.path(), "cobol", &[], &RuleSet::empty());
    assert!(matches!(unknown, Err(Error::NoTable { .. })), "{unknown:?}");
}

/// A program of each track, and what is said of files beside it.
#[test]
fn what_hides_in_another_language_is_named() {
    let graded = |language: &str, files: &[(&str, &[u8])], made: &[String]| {
        let folder = solution(files);
        grade(folder.path(), language, made, &RuleSet::builtin().expect("the rules")).expect("a folder")
    };
    let programs = [
        ("javascript", "main.js", "function f(a) {\n  return a && f(a);\n}\n"),
        ("go", "main.go", "package main\n\nfunc f(a int) bool {\n\treturn a > 0 && f2()\n}\n"),
        ("rust", "main.rs", "fn f(a: u32) -> bool {\n    a > 0 && g()\n}\n"),
        ("java", "Main.java", "class Main {\n  boolean f(int a) { return a > 0 && g(); }\n}\n"),
    ];
    for (language, name, program) in programs {
        let hidden = "import os\n\ndef f(a):\n    return a\n".repeat(10);
        let other = ("other.txt", program.as_bytes());
        let files: &[(&str, &[u8])] = &[
            (name, program.as_bytes()),
            ("tool.py", hidden.as_bytes()),
            ("run.sh", b"exec ./a\n"),
            ("notes.md", b"# Use\n\nfunction and class are words, and so is import (or fn).\n"),
            ("words.json", b"{\"import\": [1, 2]}\n"),
            ("lib.a", b"!<arch>\nx"),
            other,
        ];
        let grading = graded(language, files, &[]);
        let named: Vec<_> =
            grading.unmeasured.files.iter().map(|file| (&*file.skipped.path, file.skipped.reason)).collect();
        let expected = [
            ("lib.a", RefusalReason::NativeCode),
            ("other.txt", RefusalReason::OtherName),
            ("run.sh", RefusalReason::OtherLanguage),
            ("tool.py", RefusalReason::OtherLanguage),
        ];
        assert_eq!(named, expected, "{language}");
        assert!(grading.withheld.is_some() && grading.language == language, "{language}");
        let alone =
            graded(language, &[(name, program.as_bytes()), ("target/x.py", hidden.as_bytes())], &["target".into()]);
        let figures = alone.measurement.expect("figures");
        assert_eq!((figures.total.callables, figures.callables.first().map(|one| one.cc)), (1, Some(2)), "{language}");
        assert_eq!(alone.unmeasured.files.first().map(|file| file.skipped.reason), Some(RefusalReason::Excluded));
        assert_eq!(alone.unmeasured.lines, 0);
    }
}

#[test]
fn sources_are_the_texts_that_were_measured() {
    let latin = b"# coding: latin-1\r\nword = '\xe9'\n";
    let files: [(&str, &[u8]); 5] = [
        ("main.py", b"x = 0\n"),
        ("pkg/latin.py", latin),
        ("broken.py", b"def f(:\n"),
        (".venv/lib.py", b"x = 1\n"),
        ("data.txt", b"word\n"),
    ];
    let folder = solution(&files);
    fs::write(folder.path().join("main.py"), program()).expect("a writable folder");
    let graded = graded(folder.path());
    let sources = measured_sources(folder.path(), &graded).expect("all files");
    let expected =
        [("main.py".to_owned(), program()), ("pkg/latin.py".to_owned(), "# coding: latin-1\nword = 'é'\n".into())];
    assert_eq!(sources, expected.into());
    fs::remove_file(folder.path().join("pkg/latin.py")).expect("a writable folder");
    let error = measured_sources(folder.path(), &graded).expect_err("a file is gone").to_string();
    assert!(error.contains("pkg/latin.py: it was measured"), "{error}");
}
