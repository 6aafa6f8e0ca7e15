//! What the code of a checkpoint would have been like.

use slopbench_metrics::{
    Measurement,
    grading::Grading,
    measurement::{Callable, Measures},
    sensitivity::{CUTOFFS, SizeTerm, Variant},
    wrappers::Wrappers,
};

use crate::draw::Draw;

/// What a trajectory's code is like.
pub(crate) struct CodeTraits {
    /// Lines of code that a checkpoint adds.
    pub(crate) size: f64,
    /// How much of what is new goes into what is there.
    pub(crate) tangle: f64,
    /// The share of lines that need not be there.
    pub(crate) slop: f64,
}

/// Lines of code for one callable.
const LINES_A_CALLABLE: f64 = 16.0;

pub(crate) fn grading(traits: &CodeTraits, number: u32, empty: bool, withheld: bool, draw: &mut Draw) -> Grading {
    let measurement = if empty { nothing() } else { measurement(traits, number, draw) };
    let share = if withheld { 0.12 } else { 0.0 };
    let unmeasured = slopbench_metrics::grading::Unmeasured { share, ..Default::default() };
    Grading {
        format: Default::default(),
        language: "python".to_owned(),
        unmeasured,
        data: Default::default(),
        withheld: withheld.then(|| "made up: 12% of the lines could run and are not measured".to_owned()),
        measurement: (!withheld).then_some(measurement),
    }
}

/// A workspace without a line of code.
fn nothing() -> Measurement {
    Measurement { sensitivity: variants(&[]), ..Measurement::default() }
}

fn measurement(traits: &CodeTraits, number: u32, draw: &mut Draw) -> Measurement {
    let growth = f64::from(number);
    let loc = draw.spread(traits.size * (0.4 + growth), 0.12).max(5.0).round();
    let count = (loc / LINES_A_CALLABLE).ceil() as usize;
    let mut callables: Vec<Callable> = (0..count).map(|index| small(index, traits, draw)).collect();
    callables.push(hub(traits, growth, draw));
    let total_lines = (loc * 1.35).round();
    let slop = (traits.slop * (0.75 + 0.06 * growth) + 0.02 * draw.normal()).clamp(0.0, 0.95);
    let of_lines = |share: f64| (share * total_lines).round() as u64;
    let (verbose, flagged, clones) = (of_lines(slop), of_lines(0.7 * slop), of_lines(0.45 * slop));
    let sensitivity = variants(&callables);
    let paper = sensitivity[4];
    let ratio = |lines: u64| lines as f64 / total_lines;
    let total = Measures {
        files: 1 + number as u64,
        total_lines: total_lines as u64,
        loc: loc as u64,
        sloc_lines: loc as u64,
        callables: callables.len() as u64,
        mass: paper.mass,
        complex_mass: paper.complex_mass,
        erosion: paper.erosion,
        clone_lines: clones,
        flagged_lines: flagged,
        violations: flagged / 2,
        verbose_lines: verbose,
        verbosity: ratio(verbose),
        verbosity_loc: verbose as f64 / loc,
        sloc_clone_lines: clones,
        sloc_clone_ratio: ratio(clones),
        clone_ratio: ratio(clones),
        violation_ratio: ratio(flagged),
        wrappers: Some(wrappers(callables.len() as u64)),
        ..Measures::default()
    };
    let above = |cutoff| callables.iter().filter(|callable| callable.cc > cutoff).count() as f64;
    let composites = slopbench_metrics::composites::Composites {
        complex_share: (above(10) + above(30)) / callables.len() as f64,
        ..Default::default()
    };
    Measurement { total, callables, sensitivity, composites, ..Measurement::default() }
}

/// Every ninth callable only passes a call on, every third is called once: without a draw, and so all else stays as it is drawn.
fn wrappers(callables: u64) -> Wrappers {
    let (trivial, single_use) = (callables / 9, callables / 3);
    let ratio = if callables == 0 { 0.0 } else { (trivial + single_use) as f64 / callables as f64 };
    Wrappers { trivial, single_use, ratio }
}

/// One of many.
fn small(index: usize, traits: &CodeTraits, draw: &mut Draw) -> Callable {
    let cc = draw.spread(2.6 * traits.tangle, 0.85).clamp(1.0, 60.0) as u32;
    callable(&format!("helper_{index}"), cc, draw.spread(3.0 + 2.2 * f64::from(cc), 0.3).max(2.0) as u32)
}

/// The one in which everything ends up.
fn hub(traits: &CodeTraits, growth: f64, draw: &mut Draw) -> Callable {
    let cc = draw.spread(6.0 + 9.0 * traits.tangle * growth, 0.25).clamp(1.0, 400.0) as u32;
    callable("main", cc, draw.spread(8.0 + 3.0 * f64::from(cc), 0.2).max(2.0) as u32)
}

fn callable(name: &str, cc: u32, sloc: u32) -> Callable {
    Callable {
        path: "main.py".to_owned(),
        name: name.to_owned(),
        qualified_name: name.to_owned(),
        start_line: 1,
        end_line: sloc,
        cc,
        sloc,
        mass: f64::from(cc) * f64::from(sloc).sqrt(),
        cognitive: None,
        nesting: None,
        radon_cc: None,
    }
}

fn variants(callables: &[Callable]) -> Vec<Variant> {
    CUTOFFS.into_iter().flat_map(|cutoff| SizeTerm::ALL.map(|size| variant(callables, cutoff, size))).collect()
}

fn variant(callables: &[Callable], cutoff: u32, size: SizeTerm) -> Variant {
    let sum = |least: u32| callables.iter().filter(|one| one.cc > least).map(|one| size.mass(one)).sum::<f64>();
    let (mass, complex_mass) = (sum(0), sum(cutoff));
    let erosion = if mass > 0.0 { complex_mass / mass } else { 0.0 };
    Variant { cutoff, size, mass, complex_mass, erosion }
}
