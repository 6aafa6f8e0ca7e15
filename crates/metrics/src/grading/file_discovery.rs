//! What there is in a solution, one after the other and always in the same order, whatever the folder holds: of all paths
//! that there are only the one at hand is kept.

use std::ffi::OsString;
use std::fs::{self, FileType};
use std::path::Path;

use crate::file_discovery::{Admission, SourceEntry, admission, posix};
use crate::language::Language;
use crate::languages;
use crate::refusal::{Refusal, RefusalReason};

/// Something in a solution.
pub(super) enum EntryKind {
    /// A source file of the language.
    Source,
    /// Another file.
    Other,
    /// Neither, and why.
    Neither(Refusal),
}

/// Looks at everything below `root`, but for what nobody takes for source. Folders are entered whatever tags they hold.
pub(super) fn visit(
    root: &Path,
    language: &'static Language,
    made: &[String],
    see: &mut dyn FnMut(&SourceEntry, EntryKind),
) {
    let mut open = vec![(root.to_owned(), names(root).unwrap_or_default().into_iter())];
    while let Some((folder, rest)) = open.last_mut() {
        let Some((name, kind)) = rest.next() else {
            open.pop();
            continue;
        };
        let file = folder.join(&name);
        let path = posix(file.strip_prefix(root).unwrap_or(&file));
        let entry = SourceEntry { file, path, language };
        let is_source = || languages::of_path(&entry.file).is_some_and(|found| std::ptr::eq(found, language));
        match admission(&name.to_string_lossy()) {
            Admission::Unmentioned => {}
            _ if made.contains(&entry.path) => see(&entry, EntryKind::Neither(Refusal::made())),
            Admission::Excluded => see(&entry, EntryKind::Neither(Refusal::excluded())),
            _ if kind.is_dir() => match names(&entry.file) {
                Ok(names) => open.push((entry.file, names.into_iter())),
                Err(error) => {
                    see(&entry, EntryKind::Neither(Refusal::new(RefusalReason::Unreadable, error.to_string())))
                }
            },
            _ if kind.is_file() => see(&entry, if is_source() { EntryKind::Source } else { EntryKind::Other }),
            _ if kind.is_symlink() && (is_source() || entry.file.is_dir()) => {
                see(&entry, EntryKind::Neither(Refusal::symbolic_link()));
            }
            _ if !kind.is_symlink() && is_source() => see(&entry, EntryKind::Neither(Refusal::not_a_file())),
            _ => {}
        }
    }
}

/// The names in a folder, in their order.
fn names(folder: &Path) -> std::io::Result<Vec<(OsString, FileType)>> {
    let entries =
        fs::read_dir(folder)?.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))));
    let mut names = entries.collect::<Result<Vec<_>, _>>()?;
    names.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    Ok(names)
}
