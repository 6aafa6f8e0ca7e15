//! What git ignores in a working tree.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use gix::bstr::BStr;
use gix::index::entry::Mode;
use gix::open::Options;
use gix::sec::trust::Mapping;
use gix::worktree::Index;
use slopbench_metrics::Ignored;

/// What git ignores below `root`: by the `.gitignore` files of the repository that `root` lies in, nested ones included,
/// by its `info/exclude`, and by nothing of the user's or the machine's, so that everybody's clone has the same figures.
///
/// What is tracked is not ignored. `None` outside of a working tree, and where `root` itself is ignored: whoever names it
/// wants to have it measured.
///
/// # Errors
///
/// Says why the repository or its index cannot be read, or `root` cannot be looked at.
pub fn gitignored(root: &Path) -> Result<Option<Ignored>, String> {
    let root = root.canonicalize().map_err(|error| error.to_string())?;
    let Some(repository) = open(&root)? else { return Ok(None) };
    let Some(worktree) = repository.workdir().and_then(|folder| folder.canonicalize().ok()) else { return Ok(None) };
    let Ok(below) = root.strip_prefix(&worktree).map(Path::to_owned) else { return Ok(None) };
    let index = repository.index_or_empty().map_err(|error| error.to_string())?;
    let source = gix::worktree::stack::state::ignore::Source::WorktreeThenIdMappingIfNotSkipped;
    let stack = repository.excludes(&index, None, source).map_err(|error| error.to_string())?;
    let stack = RefCell::new(stack.detach());
    let is_ignored = move |path: &Path, is_folder: bool| {
        let mode = if is_folder { Mode::DIR } else { Mode::FILE };
        let mut stack = stack.borrow_mut();
        let found = stack.at_path(path, Some(mode), &repository.objects).map_err(|error| error.to_string())?;
        Ok::<_, String>(found.is_excluded() && !is_tracked(&index, path, is_folder))
    };
    if !below.as_os_str().is_empty() && is_ignored(&below, root.is_dir())? {
        return Ok(None);
    }
    let folder = if root.is_dir() { below } else { below.parent().map(PathBuf::from).unwrap_or_default() };
    Ok(Some(Box::new(move |path, is_folder| is_ignored(&folder.join(path), is_folder))))
}

/// The repository that `root` lies in, without what the user or the machine configures.
fn open(root: &Path) -> Result<Option<gix::Repository>, String> {
    let folder = if root.is_dir() { root } else { root.parent().unwrap_or(root) };
    let options = Mapping { full: Options::isolated(), reduced: Options::isolated() };
    match gix::ThreadSafeRepository::discover_opts(folder, Default::default(), options) {
        Ok(repository) => Ok(Some(repository.to_thread_local())),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Whether the index has the file, or anything in the folder.
fn is_tracked(index: &Index, path: &Path, is_folder: bool) -> bool {
    let Ok(path) = gix::path::into_bstr(path) else { return false };
    let path: &BStr = path.as_ref();
    match is_folder {
        true => index.path_is_directory(path),
        false => index.entry_by_path(path).is_some(),
    }
}
