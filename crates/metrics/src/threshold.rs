//! Limits on a measurement's totals, such as `erosion>0.5`.

use std::fmt;
use std::str::FromStr;

use crate::explain::explanations;
use crate::measurement::Measures;

/// A condition under which a measurement fails: a total, how it is compared, and with what.
#[derive(Debug, Clone)]
pub struct Threshold {
    measure: String,
    comparison: ThresholdOperator,
    limit: f64,
}

/// How a total is compared with a limit.
#[derive(Debug, Clone, Copy)]
struct ThresholdOperator {
    symbol: &'static str,
    holds: fn(&f64, &f64) -> bool,
}

/// The longer symbols first: `>=` begins with `>`.
const COMPARISONS: [ThresholdOperator; 4] = [
    ThresholdOperator { symbol: ">=", holds: f64::ge },
    ThresholdOperator { symbol: "<=", holds: f64::le },
    ThresholdOperator { symbol: ">", holds: f64::gt },
    ThresholdOperator { symbol: "<", holds: f64::lt },
];

/// Why a text is no [`Threshold`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ThresholdError {
    /// There is no comparison in it.
    #[error("expected a measure, one of > >= < <=, and a number, as in `erosion>0.5`; got `{0}`")]
    Shape(String),
    /// What stands behind the comparison is no finite number.
    #[error("expected a number as the limit of `{measure}`; got `{limit}`")]
    Limit {
        /// What is compared.
        measure: String,
        /// What stands in the number's place.
        limit: String,
    },
    /// No total has this name.
    #[error("there is no measure `{measure}`; the measures are {known}")]
    Measure {
        /// The name.
        measure: String,
        /// The names that there are.
        known: String,
    },
}

impl Threshold {
    /// What to say of a measurement that fails, with its value; `None` if it does not.
    ///
    /// A measurement without the total, such as radon's figures where no file's language has them, fails: nobody knows.
    pub fn failure(&self, total: &Measures) -> Option<String> {
        let Self { measure, comparison, limit } = self;
        match figure(total, measure) {
            None => Some(format!("{self}: no file has a {measure}")),
            Some(value) if (comparison.holds)(&value, limit) => Some(format!("{self}: {measure} is {value}")),
            Some(_) => None,
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.measure, self.comparison.symbol, self.limit)
    }
}

impl FromStr for Threshold {
    type Err = ThresholdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = |comparison: ThresholdOperator| text.split_once(comparison.symbol).map(|parts| (comparison, parts));
        let (comparison, (measure, limit)) =
            COMPARISONS.into_iter().find_map(parts).ok_or_else(|| ThresholdError::Shape(text.to_owned()))?;
        let (measure, limit) = (measure.trim().to_owned(), limit.trim());
        let known = names();
        if !known.contains(&measure) {
            return Err(ThresholdError::Measure { measure, known: known.join(", ") });
        }
        match limit.parse() {
            Ok(limit) if f64::is_finite(limit) => Ok(Self { measure, comparison, limit }),
            _ => Err(ThresholdError::Limit { measure, limit: limit.to_owned() }),
        }
    }
}

/// The totals as the measures' pages name them, so that a new measure can have a limit without another word.
fn names() -> Vec<String> {
    let fields = explanations().into_iter().flat_map(|measure| measure.fields);
    let mut names: Vec<_> = fields.filter_map(|field| Some(field.strip_prefix("total.")?.to_owned())).collect();
    names.sort();
    names
}

/// The total of this name, whose dots lead into objects of the JSON format.
fn figure(total: &Measures, name: &str) -> Option<f64> {
    let json = serde_json::to_value(total).ok()?;
    let written = json.pointer(&format!("/{}", name.replace('.', "/"))).and_then(serde_json::Value::as_f64);
    // The one count that is not written where it is 0.
    written.or((name == "unparsed_lines").then_some(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spread::Spread;

    fn parsed(text: &str) -> Threshold {
        text.parse().expect("a threshold")
    }

    #[test]
    fn a_limit_is_met_or_passed_as_its_sign_says() {
        let cognitive = Some(Spread { mean: 2.5, max: 9 });
        let total = Measures { erosion: 0.5, clone_lines: 7, cognitive, ..Measures::default() };
        let failure = |text| parsed(text).failure(&total);
        let failed = |text: &str| Some(text.to_owned());
        assert_eq!(failure("erosion>0.5"), None);
        assert_eq!(failure("erosion>=0.5"), failed("erosion>=0.5: erosion is 0.5"));
        assert_eq!(failure("erosion < .6"), failed("erosion<0.6: erosion is 0.5"));
        assert_eq!(failure("erosion<=0.4"), None);
        assert_eq!(failure("clone_lines>0"), failed("clone_lines>0: clone_lines is 7"));
        assert_eq!(failure("cognitive.max>8"), failed("cognitive.max>8: cognitive.max is 9"));
        assert_eq!(failure("radon.lloc>8"), failed("radon.lloc>8: no file has a radon.lloc"));
    }

    /// Else a limit on it would never fail, or never be accepted.
    #[test]
    fn every_total_has_a_name_and_every_name_a_total() {
        let sources = [("a.py".to_owned(), b"def f(x):\n    return x\n".to_vec())];
        let total = crate::measure_sources(&sources, &crate::RuleSet::empty()).total;
        let nameless: Vec<_> = names().into_iter().filter(|name| figure(&total, name).is_none()).collect();
        assert_eq!(nameless, Vec::<String>::new());
        let json = serde_json::to_value(Measures::default()).expect("measures are JSON");
        let fields = json.as_object().expect("an object").keys();
        let unnamed: Vec<_> = fields.filter(|field| !names().contains(field)).collect();
        assert_eq!(unnamed, Vec::<&String>::new());
    }

    #[test]
    fn it_is_shown_as_it_is_written() {
        assert_eq!(parsed(" verbosity >= 0.10").to_string(), "verbosity>=0.1");
    }

    #[test]
    fn what_is_no_threshold_says_what_was_expected() {
        let error = |text: &str| text.parse::<Threshold>().expect_err("no threshold").to_string();
        assert_eq!(
            error("erosion"),
            "expected a measure, one of > >= < <=, and a number, as in `erosion>0.5`; got `erosion`"
        );
        assert_eq!(error("erosion>much"), "expected a number as the limit of `erosion`; got `much`");
        assert_eq!(error("erosion>NaN"), "expected a number as the limit of `erosion`; got `NaN`");
        let unknown = error("beauty<1");
        assert!(
            unknown
                .starts_with("there is no measure `beauty`; the measures are advice_matches, callables, clone_lines,"),
            "{unknown}"
        );
    }
}
