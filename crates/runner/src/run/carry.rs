//! What is carried from one checkpoint to the next: the workspace's files, and nothing that a machine put beside them.

use std::{
    fs, io,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
};

use walkdir::{DirEntry, WalkDir};

/// Folders that are left behind: version control, virtual environments, installed packages and caches.
pub const LEFT_BEHIND: &[&str] = &[
    ".cache",
    ".git",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".tox",
    ".venv",
    "__pycache__",
    "node_modules",
    "venv",
];

/// Copies `from` into the new folder `to`, without what is [`LEFT_BEHIND`]; links are copied as links and never followed.
/// Modes are made alike, since agents differ in how they write files. Gives the paths of what is neither file, folder nor
/// link, and so was not copied.
pub(crate) fn carry(from: &Path, to: &Path) -> io::Result<Vec<String>> {
    fs::create_dir_all(to)?;
    let mut refused = Vec::new();
    let stays = |entry: &DirEntry| entry.depth() > 0 && LEFT_BEHIND.iter().any(|name| entry.file_name() == *name);
    for entry in WalkDir::new(from).min_depth(1).sort_by_file_name().into_iter().filter_entry(|entry| !stays(entry)) {
        let entry = entry?;
        let path = entry.path().strip_prefix(from).unwrap_or(entry.path());
        let target = to.join(path);
        let kind = entry.file_type();
        if kind.is_dir() {
            fs::create_dir_all(target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
            let is_program = entry.metadata()?.permissions().mode() & 0o100 != 0;
            fs::set_permissions(&target, PermissionsExt::from_mode(if is_program { 0o755 } else { 0o644 }))?;
        } else {
            refused.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_carried_and_what_a_machine_left_is_not() {
        let [from, to] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        for path in ["a.py", "lib/b.py", ".venv/bin/python", "lib/__pycache__/b.pyc", ".git/HEAD", "venv.py"] {
            let path = from.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "1\n").unwrap();
        }
        fs::set_permissions(from.path().join("a.py"), PermissionsExt::from_mode(0o600)).unwrap();
        symlink("../outside", from.path().join("link")).unwrap();
        let socket = std::os::unix::net::UnixListener::bind(from.path().join("socket")).unwrap();
        let target = to.path().join("next");
        assert_eq!(carry(from.path(), &target).unwrap(), ["socket"]);
        drop(socket);
        let listing = slopbench_digest::Listing::of_dir(&target, "").unwrap();
        assert_eq!(listing.0.keys().collect::<Vec<_>>(), ["a.py", "lib/b.py", "link", "venv.py"]);
        assert_eq!(fs::metadata(target.join("a.py")).unwrap().permissions().mode() & 0o777, 0o644);
        assert_eq!(fs::read_link(target.join("link")).unwrap(), Path::new("../outside"));
    }
}
