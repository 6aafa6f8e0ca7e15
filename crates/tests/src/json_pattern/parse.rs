//! Reading patterns.

use indexmap::IndexMap;
use regex::Regex;

use super::{BOUNDS, JsonPattern, Matcher, TYPES};
use crate::{
    expect::MOST_UNORDERED,
    json::{Json, Number},
};

/// What every matcher's key begins with.
const SIGN: char = '?';

const MATCHERS: &str =
    "?type, ?lt, ?le, ?gt, ?ge, ?near with ?absolute or ?relative, ?pattern, ?subset, ?unordered, ?exactly";

impl JsonPattern {
    /// Reads a pattern, and changes each string of it that stands for itself, keys among them, by `change`.
    ///
    /// # Errors
    ///
    /// In a few words, what is wrong with it.
    pub(crate) fn parse(text: &str, change: &dyn Fn(&str) -> String) -> Result<Self, String> {
        Self::of(Json::parse(text, &str::to_owned)?, change)
    }

    fn of(value: Json, change: &dyn Fn(&str) -> String) -> Result<Self, String> {
        match value {
            Json::String(text) => Ok(Self::Scalar(Json::String(change(&text)))),
            Json::Array(items) => Self::all(items, change).map(Self::Array),
            Json::Object(members) if members.keys().any(|key| key.starts_with(SIGN)) => Matcher::read(*members, change),
            Json::Object(members) => Ok(Self::Object(Box::new(Self::members(*members, change)?))),
            scalar => Ok(Self::Scalar(scalar)),
        }
    }

    fn all(items: Vec<Json>, change: &dyn Fn(&str) -> String) -> Result<Vec<Self>, String> {
        items.into_iter().map(|item| Self::of(item, change)).collect()
    }

    fn members(
        members: IndexMap<String, Json>,
        change: &dyn Fn(&str) -> String,
    ) -> Result<IndexMap<String, Self>, String> {
        let mut changed = IndexMap::with_capacity(members.len());
        for (key, value) in members {
            let key = change(&key);
            let twice = format!("ambiguous JSON: the key {key:?} stands twice in one object");
            if changed.insert(key, Self::of(value, change)?).is_some() {
                return Err(twice);
            }
        }
        Ok(changed)
    }
}

impl Matcher {
    fn read(members: IndexMap<String, Json>, change: &dyn Fn(&str) -> String) -> Result<JsonPattern, String> {
        let mut members: Vec<(String, Json)> = members.into_iter().collect();
        let is_bounds = || members.iter().all(|(key, _)| BOUNDS.iter().any(|(bound, _)| bound == key));
        let matcher = if is_bounds() {
            Self::within(members)?
        } else if members.iter().any(|(key, _)| key == "?near") {
            Self::near(members)?
        } else {
            let (Some((key, value)), true) = (members.pop(), members.is_empty()) else {
                return Err(format!("no matcher: its keys do not go together; known: {MATCHERS}"));
            };
            match (key.as_str(), value) {
                ("?exactly", value) => return Ok(JsonPattern::exactly(value.map_strings(change))),
                ("?type", Json::String(name)) => Self::of_type(&name)?,
                ("?pattern", Json::String(text)) => Self::Text(Regex::new(&text).map_err(|error| error.to_string())?),
                ("?subset", Json::Object(members)) => Self::Members(JsonPattern::members(*members, change)?),
                ("?subset", Json::Array(items)) => Self::Items(few(JsonPattern::all(items, change)?)?),
                ("?unordered", Json::Array(items)) => Self::Unordered(few(JsonPattern::all(items, change)?)?),
                ("?type" | "?pattern", _) => return Err(format!("no matcher: {key} goes with a string")),
                ("?subset", _) => return Err("no matcher: ?subset goes with an object or an array".to_owned()),
                ("?unordered", _) => return Err("no matcher: ?unordered goes with an array".to_owned()),
                _ => {
                    let hint = "; a key of the value itself goes below ?exactly";
                    return Err(format!("no matcher: {key}; known: {MATCHERS}{hint}"));
                }
            }
        };
        Ok(JsonPattern::Matcher(Box::new(matcher)))
    }

