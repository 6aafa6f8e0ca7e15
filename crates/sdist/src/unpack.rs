//! From bytes to sources.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;
use tar::EntryType;

use crate::{Archive, Error};

impl Archive {
    /// Writes every `*.py` of the archive below `folder`, without the top folder that all sdists have. What lies below
    /// one of `leave_out` (paths relative to that top folder) stays out, as does everything that is no regular file or
    /// whose path would lead elsewhere.
    ///
    /// # Errors
    ///
    /// If the archive is no gzipped tar, or `folder` cannot be written.
    pub fn unpack(&self, folder: &Path, leave_out: &[String]) -> Result<(), Error> {
        let mut archive = tar::Archive::new(GzDecoder::new(self.bytes.as_slice()));
        for entry in archive.entries().map_err(Error::io(&self.path))? {
            let mut entry = entry.map_err(Error::io(&self.path))?;
            let inside = entry.path().ok().and_then(|path| below_top(&path));
            let Some(inside) =
                inside.filter(|path| is_source(path) && !leave_out.iter().any(|out| path.starts_with(out)))
            else {
                continue;
            };
            if entry.header().entry_type() == EntryType::Regular {
                write(&mut entry, &folder.join(inside))?;
            }
        }
        Ok(())
    }
}

/// The path without its first part; nothing if a part of it is more than a name.
fn below_top(path: &Path) -> Option<PathBuf> {
    let names: Vec<_> = path.components().filter(|part| *part != Component::CurDir).collect();
    let plain = names.iter().all(|part| matches!(part, Component::Normal(_)));
    (plain && names.len() > 1).then(|| names.into_iter().skip(1).collect())
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "py")
}

fn write(entry: &mut impl Read, path: &Path) -> Result<(), Error> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(Error::io(parent))?;
    let mut file = File::create(path).map_err(Error::io(path))?;
    io::copy(entry, &mut file).map_err(Error::io(path))?;
    Ok(())
}
