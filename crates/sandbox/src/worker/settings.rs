//! Settings of the kernel's that a sandbox has for itself: its share of what the machine, or a user, has for all.

use std::fs;

use crate::Error;

/// A setting's name, with dots, and its value.
type Setting = (&'static str, &'static str);

/// Those of a network. What one connection holds unread: the machine has a bound for the sum of all, beyond which it slows
/// everyone down.
pub(crate) const NETWORK: [Setting; 2] =
    [("net.ipv4.tcp_rmem", "4096 131072 1048576"), ("net.ipv4.tcp_wmem", "4096 16384 1048576")];

/// Those of a user namespace. Its user outside shares the machine's (128 instances, usually) with all other sandboxes.
pub(super) const USER: [Setting; 3] = [
    ("user.max_inotify_instances", "32"),
    ("user.max_inotify_watches", "16384"),
    // Which the filter refuses as well.
    ("user.max_user_namespaces", "0"),
];

/// Writes settings of the namespaces that this process is in.
pub(super) fn write(settings: &[Setting]) -> Result<(), Error> {
    settings.iter().try_for_each(|(name, value)| {
        let path = format!("/proc/sys/{}", name.replace('.', "/"));
        fs::write(&path, value).map_err(|error| Error::setup(format!("write {value} to {path}"), error))
    })
}
