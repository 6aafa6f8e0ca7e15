//! The figures of one file, or of all.

use serde::{Deserialize, Serialize};

use super::callable::Callable;
use crate::line_set::LineSet;
use crate::radon::Radon;
use crate::spread::Spread;
use crate::sum::{self, ratio};
use crate::wrappers::Wrappers;

/// The figures of one file, or of all.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Measures {
    /// Measured files.
    pub files: u64,
    /// Physical lines.
    pub total_lines: u64,
    /// Lines of code; in Python radon's `sloc`, elsewhere lines that hold anything but white space and comments.
    pub loc: u64,
    /// Lines that can be verbose: in Python those on which code other than a docstring starts, elsewhere [`Self::loc`].
    pub sloc_lines: u64,
    /// Lines of code in which the grammar found something that it does not know; what is in them may be counted wrongly.
    /// In Python only where its own parser can read what the grammar cannot.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unparsed_lines: u64,
    /// Listed callables.
    pub callables: u64,
    /// Complexity mass: Σ CC(f) · √SLOC(f) over the listed callables f,
    /// as if summed without error and rounded once.
    pub mass: f64,
    /// The part of [`Self::mass`] that sits in callables with CC > 10.
    pub complex_mass: f64,
    /// Structural erosion: `complex_mass / mass`.
    pub erosion: f64,
    /// Lines of clone units whose shape occurs at least twice in their file.
    pub clone_lines: u64,
    /// Lines from the start to the end of every match of a rule in the verbosity tier.
    pub flagged_lines: u64,
    /// Matches of rules in the verbosity tier.
    pub violations: u64,
    /// Matches of rules in the advice tier: what a person should change.
    pub advice_matches: u64,
    /// |(flagged ∪ clone) ∩ SLOC lines|.
    pub verbose_lines: u64,
    /// Verbosity: `verbose_lines / total_lines`.
    pub verbosity: f64,
    /// The variant over lines of code: `verbose_lines / loc`.
    pub verbosity_loc: f64,
    /// |clone ∩ SLOC lines|.
    pub sloc_clone_lines: u64,
    /// `sloc_clone_lines / total_lines`.
    pub sloc_clone_ratio: f64,
    /// `clone_lines / total_lines`.
    pub clone_ratio: f64,
    /// `flagged_lines / total_lines`.
    pub violation_ratio: f64,
    /// Over the callables that have a cognitive complexity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cognitive: Option<Spread>,
    /// Over the callables that have a nesting depth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nesting: Option<Spread>,
    /// What radon says; absent where no file's language has it, as are the other optional figures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radon: Option<Radon>,
    /// Functions that may not be worth having.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrappers: Option<Wrappers>,
}

impl Measures {
    /// Recomputes every ratio from the counts.
    pub(crate) fn with_ratios(mut self) -> Self {
        self.erosion = ratio(self.complex_mass, self.mass);
        self.verbosity = ratio(self.verbose_lines as f64, self.total_lines as f64);
        self.verbosity_loc = ratio(self.verbose_lines as f64, self.loc as f64);
        self.sloc_clone_ratio = ratio(self.sloc_clone_lines as f64, self.total_lines as f64);
        self.clone_ratio = ratio(self.clone_lines as f64, self.total_lines as f64);
        self.violation_ratio = ratio(self.flagged_lines as f64, self.total_lines as f64);
        self.wrappers = self.wrappers.map(|wrappers| wrappers.with_ratio(self.callables));
        self
    }

    /// The figures of all files together, which have these callables.
    pub(crate) fn of_files<'a, P: 'a>(
        files: impl Iterator<Item = &'a Measures> + Clone,
        callables: impl Iterator<Item = &'a Callable<P>> + Clone,
    ) -> Self {
        let mut all = Measures {
            radon: Radon::total(files.clone().filter_map(|file| file.radon.as_ref())),
            wrappers: Wrappers::total(files.clone().filter_map(|file| file.wrappers.as_ref())),
            ..Measures::default()
        };
        files.for_each(|file| all.add_counts(file));
        all.set_callables(callables);
        all.with_ratios()
    }

    /// Adds the line counts of a file. Masses are not added: a sum of sums would be rounded twice.
    fn add_counts(&mut self, file: &Measures) {
        self.files += file.files;
        self.total_lines += file.total_lines;
        self.loc += file.loc;
        self.sloc_lines += file.sloc_lines;
        self.unparsed_lines += file.unparsed_lines;
        self.clone_lines += file.clone_lines;
        self.flagged_lines += file.flagged_lines;
        self.violations += file.violations;
        self.advice_matches += file.advice_matches;
        self.verbose_lines += file.verbose_lines;
        self.sloc_clone_lines += file.sloc_clone_lines;
    }

    /// Counts callables and sums their masses, each sum rounded once.
    pub(crate) fn set_callables<'a, P: 'a>(&mut self, callables: impl Iterator<Item = &'a Callable<P>> + Clone) {
        let complex = callables.clone().filter(|callable| callable.is_complex());
        self.callables = callables.clone().count() as u64;
        self.mass = sum::exact(callables.clone().map(|callable| callable.mass));
        self.complex_mass = sum::exact(complex.map(|callable| callable.mass));
        self.cognitive = Spread::of(callables.clone().filter_map(|callable| callable.cognitive));
        self.nesting = Spread::of(callables.filter_map(|callable| callable.nesting));
    }
}

/// One measured file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// Path below the root.
    pub path: String,
    /// The language whose table was used, such as `python`.
    pub language: String,
    /// The file's figures.
    #[serde(flatten)]
    pub measures: Measures,
    /// Which lines the figures count. Not part of the format.
    #[serde(skip)]
    pub lines: FileLines,
}

/// The sets of lines behind a file's figures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileLines {
    /// Lines on which code other than a docstring starts.
    pub sloc: LineSet,
    /// Lines of repeated clone units.
    pub clone: LineSet,
    /// Lines of matches of rules in the verbosity tier.
    pub flagged: LineSet,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
