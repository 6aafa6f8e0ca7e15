//! A container that nobody answers for yet.

use super::engine::ContainerEngine;

/// A container, and with it the volumes that came with it. Removed when this goes.
pub(super) struct PendingContainer<'a> {
    pub(super) engine: &'a ContainerEngine,
    pub(super) id: Option<String>,
}

impl PendingContainer<'_> {
    /// Its id.
    pub(super) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    /// Somebody answers for it.
    pub(super) fn keep(mut self) {
        self.id = None;
    }
}

impl Drop for PendingContainer<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            // The error that led here says more.
            let _ = self.engine.remove_container(&id);
        }
    }
}
