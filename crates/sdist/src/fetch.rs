//! From a pin to bytes.

use std::fs;
use std::path::Path;
use std::process::Command;

use slopbench_digest::Sha256;

use crate::{Archive, Error, Sdist};

/// See its own first lines.
const SCRIPT: &str = include_str!("fetch.py");

impl Sdist {
    /// The archive: from the folder `cache` if it is there, fetched into it otherwise. Its digest is checked in both
    /// cases.
    ///
    /// # Errors
    ///
    /// If python3 or pip is missing, the index cannot be reached or has no such distribution, the bytes are not the
    /// pinned ones, or the cache cannot be written.
    pub fn fetch(&self, cache: &Path) -> Result<Archive, Error> {
        let path = cache.join(format!("{}.tar.gz", self.label()));
        if !path.is_file() {
            self.download(cache, &path)?;
        }
        let bytes = fs::read(&path).map_err(Error::io(&path))?;
        let (expected, actual) = (format!("sha256:{}", self.sha256), Sha256::of(&bytes).to_string());
        if actual != expected {
            return Err(Error::Digest { path, expected, actual });
        }
        Ok(Archive { path, bytes })
    }

    /// Fetches into `path`, which is there whole or not at all.
    fn download(&self, cache: &Path, path: &Path) -> Result<(), Error> {
        fs::create_dir_all(cache).map_err(Error::io(cache))?;
        let part = tempfile::NamedTempFile::new_in(cache).map_err(Error::io(cache))?;
        self.run(self.pip(part.path()))?;
        part.persist(path).map_err(|error| Error::io(path)(error.error))?;
        Ok(())
    }

    /// The call that writes the archive to `destination`.
    fn pip(&self, destination: &Path) -> Command {
        let mut pip = Command::new("python3");
        pip.args(["-c", SCRIPT, &self.name, &self.version, &self.sha256]).arg(destination);
        pip
    }

    fn run(&self, mut pip: Command) -> Result<(), Error> {
        let failed = |reason| Error::Fetch { package: format!("{} {}", self.name, self.version), reason };
        let output = pip.output().map_err(|error| failed(format!("python3 cannot be run: {error}")))?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
        Err(failed(last.unwrap_or("pip failed without a word").to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// pip with a folder in place of an index; what pip finds there is never opened, let alone built.
    fn fetch(sdist: &Sdist, index: &Path, destination: &Path) -> Result<(), Error> {
        let mut pip = sdist.pip(destination);
        pip.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", index);
        sdist.run(pip)
    }

    fn sample(version: &str) -> Sdist {
        Sdist { name: "sample".to_owned(), version: version.to_owned(), sha256: "0".repeat(64) }
    }

    #[test]
    fn pip_finds_the_pinned_version_and_builds_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        for (version, bytes) in [("1.2", "no archive at all"), ("1.3", "newer")] {
            fs::write(folder.path().join(format!("sample-{version}.tar.gz")), bytes).expect("a writable folder");
        }
        let destination = folder.path().join("fetched");
        fetch(&sample("1.2"), folder.path(), &destination).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(fs::read_to_string(destination).expect("what pip wrote"), "no archive at all");
    }

    #[test]
    fn what_no_index_offers_is_said_in_one_sentence() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = fetch(&sample("1.2"), folder.path(), &folder.path().join("fetched")).expect_err("an empty index");
        let expected = "cannot fetch sample 1.2: the package index offers no sample 1.2 with this digest, or cannot be \
                        reached; check the network, and that `python3 -m pip download` works here";
        assert_eq!(error.to_string(), expected);
    }
}
