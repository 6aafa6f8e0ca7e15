//! Tracks: the language that solutions are written in, and all that follows from it.
//!
//! A problem names its entry without an ending; the track of a plan says the rest. [`TRACKS`] is the one place: what file an
//! agent has to write, how it is built and started, what is measured, in which image, and what the agent is told of it.
//!
//! | track | the solution has | built by | started as |
//! | --- | --- | --- | --- |
//! | `python` | `<entry>.py` | | `python3 <entry>.py` |
//! | `javascript` | `<entry>.js` | | `node <entry>.js` |
//! | `go` | `go.mod`, and package `main` beside it | `go build` | `<entry>` |
//! | `rust` | `Cargo.toml`, with a binary `<entry>` | `cargo build --release` | `target/release/<entry>` |
//! | `java` | `Main.java`, with the class `Main` | `javac` | `java … Main` |
//!
//! In all texts of the table, `{entry}` stands for the problem's entry, `{program}` for the last part of it, and `{solution}`
//! for the folder of the solution.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use slopbench_sandbox::Limits;

/// The language that solutions are written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Track {
    /// CPython, with packages of the package index.
    #[default]
    Python,
    /// Node.js.
    Javascript,
    /// Go, without C.
    Go,
    /// Rust, built by Cargo.
    Rust,
    /// Java, built by the JDK's own compiler.
    Java,
}

/// What a track is.
#[derive(Debug)]
pub struct TrackDefinition {
    /// Which.
    pub track: Track,
    /// Its name, which is that of the language that is measured.
    pub name: &'static str,
    /// The language, for people and agents.
    pub title: &'static str,
    /// The file without which there is no solution, relative to its folder.
    pub required: &'static str,
    /// What is started, relative to the solution's folder.
    pub file: &'static str,
    /// How the names of source files end.
    pub extension: &'static str,
    /// The command that starts it, without arguments.
    pub command: &'static [&'static str],
    /// How it is built; absent where it runs as it is written.
    pub build: Option<BuildDefinition>,
    /// How the programs of the toolchain are asked for their versions: all have to answer, and the first says which it is.
    pub versions: &'static [&'static [&'static str]],
    /// The recipe of the image that has the toolchain.
    pub image: &'static str,
    /// How to get the toolchain where it is missing.
    pub advice: &'static str,
    /// What an agent is told of entry and packages; empty where the templates say it themselves.
    pub conventions: &'static str,
}

/// How a solution is built.
#[derive(Debug)]
pub struct BuildDefinition {
    /// The command, in the solution's folder.
    pub command: &'static [&'static str],
    /// Its environment, beside the sandbox's own.
    pub env: &'static [(&'static str, &'static str)],
    /// What is removed before it is built, a name in the solution's folder: only what the build makes is run, so what lay there
    /// is neither measured nor run.
    pub replaces: &'static str,
    /// What is kept of the build, relative to the solution's folder.
    pub product: &'static str,
    /// What the product is called by those who wrote the solution.
    pub product_hint: &'static str,
}

/// What a build may take. Processor time decides, as in cases; what needs more is not a program for a case.
pub const BUILD_LIMITS: Limits = Limits {
    wall: Duration::from_secs(900),
    cpu: Duration::from_secs(300),
    memory: 4 << 30,
    processes: 256,
    file_size: 1 << 30,
    disk: 2 << 30,
    output: 16 << 20,
};

