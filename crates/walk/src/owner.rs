//! Handing a tree over.

use std::io;
use std::path::Path;

use rustix::fs::{AtFlags, Gid, Uid, chownat, fchown, fstat};

use crate::{Walk, WalkStep, open};

/// Makes a user and a group the owners of a folder and of all that lies in it, but for what is mounted there.
///
/// # Errors
///
/// What the system says: only root may.
pub fn give(folder: &Path, user: u32, group: u32) -> io::Result<()> {
    let (user, group) = (Some(Uid::from_raw(user)), Some(Gid::from_raw(group)));
    let top = open(folder)?;
    let device = fstat(&top)?.st_dev;
    fchown(&top, user, group)?;
    let mut walk = Walk::new(top)?;
    while let Some(step) = walk.step()? {
        let WalkStep::Found(kind) = step else { continue };
        if walk.status()?.st_dev != device {
            continue;
        }
        chownat(walk.folder(), walk.name(), user, group, AtFlags::SYMLINK_NOFOLLOW)?;
        if kind.is_dir() {
            walk.enter()?;
        }
    }
    Ok(())
}
