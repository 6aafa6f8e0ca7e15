//! Where flaws are.

pub(super) const MANIFEST: &str = "task.toml";
pub(crate) const COMPONENTS: &str = "components.toml";
pub(super) const VERSIONS: &str = "versions.toml";
pub(crate) const REQUESTS: &str = "requests.toml";

/// What a request is called in a message.
pub(super) fn request(number: usize) -> String {
    format!("request {number}")
}
