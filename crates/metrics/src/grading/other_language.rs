//! What else of a solution its track's toolchain would run or build.

use std::path::Path;

use crate::language::Language;
use crate::languages;
use crate::refusal::{Refusal, RefusalReason};

/// Endings of what is in no table, and is run or built by what comes with a toolchain.
const OTHERS: [(&str, &str); 8] = [
    ("awk", "a script for awk"),
    ("bash", "a script for a shell"),
    ("pl", "a script for Perl"),
    ("pm", "a module of Perl"),
    ("s", "assembly"),
    ("S", "assembly"),
    ("sh", "a script for a shell"),
    ("wat", "WebAssembly"),
];

/// What to say of source of another language than `own`, by its name.
pub(super) fn refusal(path: &Path, own: &Language) -> Option<Refusal> {
    own.program.filter(|signs| signs.names_others)?;
    let known = languages::of_path(path).filter(|found| found.name != own.name);
    let known = known.map(|found| format!("source of {}", found.name));
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let other = || OTHERS.iter().find(|(ending, _)| *ending == extension).map(|(_, what)| (*what).to_owned());
    let what = known.or_else(other)?;
    let detail = format!("{what}, and the track is that of {}", own.name);
    Some(Refusal::new(RefusalReason::OtherLanguage, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_right() {
        for signs in languages::ALL.iter().filter_map(|language| language.program) {
            assert!(signs.statement.is_some() && signs.definition.is_some());
        }
    }
}
