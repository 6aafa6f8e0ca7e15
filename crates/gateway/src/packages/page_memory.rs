//! What a session's pages may take of memory: as many small ones as it has connections, and one large one at a time.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The largest page that is a small one, in bytes.
const SMALL: usize = 2 << 20;

/// One session's.
#[derive(Debug)]
pub(crate) struct PageMemory(Arc<Semaphore>);

/// One page's part of it; free again when this goes.
#[derive(Debug)]
pub(crate) struct PageShare {
    all: Arc<Semaphore>,
    large: Option<OwnedSemaphorePermit>,
}

impl Default for PageMemory {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

impl PageMemory {
    pub(crate) fn share(&self) -> PageShare {
        PageShare { all: Arc::clone(&self.0), large: None }
    }
}

impl PageShare {
    /// Waits until the page may have so many bytes.
    pub(super) async fn grow(&mut self, bytes: usize) {
        if bytes > SMALL && self.large.is_none() {
            // Closed never.
            self.large = Arc::clone(&self.all).acquire_owned().await.ok();
        }
    }
}
