use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, Serialize};
use slopbench_digest::{Listing, ReadError, Sha256, canonical};

use super::definition::{Artifact, ArtifactJob, MANIFEST};
use crate::{Error, results::ToolVersion};

/// `manifest.json`: what went in and what came out.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    format: String,
    tool: ToolVersion,
    /// How to verify it.
    command: String,
    job: ArtifactJob,
    /// By path below the repository's root.
    inputs: Listing,
    /// By path below the artifact's folder.
    outputs: Listing,
}

impl Manifest {
    pub(super) fn new(artifact: &Artifact, inputs: Listing, results: &BTreeMap<String, Vec<u8>>) -> Self {
        let digest = |(path, bytes): (&String, &Vec<u8>)| (path.clone(), Sha256::of(bytes));
        Self {
            format: "slopbench.manifest/1".to_owned(),
            tool: ToolVersion::this(),
            command: format!("slopbench verify artifacts/{}", artifact.name),
            job: artifact.definition.job.clone(),
            inputs,
            outputs: Listing(results.iter().map(digest).collect()),
        }
    }

    /// The digests of what went in, as archived in `dir`; where they cannot be read, a sentence that says why.
    pub(super) fn archived_inputs(dir: &Path) -> Result<Listing, String> {
        Self::archived(dir).map(|manifest| manifest.inputs)
    }

    /// Which of the results that are archived in `dir` are not as they were when they came out.
    pub(super) fn changed_outputs(dir: &Path) -> Result<Vec<String>, ReadError> {
        let (mut changed, archived) = (Vec::new(), Self::archived(dir).map(|manifest| manifest.outputs.0));
        for (path, digest) in archived.into_iter().flatten() {
            let file = dir.join(&path);
            if !file.is_file() || Sha256::of_file(&file)? != digest {
                changed.push(path);
            }
        }
        Ok(changed)
    }

    fn archived(dir: &Path) -> Result<Self, String> {
        let named =
            |cause: String| format!("{}: {cause}; `slopbench archive` writes it anew", dir.join(MANIFEST).display());
        let bytes = fs::read(dir.join(MANIFEST)).map_err(|error| named(error.to_string()))?;
        serde_json::from_slice(&bytes).map_err(|error| named(error.to_string()))
    }

    /// Every file to archive: `results` and the manifest itself.
    pub(super) fn files(&self, mut results: BTreeMap<String, Vec<u8>>) -> Result<BTreeMap<String, Vec<u8>>, Error> {
        results.insert(MANIFEST.to_owned(), canonical::to_vec(self)?);
        Ok(results)
    }
}
