//! What foreign code leaves in a folder, and what of it comes out.
#![allow(clippy::unwrap_used)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use nix::fcntl::{AT_FDCWD, OFlag, openat};
use nix::sys::stat::{Mode, mkdirat};
use nix::unistd::mkfifo;
use slopbench_sandbox::snapshot::{Reason, Rules, Snapshot, SnapshotError};
use tempfile::TempDir;

struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("workspace")).unwrap();
        Self(dir)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join("workspace").join(path)
    }

    fn copied(&self, path: &str) -> PathBuf {
        self.0.path().join("copy").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn take(&self) -> Snapshot {
        Snapshot::take(&self.at(""), &self.copied(""), &Rules::default()).unwrap()
    }

    /// What is left out, with the reasons.
    fn skips(&self) -> Vec<(String, Reason)> {
        self.take().skipped.into_iter().map(|skipped| (skipped.path, skipped.reason)).collect()
    }
}

#[test]
fn plain_files_folders_and_inner_links_come_out_with_plain_modes() {
    let bench = Bench::new();
    bench.write("src/lib/main.py", "print(1)");
    bench.write("run", "#!/bin/sh");
    bench.write(".venv/bin/python", "x");
    bench.write("virtualenv/hidden.py", "x");
    bench.write("src/lib/hidden.pyc", "x");
    bench.write("src/__pycache__/main.pyc", "x");
    fs::set_permissions(bench.at("run"), PermissionsExt::from_mode(0o4700)).unwrap();
    fs::set_permissions(bench.at("src/lib/main.py"), PermissionsExt::from_mode(0o600)).unwrap();
    symlink("../../run", bench.at("src/lib/link")).unwrap();
    symlink("nowhere", bench.at("dangling")).unwrap();
    let snapshot = bench.take();
    assert_eq!((snapshot.entries, snapshot.bytes, snapshot.skipped), (6, 17, Vec::new()));
    let mode = |path| fs::metadata(bench.copied(path)).unwrap().mode() & 0o7777;
    assert_eq!((mode("run"), mode("src/lib/main.py"), mode("src")), (0o755, 0o644, 0o755));
    assert_eq!(fs::read_link(bench.copied("src/lib/link")).unwrap(), Path::new("../../run"));
    assert!(!bench.copied(".venv").exists() && !bench.copied("src/__pycache__").exists());
}

#[test]
fn what_is_no_plain_file_is_named() {
    let bench = Bench::new();
    mkfifo(&bench.at("fifo"), Mode::S_IRWXU).unwrap();
    let _socket = UnixListener::bind(bench.at("socket")).unwrap();
    fs::write(bench.at("").join(OsStr::from_bytes(b"\xff\n")), "").unwrap();
    bench.write("new\nline", "kept");
    assert_eq!(
        bench.skips(),
        [
            ("\\xff\n".to_owned(), Reason::NotUtf8),
            ("fifo".to_owned(), Reason::Fifo),
            ("socket".to_owned(), Reason::Socket),
        ]
    );
    assert_eq!(fs::read_to_string(bench.copied("new\nline")).unwrap(), "kept");
}

#[test]
fn no_link_leads_out_not_even_by_way_of_another() {
    let bench = Bench::new();
    fs::create_dir_all(bench.at("deep/deep")).unwrap();
    symlink("/etc/passwd", bench.at("absolute")).unwrap();
    symlink("../secret", bench.at("up")).unwrap();
    symlink("../..", bench.at("deep/deep/top")).unwrap();
    // Inside by its letters; but `top` is the root, and above it lies the machine.
    symlink("top/../../secret", bench.at("deep/deep/trick")).unwrap();
    let escaping = |path: &str| (path.to_owned(), Reason::EscapingLink);
    assert_eq!(bench.skips(), [escaping("absolute"), escaping("deep/deep/trick"), escaping("up")]);
    assert!(bench.copied("deep/deep/top/deep").is_dir());
}

#[test]
fn a_file_whose_other_name_is_elsewhere_stays_there() {
    let bench = Bench::new();
    fs::write(bench.0.path().join("secret"), "secret").unwrap();
    fs::hard_link(bench.0.path().join("secret"), bench.at("stolen")).unwrap();
    bench.write("one", "both are here");
    fs::hard_link(bench.at("one"), bench.at("two")).unwrap();
    assert_eq!(bench.skips(), [("stolen".to_owned(), Reason::HardLink)]);
    assert_eq!(fs::read_to_string(bench.copied("two")).unwrap(), "both are here");
    assert_eq!(fs::metadata(bench.copied("two")).unwrap().nlink(), 1);
}

#[test]
fn paths_that_no_system_call_takes_are_named() {
    let bench = Bench::new();
    let open = |at, name: &Path| openat(at, name, OFlag::O_DIRECTORY, Mode::empty()).unwrap();
    let mut folder = open(AT_FDCWD, &bench.at(""));
    let name = "d".repeat(200);
    for _ in 0..30 {
        mkdirat(&folder, name.as_str(), Mode::S_IRWXU).unwrap();
        folder = openat(&folder, name.as_str(), OFlag::O_DIRECTORY, Mode::empty()).unwrap();
    }
    let skipped = bench.skips();
    assert!(matches!(skipped.as_slice(), [(path, Reason::TooLong)] if path.len() == 21 * 201 - 1), "{skipped:?}");
}

#[test]
fn too_much_is_an_error_and_leaves_nothing() {
    let bench = Bench::new();
    bench.write("a", "12345");
    bench.write("b", "12345");
    for (rules, expected) in [
        (Rules { entries: 1, ..Rules::default() }, "files, folders and links"),
        (Rules { bytes: 9, ..Rules::default() }, "bytes"),
    ] {
        let error = Snapshot::take(&bench.at(""), &bench.copied(""), &rules).unwrap_err();
        assert!(matches!(&error, SnapshotError::TooMuch { what, .. } if *what == expected), "{error}");
        assert!(!bench.copied("").exists());
    }
    // A terabyte that takes no space: its size is enough to refuse it.
    fs::File::create(bench.at("sparse")).unwrap().set_len(1 << 40).unwrap();
    assert!(Snapshot::take(&bench.at(""), &bench.copied(""), &Rules::default()).is_err());
}
