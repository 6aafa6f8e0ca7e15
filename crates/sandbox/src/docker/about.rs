//! What kind of engine answers, and whether it will do.

use std::fmt;

/// What kind of engine answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// Whether it is Podman, by Docker's API.
    pub is_podman: bool,
    /// Whether it is an ordinary user's.
    pub is_rootless: bool,
    /// Whether it can limit the memory and the processes of a container.
    pub has_limits: bool,
    /// Its version, as it says.
    pub version: String,
}

impl EngineInfo {
    /// What it does not do, of what keeps a container's programs from the machine: an engine that is fit "…".
    pub(super) fn lacks(&self) -> Option<&'static str> {
        if self.is_podman {
            return Some("limits the number of files in a container's memory");
        }
        let without_limits = "limits memory and processes (on this machine it has no cgroups to do so; rootless, it needs their version 2)";
        (!self.has_limits).then_some(without_limits)
    }
}

impl fmt::Display for EngineInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_podman { "Podman" } else { "Docker" };
        let user = if self.is_rootless { "rootless" } else { "as root" };
        write!(f, "{name} {}, {user}", self.version)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_cannot_keep_the_limits_is_not_fit() {
        let docker = EngineInfo { is_podman: false, is_rootless: false, has_limits: true, version: "20.10.24".into() };
        assert_eq!((docker.lacks(), docker.to_string().as_str()), (None, "Docker 20.10.24, as root"));
        let rootless = EngineInfo { is_rootless: true, ..docker.clone() };
        assert_eq!((rootless.lacks(), rootless.to_string().as_str()), (None, "Docker 20.10.24, rootless"));
        // Nothing holds a fork bomb there between two looks at it.
        let without = EngineInfo { has_limits: false, ..rootless };
        assert!(without.lacks().unwrap().contains("cgroups"));
        let podman = EngineInfo { is_podman: true, version: "4.3.1".into(), ..docker };
        assert_eq!(podman.to_string(), "Podman 4.3.1, as root");
        assert!(podman.lacks().unwrap().contains("files"));
    }
}
