//! From a root to a measurement.

use std::path::Path;

use rayon::prelude::*;

use crate::composites::{Composites, ExternalFindings};
use crate::configuration::Configuration;
use crate::dependencies::Dependencies;
use crate::error::Error;
use crate::file::{self, FileReport};
use crate::file_discovery::{self, SourceEntry};
use crate::language::Language;
use crate::measurement::{File, Measurement, Measures, RulesId};
use crate::overrides::Overrides;
use crate::python::Import;
use crate::refusal::{Refusal, SkippedFile};
use crate::roots::Roots;
use crate::rules::RuleSet;
use crate::sensitivity;
use crate::source;

/// The path of a file and what is known about it, or why it is refused.
pub(crate) type Measured = (String, Result<FileReport, Refusal>);

/// A file in memory: its path (with `/`) and its bytes.
pub type SourceFile = (String, Vec<u8>);

/// Measures every source file below `root`, or `root` itself if it is a file.
///
/// Files are measured in parallel; the result does not depend on how many threads there are, nor on where the root lies.
/// So where the root itself is a Python package its name is not known, and absolute imports of it lead nowhere; see
/// [`Roots::named_by_folders`].
///
/// # Errors
///
/// [`Error::Root`] if there is nothing at `root`, [`Error::UnknownLanguage`] if it is a file in no known language.
/// Whatever is wrong with a single file below `root` is named in [`Measurement::skipped`].
pub fn measure(root: &Path, rules: &RuleSet) -> Result<Measurement, Error> {
    measure_roots(&Roots::one(root)?, rules, None)
}

/// Measures the source files below several roots, and applies the overrides of its owner: `configuration`, and comments that
/// suppress matches.
///
/// With a configuration, be it an empty one, this is for the owner of a project. What is measured by others, such as a
/// solution under test, has no say in it: with `None`, and by [`measure()`], there are no overrides.
///
/// # Errors
///
/// As [`measure()`], for each root.
pub fn measure_roots(
    roots: &Roots,
    rules: &RuleSet,
    configuration: Option<&Configuration>,
) -> Result<Measurement, Error> {
    let (entries, skipped) =
        roots.source_files(&|path| configuration.is_some_and(|overrides| overrides.excludes(path)))?;
    let reports: Vec<_> = entries.par_iter().map(|entry| measure_entry(entry, rules, configuration)).collect();
    let mut all = collect(reports, skipped, rules, roots.packages(), configuration);
    if let (Some(overrides), Some(configuration), true) = (&mut all.overrides, configuration, roots.is_folder()) {
        overrides.add_unused(configuration);
    }
    Ok(all)
}

/// Measures source files that are in memory, such as those of a commit.
///
/// Gives what [`measure()`] would give for a folder with these files, in whatever order they come. Files in no known
/// language and below excluded folders are passed over; that a folder is a cache is for the caller to see.
pub fn measure_sources(sources: &[SourceFile], rules: &RuleSet) -> Measurement {
    let mut known: Vec<_> = sources.iter().filter_map(file_discovery::known_source).collect();
    known.sort_by_key(|&(path, _, _)| path);
    let measure_bytes = |&(path, bytes, language): &(&str, &[u8], &Language)| {
        let text = source::decode(bytes.to_vec(), language);
        let report = text.and_then(|text| file::measure(path, &text, language, rules, None));
        (path.to_owned(), report)
    };
    collect(known.par_iter().map(measure_bytes).collect(), Vec::new(), rules, "", None)
}

/// Reads every source file below several roots, by path, and says what was left out.
///
/// # Errors
///
/// As [`measure()`].
pub fn read_sources(roots: &Roots) -> Result<(Vec<SourceFile>, Vec<SkippedFile>), Error> {
    let (entries, mut skipped) = roots.source_files(&|_| false)?;
    let mut sources = Vec::new();
    for entry in entries {
        match source::read_bytes(&entry.file) {
            Ok(bytes) => sources.push((entry.path, bytes)),
            Err(refusal) => skipped.push(refusal.of_path(&entry.path)),
        }
    }
    Ok((sources, skipped))
}

fn measure_entry(entry: &SourceEntry, rules: &RuleSet, configuration: Option<&Configuration>) -> Measured {
    let text = source::read(&entry.file, entry.language);
    let report = text.and_then(|text| file::measure(&entry.path, &text, entry.language, rules, configuration));
    (entry.path.clone(), report)
}

/// Puts the files' reports together, in their order.
pub(crate) fn collect(
    measured: Vec<Measured>,
    skipped: Vec<SkippedFile>,
    rules: &RuleSet,
    outer_packages: &str,
    configuration: Option<&Configuration>,
) -> Measurement {
    let rules = RulesId { count: rules.ids().len(), digest: rules.digest().to_owned() };
    let overrides = configuration.map(Overrides::new);
    let mut all = Measurement { rules, skipped, overrides, ..Measurement::default() };
    let mut modules = Vec::new();
    for (path, report) in measured {
        match report {
            Ok(report) => modules.extend(add(&mut all, path, report)),
            Err(refusal) => all.skipped.push(refusal.of_path(&path)),
        }
    }
    all.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    all.total = Measures::of_files(all.files.iter().map(|file| &file.measures), all.callables.iter());
    all.sensitivity = sensitivity::of_callables(&all.callables);
    all.dependencies.extend(Dependencies::of_python(outer_packages, &modules));
    all.composites = Composites::of(&all.total, &all.files, &all.callables, ExternalFindings::default());
    all
}

/// Adds what is in the file at `path`, and gives its path and imports where the language's imports are read.
fn add(all: &mut Measurement, path: String, report: FileReport) -> Option<(String, Vec<Import>)> {
    let FileReport { language, measures, lines, callables, checked, extra } = report;
    all.callables.extend(callables.into_iter().map(|callable| callable.at(&path)));
    all.matches.extend(checked.kept.into_iter().map(|found| found.at(&path)));
    if let Some(overrides) = &mut all.overrides {
        overrides.suppressed.extend(checked.suppressed.into_iter().map(|suppressed| suppressed.at(&path)));
        overrides.misfits.extend(checked.misfits.into_iter().map(|misfit| misfit.at(&path)));
    }
    let module = extra.map(|extra| {
        all.blocks.extend(extra.blocks.into_iter().map(|block| block.at(&path)));
        all.trivial_wrappers.extend(extra.trivial_wrappers.into_iter().map(|wrapper| wrapper.at(&path)));
        all.single_use.extend(extra.single_use.into_iter().map(|function| function.at(&path)));
        (path.clone(), extra.imports)
    });
    all.files.push(File { path, language: language.to_owned(), measures, lines });
    module
}
