//! A task that keeps every rule, made up as text: 12 components in a ring, 10 versions, 48 requests, one dead end.

use std::{fmt::Write as _, fs, path::PathBuf};

use tempfile::TempDir;

/// What a component of the fixture is called.
pub(crate) const NAMES: [&str; 12] =
    ["amber", "basalt", "cedar", "dune", "ember", "fjord", "grove", "heath", "islet", "juniper", "knoll", "lagoon"];

pub(crate) struct TaskFixture {
    folder: TempDir,
    name: &'static str,
}

impl TaskFixture {
    pub(crate) fn new() -> Self {
        Self::named("tidal_mill")
    }

    fn named(name: &'static str) -> Self {
        let this = Self { folder: tempfile::tempdir().unwrap(), name };
        fs::create_dir(this.dir()).unwrap();
        let files = [
            ("task.toml", manifest()),
            ("paper.md", paper()),
            ("specification.md", specification()),
            ("components.toml", components()),
            ("versions.toml", versions()),
            ("requests.toml", requests()),
            ("audit.md", "# Audit\n\n".to_owned() + &"Each of them was looked at by hand. ".repeat(5)),
            ("provenance.toml", provenance()),
        ];
        for (file, text) in files {
            fs::write(this.dir().join(file), text).unwrap();
        }
        this
    }

    /// The same with so many requests of its first version, whatever the rules say.
    pub(crate) fn with_requests(count: usize) -> Self {
        let this = Self::new();
        let request = |number| format!("[[request]]\nversion = 1\ntext = \"Please add line number {number}.\"\n\n");
        fs::write(this.dir().join("requests.toml"), (1..=count).map(request).collect::<String>()).unwrap();
        this
    }

    /// A task of that name with so many requests, the first of which states every component.
    pub(crate) fn disclosed(name: &'static str, count: usize) -> Self {
        let this = Self::named(name);
        let all: Vec<_> = (1..=NAMES.len()).map(|number| format!("c{number:02} = 4")).collect();
        let request = |number: usize| {
            let reveals = if number == 1 { format!("reveals = {{ {} }}\n", all.join(", ")) } else { String::new() };
            format!("[[request]]\nversion = 1\ntext = \"Please write part {number} of the mill.\"\n{reveals}\n")
        };
        fs::write(this.dir().join("requests.toml"), (1..=count).map(request).collect::<String>()).unwrap();
        this
    }

    /// The task's folder.
    pub(crate) fn dir(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    /// Puts `new` in place of the only `old` in a file.
    pub(crate) fn replace(&self, file: &str, old: &str, new: &str) {
        let path = self.dir().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{old:?} in {file}");
        fs::write(path, text.replace(old, new)).unwrap();
    }
}

fn manifest() -> String {
    "format = \"slopbench.slump-task/1\"\ntitle = \"Lunar Wheel\"\nhidden = [\"LWH\"]\nlanguage = \"python\"\n\
     packages = [\"numpy\"]\nsummary = \"A wheel that is turned by the moon.\"\n"
        .to_owned()
}

fn paper() -> String {
    "# How the moon grinds corn\n\nLet $x$ be given.\n\n".to_owned() + &"It is as has been said before. ".repeat(200)
}

fn specification() -> String {
    (1..=12).map(|number| format!("## c{number:02}\n\nAs it is.\n\n")).collect()
}

fn components() -> String {
    let mut text = String::new();
    for (number, name) in (1..).zip(NAMES) {
        let (before, after) = ((number + 10) % 12 + 1, number % 12 + 1);
        write!(
            text,
            "[[component]]\nid = \"c{number:02}\"\nname = \"The {name} part\"\ndescription = \"It does {name}.\"\n\
             formula = ''\ninputs = [\"x\"]\noutputs = [\"y\"]\nconnections = [\"c{before:02}\", \"c{after:02}\"]\n\n"
        )
        .unwrap();
    }
    text
}

/// Version 1 decides nothing, 2 to 9 a component each, 10 the last four. What is tried for c05 in 2 is given up in 4.
fn versions() -> String {
    let mut text = String::new();
    for id in 1..=10 {
        let decides = match id {
            1 => String::new(),
            10 => "\"c09\", \"c10\", \"c11\", \"c12\"".to_owned(),
            _ => format!("\"c{:02}\"", id - 1),
        };
        write!(text, "[[version]]\nid = {id}\nsummary = \"Step {id}.\"\ndecides = [{decides}]\n").unwrap();
        text += match id {
            2 => "tries = [\"a01\"]\n\n",
            4 => "drops = [\"a01\"]\n\n",
            6 => "words = [\"sluice gate\"]\n\n",
            _ => "\n",
        };
    }
    text + "[[alternative]]\nid = \"a01\"\ncomponent = \"c05\"\ndescription = \"A brake.\"\nwhy_dropped = \"It burns.\"\n"
}

/// Five requests of each version, and three of the last. The second of each states what its version decides.
fn requests() -> String {
    let mut text = String::new();
    for number in 1..=48 {
        let (version, place) = ((number - 1) / 5 + 1, (number - 1) % 5);
        let reveals = match (version, place) {
            (1, 0) => "c01 = 1, c05 = 2".to_owned(),
            (2, 0) => "c05 = 1".to_owned(),
            (10, 1) => "c09 = 4, c10 = 4, c11 = 4, c12 = 4".to_owned(),
            (2..=9, 1) => format!("c{:02} = 4", version - 1),
            _ => String::new(),
        };
        write!(
            text,
            "[[request]]\nversion = {version}\ntext = \"Please look at the thing numbered {number} and improve it.\"\n\
             reveals = {{ {reveals} }}\n\n"
        )
        .unwrap();
    }
    text
}

fn provenance() -> String {
    let files =
        ["task.toml", "paper.md", "specification.md", "components.toml", "versions.toml", "requests.toml", "audit.md"];
    files.iter().map(|file| format!("[[asset]]\nfile = \"{file}\"\norigin = \"authored\"\n\n")).collect()
}
