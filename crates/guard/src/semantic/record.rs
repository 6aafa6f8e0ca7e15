//! A record: front matter of `key: value` lines between two lines `---`, then Markdown.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;

/// The longest title, in characters.
pub const LONGEST_TITLE: usize = 120;

/// The longest id, in characters.
pub const LONGEST_ID: usize = 64;

/// What a record is of. Its folder is named after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordKind {
    /// The structure of the method, an architectural constraint, another commitment of long standing.
    Design,
    /// How a design is carried out: a convention, a choice, a value; it may be revised.
    Decision,
    /// What motivates designs and decisions: an observation, an artifact, a question put off.
    Resource,
}

impl RecordKind {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Design, Self::Decision, Self::Resource];

    /// Its name, and that of its folder.
    pub fn name(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::Decision => "decision",
            Self::Resource => "resource",
        }
    }
}

/// Whether a record holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordStatus {
    /// It holds, and every brief has it.
    Committed,
    /// It held once; it is kept, and no brief has it.
    Retired,
}

impl RecordStatus {
    fn name(self) -> &'static str {
        match self {
            Self::Committed => "committed",
            Self::Retired => "retired",
        }
    }
}

/// One thing that a project has committed to, or that explains why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRecord {
    /// Its name, and that of its file without `.md`: lower-case letters, digits and hyphens; unique among all kinds.
    pub id: String,
    /// What it is of.
    pub kind: RecordKind,
    /// What it says, in at most [`LONGEST_TITLE`] characters.
    pub title: String,
    /// Whether it holds.
    pub status: RecordStatus,
    /// The turns that it comes from, by number, in order; none where a person wrote it.
    pub turns: Vec<u32>,
    /// Whether only people may change it.
    pub pinned: bool,
    /// Markdown, without white space around it.
    pub text: String,
}

/// The line before and after the front matter.
const FENCE: &str = "---";

impl ProjectRecord {
    /// Whether it holds.
    pub fn is_committed(&self) -> bool {
        self.status == RecordStatus::Committed
    }

    /// Reads the record `id` from the content of the file at `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Format`] names the line that is not as the format has it.
    pub fn parse(kind: RecordKind, id: &str, path: &Path, content: &str) -> Result<Self, Error> {
        let content = &*with_plain_ends(content);
        let wrong = |line: usize, message: String| Error::format(path, line, message);
        let mut lines = (1..).zip(content.split_inclusive('\n'));
        if lines.next().is_none_or(|(_, line)| line.trim_end() != FENCE) {
            return Err(wrong(1, format!("expected `{FENCE}`, which front matter begins with")));
        }
        let (mut fields, mut offset) = (Fields::default(), content.find('\n').map_or(content.len(), |end| end + 1));
        for (number, line) in lines {
            offset += line.len();
            if line.trim_end() == FENCE {
                let text = content.get(offset..).unwrap_or_default().trim().to_owned();
                return fields.record(kind, id, text).map_err(|message| wrong(number, message));
            }
            fields.read(line.trim_end()).map_err(|message| wrong(number, message))?;
        }
        let last = content.lines().count().max(1);
        Err(wrong(last, format!("the front matter has no end: expected a line `{FENCE}`")))
    }

    /// The content of its file.
    pub fn content(&self) -> String {
        let turns = self.turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let turns = if turns.is_empty() { String::new() } else { format!("turns: {turns}\n") };
        let pinned = if self.pinned { "pinned: yes\n" } else { "" };
        let Self { title, text, .. } = self;
        let text = if text.is_empty() { String::new() } else { format!("\n{text}\n") };
        format!("{FENCE}\ntitle: {title}\nstatus: {}\n{turns}{pinned}{FENCE}\n{text}", self.status.name())
    }

    /// The content of its file, which held `content` when the record was `before`: what is the same stays to the letter, such as the
    /// order of keys, white space around the text and ends of lines.
    pub(crate) fn rewritten(&self, before: &Self, content: &str) -> String {
        let plain = with_plain_ends(content);
        let fence = plain.match_indices('\n').map(|(end, _)| end + 1).find(|start| is_fence(&plain[*start..]));
        let Some(start) = fence else { return self.content() };
        let (head, rest) = plain.split_at(start);
        let (fence, tail) = rest.split_at(rest.find('\n').map_or(rest.len(), |end| end + 1));
        let turns = |record: &Self| record.turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let status = |record: &Self| record.status.name().to_owned();
        let title = |record: &Self| record.title.clone();
        let fields = [("title", title(before), title(self)), ("status", status(before), status(self))];
        let mut head = head.to_owned();
        for (key, before, after) in fields.into_iter().chain([("turns", turns(before), turns(self))]) {
            if before != after {
                head = with_field(&head, key, &after);
            }
        }
        let text = match (before.text.as_str(), self.text.as_str()) {
            (before, after) if before == after => tail.to_owned(),
            ("", after) => format!("\n{after}\n"),
            (before, after) => {
                let (around, behind) = tail.split_once(before).unwrap_or(("\n", "\n"));
                format!("{around}{after}{behind}")
            }
        };
        let fence = if fence.ends_with('\n') { fence.to_owned() } else { format!("{fence}\n") };
        let whole = format!("{head}{fence}{text}");
        if matches!(plain, Cow::Owned(_)) { whole.replace('\n', "\r\n") } else { whole }
    }
}

