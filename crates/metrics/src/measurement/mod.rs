//! What a measurement is: the one definition of the format `slopbench.measurement/2`.
//!
//! What each figure means, with its equation and source, stands in `measures/`, which `slopbench explain` shows.
//!
//! Lines are physical lines, counted from 1; a span holds its first and its last line. Ratios are fractions, not per
//! cent, and 0 where their denominator is 0. Paths are relative to the measured root and use `/`. Everything is in a
//! fixed order (path, then line), so the same files give the same bytes.

mod callable;
mod measures;
mod rule_match;

use serde::{Deserialize, Serialize};

use crate::composites::{Composites, ExternalFindings};
use crate::dependencies::Dependencies;
use crate::overrides::Overrides;
use crate::radon::Block;
use crate::rules::{RuleSet, Tier};
use crate::sensitivity::Variant;
use crate::wrappers::{SingleUse, TrivialWrapper};

pub use crate::refusal::{RefusalReason, SkippedFile};
pub use callable::{COMPLEX_ABOVE, Callable};
pub use measures::{File, FileLines, Measures};
pub use rule_match::Match;

/// The name and version of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum MeasurementFormat {
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
    pub format: MeasurementFormat,
    /// The rules that were matched.
    pub rules: RulesId,
    /// All files together. Ratios are computed anew from the sums; they are no averages of the files'.
    pub total: Measures,
    /// Every measured file, by path.
    pub files: Vec<File>,
    /// Every listed callable, by path, then by first line.
    pub callables: Vec<Callable>,
    /// Erosion with other cutoffs and size terms.
    pub sensitivity: Vec<Variant>,
    /// Which modules import which, one entry per language; none for languages whose imports are not read.
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
    pub skipped: Vec<SkippedFile>,
    /// The overrides of the project's owner; absent where there may be none, as in grading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<Overrides>,
}

/// Which rules a measurement used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulesId {
    /// How many rules are active.
    pub count: usize,
    /// `sha256:` and the digest of the rule files (see [`crate::RuleSet::digest`]).
    pub digest: String,
}

impl Measurement {
    /// Leaves out every match whose rule is not in the tier. The figures stay as they are, and so does what was accepted:
    /// it is missing in the figures.
    pub fn keep(&mut self, tier: Tier, rules: &RuleSet) {
        self.matches.retain(|found| rules.is_in(tier, &found.rule));
    }

    /// Completes the composites with the findings of other tools.
    pub fn complete_composites(&mut self, external: ExternalFindings) {
        self.composites = Composites::of(&self.total, &self.files, &self.callables, external);
    }
}
