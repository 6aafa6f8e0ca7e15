//! What a measurement is: the one definition of the format `slopbench.measurement/2`.
//!
//! What each figure means, with its equation and source, stands in `measures/`, which `slopbench explain` shows.
//!
//! Lines are physical lines, counted from 1; a span holds its first and its last line. Ratios are fractions, not per
//! cent, and 0 where their denominator is 0. Paths are relative to the measured root and use `/`. Everything is in a
//! fixed order (path, then line), so the same files give the same bytes.

use serde::{Deserialize, Serialize};

use crate::composites::{Composites, Judged};
use crate::dependencies::Dependencies;
use crate::heeded::Heeded;
use crate::line_set::LineSet;
use crate::radon::{Block, Radon};
use crate::rules::{RuleSet, Tier};
use crate::sensitivity::Variant;
use crate::spread::Spread;
use crate::sum;
use crate::wrappers::{SingleUse, TrivialWrapper, Wrappers};

/// The name and version of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Format {
    /// The only version that is read.
    #[default]
    #[serde(rename = "slopbench.measurement/2")]
    V2,
}

/// Everything [`crate::measure()`] found out about one root.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Which format this is.
    pub format: Format,
    /// The rules that were matched.
    pub rules: Rules,
    /// All files together. Ratios are computed anew from the sums; they are no averages of the files'.
    pub total: Measures,
    /// Every measured file, by path.
    pub files: Vec<File>,
    /// Every listed callable, by path, then by first line.
    pub callables: Vec<Callable>,
    /// Erosion with other cutoffs and size terms.
    pub sensitivity: Vec<Variant>,
    /// Which modules import which, a language each; no entry for languages whose imports are not read.
    pub dependencies: Vec<Dependencies>,
    /// The composites of SlopCodeBench's version 0.1, as far as they can be had.
    pub composites: Composites,
    /// Every function, method, closure and class that radon lists, by path, then by line.
    pub blocks: Vec<Block>,
    /// Every function that only passes a call on, by path, then by line.
    pub trivial_wrappers: Vec<TrivialWrapper>,
    /// Every function that is called once or never, by path, then by line.
    pub single_use: Vec<SingleUse>,
    /// Every rule match of both tiers, or of what [`Self::keep`] kept, by path, then by first line, last line and rule.
    pub matches: Vec<Match>,
    /// Every file and link that was left out although it looks like source, by path.
    pub skipped: Vec<Skipped>,
    /// What was heeded beside the code; absent where nothing may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heeded: Option<Heeded>,
}

/// Which rules a measurement used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How many rules are active.
    pub count: usize,
    /// `sha256:` and the digest of the rule files (see [`crate::RuleSet::digest`]).
    pub digest: String,
}

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

impl Measurement {
    /// Leaves out every match whose rule is not in the tier. The figures stay as they are, and so does what was accepted:
    /// it is missing in the figures.
    pub fn keep(&mut self, tier: Tier, rules: &RuleSet) {
        self.matches.retain(|found| rules.is_in(tier, &found.rule));
    }

    /// Completes the composites with what others found.
    pub fn judge(&mut self, judged: Judged) {
        self.composites = Composites::of(self, judged);
    }
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
    pub(crate) fn of_files<'a>(
        files: impl Iterator<Item = &'a Measures> + Clone,
        callables: impl Iterator<Item = &'a Callable> + Clone,
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
    pub(crate) fn set_callables<'a>(&mut self, callables: impl Iterator<Item = &'a Callable> + Clone) {
        let complex = callables.clone().filter(|callable| callable.is_complex());
        self.callables = callables.clone().count() as u64;
        self.mass = sum::exact(callables.clone().map(|callable| callable.mass));
        self.complex_mass = sum::exact(complex.map(|callable| callable.mass));
        self.cognitive = Spread::of(callables.clone().filter_map(|callable| callable.cognitive));
        self.nesting = Spread::of(callables.filter_map(|callable| callable.nesting));
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
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
    pub lines: Lines,
}

/// The sets of lines behind a file's figures.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lines {
    /// Lines on which code other than a docstring starts.
    pub sloc: LineSet,
    /// Lines of repeated clone units.
    pub clone: LineSet,
    /// Lines of matches of rules in the verbosity tier.
    pub flagged: LineSet,
}

/// One listed callable: a function or method with a body that is not hidden below an `if`, `try`, `with` or loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Callable {
    /// Path of its file.
    pub path: String,
    /// Its own name, or that of what it is bound to; `<anonymous>` where there is neither.
    pub name: String,
    /// The names of the classes and callables around it and its own, joined with `.`.
    pub qualified_name: String,
    /// The line of its `def` (or `async`); decorators lie before it.
    pub start_line: u32,
    /// The last line of its body.
    pub end_line: u32,
    /// CC: 1 + the decision points below it, nested callables included.
    pub cc: u32,
    /// Lines that hold some of its text and are neither blank nor only a comment.
    pub sloc: u32,
    /// CC · √SLOC.
    pub mass: f64,
    /// Cognitive complexity; absent, like the following, where the language's analysis does not give it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cognitive: Option<u32>,
    /// How many compound statements there are around its deepest statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nesting: Option<u32>,
    /// The cyclomatic complexity that radon gives it; absent also where radon does not list it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radon_cc: Option<u32>,
}

/// A callable counts towards erosion when its CC is above this.
pub const COMPLEX_ABOVE: u32 = 10;

impl Callable {
    /// Whether the callable's mass counts as eroded (CC > 10).
    pub fn is_complex(&self) -> bool {
        self.cc > COMPLEX_ABOVE
    }
}

/// One match of one rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Path of the file.
    pub path: String,
    /// First matched line.
    pub start_line: u32,
    /// Last matched line.
    pub end_line: u32,
    /// The rule's id.
    pub rule: String,
}

/// One file or link that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skipped {
    /// Path below the root; `.` is the root itself.
    pub path: String,
    /// Why, for programs.
    pub reason: Reason,
    /// Where, if there is one place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Why, for people.
    pub detail: String,
}

/// Why a file was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It could not be opened or read.
    Unreadable,
    /// A pipe, a socket or a device.
    NotAFile,
    /// A folder (or file) whose name is that of an environment or of fetched packages, `venv`, `node_modules` and the like,
    /// that holds a valid `CACHEDIR.TAG`, such as Rust's `target`, or that the configuration leaves out.
    Excluded,
    /// A symbolic link. Links are not followed: what they point to is counted where it is, or lies outside the root.
    SymbolicLink,
    /// A submodule. It is another repository, whose history is its own.
    Submodule,
    /// Larger than what is taken for source.
    TooLarge,
    /// Not UTF-8, and nothing in it says otherwise.
    NotUtf8,
    /// In an encoding that is not read here, or not in the one that it names.
    Encoding,
    /// Not a program in the language; where only a grammar says so, no line of it is.
    Syntax,
    /// Nested more deeply than the language's own implementation accepts, or than is safe to look into.
    TooDeep,
    /// Parsing it costs more than any program does; it is made to be slow, or no program.
    TooSlow,
    /// Beyond what is measured of one solution.
    OverBudget,
    /// In a solution: source of its language whose name says otherwise, but which can be run all the same.
    OtherName,
    /// In a solution: bytecode.
    Bytecode,
    /// In a solution: machine code.
    NativeCode,
    /// In a solution: an archive, from which Python imports, or compressed data.
    Archive,
    /// In a solution: a script for some other interpreter.
    Script,
}
