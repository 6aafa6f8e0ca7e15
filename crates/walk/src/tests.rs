//! Trees of all the shapes that break simpler walks.

use std::ffi::CString;
use std::fs;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::thread;

use rustix::fs::{Mode, mkdirat};

use super::*;

/// More levels than a thread's stack has room for a call each.
const DEEP: usize = 30_000;

/// More folders than a process may have descriptors.
const WIDE: usize = 20_000;

/// A descriptor's number beyond this means that they pile up.
const DESCRIPTORS: i32 = 500;

/// In memory where there is some: a disk takes minutes for what is asked here.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn dig(folder: &Path, name: &str, levels: usize) {
    let name = CString::new(name).unwrap();
    let mut cursor = Cursor::new(open(folder).unwrap());
    for _ in 0..levels {
        mkdirat(cursor.folder(), name.as_c_str(), Mode::RWXU).unwrap();
        cursor.down(&name).unwrap();
    }
}

fn spread(folder: &Path) {
    for number in 0..WIDE {
        fs::create_dir(folder.join(number.to_string())).unwrap();
    }
}

/// How many folders a walk enters and leaves, and how deep it gets.
fn count(folder: &Path) -> (usize, usize, usize) {
    let mut walk = Walk::new(open(folder).unwrap()).unwrap();
    let (mut found, mut left, mut longest) = (0, 0, 0);
    while let Some(step) = walk.step().unwrap() {
        assert!(walk.folder().as_raw_fd() < DESCRIPTORS);
        longest = longest.max(walk.path().as_os_str().len());
        match step {
            WalkStep::Found(_) => {
                found += 1;
                walk.enter().unwrap();
            }
            WalkStep::Left => left += 1,
        }
    }
    (found, left, longest)
}

#[test]
fn no_depth_and_no_length_of_paths_is_too_much() {
    let dir = scratch();
    let tree = dir.path().join("tree");
    fs::create_dir(&tree).unwrap();
    dig(&tree, "d", DEEP);
    dig(&tree, &"long".repeat(60), 100);
    let expected = (2 * DEEP - 1).max(100 * 241 - 1);
    // Little stack: a call for each level would not fit.
    let walk = thread::Builder::new().stack_size(128 << 10).spawn(move || {
        assert_eq!(count(&tree), (DEEP + 100, DEEP + 100, expected));
        remove(&tree).unwrap();
        assert!(!tree.exists());
    });
    walk.unwrap().join().unwrap();
}

#[test]
fn no_width_is_too_much() {
    let dir = scratch();
    let tree = dir.path().join("tree");
    fs::create_dir(&tree).unwrap();
    spread(&tree);
    fs::create_dir(tree.join("7/below")).unwrap();
    assert_eq!(count(&tree), (WIDE + 1, WIDE + 1, 7));
    remove(&tree).unwrap();
    assert!(!tree.exists());
}

#[test]
fn names_come_in_order_and_a_folder_s_own_in_between() {
    let dir = tempfile::tempdir().unwrap();
    for path in ["b/c/d", "b/a", "a"] {
        fs::create_dir_all(dir.path().join(path)).unwrap();
    }
    fs::write(dir.path().join("b.x"), "").unwrap();
    symlink("b", dir.path().join("link")).unwrap();
    let mut walk = Walk::new(open(dir.path()).unwrap()).unwrap();
    let mut seen = Vec::new();
    while let Some(step) = walk.step().unwrap() {
        seen.push((walk.path().to_owned(), step));
        if step == WalkStep::Found(FileType::Directory) && walk.name() != c"c" {
            walk.enter().unwrap();
        }
    }
    let found = |path: &str, kind| (PathBuf::from(path), WalkStep::Found(kind));
    let left = |path: &str| (PathBuf::from(path), WalkStep::Left);
    let folder = FileType::Directory;
    assert_eq!(
        seen,
        [
            found("a", folder),
            left("a"),
            found("b", folder),
            found("b/a", folder),
            left("b/a"),
            found("b/c", folder),
            left("b"),
            found("b.x", FileType::RegularFile),
            found("link", FileType::Symlink),
        ]
    );
}

#[test]
fn what_is_too_much_is_not_listed() {
    let dir = tempfile::tempdir().unwrap();
    (0..100).for_each(|number| fs::write(dir.path().join(number.to_string()), "").unwrap());
    assert!(!Walk::of_at_most(open(dir.path()).unwrap(), 100).unwrap().is_over());
    assert!(Walk::of_at_most(open(dir.path()).unwrap(), 99).unwrap().is_over());
}

#[test]
fn a_folder_that_was_moved_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("a/b/c")).unwrap();
    fs::create_dir(dir.path().join("z")).unwrap();
    let mut walk = Walk::new(open(dir.path()).unwrap()).unwrap();
    for _ in 0..3 {
        walk.step().unwrap().unwrap();
        walk.enter().unwrap();
    }
    fs::rename(dir.path().join("a/b"), dir.path().join("z/b")).unwrap();
    assert_eq!(walk.step().unwrap(), Some(WalkStep::Left));
    assert!(walk.step().unwrap_err().to_string().contains("moved"));
}

#[test]
fn nothing_stays_whatever_it_is_and_no_link_is_followed() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("kept"), "").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let at = |path: &str| dir.path().join("tree").join(path);
    fs::create_dir_all(at("a/b/c/d")).unwrap();
    fs::write(at("a/b/file"), "").unwrap();
    symlink(outside.path(), at("a/link")).unwrap();
    symlink("nowhere", at("dangling")).unwrap();
    for closed in ["a/b", "a", ""] {
        fs::set_permissions(at(closed), fs::Permissions::from_mode(0o0)).unwrap();
    }
    let tree = dir.path().join("tree");
    remove(&tree).unwrap();
    assert!(!tree.exists());
    remove(&tree).unwrap();
    symlink(outside.path(), &tree).unwrap();
    remove(&tree).unwrap();
    assert!(outside.path().join("kept").exists());
}
