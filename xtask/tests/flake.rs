//! The flake, as far as it can be looked at in seconds; `nix/test.sh` builds and runs it for real, and CI calls that.
//!
//! nixpkgs is stood in for by `nix/offline-nixpkgs`, so no network is needed. Where Nix is not installed, or may not be
//! used by this user, the tests say so and pass.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and says why it is skipped")]

use std::{
    path::Path,
    process::{Command, Output},
};

const CONFIG: &str = "extra-experimental-features = nix-command flakes\nbuild-users-group =\nsandbox = false\n\
                      substituters =\nwarn-dirty = false\n";

/// Runs nix on this repository's flake; `None` where that is not possible here.
fn nix(args: &[&str]) -> Option<Output> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let usable = Command::new("nix").args(["store", "ping"]).env("NIX_CONFIG", CONFIG).output();
    if !usable.is_ok_and(|output| output.status.success()) {
        println!("skipped: `nix store ping` does not succeed here; install Nix (Debian: nix-bin) and run as root");
        return None;
    }
    let mut command = Command::new("nix");
    command.args(args).current_dir(root).env("NIX_CONFIG", CONFIG);
    // Nix asks git for the tracked files, also in a checkout that belongs to somebody else.
    command.envs([("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "safe.directory"), ("GIT_CONFIG_VALUE_0", "*")]);
    Some(command.output().unwrap())
}

#[test]
fn the_lock_file_agrees_with_the_flake() {
    let Some(output) = nix(&["flake", "lock", "--no-update-lock-file", "--offline", "."]) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_output_evaluates_against_the_stand_in() {
    let show = ["flake", "show", "--json", "--impure", "--offline", "--no-write-lock-file"];
    let standin = ["--override-input", "nixpkgs", "path:./nix/offline-nixpkgs"];
    let Some(output) = nix(&[&show[..], &standin].concat()) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = String::from_utf8(output.stdout).unwrap();
    for name in ["reproduce", "devShells", "checks", "formatter"] {
        assert!(shown.contains(name), "`nix flake show` lacks {name}: {shown}");
    }
}
