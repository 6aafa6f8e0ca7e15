//! From a solution's folder to an environment, with an index that is a folder of wheels made here.
//!
//! Skipped, saying why, where there are no namespaces or uv is not to be had.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

use common::{Bench, names, says};
use slopbench_environments::{Environments, PackageIndex};
use slopbench_sandbox::{Runtime, session::System};

#[test]
fn what_is_declared_is_locked_built_and_there() {
    let Some(bench) =
        Bench::new(&["greet|1.0|py3-none-any|other>=1", "greet|0.9|py3-none-any", "other|2.0|py3-none-any"])
    else {
        return;
    };
    let environments = bench.environments();
    assert!(environments.prepare(&bench.solution("# nothing\n")).unwrap().is_none());
    let prepared = bench.prepared("greet\n");
    assert_eq!(names(&prepared.record), ["greet 1.0", "other 2.0"]);
    assert_eq!(prepared.record.requirements, ["requirements.txt:1: greet"]);
    let built = prepared.environment.unwrap().path;
    assert_eq!(says(&built.join("bin/python3"), &["-c", "import greet, other; greet.main()"]), "greet 1.0");
    // Wherever it lies.
    assert_eq!(says(&built.join("bin/greet"), &[]), "greet 1.0");
    let packages = says(&built.join("bin/python"), &["-c", "import greet; print(greet.__file__, greet.__cached__)"]);
    let (source, bytecode) = packages.split_once(' ').unwrap();
    assert!(Path::new(source).starts_with(&built), "{source}");
    // Bit 0 of the flags: by digest; bit 1, which is not set: compared with the source.
    assert_eq!(fs::read(bytecode).unwrap()[4..8], [1, 0, 0, 0]);

    // The same once more is the same folder, and so is what is opened by its record.
    let again = bench.prepared("greet\n");
    assert_eq!((again.record.clone(), again.environment.unwrap().path), (prepared.record.clone(), built.clone()));
    assert_eq!(bench.environments().open(prepared.record.clone()).unwrap().environment.unwrap().path, built);
    let listed = bench.store.list().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].packages, ["greet 1.0", "other 2.0"]);
    assert_eq!(listed[0].digest, prepared.record.identity().unwrap().digest);
}

#[test]
fn a_record_is_built_from_an_export_alone() {
    let Some(bench) = Bench::new(&["greet|1.0|py3-none-any"]) else { return };
    let prepared = bench.prepared("greet");
    let (record, exported) = (prepared.record, bench.folder.path().join("export"));
    assert_eq!(bench.store.export(std::slice::from_ref(&record), &[], &bench.index(), &exported).unwrap(), 2);
    drop(prepared.environment);
    // A newer version would be chosen now, and there is no index to ask.
    fs::remove_dir_all(bench.folder.path().join("index")).unwrap();
    assert_eq!(bench.store.prune(None).unwrap().len(), 1);
    let error = bench.environments().open(record.clone()).unwrap_err();
    assert!(error.is_of_infrastructure() && error.to_string().contains("the package index gave no answer"), "{error}");
    assert_eq!(bench.store.import(&exported).unwrap(), 2);
    let built = bench.environments().open(record).unwrap().environment.unwrap();
    assert_eq!(says(&built.path.join("bin/greet"), &[]), "greet 1.0");
    // Whoever uses it keeps it.
    assert_eq!(bench.store.prune(None).unwrap().len(), 0);
    drop(built);
    assert_eq!(bench.store.prune(None).unwrap().len(), 1);

    let wheel = walk(&exported).into_iter().find(|path| path.ends_with("greet-1.0-py3-none-any.whl")).unwrap();
    fs::write(&wheel, "another").unwrap();
    let error = bench.store.import(&exported).unwrap_err();
    assert!(!error.is_of_infrastructure() && error.to_string().contains("expected the digest"), "{error}");
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn what_cannot_be_had_is_one_sentence_with_its_line() {
    let wheels = ["greet|1.0|py3-none-any", "old|1.0|cp27-cp27m-win32", "needy|1.0|py3-none-any|absent"];
    let Some(bench) = Bench::new(&wheels) else { return };
    let rows = [
        ("greet\nnosuch>=1\n", "requirements.txt:2: the package index has no package `nosuch`"),
        ("needy\n", "requirements.txt:1: the package index has no package `absent`"),
        ("greet==2\n", "requirements.txt:1: no versions of the packages that are asked for fit together"),
        (
            "greet==1\n\ngreet<1\n",
            "requirements.txt:1, requirements.txt:3: no versions of the packages that are asked for fit together",
        ),
        ("old\n", "requirements.txt:1: there is no wheel for this interpreter and machine, and no source"),
    ];
    for (requirements, expected) in rows {
        assert_eq!(bench.refusal(requirements), expected);
    }
    for unread in ["greet >= what", "greet = 1", "greet; nonsense", "greet[", "greet 1.0"] {
        let refusal = bench.refusal(&format!("greet\n{unread}\n"));
        assert!(refusal.starts_with("requirements.txt:2: "), "{unread}: {refusal}");
    }
    // What is refused was asked once, too.
    let environments = bench.environments();
    let prepared = environments.prepare(&bench.solution("nosuch")).unwrap().unwrap();
    assert!(environments.open(prepared.record).unwrap().environment.is_none());
}

#[test]
fn packages_that_need_each_other_are_installed_together() {
    let Some(bench) = Bench::new(&["yin|1.0|py3-none-any|yang", "yang|1.0|py3-none-any|yin"]) else { return };
    let prepared = bench.prepared("yin");
    assert_eq!(names(&prepared.record), ["yang 1.0", "yin 1.0"]);
}

#[test]
fn a_wheel_that_is_none_is_the_solutions_fault() {
    let Some(bench) = Bench::new(&["greet|1.0|py3-none-any"]) else { return };
    let wheel = bench.folder.path().join("index/greet-1.0-py3-none-any.whl");
    let bytes = fs::read(&wheel).unwrap();
    // Its directory, which lies at the end, is whole; the first file is not.
    fs::write(&wheel, [&[b'x'; 60][..], &bytes[60..]].concat()).unwrap();
    assert_eq!(bench.refusal("greet"), "requirements.txt:1: a package is broken on the index");
}

#[test]
fn an_index_that_is_not_there_is_the_infrastructures() {
    let Some(bench) = Bench::new(&[]) else { return };
    let variables = vec![("PIP_INDEX_URL".to_owned(), "http://127.0.0.1:9/simple".to_owned())];
    let system = System::Machine(Runtime::python3().unwrap());
    let environments = Environments::new(bench.store.clone(), system, Vec::new(), PackageIndex { variables }, &|_| ());
    let error = environments.prepare(&bench.solution("greet")).unwrap_err();
    assert!(error.is_of_infrastructure() && error.to_string().contains("the package index gave no answer"), "{error}");
}

#[test]
fn several_at_once_build_one() {
    let Some(bench) = Bench::new(&["greet|1.0|py3-none-any"]) else { return };
    let build = || bench.prepared("greet").environment.unwrap().path;
    let built: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(build)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(built[0], built[1]);
    assert_eq!(built[1], built[2]);
    assert_eq!(bench.store.list().unwrap().len(), 1);
}
