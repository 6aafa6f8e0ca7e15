//! What a project has committed to: records and how they relate, in files that people read and edit.
//!
//! A record is a Markdown file in the folder of its kind ([`record`]); [`relations`] are one table. Nobody but a person
//! changes more of a file than is to be changed, and what is not to be changed is not written at all.

pub mod record;
pub mod relations;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use self::record::{ProjectRecord, RecordKind, checked_id};
use self::relations::{RecordRelation, RelationKind, RelationTable};
use crate::Error;
use crate::files::{FileWrite, refuse_link};

/// The edge table's file.
const EDGES: &str = "edges.csv";

/// Everything that a project has committed to, or once had.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SemanticState {
    records: BTreeMap<String, ProjectRecord>,
    relations: RelationTable,
    /// Relations of records that are not there.
    dangling: Vec<String>,
    /// What the files held, by path below the state's folder.
    files: BTreeMap<String, String>,
}

impl SemanticState {
    /// Reads the state in `folder`. A file whose name begins with `.` or does not end in `.md` is no record.
    ///
    /// # Errors
    ///
    /// [`Error::File`] if something cannot be read, [`Error::Format`] with file and line for what is wrong in it.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        let mut state = Self::default();
        for kind in RecordKind::ALL {
            state.load_kind(folder, kind)?;
        }
        let path = folder.join(EDGES);
        if path.exists() {
            let content = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
            state.relations = RelationTable::parse(&path, &content)?;
            state.files.insert(EDGES.to_owned(), content);
        }
        state.set_aside();
        for (line, relation) in state.relations.iter() {
            state.check(relation).map_err(|message| Error::format(&path, line, message))?;
        }
        Ok(state)
    }

    fn load_kind(&mut self, folder: &Path, kind: RecordKind) -> Result<(), Error> {
        let records = folder.join(kind.name());
        refuse_link(&records)?;
        if !records.exists() {
            return Ok(());
        }
        for entry in fs::read_dir(&records).map_err(Error::file("list", &records))? {
            let path = entry.map_err(Error::file("list", &records))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let Some(id) = name.strip_suffix(".md").filter(|_| !name.starts_with('.')) else { continue };
            checked_id(id).map_err(|message| Error::format(&path, 1, message + "; rename the file"))?;
            let content = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
            let record = ProjectRecord::parse(kind, id, &path, &content)?;
            if let Some(other) = self.records.insert(id.to_owned(), record) {
                let message = format!("there is a {} `{id}`, too; rename one of the two", other.kind.name());
                return Err(Error::format(&path, 1, message));
            }
            self.files.insert(file_of(kind, id), content);
        }
        Ok(())
    }

    /// The record `id`.
    pub fn get(&self, id: &str) -> Option<&ProjectRecord> {
        self.records.get(id)
    }

    /// Every record: designs, decisions, resources, each in the order of their first turns.
    pub fn records(&self) -> Vec<&ProjectRecord> {
        let mut records: Vec<_> = self.records.values().collect();
        records.sort_by_key(|record| (record.kind, record.turns.first().copied(), &record.id));
        records
    }

    /// The records that hold, in the same order.
    pub fn committed(&self) -> Vec<&ProjectRecord> {
        self.records().into_iter().filter(|record| record.is_committed()).collect()
    }

    /// How records relate.
    pub fn relations(&self) -> &RelationTable {
        &self.relations
    }

    /// The records that hold and cannot both hold, in pairs: a person has to choose.
    pub fn conflicts(&self) -> Vec<(&str, &str)> {
        let holds = |id: &str| self.get(id).is_some_and(ProjectRecord::is_committed);
        let conflicts = self.relations.iter().map(|(_, relation)| relation);
        let conflicts = conflicts.filter(|relation| relation.kind == RelationKind::ConflictsWith);
        let pairs = conflicts.map(|relation| (relation.from.as_str(), relation.to.as_str()));
        pairs.filter(|(from, to)| holds(from) && holds(to)).collect()
    }

    /// What is to be said of relations that do not count, as one of their records is not there: people remove records.
    pub fn dangling(&self) -> &[String] {
        &self.dangling
    }

    fn set_aside(&mut self) {
        let Self { records, relations, dangling, .. } = self;
        relations.set_aside(|line, relation| {
            let missing = [&relation.from, &relation.to].into_iter().find(|id| !records.contains_key(*id));
            if let Some(id) = missing {
                dangling.push(format!("{EDGES}:{line}: there is no record `{id}`, and the relation does not count"));
            }
            missing.is_some()
        });
    }

    /// Why this state, which was made of `before`, cannot be written where `now` is by now, if it cannot.
    pub(crate) fn conflict(&self, before: &Self, now: &Self) -> Option<String> {
        let is_new = |id: &str| self.records.contains_key(id) && !before.records.contains_key(id);
        let mut added = self.records.keys().filter(|id| is_new(id));
        if let Some(id) = added.find(|id| now.records.contains_key(*id)) {
            return Some(format!("a person wrote a record `{id}` while the model was asked"));
        }
        let mut ends = self.relations.iter().flat_map(|(_, relation)| [&relation.from, &relation.to]);
        let gone = ends.find(|id| !is_new(id) && !now.records.contains_key(*id))?;
        Some(format!("a person removed `{gone}` while the model was asked"))
    }

    /// What its files take, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|content| content.len() as u64).sum()
    }

    /// Puts a record in, in place of the one with its id.
    pub(crate) fn put(&mut self, record: ProjectRecord) {
        self.records.insert(record.id.clone(), record);
    }

    /// Relates two records, or says why that makes no sense. `true` if they were not related so before.
    pub(crate) fn relate(&mut self, relation: RecordRelation) -> Result<bool, String> {
        self.check(&relation)?;
        Ok(self.relations.add(relation))
    }

    /// Takes a relation out, and says whether it was there.
    pub(crate) fn unrelate(&mut self, relation: &RecordRelation) -> bool {
        self.relations.remove(relation)
    }

    fn check(&self, relation: &RecordRelation) -> Result<(), String> {
        let RecordRelation { from, kind, to } = relation;
        let kind_of = |id: &str| {
            self.records.get(id).map(|record| record.kind).ok_or_else(|| format!("there is no record `{id}`"))
        };
        let (source, target) = (kind_of(from)?, kind_of(to)?);
        if from == to || !kind.may_lead(source, target) {
            let (kind, source, target) = (kind.name(), source.name(), target.name());
            return Err(format!("`{from}` {kind} `{to}`: no {source} {kind} a {target}, or itself"));
        }
        Ok(())
    }

    /// What of `before`'s files has to be written to become this state. Those of records that are the same are left alone.
    pub(crate) fn writes(&self, before: &Self) -> Vec<FileWrite> {
        let changed = self.records.values().filter(|record| before.records.get(&record.id) != Some(*record));
        let content = |record: &ProjectRecord| {
            let path = file_of(record.kind, &record.id);
            let known = before.records.get(&record.id).zip(before.files.get(&path));
            let content = known.map(|(known, content)| record.rewritten(known, content));
            (path, content.unwrap_or_else(|| record.content()))
        };
        let mut after: HashMap<_, _> = changed.map(content).collect();
        if self.relations != before.relations || !before.files.contains_key(EDGES) {
            after.insert(EDGES.to_owned(), self.relations.content());
        }
        let write =
            |(path, after)| FileWrite { before: before.files.get(&path).cloned(), path, after, otherwise: None };
        let mut writes: Vec<_> = after.into_iter().map(write).collect();
        writes.sort_by(|a, b| a.path.cmp(&b.path));
        writes
    }

    /// The state once `writes` are done.
    pub(crate) fn written(mut self, writes: &[FileWrite]) -> Self {
        self.files.extend(writes.iter().map(|write| (write.path.clone(), write.after.clone())));
        self
    }
}

/// Whether a path below the state's folder is that of a record or of the edge table.
pub(crate) fn is_semantic_file(path: &str) -> bool {
    let is_record = || {
        let (kind, name) = path.split_once('/')?;
        let is_kind = RecordKind::ALL.iter().any(|known| known.name() == kind);
        Some(is_kind && checked_id(name.strip_suffix(".md")?).is_ok())
    };
    path == EDGES || is_record().unwrap_or_default()
}

fn file_of(kind: RecordKind, id: &str) -> String {
    format!("{}/{id}.md", kind.name())
}
