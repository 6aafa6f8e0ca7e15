//! The rules whose findings count, as data.

use serde::Deserialize;

use crate::LintError;

const TABLE: &str = include_str!("../families.toml");

/// What `format` says in a table of this version.
const FORMAT: &str = "slopbench.lint-families/1";

/// The families of rules that count. Of each, all rules that are stable.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFamilies {
    format: String,
    /// The version of Python whose syntax is read, as Ruff names it.
    pub target: String,
    /// One after the other, as they are shown.
    pub families: Vec<RuleFamily>,
}

/// One family of rules.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleFamily {
    /// What its rules' codes begin with, followed by digits.
    pub prefix: String,
    /// What Ruff calls it.
    pub title: String,
    /// Who chose it.
    pub source: FamilySource,
    /// Why it counts.
    pub reason: String,
}

/// Who chose a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FamilySource {
    /// SlopCodeBench's blog names it.
    Blog,
    /// We did.
    Ours,
}

impl RuleFamilies {
    /// Those that count.
    ///
    /// # Errors
    ///
    /// [`LintError::Families`] if the table is not as the format says.
    pub fn built_in() -> Result<Self, LintError> {
        let this: Self = toml::from_str(TABLE).map_err(|error| LintError::Families(error.to_string()))?;
        match this.format == FORMAT {
            true => Ok(this),
            false => Err(LintError::Families(format!("expected format \"{FORMAT}\", got \"{}\"", this.format))),
        }
    }

    /// Their prefixes, as Ruff is told them.
    pub fn prefixes(&self) -> Vec<String> {
        self.families.iter().map(|family| family.prefix.clone()).collect()
    }

    /// Whether a rule is of one of them.
    pub fn has(&self, code: &str) -> bool {
        let digits = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        self.families.iter().any(|family| code.strip_prefix(&family.prefix).is_some_and(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blogs_own_families_are_among_them_and_no_family_is_a_part_of_another() {
        let table = RuleFamilies::built_in().unwrap();
        let of = |source| {
            let families = table.families.iter().filter(move |family| family.source == source);
            families.map(|family| family.prefix.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(of(FamilySource::Blog), ["SIM", "PLR"]);
        assert!(!of(FamilySource::Ours).contains(&"C90"), "complex functions are counted by the other term");
        let mut prefixes = table.prefixes();
        prefixes.sort();
        prefixes.dedup();
        assert_eq!(prefixes.len(), table.families.len());
        assert!(table.has("B006") && table.has("BLE001") && table.has("PLR2004"));
        assert!(!table.has("BL") && !table.has("PL2004") && !table.has("E722") && !table.has("FA100"));
    }
}
