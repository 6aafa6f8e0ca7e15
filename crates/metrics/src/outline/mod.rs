//! What source files offer to others: functions and classes with their signatures, and which files import which.
//!
//! An [outline](outline()) depends on one file's name and bytes alone, so whoever keeps outlines has to make those anew whose files
//! changed, and no other. [`import_edges`] puts them together. Python is read by its own parser, with constants and
//! attributes; of other languages every callable is listed that [`crate::measure()`] lists, but for those within
//! another.

mod file_outline;
mod grammar;

use std::path::Path;

pub(crate) use self::file_outline::on_one_line;
pub use self::file_outline::{FileOutline, LONGEST_SIGNATURE, Signature, SignatureKind};
pub use crate::python::Import;
use crate::{
    dependencies::Edge,
    languages,
    python::{PYTHON, imports},
    refusal::Refusal,
    source,
};

/// The outline of a file, or why there is none. `None` where its name is that of no known language.
pub fn outline(path: &str, bytes: Vec<u8>) -> Option<Result<FileOutline, Refusal>> {
    let language = languages::of_path(Path::new(path))?;
    let outlined = source::decode(bytes, language).and_then(|text| match language.outline {
        Some(outline) => outline(&text),
        None => grammar::outline(&text, language),
    });
    Some(outlined.map(|outline| FileOutline { language: language.name.to_owned(), ..outline }))
}

/// Which of these files import which, as in a measurement of a folder that holds them; sorted.
pub fn import_edges<'a>(files: impl IntoIterator<Item = (&'a str, &'a FileOutline)>) -> Vec<Edge> {
    let modules = files.into_iter().filter(|(_, outline)| outline.language == PYTHON.name);
    let mut modules: Vec<_> = modules.map(|(path, outline)| (path.to_owned(), outline.imported.clone())).collect();
    modules.sort_by(|a, b| a.0.cmp(&b.0));
    let path = |index: u32| modules.get(index as usize).map(|(path, _)| path.clone()).unwrap_or_default();
    let edges = imports::edges("", &modules);
    edges.into_iter().map(|(from, to)| Edge { from: path(from), to: path(to) }).collect()
}
