//! Where engines listen.

use std::path::{Path, PathBuf};

/// Stands for an ordinary user's runtime folder.
const USERS: &str = "$XDG_RUNTIME_DIR";

/// Where engines listen if `DOCKER_HOST` is not set. The first is the system's; the others are an ordinary user's, below
/// their runtime folder, and Podman's.
const SOCKETS: [&str; 4] = [
    "/var/run/docker.sock",
    "$XDG_RUNTIME_DIR/docker.sock",
    "$XDG_RUNTIME_DIR/podman/podman.sock",
    "/run/podman/podman.sock",
];

/// The engine to connect to, as a URL: the one that `named` says, or the first socket that answers.
pub(super) fn find(named: Option<&str>, runtime_folder: Option<&str>, answers: impl Fn(&Path) -> bool) -> String {
    if let Some(host) = named.filter(|host| !host.is_empty()) {
        return host.to_owned();
    }
    let place = |socket: &&str| match (socket.strip_prefix(USERS), runtime_folder) {
        (None, _) => Some(PathBuf::from(*socket)),
        (Some(below), Some(folder)) if !folder.is_empty() => Some(PathBuf::from(format!("{folder}{below}"))),
        (Some(_), _) => None,
    };
    let mut places = SOCKETS.iter().filter_map(place);
    let found = places.find(|socket| answers(socket)).unwrap_or_else(|| SOCKETS[0].into());
    format!("unix://{}", found.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_engine_is_taken_then_the_system_s_then_the_user_s_own() {
        let all = |socket: &Path| {
            SOCKETS.iter().any(|known| socket.ends_with(known.trim_start_matches(USERS).trim_start_matches('/')))
        };
        let only = |name: &'static str| move |socket: &Path| socket.ends_with(name);
        let user = Some("/run/user/7");
        assert_eq!(find(Some("tcp://engine:2375"), user, all), "tcp://engine:2375");
        assert_eq!(find(Some(""), user, all), "unix:///var/run/docker.sock");
        assert_eq!(find(None, user, |socket| socket.starts_with("/run/user")), "unix:///run/user/7/docker.sock");
        assert_eq!(find(None, user, only("user/7/podman/podman.sock")), "unix:///run/user/7/podman/podman.sock");
        assert_eq!(
            find(None, user, |socket| socket == Path::new("/run/podman/podman.sock")),
            "unix:///run/podman/podman.sock"
        );
        // Without a runtime folder, no path is guessed; without any engine, the error names the usual place.
        for nothing in [None, Some("")] {
            assert_eq!(find(None, nothing, only("docker.sock")), "unix:///var/run/docker.sock");
            assert_eq!(find(None, nothing, |_| false), "unix:///var/run/docker.sock");
        }
    }
}
