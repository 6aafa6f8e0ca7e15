//! What request bodies may take of this process's memory, for each session and for all of them.

use std::sync::{Arc, LazyLock};

use tokio::sync::{Mutex, MutexGuard, OwnedSemaphorePermit, Semaphore};

/// The largest request body that is read, in bytes. Prompts of a million tokens take some 5 MB.
pub(super) const LARGEST_BODY: usize = 16 << 20;

/// The most values in a body's JSON: each takes some hundred bytes in memory, however few it takes in the body.
pub(super) const MOST_VALUES: usize = 100_000;

/// Bytes of bodies that one session may have in memory at once.
const SESSION: usize = 2 * LARGEST_BODY;

/// The same for all sessions.
const SHARED: usize = 8 * LARGEST_BODY;

const UNIT: usize = 1 << 10;

static ALL: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(SHARED / UNIT)));

/// Bodies are parsed one at a time, since as JSON they take several times their length.
static PARSING: Mutex<()> = Mutex::const_new(());

/// One session's part of the memory for bodies.
#[derive(Clone, Debug)]
pub(super) struct BodyMemory {
    session: Arc<Semaphore>,
    shared: Arc<Semaphore>,
}

/// Memory that is set aside; free again when this goes.
#[derive(Debug)]
pub(super) struct MemoryShare {
    _session: OwnedSemaphorePermit,
    _shared: OwnedSemaphorePermit,
}

impl Default for BodyMemory {
    fn default() -> Self {
        Self { session: Arc::new(Semaphore::new(SESSION / UNIT)), shared: Arc::clone(&ALL) }
    }
}

impl BodyMemory {
    /// Sets memory aside for a body of so many bytes, at most [`LARGEST_BODY`]; waits until there is some.
    pub(super) async fn reserve(&self, bytes: usize) -> Option<MemoryShare> {
        let units = u32::try_from(bytes.div_ceil(UNIT)).ok()?;
        // The session's own first: who waits for that takes nothing from others.
        let session = Arc::clone(&self.session).acquire_many_owned(units).await.ok()?;
        let shared = Arc::clone(&self.shared).acquire_many_owned(units).await.ok()?;
        Some(MemoryShare { _session: session, _shared: shared })
    }
}

/// Waits until nobody else parses a body.
pub(super) async fn parsing() -> MutexGuard<'static, ()> {
    PARSING.lock().await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ready<T>(future: impl Future<Output = T>) -> Option<T> {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        match std::pin::pin!(future).poll(&mut context) {
            std::task::Poll::Ready(value) => Some(value),
            std::task::Poll::Pending => None,
        }
    }

    #[test]
    fn a_session_and_all_of_them_have_an_end() {
        let shared = Arc::new(Semaphore::new(SHARED / UNIT));
        let sessions: Vec<_> = (0..5)
            .map(|_| BodyMemory { session: Arc::new(Semaphore::new(SESSION / UNIT)), shared: Arc::clone(&shared) })
            .collect();
        let take = |memory: &BodyMemory| is_ready(memory.reserve(LARGEST_BODY)).flatten();
        let mut shares: Vec<_> = sessions[..4].iter().flat_map(|memory| [take(memory), take(memory)]).collect();
        assert!(shares.iter().all(Option::is_some));
        assert!(take(&sessions[0]).is_none(), "the session has no more");
        assert!(take(&sessions[4]).is_none(), "nobody has");
        shares.pop();
        assert!(take(&sessions[4]).is_some(), "what is free again can be had");
    }
}
