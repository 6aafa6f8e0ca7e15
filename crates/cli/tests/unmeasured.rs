//! Solutions that hide what they do from the analyzer, graded with the real binary on the small problem in
//! `tests/repository`: what is not measured does not run, or it is named and the figures are withheld.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{fs, path::Path, process::Command};

use common::{Bench, copy};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;

/// The analyzer's own rules, where a repository has them.
const RULES: &str = "crates/metrics/rules/python";

/// A program that does what the problem asks.
const PROGRAM: &str = "import sys\n\n\ndef main():\n    if sys.argv[1].isdigit():\n        sys.exit(1)\n    print(sys.argv[1])\n\n\nmain()\n";

/// The most memory that grading may take, in KiB.
const MOST_MEMORY: i64 = 512 << 10;

/// How a solution was graded.
struct Graded {
    solved: bool,
    quality: Value,
    text: String,
}

impl Graded {
    /// Whether it is solved, and why there are no figures.
    fn outcome(&self) -> (bool, Option<&str>) {
        (self.solved, self.quality["withheld"].as_str())
    }

    /// Reasons by path of what is not measured.
    fn unmeasured(&self) -> Vec<(&str, &str)> {
        let files = self.quality["unmeasured"]["files"].as_array().unwrap();
        files.iter().map(|file| (file["path"].as_str().unwrap(), file["reason"].as_str().unwrap())).collect()
    }
}

