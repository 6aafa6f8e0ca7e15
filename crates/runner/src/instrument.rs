//! What makes a result, beside what was to be done and who did it: another instrument may well find something else.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use serde::{Deserialize, Serialize};

/// Everything that stages are carried out with, by part: the tool's version, the rules, the sandbox, the interpreter, and
/// what else a study depends on. A plan names it, and so does the seal of every stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Instrument(BTreeMap<String, String>);

/// One part in which an instrument differs from the planned one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstrumentDifference {
    /// What differs, as in `interpreter`.
    pub part: String,
    /// As planned; absent where nothing was.
    pub planned: Option<String>,
    /// As it is now; absent where there is nothing.
    pub found: Option<String>,
}

impl Instrument {
    /// The parts whose names begin with `prefix`.
    pub fn parts_of<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter(move |(part, _)| part.starts_with(prefix)).map(|(part, value)| (&**part, &**value))
    }

    /// What one part is; absent where there is none.
    pub fn part(&self, part: &str) -> Option<&str> {
        self.0.get(part).map(String::as_str)
    }

    /// In what `now` differs from this, part by part.
    pub fn differences(&self, now: &Self) -> Vec<InstrumentDifference> {
        let names: BTreeSet<_> = self.0.keys().chain(now.0.keys()).collect();
        let of = |part: &String| InstrumentDifference {
            part: part.clone(),
            planned: self.0.get(part).cloned(),
            found: now.0.get(part).cloned(),
        };
        names.into_iter().map(of).filter(|difference| difference.planned != difference.found).collect()
    }
}

impl<P: Into<String>, V: Into<String>> Extend<(P, V)> for Instrument {
    fn extend<I: IntoIterator<Item = (P, V)>>(&mut self, parts: I) {
        self.0.extend(parts.into_iter().map(|(part, value)| (part.into(), value.into())));
    }
}

impl<P: Into<String>, V: Into<String>> FromIterator<(P, V)> for Instrument {
    fn from_iter<I: IntoIterator<Item = (P, V)>>(parts: I) -> Self {
        let mut instrument = Self::default();
        instrument.extend(parts);
        instrument
    }
}

impl fmt::Display for InstrumentDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [planned, found] = [&self.planned, &self.found].map(|side| side.as_deref().unwrap_or("none"));
        write!(f, "{} (planned {planned}, now {found})", self.part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_that_differs_is_named() {
        let planned: Instrument =
            [("tool", "slopbench 1"), ("back end", "namespaces"), ("image of command", "a")].into_iter().collect();
        assert_eq!(planned.differences(&planned), []);
        let now =
            [("tool", "slopbench 1"), ("back end", "docker"), ("image", "slopbench/python")].into_iter().collect();
        let named: Vec<_> = planned.differences(&now).iter().map(ToString::to_string).collect();
        let expected = [
            "back end (planned namespaces, now docker)",
            "image (planned none, now slopbench/python)",
            "image of command (planned a, now none)",
        ];
        assert_eq!(named, expected);
    }
}
