//! Who programs are outside of their sandboxes if the caller is root.

use std::fs;
use std::ops::Range;

use nix::unistd::{Gid, Uid};

use crate::folder::FolderOwner;

/// The users and groups that programs are outside of their sandboxes if the caller is root: the
/// range that systemd leaves unused, below 65536 so that it is mapped in most containers, and
/// without `nobody`, who may own things.
const DEDICATED: Range<u32> = 60_706..61_184;

/// One of them, by a number that others at work have not: what the kernel grants each user, pages of
/// pipes and descriptors in flight, one sandbox then cannot take from another.
pub(crate) fn dedicated(number: u32) -> FolderOwner {
    let id = DEDICATED.start + number % (DEDICATED.end - DEDICATED.start);
    FolderOwner { uid: Uid::from_raw(id), gid: Gid::from_raw(id) }
}

/// Whether all of them exist in the current user namespace.
pub(super) fn are_dedicated_mapped() -> bool {
    is_mapped("/proc/self/uid_map") && is_mapped("/proc/self/gid_map")
}

/// The file's lines are "from here, from there, how many".
fn is_mapped(map: &str) -> bool {
    let covers = |line: &str| {
        let mut numbers = line.split_ascii_whitespace().map(|number| number.parse::<u64>().ok());
        let (Some(Some(first)), _, Some(Some(count))) = (numbers.next(), numbers.next(), numbers.next()) else {
            return false;
        };
        first <= u64::from(DEDICATED.start) && first.saturating_add(count) >= u64::from(DEDICATED.end)
    };
    fs::read_to_string(map).is_ok_and(|map| map.lines().any(covers))
}
