//! Whether something was done of a run, for who looks on.

use slopbench_digest::Sha256;

use crate::{
    RunStore,
    seal::SEAL,
    store::{ATTEMPTS, UNITS, find},
};

impl RunStore {
    /// A digest that differs once a stage was kept, failed attempts among them, or kept anew. No stage is read for it.
    pub fn fingerprint(&self) -> Sha256 {
        let seals = [UNITS, ATTEMPTS].into_iter().flat_map(|folder| find(&self.root.join(folder), SEAL));
        let mut seals: Vec<String> = seals
            .map(|path| format!("{} {:?}\n", path.display(), path.metadata().and_then(|file| file.modified()).ok()))
            .collect();
        seals.sort();
        Sha256::of(seals.concat().as_bytes())
    }
}
