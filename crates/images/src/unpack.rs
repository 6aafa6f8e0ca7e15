//! An image as a folder: the system that a sandbox without an engine shows in place of the machine's own.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use slopbench_digest::Sha256;
use tar::Archive;

use crate::layer::WHITEOUT;
use crate::{Error, Layout, LockedImage};

/// Which image a folder holds: its manifest's digest. Written last, so that what was cut short is done again.
const COMPLETE: &str = ".slopbench-image";

/// Unpacks an image into the folder `to`, in place of what is there, unless it holds this very image.
///
/// Owners are not kept: whoever unpacks owns everything, and nobody is root in a sandbox anyway.
///
/// # Errors
///
/// [`Error::NotBuilt`] if the layout lacks the image; [`Error::File`]; [`Error::Foreign`] where the folder holds something
/// that is no image.
pub fn unpack(layout: &Layout, name: &str, image: &LockedImage, to: &Path) -> Result<(), Error> {
    let digest = image.manifest.to_string();
    let marker = to.join(COMPLETE);
    if fs::read_to_string(&marker).is_ok_and(|found| found == digest) {
        return Ok(());
    }
    if !layout.has(image) {
        return Err(Error::NotBuilt(name.to_owned()));
    }
    clear(to, &marker)?;
    fs::create_dir_all(to).map_err(Error::file(to))?;
    // Empty until the image is whole: the folder is ours from here on.
    fs::write(&marker, "").map_err(Error::file(&marker))?;
    for layer in &image.layers {
        apply(layout, *layer, to)?;
    }
    fs::write(&marker, digest).map_err(Error::file(&marker))
}

/// Removes what an earlier call made, and nothing else.
fn clear(folder: &Path, marker: &Path) -> Result<(), Error> {
    let empty = fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    match (empty, marker.is_file()) {
        (true, _) => Ok(()),
        (false, true) => fs::remove_dir_all(folder).map_err(Error::file(folder)),
        (false, false) => Err(Error::Foreign(folder.to_owned())),
    }
}

fn apply(layout: &Layout, layer: Sha256, to: &Path) -> Result<(), Error> {
    let blob = layout.blob(layer);
    let file = File::open(&blob).map_err(Error::file(&blob))?;
    let mut archive = Archive::new(BufReader::with_capacity(1 << 20, file));
    // Without the set-user-id bits.
    archive.set_mask(0o6000);
    archive.set_preserve_permissions(true);
    for entry in archive.entries().map_err(Error::file(&blob))? {
        let mut entry = entry.map_err(Error::file(&blob))?;
        let path = entry.path().map_err(Error::file(&blob))?.into_owned();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let done = match name.strip_prefix(WHITEOUT) {
            Some(gone) => remove(&to.join(path.with_file_name(gone))),
            None => replace(&mut entry, &to.join(&path)).and_then(|()| entry.unpack_in(to).map(drop)),
        };
        done.map_err(Error::file(&to.join(&path)))?;
    }
    Ok(())
}

/// Makes room for an entry: a folder stays, whatever else a layer below has put there goes.
fn replace(entry: &mut tar::Entry<'_, impl io::Read>, path: &Path) -> io::Result<()> {
    match entry.header().entry_type().is_dir() && path.is_dir() && !path.is_symlink() {
        true => Ok(()),
        false => remove(path),
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use tar::{Builder, EntryType, Header};

    use super::*;

    /// An image of layers with these entries: a path and its content, `-> target` for a link, `/` for a folder.
    fn image(layout: &Layout, layers: &[&[(&str, &str)]]) -> LockedImage {
        let adopt = |entries: &&[(&str, &str)]| {
            let file = layout.path().join("layer.tar");
            let mut tar = Builder::new(File::create(&file).unwrap());
            for (path, content) in *entries {
                let mut header = Header::new_gnu();
                header.set_mode(0o4755);
                match (content.strip_prefix("-> "), *content) {
                    (Some(target), _) => {
                        header.set_entry_type(EntryType::Symlink);
                        header.set_size(0);
                        tar.append_link(&mut header, path, target).unwrap();
                    }
                    (None, "/") => {
                        header.set_entry_type(EntryType::Directory);
                        header.set_size(0);
                        tar.append_data(&mut header, path, io::empty()).unwrap();
                    }
                    (None, content) => {
                        header.set_size(content.len() as u64);
                        tar.append_data(&mut header, path, content.as_bytes()).unwrap();
                    }
                }
            }
            tar.finish().unwrap();
            layout.adopt(&file).unwrap()
        };
        let layers: Vec<_> = layers.iter().map(adopt).collect();
        let manifest = layout.add("test", "amd64", &layers).unwrap();
        LockedImage { manifest, layers, architecture: "amd64".into(), packages: [].into() }
    }

    #[test]
    fn layers_lie_upon_each_other() {
        let scratch = tempfile::tempdir().unwrap();
        let layout = Layout::open(&scratch.path().join("layout")).unwrap();
        let below: &[_] = &[("usr", "/"), ("usr/tool", "old"), ("usr/gone", "x"), ("usr/kind", "x"), ("bin", "-> usr")];
        let above: &[_] = &[("usr", "/"), ("usr/tool", "new"), ("usr/.wh.gone", ""), ("usr/kind", "/")];
        let image = image(&layout, &[below, above]);
        let to = scratch.path().join("system");
        unpack(&layout, "test", &image, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("bin/tool")).unwrap(), "new");
        assert_eq!(fs::metadata(to.join("usr/tool")).unwrap().permissions().mode() & 0o7777, 0o755);
        assert!(!to.join("usr/gone").exists() && to.join("usr/kind").is_dir());

        // What is whole is left alone; what is not is done again.
        fs::remove_file(to.join("usr/tool")).unwrap();
        unpack(&layout, "test", &image, &to).unwrap();
        assert!(!to.join("usr/tool").exists());
        fs::write(to.join(COMPLETE), "").unwrap();
        unpack(&layout, "test", &image, &to).unwrap();
        assert!(to.join("usr/tool").exists());
    }

    #[test]
    fn a_folder_of_somebody_elses_is_left_alone() {
        let scratch = tempfile::tempdir().unwrap();
        let layout = Layout::open(&scratch.path().join("layout")).unwrap();
        let image = image(&layout, &[&[("a", "x")]]);
        let to = scratch.path().join("thesis");
        fs::create_dir(&to).unwrap();
        fs::write(to.join("chapter"), "x").unwrap();
        let error = unpack(&layout, "test", &image, &to).unwrap_err();
        assert!(matches!(error, Error::Foreign(_)), "{error}");
        assert!(to.join("chapter").exists());
    }

    #[test]
    fn no_layer_writes_elsewhere() {
        let scratch = tempfile::tempdir().unwrap();
        let layout = Layout::open(&scratch.path().join("layout")).unwrap();
        let elsewhere = scratch.path().join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let target = format!("-> {}", elsewhere.display());
        let image = image(&layout, &[&[("link", &target), ("link/file", "x")]]);
        drop(unpack(&layout, "test", &image, &scratch.path().join("system")));
        assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
    }
}
