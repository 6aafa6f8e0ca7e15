use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, Sha256, canonical};

use super::{Artifact, Error, Job};
use crate::results::Tool;

const MANIFEST: &str = "manifest.json";

/// `manifest.json`: what went in and what came out.
#[derive(Serialize)]
pub(super) struct Manifest {
    format: &'static str,
    tool: Tool,
    /// How to verify it.
    command: String,
    job: Job,
    /// By path below the repository's root.
    inputs: Listing,
    /// By path below the artifact's folder.
    outputs: Listing,
}

/// The part of an archived manifest that verification reads; the rest is compared as bytes.
#[derive(Deserialize)]
pub(super) struct ArchivedManifest {
    pub(super) inputs: Listing,
}

impl Manifest {
    pub(super) fn new(artifact: &Artifact, inputs: Listing, results: &BTreeMap<String, Vec<u8>>) -> Self {
        let digest = |(path, bytes): (&String, &Vec<u8>)| (path.clone(), Sha256::of(bytes));
        Self {
            format: "slopbench.manifest/1",
            tool: Tool::THIS,
            command: format!("slopbench verify artifacts/{}", artifact.name),
            job: artifact.definition.job.clone(),
            inputs,
            outputs: Listing(results.iter().map(digest).collect()),
        }
    }

    /// Reads what [`verify`](super::verify) needs of the manifest archived in `dir`.
    pub(super) fn load(dir: &Path) -> Result<ArchivedManifest, Error> {
        let path = dir.join(MANIFEST);
        let flaw = |line, message| Error::Artifact { path: path.clone(), line, message };
        let bytes = fs::read(&path)
            .map_err(|error| flaw(None, format!("cannot be read: {error}; `slopbench archive` writes it")))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            flaw(
                Some(error.line()),
                format!("{error}; `slopbench archive` writes it anew, version control has the old"),
            )
        })
    }

    /// Every file to archive: `results` and the manifest itself.
    pub(super) fn files(&self, mut results: BTreeMap<String, Vec<u8>>) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        results.insert(MANIFEST.to_owned(), canonical::to_vec(self)?);
        Ok(results)
    }
}
