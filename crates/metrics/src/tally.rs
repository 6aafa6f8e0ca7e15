//! What a whole needs to know of one file: small enough to keep for every version of every file of a history.

use std::path::Path;

use crate::file;
use crate::languages;
use crate::measurement::{Callable, Measures};
use crate::refusal::{Refusal, RefusalReason};
use crate::rules::RuleSet;
use crate::source;

/// The figures of one version of one file, without its places: no path, no name, no line and no rule match.
///
/// It depends on the file's bytes and its language alone, unless the rules [depend on paths](RuleSet::depends_on_path):
/// the same bytes below two paths have one tally.
#[derive(Debug, Clone, PartialEq)]
pub struct FileTally {
    measures: Measures,
    /// With empty names.
    callables: Box<[Callable<()>]>,
}

impl FileTally {
    /// Measures the bytes of the file that has this path.
    ///
    /// # Errors
    ///
    /// Why the file cannot be measured, as it would be named in [`crate::Measurement::skipped`].
    pub fn of(path: &str, bytes: Vec<u8>, rules: &RuleSet) -> Result<Self, Refusal> {
        let language = languages::of_path(Path::new(path))
            .ok_or_else(|| Refusal::new(RefusalReason::NotAFile, "the name is not that of a source file"))?;
        let report = file::measure(path, &source::decode(bytes, language)?, language, rules, None)?;
        let nameless = |callable| Callable { name: String::new(), qualified_name: String::new(), ..callable };
        Ok(FileTally { measures: report.measures, callables: report.callables.into_iter().map(nameless).collect() })
    }

    /// The figures of files together: what [`crate::Measurement::total`] is for a folder that holds these files.
    pub fn total<'a>(files: impl Iterator<Item = &'a FileTally> + Clone) -> Measures {
        Measures::of_files(files.clone().map(|file| &file.measures), files.flat_map(|file| &file.callables))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure_sources;

    /// Masses that a running sum would round differently in another order.
    #[test]
    fn tallies_add_up_to_what_the_whole_measures() {
        let branches = |count: usize| "    if x:\n        y = 1\n".repeat(count);
        let file = |count: usize| format!("def f(x):\n{}\n\ndef g(x):\n{}", branches(count), branches(1 + count / 3));
        let sources: Vec<_> = (1..30).map(|count| (format!("m{count}.py"), file(count).into_bytes())).collect();
        let rules = RuleSet::builtin().expect("the built-in rules are tested");
        let tallies: Vec<_> = sources
            .iter()
            .rev()
            .map(|(path, bytes)| FileTally::of(path, bytes.clone(), &rules).expect("Python"))
            .collect();
        assert_eq!(FileTally::total(tallies.iter()), measure_sources(&sources, &rules).total);
    }

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let refusal = FileTally::of("a.py", b"def".to_vec(), &RuleSet::empty()).expect_err("no Python");
        assert_eq!(refusal.reason, RefusalReason::Syntax);
    }
}
