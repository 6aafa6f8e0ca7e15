//! Judgements that are kept: one file each, named by the digest of what makes it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Serialize, de::DeserializeOwned};
use slopbench_digest::canonical;

use crate::{
    error::JudgeError,
    judgement::{JUDGEMENT_FORMAT, Judgement, JudgementKey},
};

/// A folder of judgements. Two processes may share it: a file is there whole or not at all, and the same key has one answer.
#[derive(Clone, Debug)]
pub struct JudgementCache {
    folder: PathBuf,
}

impl JudgementCache {
    /// The cache in `folder`, which need not be there.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file that a judgement has, or would have.
    ///
    /// # Errors
    ///
    /// [`JudgeError::Unwritable`] if the key is no JSON.
    pub fn path(&self, key: &JudgementKey) -> Result<PathBuf, JudgeError> {
        let digest = key.digest()?.to_string();
        let name = digest.trim_start_matches("sha256:");
        Ok(self.folder.join(&name[..2]).join(format!("{}.json", &name[2..])))
    }

    /// The judgement with this key, if it is kept.
    ///
    /// # Errors
    ///
    /// [`JudgeError::Spoiled`] if there is a file that is not that judgement.
    pub fn get<A: DeserializeOwned>(&self, key: &JudgementKey) -> Result<Option<Judgement<A>>, JudgeError> {
        let path = self.path(key)?;
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(JudgeError::Read { path, source }),
        };
        let spoiled = |message: String| JudgeError::Spoiled { path: path.clone(), message };
        let judgement: Judgement<A> = serde_json::from_slice(&bytes).map_err(|error| spoiled(error.to_string()))?;
        if judgement.format != JUDGEMENT_FORMAT {
            let message = format!("this version reads format \"{JUDGEMENT_FORMAT}\", not \"{}\"", judgement.format);
            return Err(spoiled(message));
        }
        match judgement.key == *key {
            true => Ok(Some(judgement)),
            false => Err(spoiled("it is of another question than its name says".to_owned())),
        }
    }

    /// Keeps a judgement.
    ///
    /// # Errors
    ///
    /// [`JudgeError::Write`] if it cannot be written.
    pub fn put<A: Serialize>(&self, judgement: &Judgement<A>) -> Result<(), JudgeError> {
        let path = self.path(&judgement.key)?;
        let bytes = canonical::to_vec(judgement).map_err(JudgeError::Unwritable)?;
        slopbench_walk::put(&path, &bytes).map_err(|source| JudgeError::Write { path, source })
    }
}
