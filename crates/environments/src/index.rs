//! Where packages come from, as this machine's pip is configured.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;

use crate::Error;

/// See its own first lines.
const SCRIPT: &str = include_str!("index.py");

/// What the script exits with where there are more bytes than it may fetch.
const TOO_LARGE: i32 = 4;

/// The package index that pip uses here: its files and variables (`PIP_INDEX_URL`, …) say which.
#[derive(Clone, Debug, Default)]
pub struct PackageIndex {
    /// Variables for pip beside those of this process.
    pub variables: Vec<(String, String)>,
}

/// Where packages are, for another program than pip.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IndexPlaces {
    /// The index; `None` if none is to be asked.
    pub(crate) index: Option<String>,
    /// Others beside it.
    pub(crate) more: Vec<String>,
    /// Folders and pages with links to files.
    pub(crate) places: Vec<String>,
    /// A file of whom to trust.
    pub(crate) certificates: Option<String>,
    pub(crate) proxy: Option<String>,
}

/// A wheel to fetch.
#[derive(Clone, Debug)]
pub(crate) struct WantedWheel {
    pub(crate) file: String,
    /// Absent where no index says it.
    pub(crate) sha256: Option<Sha256>,
    /// Where to write it.
    pub(crate) path: PathBuf,
}

#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    sha256: Option<String>,
    path: &'a Path,
}

impl PackageIndex {
    /// Where it is.
    pub(crate) fn places(&self) -> Result<IndexPlaces, Error> {
        let output = self.run(&["where"], "")?;
        let answer = serde_json::from_slice(&output.stdout).ok().filter(|_| output.status.success());
        answer.ok_or_else(|| Error::Index { cause: last_line(&output.stderr) })
    }

    /// Writes all these wheels; `false` if they are more than `most` bytes. Digests are the caller's to compare.
    pub(crate) fn fetch(&self, wheels: &[WantedWheel], most: u64) -> Result<bool, Error> {
        let hexadecimal = |digest: Sha256| digest.to_string().replace("sha256:", "");
        let lines: Vec<Line<'_>> = wheels
            .iter()
            .map(|WantedWheel { file, sha256, path }| Line { file, sha256: sha256.map(hexadecimal), path })
            .collect();
        let output = self.run(&["fetch", &most.to_string()], &serde_json::to_string(&lines)?)?;
        match output.status.code() {
            Some(0) => Ok(true),
            Some(TOO_LARGE) => Ok(false),
            _ => Err(Error::Index { cause: last_line(&output.stderr) }),
        }
    }

    fn run(&self, arguments: &[&str], input: &str) -> Result<Output, Error> {
        let no = |error: std::io::Error| Error::Start { program: "python3".to_owned(), cause: error.to_string() };
        let mut python = Command::new("python3");
        python.args(["-c", SCRIPT]).args(arguments).envs(self.variables.iter().cloned());
        python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = python.spawn().map_err(no)?;
        if let Some(mut stdin) = child.stdin.take() {
            // Who ends without reading it says why.
            let _ = stdin.write_all(input.as_bytes());
        }
        child.wait_with_output().map_err(no)
    }
}

/// The last line that says something.
pub(crate) fn last_line(said: &[u8]) -> String {
    let said = String::from_utf8_lossy(said);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    last.unwrap_or("it failed without a word").to_owned()
}