/// A text whose lines all end in a carriage return and a line feed, without the former: passages are looked for in it.
fn with_plain_ends(content: &str) -> Cow<'_, str> {
    let (ends, feeds) = (content.matches("\r\n").count(), content.matches('\n').count());
    if ends > 0 && ends == feeds { content.replace("\r\n", "\n").into() } else { content.into() }
}

fn is_fence(rest: &str) -> bool {
    rest.lines().next().is_some_and(|line| line.trim_end() == FENCE)
}

/// A front matter whose line of `key` says `value`; at its end where it has none.
fn with_field(head: &str, key: &str, value: &str) -> String {
    let is_its = |line: &str| line.split_once(':').is_some_and(|(name, _)| name.trim_end() == key);
    let line = format!("{key}: {value}\n");
    if !head.lines().any(is_its) {
        return format!("{head}{line}");
    }
    head.split_inclusive('\n').map(|old| if is_its(old) { line.as_str() } else { old }).collect()
}

/// The lines of a front matter.
#[derive(Default)]
struct Fields {
    title: Option<String>,
    status: Option<RecordStatus>,
    turns: Option<Vec<u32>>,
    pinned: Option<bool>,
}

impl Fields {
    fn read(&mut self, line: &str) -> Result<(), String> {
        let known = "title, status, turns and pinned";
        let (key, value) =
            line.split_once(':').ok_or_else(|| format!("expected `key: value`; the keys are {known}"))?;
        let value = value.trim();
        match key.trim_end() {
            "title" => set(&mut self.title, key, checked_title(value)?),
            "status" => set(&mut self.status, key, status(value)?),
            "turns" => set(&mut self.turns, key, turns(value)?),
            "pinned" => set(&mut self.pinned, key, pinned(value)?),
            other => Err(format!("`{other}` is no key; the keys are {known}")),
        }
    }

    fn record(self, kind: RecordKind, id: &str, text: String) -> Result<ProjectRecord, String> {
        Ok(ProjectRecord {
            id: id.to_owned(),
            kind,
            title: self.title.ok_or("the front matter lacks `title`")?,
            status: self.status.ok_or("the front matter lacks `status`")?,
            turns: self.turns.unwrap_or_default(),
            pinned: self.pinned.unwrap_or_default(),
            text,
        })
    }
}

fn set<T>(field: &mut Option<T>, key: &str, value: T) -> Result<(), String> {
    match field.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{}` is there twice", key.trim_end())),
    }
}

/// The title, if it is one.
pub(crate) fn checked_title(title: &str) -> Result<String, String> {
    let length = title.chars().count();
    let is_fit = (1..=LONGEST_TITLE).contains(&length) && title.trim() == title && !title.contains(char::is_control);
    let problem = || format!("a title is one line of 1 to {LONGEST_TITLE} characters, and this one has {length}");
    is_fit.then(|| title.to_owned()).ok_or_else(problem)
}

/// The id, if it is one.
pub(crate) fn checked_id(id: &str) -> Result<&str, String> {
    let is_part = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-';
    let is_id = (1..=LONGEST_ID).contains(&id.len()) && id.chars().all(is_part) && !id.starts_with('-');
    is_id
        .then_some(id)
        .ok_or_else(|| format!("`{id}` is no id: expected at most {LONGEST_ID} lower-case letters, digits and hyphens"))
}

fn status(value: &str) -> Result<RecordStatus, String> {
    let known = [RecordStatus::Committed, RecordStatus::Retired];
    let found = known.into_iter().find(|status| status.name() == value);
    found.ok_or_else(|| format!("`{value}` is no status: expected committed or retired"))
}

fn turns(value: &str) -> Result<Vec<u32>, String> {
    let number = |part: &str| part.trim().parse::<u32>().ok();
    let numbers: Option<Vec<_>> = match value {
        "" => Some(Vec::new()),
        _ => value.split(',').map(number).collect(),
    };
    let numbers = numbers.filter(|numbers| numbers.is_sorted_by(|a, b| a < b));
    numbers.ok_or_else(|| format!("`{value}` is no list of turns: expected rising numbers, as in `3, 12`"))
}

fn pinned(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("`{value}` is neither yes nor no")),
    }
}
