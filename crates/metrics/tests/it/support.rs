//! What the tests share: measuring one piece of text, and showing the result so that it reads as an example.

use std::fmt::Write;

use slopbench_metrics::measurement::{File, Measurement, RefusalReason, SkippedFile};
use slopbench_metrics::{RuleSet, measure_sources};

/// The measurement of a folder with this one file.
pub(crate) fn measure_bytes(bytes: impl Into<Vec<u8>>, rules: &RuleSet) -> Measurement {
    measure_file("example.py", bytes, rules)
}

/// The measurement of a folder with this one file, of whatever name.
pub(crate) fn measure_file(path: &str, bytes: impl Into<Vec<u8>>, rules: &RuleSet) -> Measurement {
    measure_sources(&[(path.to_owned(), bytes.into())], rules)
}

/// A program for each table but Python's.
pub(crate) const PROGRAMS: [(&str, &str); 7] = [
    ("inventory.js", include_str!("../programs/inventory.js")),
    ("schedule.tsx", include_str!("../programs/schedule.tsx")),
    ("parser.rs", include_str!("../programs/parser.rs")),
    ("queue.go", include_str!("../programs/queue.go")),
    ("Library.java", include_str!("../programs/Library.java")),
    ("matrix.hpp", include_str!("../programs/matrix.hpp")),
    ("ring.c", include_str!("../programs/ring.c")),
];

/// The measurement of one program without any rules.
pub(crate) fn measure_text(text: &str) -> Measurement {
    measure_bytes(text, &RuleSet::empty())
}

/// Why the one file was left out, if it was.
pub(crate) fn refusal(bytes: impl Into<Vec<u8>>) -> Option<(RefusalReason, Option<u32>)> {
    let measurement = measure_bytes(bytes, &RuleSet::empty());
    let [SkippedFile { reason, line, .. }] = measurement.skipped[..] else {
        return None;
    };
    Some((reason, line))
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a path in the folder")).expect("a writable folder");
        std::fs::write(path, text).expect("a writable folder");
    }
    folder
}

/// A rule set made of these rule documents.
pub(crate) fn rules(yaml: &str) -> RuleSet {
    let file = tempfile::NamedTempFile::with_suffix(".yml").expect("a temporary file");
    std::fs::write(file.path(), yaml).expect("a writable file");
    RuleSet::load(file.path()).expect("valid rules")
}

/// The source with the lines that each figure counts, then the figures.
///
/// `s` marks SLOC lines, `c` clone lines, `f` flagged lines.
pub(crate) fn annotated(text: &str, measurement: &Measurement) -> String {
    let mut shown = String::new();
    for file in &measurement.files {
        show_lines(&mut shown, text, file);
        let figures = &file.measures;
        let _ = writeln!(
            shown,
            "\nlines {} loc {} sloc {} clone {} flagged {} verbose {}\nverbosity {:.3} of loc {:.3} clones {:.3} violations {:.3}",
            figures.total_lines,
            figures.loc,
            figures.sloc_lines,
            figures.clone_lines,
            figures.flagged_lines,
            figures.verbose_lines,
            figures.verbosity,
            figures.verbosity_loc,
            figures.clone_ratio,
            figures.violation_ratio,
        );
        let _ = writeln!(shown, "mass {:.3} erosion {:.3}", figures.mass, figures.erosion);
        if figures.unparsed_lines > 0 {
            let _ = writeln!(shown, "unparsed {}", figures.unparsed_lines);
        }
    }
    show_findings(&mut shown, measurement);
    shown
}

fn show_lines(shown: &mut String, text: &str, file: &File) {
    for (number, line) in (1..).zip(text.lines()) {
        let mark = |set: &slopbench_metrics::LineSet, mark| if set.contains(number) { mark } else { ' ' };
        let lines = &file.lines;
        let marks = [mark(&lines.sloc, 's'), mark(&lines.clone, 'c'), mark(&lines.flagged, 'f')];
        let _ = writeln!(shown, "{}", format!("{number:3} {} | {line}", String::from_iter(marks)).trim_end());
    }
}

fn show_findings(shown: &mut String, measurement: &Measurement) {
    for callable in &measurement.callables {
        let _ = writeln!(
            shown,
            "{} {}-{}: cc {} sloc {} mass {:.3}",
            callable.qualified_name, callable.start_line, callable.end_line, callable.cc, callable.sloc, callable.mass,
        );
    }
    for found in &measurement.matches {
        let _ = writeln!(shown, "{} {}-{}", found.rule, found.start_line, found.end_line);
    }
    for skipped in &measurement.skipped {
        let _ = writeln!(shown, "skipped: {:?} at {:?}: {}", skipped.reason, skipped.line, skipped.detail);
    }
}
