//! What a solution under test is like: its measurement, and how much of what can run was not measured.
//!
//! Grading differs from [`crate::measure()`] in whom it trusts. It measures the files of one language, the track's, and
//! ignores whatever a solution says of itself: configuration, comments, cache tags. Left out for its name is what is
//! an [`Exclusion`](slopbench_digest::Exclusion), which a snapshot does not hold and a sandbox does not show. Whatever else
//! could run and is not measured is named, with its size:
//!
//! | what | as |
//! | --- | --- |
//! | source that cannot be decoded, parsed or read, or is beyond the budget (`budget.rs`) | the reason of the refusal |
//! | source of the language in a file of another name: all of it parses, and there is a statement that acts | `other-name` |
//! | source of other languages by its name, where the track's toolchain brings compilers or interpreters: not in Python's | `other-language` |
//! | bytecode, machine code, scripts for other interpreters, by how they begin | `bytecode`, `native-code`, `script` |
//! | archives, which Python imports from, and compressed data | `archive` |
//!
//! unmeasured share = unmeasured lines / (unmeasured lines + LOC)
//!
//! A file's unmeasured lines are its physical lines, but at least one for each 40 bytes: a line can hold any amount of
//! code, and bytecode has none. The other side is LOC, since blank lines and comments would dilute the share for nothing.
//! Above [`MOST_UNMEASURED`] there are no figures, only the reason.
//!
//! Files that are none of these are data: counted, with their bytes. A program may decode any of them and run what comes
//! out, or a string of its own; no analysis tells, but the bytes stand beside the figures.

mod budget;
mod content;
mod file_discovery;
mod other_language;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::file::{self, FileReport};
use crate::file_discovery::SourceEntry;
use crate::language::Language;
use crate::languages;
use crate::measure::collect;
use crate::measurement::Measurement;
use crate::refusal::{Refusal, RefusalReason, SkippedFile};
use crate::rules::RuleSet;
use crate::source;
use crate::sum::ratio;

use budget::MeasuringBudget;
use content::FileContent;
use file_discovery::EntryKind;

/// The share of unmeasured lines above which figures are withheld.
pub const MOST_UNMEASURED: f64 = 0.05;

/// How many unmeasured files are named at most.
pub const MOST_NAMED: usize = 1000;

/// The name and version of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum GradingFormat {
    /// The only version so far.
    #[default]
    #[serde(rename = "slopbench.quality/1")]
    V1,
}

/// What grading a solution says of its code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grading {
    /// Which format this is.
    pub format: GradingFormat,
    /// The language whose files are measured, such as `python`.
    pub language: String,
    /// What could run and is not measured.
    pub unmeasured: Unmeasured,
    /// What neither is measured nor runs as it is.
    pub data: Data,
    /// Why there are no figures; absent where there are.
    pub withheld: Option<String>,
    /// The figures. [`Measurement::skipped`] is empty: [`Unmeasured::files`] says more.
    pub measurement: Option<Measurement>,
}

/// What could run and is not measured.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unmeasured {
    /// Physical lines, at least one for each 40 bytes.
    pub lines: u64,
    /// `lines / (lines + LOC)`.
    pub share: f64,
    /// Such files, by path, at most [`MOST_NAMED`] of them; links and what is left out for its name, too, without lines.
    pub files: Vec<UnmeasuredFile>,
    /// How many there are beyond these.
    pub unnamed: u64,
}

/// One file in [`Unmeasured`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnmeasuredFile {
    /// Which, and why.
    #[serde(flatten)]
    pub skipped: SkippedFile,
    /// See [`Unmeasured::lines`].
    pub lines: u64,
}

/// Files that neither are measured nor run as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// How many.
    pub files: u64,
    /// Their sizes, in bytes.
    pub bytes: u64,
}

/// Grades the code in the folder `root`, a solution of a track in this language. What is `made` of it before anything is run,
/// paths below the root, is left out: what lies there is replaced.
///
/// Takes at most what `budget.rs` says, whatever the folder holds: one file after the other is measured, on one thread.
///
/// # Errors
///
/// [`Error::Root`] if there is no folder, [`Error::NoTable`] if the language is not known.
pub fn grade(root: &Path, language: &str, made: &[String], rules: &RuleSet) -> Result<Grading, Error> {
    let table = languages::named(language)?;
    root.metadata().map_err(|source| Error::Root { path: root.to_owned(), source })?;
    let mut grader = Grader::new(table, rules);
    // What is left of the budget after the sources is for what may be source.
    file_discovery::visit(root, table, made, &mut |entry, found| match found {
        EntryKind::Source => grader.measure(entry),
        EntryKind::Other => {}
        EntryKind::Neither(refusal) => grader.name(entry, refusal, 0),
    });
    file_discovery::visit(root, table, made, &mut |entry, found| match found {
        EntryKind::Other => grader.look_at(entry),
        EntryKind::Source | EntryKind::Neither(_) => {}
    });
    let Grader { mut reports, mut unmeasured, data, .. } = grader;
    reports.sort_by(|(a, _), (b, _)| a.cmp(b));
    let measured = reports.into_iter().map(|(path, report)| (path, Ok(report))).collect();
    let measurement = collect(measured, Vec::new(), rules, "", None);
    unmeasured.finish(measurement.total.loc);
    let withheld = (unmeasured.share > MOST_UNMEASURED).then(|| unmeasured.reason());
    let measurement = withheld.is_none().then_some(measurement);
    Ok(Grading { format: GradingFormat::V1, language: language.to_owned(), unmeasured, data, withheld, measurement })
}

