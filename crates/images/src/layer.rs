//! A system, or what it has more than the one below it, as a tar file.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use tar::{Builder, EntryType, Header};

use crate::Error;
use crate::recipe::TIME;
use crate::tree::{EntryContent, LayerEntry, Tree};

/// By which a layer says that something of the layers below is gone.
pub(crate) const WHITEOUT: &str = ".wh.";

/// Writes the layer that makes `tree` of `base` (of nothing, if there is no base).
///
/// # Errors
///
/// [`Error::File`].
pub(crate) fn write(tree: &Tree, base: Option<&Tree>, to: &Path) -> Result<(), Error> {
    let wrong = |source| Error::File { path: to.to_owned(), source };
    let file = BufWriter::with_capacity(1 << 20, File::create(to).map_err(wrong)?);
    let mut layer = Builder::new(file);
    let below = |path: &Path| base.and_then(|base| base.entries.get(path));
    for (path, entry) in &tree.entries {
        if below(path) != Some(entry) {
            append(&mut layer, tree, path, &settled(tree, below, entry)).map_err(wrong)?;
        }
    }
    for path in base.into_iter().flat_map(|base| base.entries.keys()).filter(|path| is_gone(tree, path)) {
        let name = path.file_name().map(|name| format!("{WHITEOUT}{}", name.to_string_lossy()));
        let whiteout = path.with_file_name(name.unwrap_or_default());
        layer.append_data(&mut header(0, 0, 0), whiteout, io::empty()).map_err(wrong)?;
    }
    layer.into_inner().and_then(|mut file| file.flush()).map_err(wrong)
}

/// Whether a path of the base is gone, and the folder that it lay in is not.
fn is_gone(tree: &Tree, path: &Path) -> bool {
    let parent = path.parent().unwrap_or(Path::new(""));
    !tree.entries.contains_key(path) && (parent.as_os_str().is_empty() || tree.entries.contains_key(parent))
}

/// A link to a file of a layer below becomes the file: no link reaches from one layer into another.
fn settled<'a>(tree: &Tree, below: impl Fn(&Path) -> Option<&'a LayerEntry>, entry: &LayerEntry) -> LayerEntry {
    match &entry.content {
        EntryContent::Link(target) if below(target).is_some() && below(target) == tree.entries.get(target) => {
            below(target).cloned().unwrap_or_else(|| entry.clone())
        }
        _ => entry.clone(),
    }
}

fn append(layer: &mut Builder<BufWriter<File>>, tree: &Tree, path: &Path, entry: &LayerEntry) -> io::Result<()> {
    let mut header = header(entry.mode, entry.uid, entry.gid);
    match &entry.content {
        EntryContent::Folder => {
            header.set_entry_type(EntryType::Directory);
            layer.append_data(&mut header, path, io::empty())
        }
        EntryContent::File(content) => {
            let bytes = tree.bytes(*content).map_err(io::Error::other)?;
            header.set_size(bytes.len() as u64);
            layer.append_data(&mut header, path, bytes.as_slice())
        }
        EntryContent::Symlink(target) => link(layer, header, EntryType::Symlink, path, target),
        EntryContent::Link(target) => link(layer, header, EntryType::Link, path, target),
    }
}

fn link(
    layer: &mut Builder<BufWriter<File>>,
    mut header: Header,
    kind: EntryType,
    path: &Path,
    target: &PathBuf,
) -> io::Result<()> {
    header.set_entry_type(kind);
    layer.append_link(&mut header, path, target)
}

/// A header that tells nothing of when and where it was written.
fn header(mode: u32, uid: u64, gid: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_mode(mode);
    header.set_uid(uid);
    header.set_gid(gid);
    header.set_mtime(TIME);
    header.set_size(0);
    header
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::fs;

    use super::*;

    /// A tar file as mmdebstrap would write it, with these files in this order and at this time.
    fn tree(files: &[(&str, &str)], time: u64) -> (tempfile::NamedTempFile, Tree) {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut tar = Builder::new(file.reopen().unwrap());
        for (path, content) in files {
            let mut header = header(0o644, 0, 0);
            header.set_mtime(time);
            match content.split_once("-> ") {
                Some((_, target)) => {
                    header.set_entry_type(EntryType::Link);
                    tar.append_link(&mut header, path, target).unwrap();
                }
                None => {
                    header.set_size(content.len() as u64);
                    tar.append_data(&mut header, path, content.as_bytes()).unwrap();
                }
            }
        }
        tar.finish().unwrap();
        let tree = Tree::read(file.path()).unwrap();
        (file, tree)
    }

    fn written(tree: &Tree, base: Option<&Tree>) -> Vec<u8> {
        let file = tempfile::NamedTempFile::new().unwrap();
        write(tree, base, file.path()).unwrap();
        fs::read(file.path()).unwrap()
    }

    fn names(layer: &[u8]) -> Vec<String> {
        let mut archive = tar::Archive::new(layer);
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect()
    }

    #[test]
    fn neither_order_nor_time_of_the_build_shows() {
        let (_one, one) = tree(&[("a/b", "x"), ("a-c", "y"), ("dev/null", "")], 1);
        let (_other, other) = tree(&[("a-c", "y"), ("a/b", "x")], 2);
        assert_eq!(written(&one, None), written(&other, None));
        assert_eq!(names(&written(&one, None)), ["a/b", "a-c"]);
    }

    #[test]
    fn a_layer_holds_what_changed_and_what_is_gone() {
        let (_base, base) = tree(&[("same", "x"), ("changed", "old"), ("gone", "x")], 1);
        let (_tree, tree) = tree(&[("same", "x"), ("changed", "new"), ("added", "x")], 1);
        assert_eq!(names(&written(&tree, Some(&base))), ["added", "changed", ".wh.gone"]);
    }

    #[test]
    fn no_link_reaches_into_the_layer_below() {
        let (_base, base) = tree(&[("old", "content")], 1);
        let (_tree, tree) = tree(&[("old", "content"), ("link", "-> old")], 1);
        let layer = written(&tree, Some(&base));
        let mut archive = tar::Archive::new(layer.as_slice());
        let entry = archive.entries().unwrap().next().unwrap().unwrap();
        assert_eq!((entry.header().entry_type(), entry.size()), (EntryType::Regular, 7));
    }
}
