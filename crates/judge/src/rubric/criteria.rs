//! The criteria: data, built in.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// What `format` says in a file of criteria of this version.
pub const RUBRIC_FORMAT: &str = "slopbench.rubric/1";

const FILES: [&str; 2] = [include_str!("../../rubric/verbosity.toml"), include_str!("../../rubric/erosion.toml")];

/// What a criterion is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CriterionKind {
    /// Code that is longer than what it does.
    Verbosity,
    /// Code that is hard to change further.
    Erosion,
}

/// What a span of code may be flagged for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Criterion {
    /// Its name.
    pub id: String,
    /// What it is about.
    pub kind: CriterionKind,
    /// When it is met.
    pub says: String,
    /// Code that meets it.
    pub meets: String,
    /// Code for the same purpose that does not.
    pub clean: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CriteriaFile {
    format: String,
    kind: CriterionKind,
    criterion: Vec<WrittenCriterion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCriterion {
    id: String,
    says: String,
    meets: String,
    clean: String,
}

static CRITERIA: LazyLock<Vec<Criterion>> = LazyLock::new(|| {
    // The files are built in, and read by a test.
    let files = FILES.iter().filter_map(|text| toml::from_str::<CriteriaFile>(text).ok());
    files.filter(|file| file.format == RUBRIC_FORMAT).flat_map(of_kind).collect()
});

fn of_kind(file: CriteriaFile) -> impl Iterator<Item = Criterion> {
    let kind = file.kind;
    file.criterion.into_iter().map(move |WrittenCriterion { id, says, meets, clean }| Criterion {
        id,
        kind,
        says,
        meets,
        clean,
    })
}

/// All criteria, those of verbosity first.
pub fn criteria() -> &'static [Criterion] {
    &CRITERIA
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_are_45_each_with_two_examples_that_differ() {
        for text in FILES {
            assert_eq!(toml::from_str::<CriteriaFile>(text).unwrap().format, RUBRIC_FORMAT);
        }
        let of_kind = |kind| criteria().iter().filter(|one| one.kind == kind).count();
        assert_eq!((of_kind(CriterionKind::Verbosity), of_kind(CriterionKind::Erosion)), (27, 18));
        let ids: BTreeSet<_> = criteria().iter().map(|one| &one.id).collect();
        let says: BTreeSet<_> = criteria().iter().map(|one| &one.says).collect();
        assert_eq!((ids.len(), says.len()), (45, 45));
        for one in criteria() {
            let is_code = |text: &str| text.ends_with('\n') && !text.trim().is_empty();
            assert!(is_code(&one.meets) && is_code(&one.clean) && one.meets != one.clean, "{}", one.id);
            assert!(one.id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{}", one.id);
            assert!(one.says.ends_with('.'), "{}", one.id);
        }
    }
}
