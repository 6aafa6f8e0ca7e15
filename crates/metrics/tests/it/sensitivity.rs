//! The grid of erosion's variants.

use std::fmt::Write;

use slopbench_metrics::sensitivity::SizeTerm;

use crate::support::measure_text;

/// A function with this CC, whose SLOC is 1 more.
fn function(cc: usize) -> String {
    "def f():\n".to_owned() + &"    if a: pass\n".repeat(cc - 1) + "    pass\n"
}

/// Of functions with CC 9, 11 and 13 each cutoff takes one away.
#[test]
fn each_cutoff_and_size_term_has_an_erosion() {
    let measurement = measure_text(&[1, 9, 11, 13].map(function).concat());
    let mut shown = String::new();
    for callable in &measurement.callables {
        let _ = writeln!(shown, "cc {} sloc {}", callable.cc, callable.sloc);
    }
    for variant in &measurement.sensitivity {
        let (above, size) = (variant.cutoff, format!("{:?}", variant.size));
        let (complex, mass, erosion) = (variant.complex_mass, variant.mass, variant.erosion);
        let _ = writeln!(shown, "above {above:2} {size:8} {complex:7.3} / {mass:7.3} = {erosion:.6}");
    }
    insta::with_settings!({snapshot_path => "../../../../golden/metrics", prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!("sensitivity", shown);
    });
}

#[test]
fn the_middle_of_the_grid_is_the_erosion_of_the_paper() {
    let measurement = measure_text(&[2, 5, 10, 11, 12, 40].map(function).concat());
    let grid = &measurement.sensitivity;
    let middle = grid.iter().find(|variant| variant.cutoff == 10 && variant.size == SizeTerm::SqrtSloc);
    let figures = middle.map(|variant| (variant.mass, variant.complex_mass, variant.erosion));
    let total = &measurement.total;
    assert_eq!(figures, Some((total.mass, total.complex_mass, total.erosion)));
}

#[test]
fn without_callables_nothing_is_eroded() {
    assert!(measure_text("a = 1\n").sensitivity.iter().all(|variant| variant.erosion == 0.0));
}
