//! Toolchains of the machine's that solutions are built and run with, wherever they are installed.
//!
//! What lies in `/usr` is shown anyway. Others, such as rustup's, a Go below `/opt` or a Node.js of a version manager, bring
//! their own folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::Runtime;

/// A toolchain by its program: how that says which folder holds all of it, and what lies there for certain. Where nothing is
/// asked, it is the folder above that of the program's file.
const TOOLCHAINS: [(&str, &[&str], &str); 3] = [
    ("go", &["env", "GOROOT"], "src/runtime"),
    ("java", &[], "lib/modules"),
    ("rustc", &["--print", "sysroot"], "lib/rustlib"),
];

impl Runtime {
    /// The same with every toolchain that the machine has, as agents find it.
    #[must_use]
    pub fn and_toolchains(self) -> Self {
        ["node", "go", "rustc", "java"].iter().fold(self, |runtime, program| runtime.and_toolchain(program))
    }

    /// The same with the toolchain that the machine's `program` belongs to, where there is one: `node`, `go`, `java` or `rustc`.
    /// Nothing is added to an image's system.
    #[must_use]
    pub fn and_toolchain(mut self, program: &str) -> Self {
        if self.system.is_some() {
            return self;
        }
        if program == "node" {
            return self.and_node();
        }
        let Some(root) = root(program) else { return self };
        let bin = root.join("bin");
        if !root.starts_with("/usr") && !self.expose.iter().any(|shown| root.starts_with(shown)) {
            self.expose.push(root);
        }
        if !self.path.contains(&bin) {
            self.path.push(bin);
        }
        self
    }
}

/// The folder of a toolchain, with all of it and nothing else.
fn root(program: &str) -> Option<PathBuf> {
    let (_, question, marker) = TOOLCHAINS.iter().find(|(known, ..)| *known == program)?;
    let file = on_path(program)?;
    let root = match question {
        [] => fs::canonicalize(file).ok()?.ancestors().nth(2)?.to_path_buf(),
        question => {
            let output = Command::new(file).args(*question).output().ok().filter(|output| output.status.success())?;
            fs::canonicalize(String::from_utf8(output.stdout).ok()?.trim()).ok()?
        }
    };
    // A wrong answer must not show a folder of no one's choice.
    (root.join(marker).exists() && root != Path::new("/usr")).then_some(root)
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_system_or_not_there_adds_nothing() {
        let none = Runtime::default();
        assert_eq!(none.clone().and_toolchain("no-such-program"), none);
        assert_eq!(none.clone().and_toolchain("env"), none);
    }

    #[test]
    fn an_image_brings_its_own() {
        let image = Runtime { system: Some("/nowhere".into()), ..Runtime::default() };
        assert_eq!(image.clone().and_toolchain("rustc"), image);
    }

    #[test]
    fn rustup_leads_to_the_toolchain_behind_it() {
        let runtime = Runtime::default().and_toolchain("rustc");
        // Where Rust is the system's, there is nothing to add.
        assert!(runtime.path.iter().all(|bin| bin.join("rustc").is_file()), "{runtime:?}");
    }
}