/// Grades the solution that `write` makes, its entry being `echo.py`.
fn grade(write: impl FnOnce(&Path)) -> Graded {
    let bench = Bench::new();
    let solution = bench.path("repository/problems/echo/solution/python/checkpoint_1");
    write(&solution);
    let output = bench.slopbench(&["test", "echo", "--solution", solution.to_str().unwrap(), "--checkpoint", "1"]);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    let solved = output.status.success();
    let repository = bench.path("repository");
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(RULES), &repository.join(RULES));
    let archive = bench.command(&["archive", "artifacts/reference-echo"]).current_dir(repository).output().unwrap();
    let quality = bench.path("repository/artifacts/reference-echo/checkpoint_1/quality.json");
    let quality = fs::read(quality).unwrap_or_else(|error| panic!("{error}: {archive:?}"));
    let quality = serde_json::from_slice(&quality).unwrap();
    Graded { solved, quality, text: String::from_utf8(output.stdout).unwrap() }
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn python(folder: &Path, script: &str) {
    let output = Command::new("python3").args(["-c", script]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn a_cache_tag_hides_nothing() {
    let graded = grade(|solution| {
        write(&solution.join("echo.py"), "import sys\nsys.path.insert(0, sys.path[0] + '/hidden')\nimport program\n");
        write(&solution.join("hidden/program.py"), PROGRAM);
        write(&solution.join("hidden/CACHEDIR.TAG"), "Signature: 8a477f597d28d172789f06886806bc55\n");
    });
    assert_eq!(graded.outcome(), (true, None), "{}", graded.text);
    assert_eq!(graded.quality["measurement"]["total"]["files"], 2);
}

#[test]
fn what_is_left_out_for_its_name_does_not_run() {
    for folder in ["virtualenv", ".nox", "node_modules", ".cache", ".ruff_cache"] {
        let graded = grade(|solution| {
            let entry = format!("import sys\nsys.path.insert(0, sys.path[0] + '/{folder}')\nimport program\n");
            write(&solution.join("echo.py"), entry);
            write(&solution.join(folder).join("program.py"), PROGRAM);
        });
        assert_eq!(graded.outcome(), (false, None), "{folder}: {}", graded.text);
    }
}

#[test]
fn bytecode_without_its_source_does_not_run_or_is_named() {
    let compile =
        "import py_compile; py_compile.compile('program.py', 'program.pyc'); import os; os.remove('program.py')";
    let graded = grade(|solution| {
        write(&solution.join("echo.py"), "import program\n");
        write(&solution.join("program.py"), PROGRAM);
        python(solution, compile);
    });
    assert_eq!(graded.outcome(), (false, None), "{}", graded.text);
    let graded = grade(|solution| {
        write(&solution.join("echo.py"), "import runpy, sys\nrunpy.run_path(sys.path[0] + '/words.dat')\n");
        write(&solution.join("program.py"), PROGRAM);
        python(solution, &compile.replace("program.pyc", "words.dat"));
    });
    assert_eq!(graded.unmeasured(), [("words.dat", "bytecode")]);
    assert!(graded.quality["withheld"].as_str().unwrap().contains("words.dat: bytecode"), "{}", graded.text);
}

#[test]
fn an_archive_that_is_imported_from_is_named() {
    let graded = grade(|solution| {
        write(
            &solution.join("echo.py"),
            "import sys\nsys.path.insert(0, sys.path[0] + '/words.txt')\nimport program\n",
        );
        write(&solution.join("program.py"), PROGRAM);
        python(
            solution,
            "import zipfile, os\nwith zipfile.ZipFile('words.txt', 'w') as z: z.write('program.py')\nos.remove('program.py')",
        );
    });
    assert!(graded.solved, "{}", graded.text);
    assert_eq!(graded.unmeasured(), [("words.txt", "archive")]);
    assert_eq!(graded.quality["measurement"], Value::Null);
    assert!(
        graded.text.contains("\nNo figures: ") && graded.text.contains("words.txt: an archive (zip)"),
        "{}",
        graded.text
    );
}

#[test]
fn source_by_another_name_is_named() {
    for run in ["import runpy\nrunpy.run_path(path)\n", "exec(open(path).read())\n"] {
        let graded = grade(|solution| {
            write(&solution.join("echo.py"), format!("import sys\npath = sys.path[0] + '/words.txt'\n{run}"));
            write(&solution.join("words.txt"), PROGRAM);
        });
        assert!(graded.solved, "{}", graded.text);
        assert_eq!(graded.unmeasured(), [("words.txt", "other-name")]);
        assert!(graded.outcome().1.is_some(), "{}", graded.text);
    }
}

#[test]
fn source_in_another_encoding_is_measured_or_named() {
    let program = |cookie: &str| [cookie.as_bytes(), PROGRAM.as_bytes(), b"# \xe9\n"].concat();
    let graded = grade(|solution| write(&solution.join("echo.py"), program("# -*- coding: latin-1 -*-\n")));
    assert_eq!(graded.outcome(), (true, None), "{}", graded.text);
    assert_eq!(graded.quality["measurement"]["total"]["callables"], 1);
    let graded = grade(|solution| write(&solution.join("echo.py"), format!("# coding: utf-7\n{PROGRAM}")));
    assert!(graded.solved, "{}", graded.text);
    assert_eq!(graded.unmeasured(), [("echo.py", "encoding")]);
    assert_eq!(graded.quality["unmeasured"]["share"], 1.0);
}

/// 16 MiB of statements and a list of 4 MiB took minutes and gigabytes once.
#[test]
fn what_costs_too_much_to_measure_is_named() {
    let list = format!("x=[{}]\n", "0,".repeat(2 << 20));
    let words = format!("x=[{}]\n", "0,".repeat(100_000));
    for text in ["x=0\n".repeat(4 << 20), list, words] {
        let graded = grade(|solution| {
            write(&solution.join("echo.py"), PROGRAM);
            write(&solution.join("rest.py"), text);
        });
        assert!(graded.solved, "{}", graded.text);
        assert_eq!(graded.unmeasured(), [("rest.py", "too-large")]);
        assert!(graded.outcome().1.is_some(), "{}", graded.text);
    }
    assert!(largest_child() < MOST_MEMORY, "{} MiB", largest_child() >> 10);
}

/// Each of these is within the limits, and has more to be found in it than any program.
#[test]
fn what_may_be_measured_takes_little_memory() {
    let rows = [
        format!("x={}a\n", "not ".repeat(2000)).repeat(36),
        "def f():0\n".repeat(18_000),
        "x = x + [1]\n".repeat(18_000),
    ];
    for text in rows {
        let graded = grade(|solution| {
            write(&solution.join("echo.py"), PROGRAM);
            write(&solution.join("rest.py"), &text);
            write(&solution.join("more.py"), text);
        });
        assert_eq!(graded.outcome(), (true, None), "{}", graded.text);
        assert_eq!(graded.quality["measurement"]["total"]["files"], 3);
    }
    assert!(largest_child() < MOST_MEMORY, "{} MiB", largest_child() >> 10);
}

/// What the largest process took that was started here, in KiB.
fn largest_child() -> i64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss()
}

#[test]
fn files_in_other_languages_and_data_change_no_figure() {
    let alone = grade(|_| ());
    let graded = grade(|solution| {
        write(&solution.join("fixtures/a.cpp"), "int f(int a) { if (a) return 1; return 2; }\n");
        write(&solution.join("fixtures/b.js"), "function f(a) { if (a) { return 1 }\n return 2 }\n");
        write(&solution.join("words.json"), "{\"import\": [1, 2]}\n");
        write(&solution.join("README.md"), "# Echo\n\n    import sys\n\nfor people\n");
    });
    assert_eq!(graded.quality["measurement"], alone.quality["measurement"]);
    assert_eq!((graded.unmeasured(), alone.unmeasured()), (vec![], vec![]));
    assert_eq!(graded.quality["data"]["files"], 4);
}

#[test]
fn a_small_share_is_named_beside_the_figures() {
    let graded = grade(|solution| {
        write(&solution.join("rest.py"), "x = 0\n".repeat(200));
        write(&solution.join("run.sh"), "#!/bin/sh\nexec python3 echo.py\n");
    });
    assert_eq!(graded.outcome(), (true, None), "{}", graded.text);
    assert_eq!(graded.unmeasured(), [("run.sh", "script")]);
    assert!(graded.text.contains("2 lines could run and are not measured, 1.0% of all."), "{}", graded.text);
}
