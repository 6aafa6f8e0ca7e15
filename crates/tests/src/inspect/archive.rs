//! Archives: names and contents of their members.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Cursor, Read},
};

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use slopbench_sandbox::Collected;
use tar::EntryType;
use zip::ZipArchive;

/// How many bytes an archive may unpack to, as far as it is looked at: what is beyond may be a bomb.
const MOST_UNPACKED: u64 = 64 << 20;

/// How many members are looked at.
const MOST_MEMBERS: usize = 10_000;

/// How an archive is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum ArchiveKind {
    #[serde(rename = "tar")]
    Tar,
    #[serde(rename = "tar.gz")]
    TarGz,
    #[serde(rename = "zip")]
    Zip,
}

/// The members of an archive but for its folders: those that are `wanted` with their content, all others without.
///
/// Names are as they would be unpacked, without a leading `./`. Where one stands twice, the last counts, as it does when the
/// archive is unpacked.
///
/// # Errors
///
/// In a few words, why this is no such archive, or too much of one.
pub(crate) fn members(
    kind: ArchiveKind,
    bytes: &[u8],
    wanted: &BTreeSet<String>,
) -> Result<BTreeMap<String, Collected>, String> {
    let found = match kind {
        ArchiveKind::Tar => of_tar(bytes, wanted),
        ArchiveKind::TarGz => of_tar(MultiGzDecoder::new(bytes), wanted),
        ArchiveKind::Zip => of_zip(bytes, wanted),
    };
    found.map_err(|error| error.to_string())
}

fn of_tar(packed: impl Read, wanted: &BTreeSet<String>) -> io::Result<BTreeMap<String, Collected>> {
    let (mut found, mut budget) = (BTreeMap::new(), MOST_UNPACKED);
    // One byte more than may be: who reads it has gone too far.
    let mut archive = tar::Archive::new(Bounded { left: MOST_UNPACKED, packed });
    for (number, entry) in archive.entries()?.enumerate() {
        check_number(number)?;
        let mut entry = entry?;
        let name = plain(&String::from_utf8_lossy(&entry.path_bytes()));
        let member = match entry.header().entry_type() {
            EntryType::Directory => continue,
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse if wanted.contains(&name) => {
                read(&mut entry, &mut budget)?
            }
            EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => Collected::TooLarge,
            _ => Collected::NotAFile,
        };
        found.insert(name, member);
    }
    Ok(found)
}

fn of_zip(bytes: &[u8], wanted: &BTreeSet<String>) -> io::Result<BTreeMap<String, Collected>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let (mut found, mut budget) = (BTreeMap::new(), MOST_UNPACKED);
    for number in 0..archive.len() {
        check_number(number)?;
        let mut entry = archive.by_index(number)?;
        let name = plain(&entry.name()?);
        let member = match (entry.is_dir(), entry.is_file()) {
            (true, _) => continue,
            (_, true) if wanted.contains(&name) => read(&mut entry, &mut budget)?,
            (_, true) => Collected::TooLarge,
            _ => Collected::NotAFile,
        };
        found.insert(name, member);
    }
    Ok(found)
}

/// The content of a member, whatever it says of its own size.
fn read(member: &mut impl Read, budget: &mut u64) -> io::Result<Collected> {
    let mut content = Vec::new();
    member.take(budget.saturating_add(1)).read_to_end(&mut content)?;
    *budget = budget.checked_sub(content.len() as u64).ok_or_else(too_large)?;
    Ok(Collected::File(content))
}

/// Refuses what goes on for too long, where a shorter one would only seem to have ended.
struct Bounded<R> {
    left: u64,
    packed: R,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.packed.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(too_large)?;
        Ok(count)
    }
}

fn too_large() -> io::Error {
    io::Error::other(format!("it unpacks to more than {} MB", MOST_UNPACKED >> 20))
}

fn check_number(number: usize) -> io::Result<()> {
    if number < MOST_MEMBERS {
        return Ok(());
    }
    Err(io::Error::other(format!("it has more than {MOST_MEMBERS} members")))
}

fn plain(name: &str) -> String {
    name.strip_prefix("./").unwrap_or(name).to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::GzEncoder};
    use zip::{ZipWriter, write::SimpleFileOptions};

    use super::*;

    fn wanted(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(EntryType::Directory);
        header.set_size(0);
        builder.append_data(&mut header, "./folder/", io::empty()).unwrap();
        header.set_entry_type(EntryType::Symlink);
        builder.append_link(&mut header, "link", "/etc/passwd").unwrap();
        for (name, content) in members {
            header.set_entry_type(EntryType::Regular);
            header.set_size(content.len() as u64);
            builder.append_data(&mut header, name, *content).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_directory("folder", SimpleFileOptions::default()).unwrap();
        writer.add_symlink("link", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        for (name, content) in members {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn members_come_out_of_each_kind_and_links_are_not_followed() {
        let content: &[(&str, &[u8])] = &[("a.txt", b"a\n"), ("folder/b", b"\xff"), ("c", b"other")];
        for (kind, bytes) in [
            (ArchiveKind::Tar, tar_of(content)),
            (ArchiveKind::TarGz, gz(&tar_of(content))),
            (ArchiveKind::Zip, zip_of(content)),
        ] {
            let found = members(kind, &bytes, &wanted(&["a.txt", "folder/b", "link", "none"])).unwrap();
            assert_eq!(found.keys().collect::<Vec<_>>(), ["a.txt", "c", "folder/b", "link"], "{kind:?}");
            assert_eq!(found["a.txt"], Collected::File(b"a\n".to_vec()));
            assert_eq!(found["folder/b"], Collected::File(b"\xff".to_vec()));
            assert_eq!(found["link"], Collected::NotAFile);
        }
    }

    #[test]
    fn what_is_no_archive_is_told() {
        for kind in [ArchiveKind::Tar, ArchiveKind::TarGz, ArchiveKind::Zip] {
            assert!(members(kind, b"no archive at all, whatever its name", &wanted(&[])).is_err(), "{kind:?}");
        }
        let mut torn = gz(&tar_of(&[("a", &[b'x'; 5000])]));
        torn.truncate(torn.len() - 20);
        assert!(members(ArchiveKind::TarGz, &torn, &wanted(&["a"])).is_err());
    }

    #[test]
    fn bombs_end_at_the_bound() {
        let zeros = vec![0; (MOST_UNPACKED as usize) + (1 << 20)];
        let bomb = "it unpacks to more than 64 MB";
        let tar = gz(&tar_of(&[("a", &zeros)]));
        for names in [&["a"][..], &[]] {
            assert_eq!(members(ArchiveKind::TarGz, &tar, &wanted(names)).unwrap_err(), bomb);
        }
        let zip = zip_of(&[("a", &zeros)]);
        assert_eq!(members(ArchiveKind::Zip, &zip, &wanted(&["a"])).unwrap_err(), bomb);
        assert!(members(ArchiveKind::Zip, &zip, &wanted(&[])).is_ok(), "nothing of it is unpacked");
        let many: Vec<_> = (0..=MOST_MEMBERS).map(|number| format!("f{number}")).collect();
        let many = tar_of(&many.iter().map(|name| (name.as_str(), &b""[..])).collect::<Vec<_>>());
        assert_eq!(members(ArchiveKind::Tar, &many, &wanted(&[])).unwrap_err(), "it has more than 10000 members");
    }
}
