//! Folders that foreign code wrote, walked and removed whatever their shape.
//!
//! Such a tree may be tens of thousands of folders deep, hold paths longer than any system call takes, and have more
//! folders side by side than a process may have descriptors. So nothing here recurses, nothing names a file by its path,
//! and no walk holds more than a handful of descriptors: a [`Cursor`] goes down by a name and up by `..`. A [`Walk`] reads
//! a tree in order, [`remove`] and [`empty`] clear it away, [`give`] changes its owner. No symbolic link is followed.
//!
//! [`put`] writes a file whole, be it into a folder that others write in, too.

mod cursor;
mod owner;
mod remove;
mod walk;
mod whole;

pub use cursor::{Cursor, open};
pub use owner::give;
pub use remove::{empty, remove};
pub use rustix::fs::{FileType, Stat};
pub use walk::{Walk, WalkStep};
pub use whole::{put, put_for_good};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
