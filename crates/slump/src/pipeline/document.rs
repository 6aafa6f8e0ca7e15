//! The document: Markdown and text as they are, PDF through poppler.

use std::{fs, io, path::Path, process::Command};

use serde::{Deserialize, Serialize};
use slopbench_digest::{ReadError, Sha256};

use super::error::PipelineError;
use crate::{Error, task::words::words};

/// What `format` says in a document of this version.
pub const DOCUMENT_FORMAT: &str = "slopbench.slump-document/1";

/// Fewer words describe no method; a PDF of scanned pages has none at all.
const LEAST_WORDS: usize = 200;

/// Endings of names, and how such documents are read.
const KINDS: &[(&str, DocumentReader)] = &[
    ("md", DocumentReader::Text),
    ("markdown", DocumentReader::Text),
    ("txt", DocumentReader::Text),
    ("pdf", DocumentReader::Pdftotext),
];

/// `assets/document.json`: the document that a task is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineDocument {
    /// [`DOCUMENT_FORMAT`].
    pub format: String,
    /// The name of the file.
    pub name: String,
    /// The digest of the file.
    pub digest: Sha256,
    /// How it was read.
    reader: DocumentReader,
    /// Its text.
    pub text: String,
}

/// How a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DocumentReader {
    Text,
    Pdftotext,
}

impl PipelineDocument {
    /// Reads a document; one with the digest of `known` is that, and is not read again.
    pub(super) fn read(path: &Path, known: Option<Self>) -> Result<Self, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let unfit = |message: String| PipelineError::Document { path: path.to_path_buf(), message };
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let Some((_, reader)) = KINDS.iter().find(|(known, _)| *known == ending) else {
            let known = KINDS.iter().map(|(ending, _)| format!(".{ending}")).collect::<Vec<_>>().join(", ");
            return Err(unfit(format!("no kind of document is called so; expected one of {known}")).into());
        };
        let bytes = fs::read(path).map_err(|source| ReadError { path: path.to_path_buf(), source })?;
        let digest = Sha256::of(&bytes);
        if let Some(known) = known.filter(|known| known.digest == digest) {
            return Ok(known);
        }
        let bytes = match reader {
            DocumentReader::Text => bytes,
            DocumentReader::Pdftotext => text_of_pdf(path)?,
        };
        let text = String::from_utf8(bytes).map_err(|error| unfit(format!("it is not UTF-8: {error}")))?;
        let count = words(&text).len();
        if count < LEAST_WORDS {
            let message =
                format!("{count} words; expected a method, in at least {LEAST_WORDS} words of text, not of pictures");
            return Err(unfit(message).into());
        }
        Ok(Self { format: DOCUMENT_FORMAT.to_owned(), name, digest, reader: *reader, text })
    }
}

fn text_of_pdf(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |source| ReadError { path: path.to_path_buf(), source };
    // An absolute path is never taken for an option.
    let file = fs::canonicalize(path).map_err(failed)?;
    let output = match Command::new("pdftotext").args(["-q", "-nopgbrk", "-enc", "UTF-8"]).arg(file).arg("-").output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(PipelineError::NoPdfReader { path: path.to_path_buf() }.into());
        }
        output => output.map_err(failed)?,
    };
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let message = format!("pdftotext cannot read it ({}): {}", output.status, said.trim());
    Err(PipelineError::Document { path: path.to_path_buf(), message }.into())
}