/// All tracks.
pub const TRACKS: [TrackDefinition; 5] = [
    TrackDefinition {
        track: Track::Python,
        name: "python",
        title: "Python",
        required: "{entry}.py",
        file: "{entry}.py",
        extension: "py",
        command: &["python3", "{solution}/{entry}.py"],
        build: None,
        versions: &[&["python3", "-I", "--version"]],
        image: "python",
        advice: "install Python 3.10 or newer, as `apt-get install python3` does",
        conventions: "",
    },
    TrackDefinition {
        track: Track::Javascript,
        name: "javascript",
        title: "JavaScript",
        required: "{entry}.js",
        file: "{entry}.js",
        extension: "js",
        command: &["node", "{solution}/{entry}.js"],
        build: None,
        versions: &[&["node", "--version"]],
        image: "node",
        advice: "install Node.js 18 or newer, as `apt-get install nodejs` does",
        conventions: "The program is started as `node {entry}.js`, where `{entry}.js` lies in the current folder. It runs \
                      in Node.js 18 and newer with nothing but Node's own modules: no package is installed for it.",
    },
    TrackDefinition {
        track: Track::Go,
        name: "go",
        title: "Go",
        required: "go.mod",
        file: "{program}",
        extension: "go",
        command: &["{solution}/{program}"],
        build: Some(BuildDefinition {
            command: &["go", "build", "-o", "{program}", "."],
            env: &[
                // Other languages would come in by it.
                ("CGO_ENABLED", "0"),
                ("GOFLAGS", "-buildvcs=false"),
                ("GOPROXY", "off"),
                ("GOTOOLCHAIN", "local"),
                ("GOWORK", "off"),
            ],
            replaces: "{program}",
            product: "{program}",
            product_hint: "package main has to lie beside go.mod",
        }),
        versions: &[&["go", "version"]],
        image: "go",
        advice: "install Go 1.19 or newer, as `apt-get install golang-go` does",
        conventions: "The current folder is a Go module: `go.mod` lies in it, and package `main` beside that. The program \
                      is built there by `go build -o {program} .`, with Go 1.19 or newer, without cgo and without a \
                      network, and is started as `./{program}`. Use the standard library only; what else it needs lies \
                      in `vendor`.",
    },
    TrackDefinition {
        track: Track::Rust,
        name: "rust",
        title: "Rust",
        required: "Cargo.toml",
        file: "target/release/{program}",
        extension: "rs",
        command: &["{solution}/target/release/{program}"],
        build: Some(BuildDefinition {
            command: &["cargo", "build", "--quiet", "--release", "--offline", "--target-dir", "target"],
            env: &[],
            replaces: "target",
            product: "target/release/{program}",
            product_hint: "a binary of the package has to have this name",
        }),
        versions: &[&["rustc", "--version"], &["cargo", "--version"], &["cc", "--version"]],
        image: "rust",
        advice: "install Rust 1.63 or newer with its Cargo and a C linker, as `apt-get install cargo gcc` does",
        conventions: "The current folder is a Cargo package: `Cargo.toml` lies in it, with a binary called `{program}`. The \
                      program is built there by `cargo build --release --offline`, with Rust 1.63 or newer and without a \
                      network, and is started as `target/release/{program}`. Use the standard library only; crates that it \
                      needs lie in the folder, as path dependencies.",
    },
    TrackDefinition {
        track: Track::Java,
        name: "java",
        title: "Java",
        required: "Main.java",
        file: "build/Main.class",
        extension: "java",
        // By default a JVM takes its heap after the machine's memory, and results would differ from machine to machine.
        command: &["java", "-XX:+UseSerialGC", "-Xmx256m", "-cp", "{solution}/build:{solution}", "Main"],
        build: Some(BuildDefinition {
            command: &[
                "javac",
                "-J-Xmx1g",
                "-encoding",
                "UTF-8",
                "-proc:none",
                "-sourcepath",
                ".",
                "-d",
                "build",
                "Main.java",
            ],
            env: &[],
            replaces: "build",
            product: "build",
            product_hint: "Main.java has to hold the class Main",
        }),
        versions: &[&["java", "-Xmx64m", "-version"], &["javac", "-J-Xmx64m", "-version"]],
        image: "java",
        advice: "install a JDK, 17 or newer, as `apt-get install default-jdk-headless` does",
        conventions: "`Main.java` in the current folder holds the class `Main`, which is in no package; sources of packages \
                      lie in folders below, called like the packages. The program is built there by \
                      `javac -encoding UTF-8 -sourcepath . -d build Main.java`, with Java 17 or newer, which compiles what \
                      `Main` refers to, and is started as `java -cp build:. Main`. Use the standard library only.",
    },
];

impl Track {
    /// What it is.
    pub fn definition(self) -> &'static TrackDefinition {
        let found = TRACKS.iter().find(|definition| definition.track == self);
        // The test below: each track is in the table.
        found.unwrap_or(&TRACKS[0])
    }
}

impl fmt::Display for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.definition().name)
    }
}

impl FromStr for Track {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || TRACKS.iter().map(|definition| definition.name).collect::<Vec<_>>().join(", ");
        let found = TRACKS.iter().find(|definition| definition.name == text);
        found.map(|definition| definition.track).ok_or_else(|| format!("expected one of {}", names()))
    }
}

/// What starts a solution, whichever the track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As the problem names it: a relative path without an ending.
    pub name: String,
    /// What makes a file of it.
    pub track: Track,
}

impl Entry {
    /// The file without which there is no solution, relative to its folder.
    pub fn required(&self) -> String {
        self.fill(self.track.definition().required, "")
    }

    /// What is started, relative to the solution's folder. In tracks that are built it is there after that.
    pub fn file(&self) -> String {
        self.fill(self.track.definition().file, "")
    }

    /// The command that starts the solution in `folder`, without arguments; where that is empty, what a person types there.
    pub fn command(&self, folder: &Path) -> Vec<String> {
        let (folder, is_here) = match folder.as_os_str().is_empty() {
            true => (Path::new("."), true),
            false => (folder, false),
        };
        let words = self.track.definition().command.iter().map(|word| self.fill(word, &folder.to_string_lossy()));
        let plain = |(index, word): (usize, String)| match word.strip_prefix("./") {
            Some(rest) if is_here && index > 0 => rest.to_owned(),
            _ => word,
        };
        words.enumerate().map(plain).collect()
    }

