//! Packages that have no wheel: from a source to an environment, with an index that is a folder made here.
//!
//! Skipped, saying why, where there are no namespaces or uv is not to be had.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;

use common::{Bench, names, says};
use slopbench_test_support::wheels::{TestSource, write_source, write_wheels};

/// What a build does is the statement.
fn source<'a>(name: &'a str, first: &'a str) -> TestSource<'a> {
    TestSource { name, version: "1.0", build_requires: &[], first }
}

#[test]
fn a_source_is_built_once_and_its_wheel_is_locked() {
    let wheels = ["app|1.0|py3-none-any|made", "helper|1.0|py3-none-any", "helper|2.0|py3-none-any"];
    let Some(bench) = Bench::new(&wheels) else { return };
    let folder = bench.folder.path().join("index");
    let stamp = "import helper; assert helper.__file__; os.environ['HOME']";
    write_source(&folder, &TestSource { build_requires: &["helper<2"], ..source("made", stamp) });
    let prepared = bench.prepared("app\n");
    assert_eq!(names(&prepared.record), ["app 1.0", "made 1.0"]);
    let (_, made) = prepared.record.packages().find(|(name, _)| *name == "made").unwrap();
    let built = made.built_from.as_ref().unwrap();
    assert_eq!((made.file.as_str(), built.file.as_str()), ("made-1.0-py3-none-any.whl", "made-1.0.tar.gz"));
    assert_eq!(
        built.fetched.keys().collect::<Vec<_>>(),
        ["helper-1.0-py3-none-any.whl"],
        "what it asks for, and no more"
    );
    let environment = prepared.environment.unwrap();
    assert_eq!(says(&environment.path.join("bin/python3"), &["-c", "import made; made.main()"]), "made 1.0");
    // What a build asks for is no part of what it is for.
    assert_eq!(
        says(
            &environment.path.join("bin/python3"),
            &["-c", "import importlib.util as u; print(u.find_spec('helper'))"]
        ),
        "None"
    );

    // Another checkpoint's session, later: the same wheel, as it was built.
    let more = "requirements.txt";
    fs::write(bench.solution("app\n").join(more), "app\nhelper\n").unwrap();
    let again = bench.environments().prepare(&bench.folder.path().join("solution")).unwrap().unwrap().record;
    assert_eq!(again.packages().find(|(name, _)| *name == "made").unwrap().1, made);
    assert_eq!(names(&again), ["app 1.0", "helper 2.0", "made 1.0"]);

    // Elsewhere it is had from an export alone.
    let (record, exported) = (prepared.record.clone(), bench.folder.path().join("exported-made"));
    assert_eq!(bench.store.export(std::slice::from_ref(&record), &[], &bench.index(), &exported).unwrap(), 3);
    drop(environment);
    bench.store.prune(None).unwrap();
    let error = bench.environments().open(record.clone()).unwrap_err();
    assert!(
        !error.is_of_infrastructure() && error.to_string().starts_with("made-1.0-py3-none-any.whl was built"),
        "{error}"
    );
    bench.store.import(&exported).unwrap();
    assert!(bench.environments().open(record).unwrap().environment.is_some());
}

#[test]
fn wheels_come_first() {
    let Some(bench) = Bench::new(&["made|0.9|py3-none-any"]) else { return };
    write_source(&bench.folder.path().join("index"), &source("made", "raise SystemExit('not asked for')"));
    assert_eq!(names(&bench.prepared("made\n").record), ["made 0.9"]);
    let refusal = bench.refusal("made>=1\n");
    assert_eq!(refusal, "requirements.txt:1: the source of `made` cannot be built: not asked for");
}

#[test]
fn what_a_build_tries_is_a_sentence() {
    let Some(bench) = Bench::new(&["greet|1.0|py3-none-any"]) else { return };
    let secret = bench.folder.path().join("secret");
    fs::write(&secret, "found").unwrap();
    let (index, looks) = (bench.folder.path().join("index"), format!("raise SystemExit(open({secret:?}).read())"));
    // Who forks on meets the kernel's limit or ours, whichever is first.
    let rows = [
        ("fails", "raise SystemExit('cannot go on')", "cannot go on"),
        ("network", "import socket; socket.create_connection(('192.0.2.1', 80), 5)", "Network is unreachable"),
        ("names", "import urllib.request; urllib.request.urlopen('http://example.org')", "urlopen error"),
        (
            "gateway",
            "import urllib.request; urllib.request.urlopen('http://127.0.0.1:17891/v1/messages')",
            "HTTP Error 40",
        ),
        ("home", looks.as_str(), "No such file or directory"),
        ("writes", "open('/usr/planted', 'w')", "Read-only file system"),
        ("forks", "while True: os.fork()", "its build takes more than 256 processes|Resource temporarily unavailable"),
    ];
    for (name, first, expected) in rows {
        write_source(&index, &source(name, first));
        let refusal = bench.refusal(&format!("greet\n{name}\n"));
        let begins = format!("requirements.txt:2: the source of `{name}` cannot be built: ");
        assert!(
            refusal.starts_with(&begins) && expected.split('|').any(|one| refusal.contains(one)),
            "{name}: {refusal}"
        );
        assert!(!refusal.contains("found"), "{refusal}");
    }
    // Who is not stopped by that has a wheel, and nothing else.
    let tries =
        "try:\n    open('/usr/planted', 'w')\nexcept OSError:\n    pass\nopen(os.environ['HOME'] + '/planted', 'w')";
    write_source(&index, &source("tries", tries));
    assert_eq!(names(&bench.prepared("tries\n").record), ["tries 1.0"]);
}

#[test]
fn what_is_needed_to_build_and_cannot_be_had_is_named() {
    let Some(bench) = Bench::new(&[]) else { return };
    let index = bench.folder.path().join("index");
    write_source(&index, &TestSource { build_requires: &["absent"], ..source("made", "pass") });
    let refusal = bench.refusal("made\n");
    assert!(refusal.starts_with("requirements.txt:1: the source of `made` cannot be built: "), "{refusal}");
    assert!(refusal.contains("absent was not found"), "{refusal}");
    write_wheels(&index, &["absent|1.0|py3-none-any"]);
    assert_eq!(names(&bench.prepared("made\n").record), ["made 1.0"]);
}
