//! The brief: what an agent is told of its project, in Markdown of bounded size.
//!
//! Every record that holds is in it, at least by id and title; texts, and then signatures, give way where there is no
//! room. So a brief takes at most the bytes that it may take, or what ids and titles need where that is more: some 200 bytes a record.

use std::collections::{BTreeMap, BTreeSet};

use crate::asking::forecast::Forecast;
use crate::semantic::SemanticState;
use crate::semantic::record::{ProjectRecord, RecordKind};
use crate::structural::{FileStructure, StructuralState};
use crate::turns::LoggedTurn;

/// What a brief is rendered of.
pub(crate) struct BriefParts<'a> {
    pub(crate) semantic: &'a SemanticState,
    pub(crate) structural: &'a StructuralState,
    /// What is expected of the next request.
    pub(crate) forecast: Option<&'a Forecast>,
    /// Files that are named although there is no forecast.
    pub(crate) mentioned: Vec<&'a str>,
    /// The words of the request: a folder of such a name may be meant.
    pub(crate) words: BTreeSet<&'a str>,
}

/// How much of what room there is records' texts take; the structure takes what is left.
const SHARE_OF_TEXTS: (usize, usize) = (3, 5);

/// What the headings take at most.
const HEADINGS: usize = 700;

impl BriefParts<'_> {
    /// The text, of at most `most` bytes where the records' titles leave that much.
    pub(crate) fn render(&self, most: usize) -> String {
        let forecast = shortened(self.forecast.map(forecast_section).unwrap_or_default(), most / 3);
        let records = self.semantic.committed();
        let least: usize = records.iter().map(|record| self.head(record).len() + LONGEST_MARK).sum();
        let left = most.saturating_sub(forecast.len() + least + HEADINGS);
        let (part, of) = SHARE_OF_TEXTS;
        let commitments = self.commitments(&records, left * part / of);
        let taken = commitments.len().saturating_sub(least.min(commitments.len()));
        let structure = self.structure(left.saturating_sub(taken));
        format!("{forecast}{commitments}{structure}")
    }

    /// Every record, with as much of its text as there is room for; those of the forecast come first to their share.
    fn commitments(&self, records: &[&ProjectRecord], room: usize) -> String {
        let asked: BTreeSet<_> = self.forecast.iter().flat_map(|forecast| &forecast.records).collect();
        let (first, others): (Vec<_>, Vec<_>) = records.iter().partition(|record| asked.contains(&record.id));
        let first_cap = fair_share(&first, room);
        let taken: usize = first.iter().map(|record| record.text.len().min(first_cap)).sum();
        let other_cap = fair_share(&others, room.saturating_sub(taken));
        let mut text = "## What the project is committed to\n\n".to_owned();
        if records.is_empty() {
            text += "Nothing is recorded yet.\n\n";
        }
        for kind in RecordKind::ALL {
            let of_kind: Vec<_> = records.iter().filter(|record| record.kind == kind).collect();
            if !of_kind.is_empty() {
                text += &format!("### {}\n\n", heading(kind));
            }
            for record in of_kind {
                let cap = if asked.contains(&record.id) { first_cap } else { other_cap };
                text += &self.head(record);
                text += &body(record, cap);
            }
        }
        text
    }

    /// Its id and title, and how it relates to others that hold.
    fn head(&self, record: &ProjectRecord) -> String {
        let mut text = format!("- **{}** {}\n", record.id, record.title);
        let holds = |id: &str| self.semantic.get(id).is_some_and(ProjectRecord::is_committed);
        let relations = self.semantic.relations().iter().map(|(_, relation)| relation);
        let own: Vec<_> = relations
            .filter(|relation| relation.from == record.id && holds(&relation.to))
            .map(|relation| format!("{} {}", relation.kind.name(), relation.to))
            .collect();
        if !own.is_empty() {
            let own = own.join("; ");
            let is_whole = own.len() <= LONGEST_RELATIONS;
            let kept = if is_whole { own.as_str() } else { &own[..own.floor_char_boundary(LONGEST_RELATIONS)] };
            text += &format!("  ({kept}{})\n", if is_whole { "" } else { SHORTENED });
        }
        text
    }

    /// The structure, in as much detail as there is room for.
    fn structure(&self, room: usize) -> String {
        let named =
            self.forecast.iter().flat_map(|forecast| forecast.modules.iter().map(|module| module.path.as_str()));
        let relevant: BTreeSet<&str> = named.chain(self.mentioned.iter().copied()).collect();
        let whole = |detail: (Detail, Detail)| {
            let files = self.structural.files.iter();
            let shown = files.map(|(path, file)| {
                file_lines(path, file, if relevant.contains(path.as_str()) { detail.0 } else { detail.1 })
            });
            shown.collect::<String>()
        };
        let mut text = "## How the code is organised\n\n".to_owned();
        for unread in &self.structural.unread {
            if text.len() + unread.path.len() + unread.detail.len() < room / 8 {
                text += &format!("- {}: cannot be read: {}\n", unread.path, unread.detail);
            }
        }
        let details = DETAILS.iter().map(|detail| whole(*detail));
        let fitting = details.into_iter().find(|shown| text.len() + shown.len() <= room);
        let left = room.saturating_sub(text.len());
        text + &fitting.unwrap_or_else(|| self.relevant_and_folders(&relevant, left))
    }

    /// The files that matter, of which half of the room may be, and how many each folder holds.
    fn relevant_and_folders(&self, relevant: &BTreeSet<&str>, room: usize) -> String {
        let files = || relevant.iter().filter_map(|path| Some((path, self.structural.files.get(*path)?)));
        let all = |detail| files().map(|(path, file)| file_lines(path, file, detail)).collect::<String>();
        let details = [Detail::All, Detail::Public, Detail::Names, Detail::Path];
        let fitting = details.into_iter().map(all).find(|shown| shown.len() <= room / 2).unwrap_or_default();
        let folders = self.folders(relevant, room.saturating_sub(fitting.len()));
        fitting + &folders
    }

    /// What each folder holds: the names of its files, or how many there are where these have no room. Folders that matter come first
    /// to it, then small ones; and where not even the numbers have room, those of the first folders are there.
    fn folders(&self, relevant: &BTreeSet<&str>, room: usize) -> String {
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in self.structural.files.keys() {
            let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
            folders.entry(folder).or_default().push(name);
        }
        let matters = |folder: &str| {
            let holds = |path: &&str| path.rsplit_once('/').map_or(".", |(folder, _)| folder) == folder;
            folder.split('/').any(|part| self.words.contains(part)) || relevant.iter().any(holds)
        };
        let named: BTreeMap<_, _> =
            folders.iter().map(|(folder, names)| (*folder, format!("- {folder}: {}\n", names.join(", ")))).collect();
        let files = self.structural.files.len();
        let all = format!("{files} files, by folder:\n");
        if all.len() + named.values().map(String::len).sum::<usize>() <= room {
            return all + &named.into_values().collect::<String>();
        }
        let mut text = format!("{files} files; there is no room for all of their names.\n");
        let mut lines: BTreeMap<_, _> =
            folders.iter().map(|(folder, names)| (*folder, format!("- {folder}: {} files\n", names.len()))).collect();
        let mut left = room.saturating_sub(text.len() + lines.values().map(String::len).sum::<usize>());
        let mut order: Vec<_> = named.into_iter().collect();
        order.sort_by_key(|(folder, line)| (!matters(folder), line.len()));
        for (folder, line) in order {
            let more = line.len().saturating_sub(lines[folder].len());
            if more <= left {
                left -= more;
                lines.insert(folder, line);
            }
        }
        for line in lines.into_values() {
            if text.len() + line.len() <= room {
                text += &line;
            }
        }
        text
    }
}

