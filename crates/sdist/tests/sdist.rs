//! Archives in the cache: checked, then unpacked.

use std::fs;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};
use slopbench_digest::Sha256;
use slopbench_sdist::{Error, Sdist};

/// A gzipped tar of files with these paths, each holding its own path.
fn archive(paths: &[&str]) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for path in paths {
        let mut header = tar::Header::new_gnu();
        // Written by hand: the crate's own setter refuses a path such as `../x`.
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_size(path.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append(&header, path.as_bytes()).expect("memory");
    }
    tar.into_inner().and_then(GzEncoder::finish).expect("memory")
}

fn pin(archive: &[u8]) -> Sdist {
    let sha256 = Sha256::of(archive).to_string().replace("sha256:", "");
    Sdist { name: "sample".to_owned(), version: "1.2".to_owned(), sha256 }
}

/// The sources below a folder, sorted.
fn sources(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path().is_dir() {
            true => names.extend(sources(&entry.path())),
            false => names.push(fs::read_to_string(entry.path()).expect("text")),
        }
    }
    names.sort();
    names
}

#[test]
fn only_sources_below_the_top_folder_are_unpacked() {
    let bytes = archive(&[
        "sample-1.2/setup.py",
        "sample-1.2/sample/a.py",
        "sample-1.2/docs/conf.py",
        "sample-1.2/docs_src/b.py",
        "sample-1.2/PKG-INFO",
        "sample-1.2/../../escaped.py",
        "stray.py",
    ]);
    let (cache, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    fs::write(cache.path().join("sample-1.2.tar.gz"), &bytes).expect("a writable folder");
    let inner = folder.path().join("inner");
    let archive = pin(&bytes).fetch(cache.path()).unwrap_or_else(|error| panic!("{error}"));
    archive.unpack(&inner, &["docs".to_owned()]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sources(folder.path()), ["sample-1.2/docs_src/b.py", "sample-1.2/sample/a.py", "sample-1.2/setup.py"]);
}

#[test]
fn other_bytes_than_the_pinned_ones_are_refused() {
    let cache = tempfile::tempdir().expect("a folder");
    fs::write(cache.path().join("sample-1.2.tar.gz"), archive(&["sample-1.2/other.py"])).expect("a writable folder");
    let error = pin(b"what was pinned").fetch(cache.path()).expect_err("other bytes");
    assert!(matches!(error, Error::Digest { .. }), "{error}");
}