    fn of_type(name: &str) -> Result<Self, String> {
        let known = || TYPES.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", ");
        let found = TYPES.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| Self::Type(*kind)).ok_or_else(|| format!("no type: {name:?}; known: {}", known()))
    }

    fn within(members: Vec<(String, Json)>) -> Result<Self, String> {
        let bound = |(key, value): (String, Json)| match (BOUNDS.iter().find(|(known, _)| *known == key), value) {
            (Some((_, bound)), Json::Number(limit)) => Ok((*bound, limit)),
            _ => Err(format!("no matcher: {key} goes with a number")),
        };
        members.into_iter().map(bound).collect::<Result<_, _>>().map(Self::Within)
    }

    fn near(members: Vec<(String, Json)>) -> Result<Self, String> {
        let (mut near, mut absolute, mut relative) = (None, None, None);
        for (key, value) in members {
            let place = match key.as_str() {
                "?near" => &mut near,
                "?absolute" => &mut absolute,
                "?relative" => &mut relative,
                _ => return Err(format!("no matcher: {key} does not go with ?near")),
            };
            match value {
                Json::Number(number) if number.double().is_finite() => *place = Some(number),
                _ => return Err(format!("no matcher: {key} goes with a number in the range of doubles")),
            }
        }
        let tolerance = |number: Option<&Number>| number.map_or(0.0, Number::double);
        let (absolute, relative) = (tolerance(absolute.as_ref()), tolerance(relative.as_ref()));
        match near {
            Some(number) if absolute >= 0.0 && relative >= 0.0 && absolute + relative > 0.0 => {
                Ok(Self::Near { number, absolute, relative })
            }
            _ => Err("no matcher: ?near goes with ?absolute or ?relative, above 0".to_owned()),
        }
    }
}

fn few(items: Vec<JsonPattern>) -> Result<Vec<JsonPattern>, String> {
    if items.len() > MOST_UNORDERED {
        let count = items.len();
        return Err(format!(
            "too long: at most {MOST_UNORDERED} items are compared without regard to order, these are {count}"
        ));
    }
    Ok(items)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_written_as_it_was() {
        let text = concat!(
            r#"{"a":{"?type":"integer"},"b":[{"?ge":0,"?lt":10.50}],"c":{"?near":1.5,"?absolute":0.25,"?relative":1e-6},"#,
            r#""d":{"?pattern":"^\\S$"},"e":{"?subset":{"x":{"?subset":[1]}}},"f":{"?unordered":[1,null]}}"#
        );
        assert_eq!(JsonPattern::parse(text, &str::to_owned).unwrap().to_string(), text);
        let lower = |text: &str| text.to_lowercase();
        let pattern =
            JsonPattern::parse(r#"{"A": {"?pattern": "\\S"}, "B": {"?exactly": {"?X": "Y"}}}"#, &lower).unwrap();
        assert_eq!(pattern.to_string(), r#"{"a":{"?pattern":"\\S"},"b":{"?x":"y"}}"#);
    }

    #[test]
    fn what_is_no_matcher_is_told() {
        for (text, expected) in [
            (r#"{"?typ": "string"}"#, "no matcher: ?typ; known: ?type"),
            (r#"{"?type": "text"}"#, "no type: \"text\"; known: any, null"),
            (r#"{"?type": 1}"#, "no matcher: ?type goes with a string"),
            (r#"{"?type": "string", "a": 1}"#, "no matcher: its keys do not go together"),
            (r#"{"?ge": "a"}"#, "no matcher: ?ge goes with a number"),
            (r#"{"?near": 1}"#, "no matcher: ?near goes with ?absolute or ?relative, above 0"),
            (r#"{"?near": 1, "?relative": -1}"#, "no matcher: ?near goes with"),
            (r#"{"?near": 1e999, "?relative": 1}"#, "no matcher: ?near goes with a number in the range"),
            (r#"{"?near": 1, "?ge": 1}"#, "no matcher: ?ge does not go with ?near"),
            (r#"{"?relative": 1}"#, "no matcher: ?relative; known"),
            (r#"{"?pattern": "("}"#, "regex parse error"),
            (r#"{"?subset": 1}"#, "no matcher: ?subset goes with an object or an array"),
            (r#"{"?unordered": {}}"#, "no matcher: ?unordered goes with an array"),
        ] {
            let found = JsonPattern::parse(text, &str::to_owned).unwrap_err();
            assert!(found.starts_with(expected), "{text}: {found}");
        }
        let long = format!("{{\"?unordered\": [{}1]}}", "1,".repeat(MOST_UNORDERED));
        assert!(JsonPattern::parse(&long, &str::to_owned).unwrap_err().starts_with("too long: at most 1000 items"));
    }
}