/// What the user asked for in turns that the records do not have: the latest, in the order of the turns, as far as there is room.
pub(crate) fn unread_section(unread: &[LoggedTurn], room: usize) -> String {
    let asked = unread.iter().filter(|turn| !turn.request.trim().is_empty());
    let (mut left, mut shown, mut left_out) = (room.saturating_sub(UNREAD.len()), Vec::new(), 0);
    for turn in asked.rev() {
        let request = turn.request.trim();
        let head = format!("### Turn {}\n\n", turn.turn);
        let whole = left.saturating_sub(head.len() + SHORTENED.len() + 2);
        if whole < request.len() && (left_out > 0 || whole < SHORTEST_REQUEST) {
            left_out += 1;
            continue;
        }
        let is_whole = whole >= request.len();
        let kept = if is_whole { request } else { &request[..request.floor_char_boundary(whole)] };
        let text = format!("{head}{kept}{}\n\n", if is_whole { "" } else { SHORTENED });
        left = left.saturating_sub(text.len());
        shown.push(text);
    }
    if shown.is_empty() && left_out == 0 {
        return String::new();
    }
    let earlier = if left_out > 0 {
        format!("Requests of {left_out} more such turns have no room here.\n\n")
    } else {
        String::new()
    };
    shown.reverse();
    format!("{UNREAD}{earlier}{}", shown.concat())
}