/// The text of each file below `root` that `grading` measured, by path, decoded as it was: for other tools to read the same.
///
/// # Errors
///
/// [`Error::Root`] if a file is not there any more, or cannot be read, [`Error::NoTable`] if the language is not known.
pub fn measured_sources(root: &Path, grading: &Grading) -> Result<BTreeMap<String, String>, Error> {
    let table = languages::named(&grading.language)?;
    let files = grading.measurement.iter().flat_map(|measurement| &measurement.files);
    let measured: BTreeSet<_> = files.map(|file| file.path.as_str()).collect();
    let mut found = BTreeMap::new();
    file_discovery::visit(root, table, &[], &mut |entry, kind| {
        if matches!(kind, EntryKind::Source) && measured.contains(entry.path.as_str()) {
            found.extend(source::read(&entry.file, table).ok().map(|text| (entry.path.clone(), text)));
        }
    });
    match measured.into_iter().find(|path| !found.contains_key(*path)) {
        None => Ok(found),
        Some(gone) => {
            let source = io::Error::new(io::ErrorKind::NotFound, "it was measured, and is not there as it was");
            Err(Error::Root { path: root.join(gone), source })
        }
    }
}

struct Grader<'a> {
    language: &'static Language,
    rules: &'a RuleSet,
    budget: MeasuringBudget,
    /// By path.
    reports: Vec<(String, FileReport)>,
    unmeasured: Unmeasured,
    data: Data,
}

impl<'a> Grader<'a> {
    fn new(language: &'static Language, rules: &'a RuleSet) -> Self {
        let (budget, unmeasured, data) = (MeasuringBudget::default(), Unmeasured::default(), Data::default());
        Self { language, rules, budget, reports: Vec::new(), unmeasured, data }
    }

    /// Measures a source file, or names it as unmeasured.
    fn measure(&mut self, entry: &SourceEntry) {
        let Some(content) = self.read(entry) else { return };
        let lines = content.lines();
        match self.report(entry, content) {
            Ok(report) => self.reports.push((entry.path.clone(), report)),
            Err(refusal) => self.name(entry, refusal, lines),
        }
    }

    fn report(&mut self, entry: &SourceEntry, content: FileContent) -> Result<FileReport, Refusal> {
        if let Some(refusal) = content.runs_by_itself() {
            return Err(refusal);
        }
        let text = source::decode(content.whole()?, self.language)?;
        self.budget.take(&entry.path, &text)?;
        let report = file::measure(&entry.path, &text, self.language, self.rules, None);
        report.inspect_err(|refusal| self.budget.note(refusal))
    }

    /// Counts a file that is no source by its name, as data or as unmeasured.
    fn look_at(&mut self, entry: &SourceEntry) {
        let Some(content) = self.read(entry) else { return };
        let is_source = || content.is_source(&entry.path, self.language, &mut self.budget);
        let own = self.language;
        let other = || other_language::refusal(&entry.file, own);
        let found = content.runs_by_itself().or_else(other).or_else(is_source).or_else(|| content.is_script());
        match found {
            Some(refusal) => self.name(entry, refusal, content.lines()),
            None => {
                self.data.files += 1;
                self.data.bytes += content.size;
            }
        }
    }

    fn read(&mut self, entry: &SourceEntry) -> Option<FileContent> {
        let read = FileContent::read(&entry.file);
        read.map_err(|error| self.name(entry, Refusal::new(RefusalReason::Unreadable, error.to_string()), 0)).ok()
    }

    fn name(&mut self, entry: &SourceEntry, refusal: Refusal, lines: u64) {
        self.unmeasured.lines += lines;
        if self.unmeasured.files.len() < MOST_NAMED {
            self.unmeasured.files.push(UnmeasuredFile { skipped: refusal.of_path(&entry.path), lines });
        } else {
            self.unmeasured.unnamed += 1;
        }
    }
}

impl Unmeasured {
    fn finish(&mut self, loc: u64) {
        self.files.sort_by(|a, b| a.skipped.path.cmp(&b.skipped.path));
        self.share = ratio(self.lines as f64, (self.lines + loc) as f64);
    }

    /// Why so much is too much, with the largest of the files.
    fn reason(&self) -> String {
        let largest = self.files.iter().max_by_key(|file| file.lines).map(|file| &file.skipped);
        let largest = largest.map(|file| format!("; the largest is {}: {}", file.path, file.detail));
        let (share, most) = (100.0 * self.share, 100.0 * MOST_UNMEASURED);
        let largest = largest.unwrap_or_default();
        format!("{share:.1}% of its lines could run and are not measured, more than {most}%{largest}")
    }
}