    /// What an agent is told of entry and packages; empty where the templates say it themselves.
    pub fn conventions(&self) -> String {
        self.fill(self.track.definition().conventions, "")
    }

    /// A specification, with entry and command in place of `%%%ENTRYPOINT:entry_file%%%` and
    /// `%%%ENTRYPOINT:entry_command%%%`, as SlopCodeBench writes them.
    pub fn specification(&self, text: &str) -> String {
        let command = self.command(Path::new("")).join(" ");
        text.replace("%%%ENTRYPOINT:entry_file%%%", &self.file()).replace("%%%ENTRYPOINT:entry_command%%%", &command)
    }

    /// How the solution is built, if it is.
    pub fn build(&self) -> Option<EntryBuild> {
        let definition = self.track.definition();
        let build = definition.build.as_ref()?;
        Some(EntryBuild {
            command: build.command.iter().map(|word| self.fill(word, "")).collect(),
            env: build.env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            replaces: self.fill(build.replaces, ""),
            product: self.fill(build.product, "").into(),
            product_hint: build.product_hint,
        })
    }

    fn fill(&self, text: &str, folder: &str) -> String {
        let program = self.name.rsplit('/').next().unwrap_or_default();
        text.replace("{entry}", &self.name).replace("{program}", program).replace("{solution}", folder)
    }
}

/// How a solution of a certain problem is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryBuild {
    /// See [`BuildDefinition::command`].
    pub command: Vec<String>,
    /// See [`BuildDefinition::env`].
    pub env: Vec<(String, String)>,
    /// See [`BuildDefinition::replaces`].
    pub replaces: String,
    /// See [`BuildDefinition::product`].
    pub product: PathBuf,
    /// See [`BuildDefinition::product_hint`].
    pub product_hint: &'static str,
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn entry(track: Track) -> Entry {
        Entry { name: "code_search".to_owned(), track }
    }

    #[test]
    fn every_track_is_in_the_table_and_called_as_in_a_plan() {
        for track in [Track::Python, Track::Javascript, Track::Go, Track::Rust, Track::Java] {
            let definition = track.definition();
            assert_eq!(definition.track, track);
            assert_eq!(serde_json::to_value(track).unwrap(), definition.name);
            assert_eq!(definition.name.parse(), Ok(track));
        }
        assert_eq!("perl".parse::<Track>().unwrap_err(), "expected one of python, javascript, go, rust, java");
    }

    #[test]
    fn an_entry_is_resolved_by_its_track() {
        let table = [
            (Track::Python, "code_search.py", "python3 /s/code_search.py", "python3 code_search.py"),
            (Track::Javascript, "code_search.js", "node /s/code_search.js", "node code_search.js"),
            (Track::Go, "code_search", "/s/code_search", "./code_search"),
            (
                Track::Rust,
                "target/release/code_search",
                "/s/target/release/code_search",
                "./target/release/code_search",
            ),
            (
                Track::Java,
                "build/Main.class",
                "java -XX:+UseSerialGC -Xmx256m -cp /s/build:/s Main",
                "java -XX:+UseSerialGC -Xmx256m -cp build:. Main",
            ),
        ];
        for (track, file, there, here) in table {
            let entry = entry(track);
            assert_eq!(entry.file(), file);
            assert_eq!(entry.command(Path::new("/s")).join(" "), there);
            assert_eq!(entry.command(Path::new("")).join(" "), here);
        }
    }

    #[test]
    fn what_is_built_lies_where_it_is_started() {
        for definition in &TRACKS {
            let entry = Entry { name: "a/tool".to_owned(), track: definition.track };
            let Some(build) = entry.build() else { continue };
            assert!(Path::new(&entry.file()).starts_with(&build.product), "{entry:?}");
            assert!(build.product.starts_with(&build.replaces), "{entry:?}");
            assert!(!build.replaces.contains('/') && !entry.conventions().contains('{'), "{entry:?}");
        }
    }

    /// Wall clocks leave processor time to decide.
    #[test]
    fn a_builds_clock_leaves_twice_its_processor_time() {
        assert!(BUILD_LIMITS.wall >= 2 * BUILD_LIMITS.cpu);
    }

    #[test]
    fn a_specification_names_the_entry_of_the_track() {
        let text = "`%%%ENTRYPOINT:entry_file%%%`: %%%ENTRYPOINT:entry_command%%% x";
        let said = |track| entry(track).specification(text);
        assert_eq!(said(Track::Python), "`code_search.py`: python3 code_search.py x");
        assert_eq!(said(Track::Go), "`code_search`: ./code_search x");
    }
}