const UNREAD: &str = "## Not yet in the records\n\nThe user asked for this in the turns named here, and the records below do not have it. \
                      Where the two differ, this is right; a later turn is right over an earlier one.\n\n";

/// The least of a request that is worth showing, in bytes.
const SHORTEST_REQUEST: usize = 200;

/// The lines of a text that have room in `most` bytes.
fn shortened(text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let kept = text.get(..text.floor_char_boundary(most)).and_then(|kept| kept.rsplit_once('\n'));
    format!("{}\n{}\n\n", kept.map_or("", |(lines, _)| lines), SHORTENED.trim_start())
}

/// How much of a file is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Detail {
    Path,
    Imports,
    Names,
    Public,
    All,
}

/// Of files that matter and of others, from most to least.
const DETAILS: [(Detail, Detail); 6] = [
    (Detail::All, Detail::All),
    (Detail::All, Detail::Public),
    (Detail::All, Detail::Names),
    (Detail::Public, Detail::Imports),
    (Detail::Public, Detail::Path),
    (Detail::Names, Detail::Path),
];

fn file_lines(path: &str, file: &FileStructure, detail: Detail) -> String {
    let outline = &file.outline;
    let mut text = format!("- {path}");
    if detail > Detail::Path && !outline.summary.is_empty() {
        text += &format!(": {}", outline.summary);
    }
    if detail > Detail::Path && !file.imports.is_empty() {
        text += &format!(" (imports {})", file.imports.join(", "));
    }
    let public = || outline.signatures.iter().filter(|signature| signature.public);
    if detail == Detail::Names {
        let outermost = public().filter(|signature| !signature.name.contains('.'));
        let names: Vec<_> = outermost.map(|signature| signature.name.as_str()).collect();
        text += &if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) };
    }
    text.push('\n');
    let shown = outline.signatures.iter().filter(|signature| signature.public || detail == Detail::All);
    for signature in shown.take_while(|_| detail > Detail::Names) {
        let around = signature.name.rsplit_once('.').map_or(String::new(), |(around, _)| format!("{around}: "));
        text += &format!("  - `{around}{}`\n", signature.text);
    }
    text
}

fn heading(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Design => "Designs",
        RecordKind::Decision => "Decisions",
        RecordKind::Resource => "Resources",
    }
}

/// What a record's relations may take, in bytes.
const LONGEST_RELATIONS: usize = 200;

/// What says that a text is not whole.
const SHORTENED: &str = " … (shortened)";

/// What shortening may add to a record.
const LONGEST_MARK: usize = SHORTENED.len() + 4;

/// The text of a record below its head, of at most `cap` bytes and what marks it as shortened.
fn body(record: &ProjectRecord, cap: usize) -> String {
    let is_whole = record.text.len() <= cap;
    let kept = &record.text[..if is_whole { record.text.len() } else { record.text.floor_char_boundary(cap) }];
    let lines = kept.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(|line| format!("  {line}\n"));
    let text: String = lines.collect();
    match is_whole || text.is_empty() {
        true => text,
        false => format!("{}{SHORTENED}\n", text.trim_end_matches('\n')),
    }
}

/// The most bytes that each of these texts may have so that all have room; lines are indented.
fn fair_share(records: &[&&ProjectRecord], room: usize) -> usize {
    let taken = |cap: usize| -> usize {
        let lines = |text: &str| 3 * (1 + text.matches('\n').count());
        records.iter().map(|record| record.text.len().min(cap) + if cap > 0 { lines(&record.text) } else { 0 }).sum()
    };
    let (mut fits, mut exceeds) = (0, room + 1);
    while fits + 1 < exceeds {
        let middle = fits + (exceeds - fits) / 2;
        *(if taken(middle) <= room { &mut fits } else { &mut exceeds }) = middle;
    }
    fits
}

fn forecast_section(forecast: &Forecast) -> String {
    let mut text = format!("## The next request\n\n{}\n\n", forecast.purpose.trim());
    text += &format!("Approach: {}. {}\n", forecast.approach.text(), forecast.reason.trim());
    let parts = [
        ("Records to respect", forecast.records.clone()),
        (
            "Modules",
            forecast
                .modules
                .iter()
                .map(|module| format!("{} — {}: {}", module.path, module.advice.text(), module.why))
                .collect(),
        ),
        ("Constraints", forecast.constraints.clone()),
    ];
    for (title, lines) in parts.into_iter().filter(|(_, lines): &(&str, Vec<String>)| !lines.is_empty()) {
        text += &format!("\n{title}:\n");
        lines.iter().for_each(|line| text += &format!("- {}\n", line.trim()));
    }
    text + "\n"
}
