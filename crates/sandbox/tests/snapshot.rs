//! What foreign code leaves in a folder, and what of it comes out.
#![allow(clippy::unwrap_used)]

use std::ffi::{CString, OsStr};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread;

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::stat::{Mode, mkdirat};
use nix::unistd::{Uid, chown, getegid, geteuid, mkfifo};
use slopbench_sandbox::snapshot::{CopyRules, SkipReason, Skips, Snapshot, SnapshotError};
use slopbench_walk::Cursor;
use tempfile::TempDir;

struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("workspace")).unwrap();
        Self(dir)
    }

    /// In memory where there is some: a disk takes long for a tree of many folders.
    fn in_memory() -> Self {
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
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
        Snapshot::take(&self.at(""), &self.copied(""), &CopyRules::default()).unwrap()
    }

    /// What is left out, with the reasons.
    fn skips(&self) -> Vec<(String, SkipReason)> {
        self.take().skipped.named.into_iter().map(|skipped| (skipped.path, skipped.reason)).collect()
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
    assert_eq!((snapshot.entries, snapshot.bytes, snapshot.skipped), (6, 17, Skips::default()));
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
            ("\\xff\n".to_owned(), SkipReason::NotUtf8),
            ("fifo".to_owned(), SkipReason::Fifo),
            ("socket".to_owned(), SkipReason::Socket),
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
    let escaping = |path: &str| (path.to_owned(), SkipReason::EscapingLink);
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
    assert_eq!(bench.skips(), [("stolen".to_owned(), SkipReason::HardLink)]);
    assert_eq!(fs::read_to_string(bench.copied("two")).unwrap(), "both are here");
    assert_eq!(fs::metadata(bench.copied("two")).unwrap().nlink(), 1);
}

/// Makes a folder in a folder, and so on.
fn dig(folder: &Path, name: &str, levels: usize) {
    let mut cursor = Cursor::new(slopbench_walk::open(folder).unwrap());
    let name = CString::new(name).unwrap();
    for _ in 0..levels {
        mkdirat(cursor.folder(), name.as_c_str(), Mode::S_IRWXU).unwrap();
        cursor.down(&name).unwrap();
    }
}

#[test]
fn paths_that_nobody_could_read_are_named() {
    let bench = Bench::new();
    dig(&bench.at(""), &"d".repeat(200), 30);
    // As long as a system call takes, but not with the path of a folder before it.
    fs::create_dir_all(bench.at(&"e/".repeat(500))).unwrap();
    fs::write(bench.at(&format!("{}{}", "e/".repeat(500), "e".repeat(30))), "").unwrap();
    let skipped = bench.skips();
    let lengths: Vec<_> = skipped.iter().map(|(path, reason)| (path.len(), *reason)).collect();
    assert_eq!(lengths, [(6 * 201 - 1, SkipReason::TooLong), (1030, SkipReason::TooLong)]);
}

#[test]
fn the_deepest_tree_is_copied_as_far_as_it_can_be_read() {
    let bench = Bench::in_memory();
    bench.write("kept", "kept");
    dig(&bench.at(""), "d", 30_000);
    // With a stack that has no room for a call a folder.
    let walk = thread::Builder::new().stack_size(256 << 10).spawn(move || {
        let snapshot = bench.take();
        assert_eq!((snapshot.entries, snapshot.skipped.count), (513, [(SkipReason::TooLong, 1)].into()));
        assert_eq!(fs::read_to_string(bench.copied("kept")).unwrap(), "kept");
        slopbench_walk::remove(bench.0.path()).unwrap();
    });
    walk.unwrap().join().unwrap();
}

#[test]
fn what_is_left_out_is_counted_and_some_of_it_named() {
    let bench = Bench::in_memory();
    bench.write("kept", "kept");
    for number in 0..2000 {
        mkfifo(&bench.at(&format!("fifo-{number:04}")), Mode::S_IRWXU).unwrap();
    }
    let Skips { count, named } = bench.take().skipped;
    assert_eq!((count, named.len()), ([(SkipReason::Fifo, 2000)].into(), 100));
    assert_eq!(named.last().unwrap().path, "fifo-0099");
    // But there is an end to it.
    fs::remove_dir_all(bench.copied("")).unwrap();
    let rules = CopyRules { entries: 300, ..CopyRules::default() };
    let error = Snapshot::take(&bench.at(""), &bench.copied(""), &rules).unwrap_err();
    assert!(matches!(error, SnapshotError::TooMuch { what: "names", most: 1500, .. }), "{error}");
}

#[test]
fn more_folders_than_descriptors_are_copied() {
    let bench = Bench::in_memory();
    for number in 0..20_000 {
        fs::create_dir(bench.at(&number.to_string())).unwrap();
    }
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, 1000, hard).unwrap();
    assert_eq!(bench.take().entries, 20_000);
}

#[test]
fn a_folder_that_lets_nobody_in_is_left_out_whole() {
    let bench = Bench::new();
    bench.write("listed/file", "");
    bench.write("closed/file", "");
    bench.write("kept", "");
    let me = User::here(&bench);
    me.close(&bench.at("listed"), 0o400);
    me.close(&bench.at("closed"), 0o000);
    let unreadable = |path: &str| (path.to_owned(), SkipReason::Unreadable);
    assert_eq!(me.act(|| bench.skips()), [unreadable("closed"), unreadable("listed")]);
    fs::remove_dir_all(bench.copied("")).unwrap();
    me.close(&bench.at(""), 0o000);
    assert_eq!(me.act(|| bench.skips()), [unreadable(".")]);
    fs::set_permissions(bench.at(""), PermissionsExt::from_mode(0o700)).unwrap();
}

/// Somebody whom modes stop: root passes every door.
struct User(Option<u32>);

impl User {
    fn here(bench: &Bench) -> Self {
        let somebody = geteuid().is_root().then_some(12_345);
        chown(bench.0.path(), somebody.map(Uid::from_raw), None).unwrap();
        slopbench_walk::give(bench.0.path(), somebody.unwrap_or(geteuid().as_raw()), getegid().as_raw()).unwrap();
        Self(somebody)
    }

    fn close(&self, folder: &Path, mode: u32) {
        fs::set_permissions(folder, PermissionsExt::from_mode(mode)).unwrap();
    }

    /// Does something as them, in a thread of their own.
    fn act<T: Send>(&self, act: impl FnOnce() -> T + Send) -> T {
        thread::scope(|scope| {
            let actor = scope.spawn(|| {
                // Of this thread alone, where the C library's would be the process's.
                if let Some(user) = self.0 {
                    rustix::thread::set_thread_uid(rustix::fs::Uid::from_raw(user)).unwrap();
                }
                act()
            });
            actor.join().unwrap()
        })
    }
}

#[test]
fn too_much_is_an_error_and_leaves_nothing() {
    let bench = Bench::new();
    bench.write("a", "12345");
    bench.write("b", "12345");
    for (rules, expected) in [
        (CopyRules { entries: 1, ..CopyRules::default() }, "files, folders and links"),
        (CopyRules { bytes: 9, ..CopyRules::default() }, "bytes"),
    ] {
        let error = Snapshot::take(&bench.at(""), &bench.copied(""), &rules).unwrap_err();
        assert!(matches!(&error, SnapshotError::TooMuch { what, .. } if *what == expected), "{error}");
        assert!(!bench.copied("").exists());
    }
    // A terabyte that takes no space: its size is enough to refuse it.
    fs::File::create(bench.at("sparse")).unwrap().set_len(1 << 40).unwrap();
    assert!(Snapshot::take(&bench.at(""), &bench.copied(""), &CopyRules::default()).is_err());
}
