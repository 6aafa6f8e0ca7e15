//! The edge table: how records relate, a CSV file with one relation a line.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::record::{RecordKind, checked_id};
use crate::Error;

/// How one record relates to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RelationKind {
    /// It says more exactly, or carries out, what the other says.
    Refines,
    /// It is a reason for the other.
    Motivates,
    /// It stands in the place of the other.
    Supersedes,
    /// It holds only as long as the other does.
    DependsOn,
    /// Both cannot hold; a person has to choose.
    ConflictsWith,
}

/// What each relation is called, and which kinds it leads from and to.
const RELATIONS: &[(RelationKind, &str, &[RecordKind], &[RecordKind])] = {
    use RecordKind::{Decision, Design, Resource};
    let any = &[Design, Decision, Resource];
    &[
        (RelationKind::Refines, "refines", &[Design, Decision], &[Design, Decision]),
        (RelationKind::Motivates, "motivates", &[Resource], any),
        (RelationKind::Supersedes, "supersedes", any, any),
        (RelationKind::DependsOn, "depends-on", any, any),
        (RelationKind::ConflictsWith, "conflicts-with", any, any),
    ]
};

impl RelationKind {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        RELATIONS.iter().map(|(kind, ..)| *kind)
    }

    /// Its name in the table.
    pub fn name(self) -> &'static str {
        RELATIONS.iter().find(|(kind, ..)| *kind == self).map_or("", |(_, name, ..)| name)
    }

    /// Whether it may lead from a record of one kind to one of the other.
    pub fn may_lead(self, from: RecordKind, to: RecordKind) -> bool {
        let mut row = RELATIONS.iter().filter(|(kind, ..)| *kind == self);
        row.any(|(_, _, sources, targets)| sources.contains(&from) && targets.contains(&to))
    }

    fn named(name: &str) -> Option<Self> {
        RELATIONS.iter().find(|(_, known, ..)| *known == name).map(|(kind, ..)| *kind)
    }
}

/// One relation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRelation {
    /// Id of the record that it leads from.
    pub from: String,
    /// How the two relate.
    pub kind: RelationKind,
    /// Id of the record that it leads to.
    pub to: String,
}

/// The first line of the table.
const HEADER: [&str; 3] = ["from", "relation", "to"];

/// All relations. Lines are kept as they are: comments (`# …`), blank lines and quotes of people's survive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationTable {
    lines: Vec<(String, Option<RecordRelation>)>,
    /// What its lines end in, as in the file.
    end: &'static str,
}

impl Default for RelationTable {
    fn default() -> Self {
        Self { lines: vec![(HEADER.join(","), None)], end: "\n" }
    }
}

impl RelationTable {
    /// Reads the content of the file at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Format`] names the line that is no relation.
    pub fn parse(path: &Path, content: &str) -> Result<Self, Error> {
        let (mut lines, mut has_header) = (Vec::new(), false);
        for (number, line) in (1..).zip(content.lines()) {
            let wrong = |message: String| Error::format(path, number, message);
            let is_remark = line.trim().is_empty() || line.starts_with('#');
            let relation = match (is_remark, has_header) {
                (true, _) => None,
                (false, true) => Some(relation(&cells(line).map_err(wrong)?).map_err(wrong)?),
                (false, false) if cells(line).map_err(wrong)? == HEADER => {
                    has_header = true;
                    None
                }
                (false, false) => return Err(wrong(format!("expected the header `{}`", HEADER.join(",")))),
            };
            lines.push((line.to_owned(), relation));
        }
        match has_header {
            true => Ok(Self { lines, end: if content.contains("\r\n") { "\r\n" } else { "\n" } }),
            false => {
                Err(Error::format(path, lines.len().max(1), format!("expected the header `{}`", HEADER.join(","))))
            }
        }
    }

    /// The content of its file.
    pub fn content(&self) -> String {
        self.lines.iter().map(|(line, _)| format!("{line}{}", self.end)).collect()
    }

    /// Every relation with its line.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &RecordRelation)> {
        (1..).zip(&self.lines).filter_map(|(number, (_, relation))| Some((number, relation.as_ref()?)))
    }

    /// Keeps the lines of those that `is_out` says so of, as remarks are kept; they relate nothing any more.
    pub(crate) fn set_aside(&mut self, mut is_out: impl FnMut(usize, &RecordRelation) -> bool) {
        for (number, (_, relation)) in (1..).zip(&mut self.lines) {
            relation.take_if(|relation| is_out(number, relation));
        }
    }

    /// Adds a relation at the end, unless it is there.
    pub(crate) fn add(&mut self, relation: RecordRelation) -> bool {
        let is_new = !self.iter().any(|(_, known)| *known == relation);
        if is_new {
            let line = [&*relation.from, relation.kind.name(), &*relation.to].join(",");
            self.lines.push((line, Some(relation)));
        }
        is_new
    }

    /// Takes a relation out, and says whether it was there.
    pub(crate) fn remove(&mut self, relation: &RecordRelation) -> bool {
        let before = self.lines.len();
        self.lines.retain(|(_, known)| known.as_ref() != Some(relation));
        self.lines.len() < before
    }
}

fn cells(line: &str) -> Result<Vec<String>, String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).trim(csv::Trim::All).from_reader(line.as_bytes());
    let row = reader.records().next().transpose().map_err(|error| error.to_string())?;
    Ok(row.iter().flatten().map(str::to_owned).collect())
}

fn relation(cells: &[String]) -> Result<RecordRelation, String> {
    let [from, kind, to] = cells else {
        return Err(format!("expected `from,relation,to`, found {} cells", cells.len()));
    };
    let known = || RELATIONS.iter().map(|(_, name, ..)| *name).collect::<Vec<_>>().join(", ");
    let kind = RelationKind::named(kind).ok_or_else(|| format!("`{kind}` is no relation: expected {}", known()))?;
    Ok(RecordRelation { from: checked_id(from)?.to_owned(), kind, to: checked_id(to)?.to_owned() })
}
