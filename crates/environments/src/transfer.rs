//! Locks with all that building them takes, as a folder for a machine without a network.

use std::fs;
use std::path::Path;

use slopbench_digest::Sha256;

use crate::tool::PinnedTool;
use crate::wheels::{WheelFolder, copy};
use crate::{EnvironmentRecord, EnvironmentStore, Error, LockedPackage, PackageIndex};

/// Where an export has its wheels, each in a folder named by its digest.
const WHEELS: &str = "wheels";

impl EnvironmentStore {
    /// Writes the wheels of these records, the resolver, and `tools` beside it, into `folder`, and says how many files that are.
    /// What is not in the cache is fetched.
    ///
    /// # Errors
    ///
    /// [`Error::Index`] if a wheel is neither in the cache nor to be had.
    pub fn export(
        &self,
        records: &[EnvironmentRecord],
        tools: &[PinnedTool],
        index: &PackageIndex,
        folder: &Path,
    ) -> Result<usize, Error> {
        let (from, uv) = (self.wheels(), PinnedTool::uv()?);
        let tools: Vec<_> = tools.iter().chain([&uv]).collect();
        tools.iter().try_for_each(|tool| tool.wheel(&from, index))?;
        let packages = records.iter().flat_map(EnvironmentRecord::packages).map(|(_, package)| package);
        let mut packages: Vec<&LockedPackage> = packages.chain(tools.iter().map(|tool| tool.package())).collect();
        packages.sort_by_key(|package| package.sha256);
        packages.dedup_by_key(|package| package.sha256);
        from.fetch_locked(index, packages.iter().copied())?;
        let to = WheelFolder { place: folder.join(WHEELS), scratch: self.scratch() };
        for package in &packages {
            let path = to.path(&package.file, package.sha256);
            let parent = path.parent().unwrap_or(folder);
            fs::create_dir_all(parent).map_err(Error::io(parent))?;
            copy(&from.checked(package)?, &path)?;
        }
        Ok(packages.len())
    }

    /// Takes in what [`EnvironmentStore::export`] wrote, and says how many files that are. Each is compared with the digest
    /// that it lies under.
    ///
    /// # Errors
    ///
    /// [`Error::Import`] if `folder` holds something else.
    pub fn import(&self, folder: &Path) -> Result<usize, Error> {
        let wheels = folder.join(WHEELS);
        let wrong = |path: &Path, cause: String| Error::Import { path: path.to_owned(), cause };
        let list = |path: &Path| {
            let entries = fs::read_dir(path).map_err(|error| wrong(path, error.to_string()))?;
            entries.map(|entry| entry.map(|entry| entry.path()).map_err(Error::io(path))).collect::<Result<Vec<_>, _>>()
        };
        let to = self.wheels();
        let mut count = 0;
        for path in list(&wheels)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy().replace("sha256-", "sha256:");
            let expected: Sha256 = name.parse().map_err(|_| wrong(&path, "its name is no digest".to_owned()))?;
            for file in list(&path)? {
                let actual = Sha256::of_file(&file)?;
                if actual != expected {
                    return Err(Error::Digest { path: file, expected, actual });
                }
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                to.adopt(&file, &name, expected)?;
                count += 1;
            }
        }
        Ok(count)
    }
}
