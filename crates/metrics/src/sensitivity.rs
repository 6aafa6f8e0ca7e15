//! How much structural erosion depends on its two free choices: the cutoff and the size term.
//!
//! erosion(c, s) = Σ CC(f) · s(f) over the callables f with CC(f) > c / Σ CC(f) · s(f) over all callables f
//!
//! A fraction without unit, 0 where there is no mass. The cutoff c is one of [`CUTOFFS`], the size term s one of
//! [`SizeTerm::ALL`]; c = 10 and s = √SLOC is [`crate::measurement::Measures::erosion`].
//!
//! Source: the SlopCodeBench paper, appendix G.

use serde::{Deserialize, Serialize};

use crate::measurement::Callable;
use crate::sum::{self, ratio};

/// The values of CC above which a callable counts as complex.
pub const CUTOFFS: [u32; 3] = [8, 10, 12];

/// How the size of a callable enters its mass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeTerm {
    /// 1: mass is CC.
    Constant,
    /// √SLOC, the paper's choice.
    SqrtSloc,
    /// SLOC.
    Sloc,
}

impl SizeTerm {
    /// Every size term.
    pub const ALL: [SizeTerm; 3] = [SizeTerm::Constant, SizeTerm::SqrtSloc, SizeTerm::Sloc];

    /// CC · size.
    pub fn mass(self, callable: &Callable) -> f64 {
        let sloc = f64::from(callable.sloc);
        f64::from(callable.cc)
            * match self {
                SizeTerm::Constant => 1.0,
                SizeTerm::SqrtSloc => sloc.sqrt(),
                SizeTerm::Sloc => sloc,
            }
    }
}

/// Erosion for one cutoff and one size term.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// Callables with CC above this are complex.
    pub cutoff: u32,
    /// The size term.
    pub size: SizeTerm,
    /// Σ CC · size over all callables.
    pub mass: f64,
    /// The part of [`Self::mass`] that sits in complex callables.
    pub complex_mass: f64,
    /// `complex_mass / mass`.
    pub erosion: f64,
}

/// The grid of these callables: by cutoff, then by size term.
pub(crate) fn of_callables(callables: &[Callable]) -> Vec<Variant> {
    let cells = CUTOFFS.into_iter().flat_map(|cutoff| SizeTerm::ALL.map(|size| (cutoff, size)));
    cells.map(|(cutoff, size)| variant(callables, cutoff, size)).collect()
}

fn variant(callables: &[Callable], cutoff: u32, size: SizeTerm) -> Variant {
    let complex = callables.iter().filter(|callable| callable.cc > cutoff);
    let mass = sum::exact(callables.iter().map(|callable| size.mass(callable)));
    let complex_mass = sum::exact(complex.map(|callable| size.mass(callable)));
    Variant { cutoff, size, mass, complex_mass, erosion: ratio(complex_mass, mass) }
}
