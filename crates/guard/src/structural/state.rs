//! What is known of a project's code.

use std::collections::BTreeMap;

use slopbench_metrics::measurement::SkippedFile;
use slopbench_metrics::outline::{FileOutline, import_edges};

/// The files of a project, and what each offers to the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StructuralState {
    /// By path.
    pub files: BTreeMap<String, FileStructure>,
    /// What looks like source and could not be read, by path.
    pub unread: Vec<SkippedFile>,
    /// Whether another version of the tool made it: the next update parses every file anew.
    pub(super) is_outdated: bool,
}

/// One file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileStructure {
    /// The id of its git blob.
    pub blob: String,
    /// What it offers to others.
    pub outline: FileOutline,
    /// The paths of the files that it imports, sorted.
    pub imports: Vec<String>,
}

impl StructuralState {
    /// Says of each file which others it imports.
    pub(super) fn link(&mut self) {
        let outlines = self.files.iter().map(|(path, file)| (path.as_str(), &file.outline));
        for edge in import_edges(outlines) {
            if let Some(file) = self.files.get_mut(&edge.from) {
                file.imports.push(edge.to);
            }
        }
    }

    /// The files that import the one at `path`.
    pub fn importers(&self, path: &str) -> Vec<&str> {
        let imports = |file: &FileStructure| file.imports.iter().any(|import| import == path);
        self.files.iter().filter(|(_, file)| imports(file)).map(|(path, _)| path.as_str()).collect()
    }

    /// How many signatures there are, and how many of them are for others.
    pub fn signatures(&self) -> (usize, usize) {
        let all = || self.files.values().flat_map(|file| &file.outline.signatures);
        (all().count(), all().filter(|signature| signature.public).count())
    }
}
