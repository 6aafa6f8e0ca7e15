//! What a JSON value must be: a value as written, in which matchers may stand for parts.
//!
//! A matcher is an object all of whose keys begin with `?`. [`mod@parse`] reads them when a case is loaded, so that nothing
//! that is observed or captured is ever taken for one; [`difference`] compares.

mod difference;
mod parse;

use std::fmt;

use indexmap::IndexMap;
use regex::Regex;
use serde::{Serialize, Serializer};

use crate::{
    http::Captures,
    json::{Json, Number},
};

/// What some JSON must be.
#[derive(Clone, Debug)]
pub(crate) enum JsonPattern {
    /// This null, boolean, number or string.
    Scalar(Json),
    /// An array of these, in this order.
    Array(Vec<JsonPattern>),
    /// An object with these members and no other.
    Object(Box<IndexMap<String, JsonPattern>>),
    /// Whatever fits.
    Matcher(Box<Matcher>),
}

/// One of the ways to say less than a whole value.
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    /// Any value of a type.
    Type(JsonType),
    /// A number within all of these.
    Within(Vec<(Bound, Number)>),
    /// A number that differs from this one by at most so much, or by at most such a part of this one.
    Near { number: Number, absolute: f64, relative: f64 },
    /// A string in which this matches.
    Text(Regex),
    /// An object with at least these members.
    Members(IndexMap<String, JsonPattern>),
    /// An array with at least these items, each another one, wherever they stand.
    Items(Vec<JsonPattern>),
    /// An array of these items in any order.
    Unordered(Vec<JsonPattern>),
}

/// What values there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonType {
    Any,
    Null,
    Boolean,
    Number,
    /// A number without a fraction, however it is written.
    Integer,
    String,
    Array,
    Object,
}

/// How a number is held against another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// Each type by its name in `?type`.
const TYPES: &[(&str, JsonType)] = &[
    ("any", JsonType::Any),
    ("null", JsonType::Null),
    ("boolean", JsonType::Boolean),
    ("number", JsonType::Number),
    ("integer", JsonType::Integer),
    ("string", JsonType::String),
    ("array", JsonType::Array),
    ("object", JsonType::Object),
];

/// Each bound by its key.
const BOUNDS: &[(&str, Bound)] =
    &[("?lt", Bound::Below), ("?le", Bound::AtMost), ("?gt", Bound::Above), ("?ge", Bound::AtLeast)];

impl JsonPattern {
    /// This value and no other, whatever its keys look like.
    pub(crate) fn exactly(value: Json) -> Self {
        match value {
            Json::Array(items) => Self::Array(items.into_iter().map(Self::exactly).collect()),
            Json::Object(members) => {
                let members = members.into_iter().map(|(key, value)| (key, Self::exactly(value)));
                Self::Object(Box::new(members.collect()))
            }
            scalar => Self::Scalar(scalar),
        }
    }

    /// With captured values in the places of its strings, changed by `change` as the rest was.
    pub(crate) fn filled(&self, captures: &Captures, change: &dyn Fn(&str) -> String) -> Self {
        let all = |items: &[Self]| items.iter().map(|item| item.filled(captures, change)).collect();
        let members = |members: &IndexMap<String, Self>| {
            members.iter().map(|(key, value)| (key.clone(), value.filled(captures, change))).collect()
        };
        match self {
            Self::Scalar(value @ Json::String(_)) => Self::exactly(captures.fill_json(value).map_strings(change)),
            Self::Scalar(_) => self.clone(),
            Self::Array(items) => Self::Array(all(items)),
            Self::Object(object) => Self::Object(Box::new(members(object))),
            Self::Matcher(matcher) => Self::Matcher(Box::new(match matcher.as_ref() {
                Matcher::Members(object) => Matcher::Members(members(object)),
                Matcher::Items(items) => Matcher::Items(all(items)),
                Matcher::Unordered(items) => Matcher::Unordered(all(items)),
                other => other.clone(),
            })),
        }
    }

    /// On several lines.
    pub(crate) fn pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl JsonType {
    /// Whether a value is of this type.
    fn holds(self, value: &Json) -> bool {
        match (self, value) {
            (Self::Any, _)
            | (Self::Null, Json::Null)
            | (Self::Boolean, Json::Bool(_))
            | (Self::Number, Json::Number(_))
            | (Self::String, Json::String(_))
            | (Self::Array, Json::Array(_))
            | (Self::Object, Json::Object(_)) => true,
            (Self::Integer, Json::Number(number)) => number.is_whole(),
            _ => false,
        }
    }
}

impl Bound {
    /// Whether a number keeps it.
    fn holds(self, number: &Number, limit: &Number) -> bool {
        number.compare(limit).is_some_and(|ordering| match self {
            Self::Below => ordering.is_lt(),
            Self::AtMost => ordering.is_le(),
            Self::Above => ordering.is_gt(),
            Self::AtLeast => ordering.is_ge(),
        })
    }
}

/// The name of something in a table.
fn name_of<T: PartialEq>(table: &[(&'static str, T)], wanted: &T) -> &'static str {
    table.iter().find(|(_, entry)| entry == wanted).map_or("", |(name, _)| name)
}

struct Members<'a>(&'a IndexMap<String, JsonPattern>);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter())
    }
}

impl Serialize for JsonPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Scalar(value) => value.serialize(serializer),
            Self::Array(items) => items.serialize(serializer),
            Self::Object(members) => Members(members).serialize(serializer),
            Self::Matcher(matcher) => matcher.serialize(serializer),
        }
    }
}

/// As it is written in a case.
impl Serialize for Matcher {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Type(kind) => serializer.collect_map([("?type", name_of(TYPES, kind))]),
            Self::Within(bounds) => {
                serializer.collect_map(bounds.iter().map(|(bound, limit)| (name_of(BOUNDS, bound), limit)))
            }
            Self::Near { number, absolute, relative } => {
                let number = serde_json::to_value(number).unwrap_or_default();
                let tolerances = [("?absolute", *absolute), ("?relative", *relative)];
                let tolerances = tolerances.into_iter().filter(|(_, tolerance)| *tolerance > 0.0);
                let tolerances = tolerances.map(|(key, tolerance)| (key, tolerance.into()));
                serializer.collect_map(std::iter::once(("?near", number)).chain(tolerances))
            }
            Self::Text(regex) => serializer.collect_map([("?pattern", regex.as_str())]),
            Self::Members(members) => serializer.collect_map([("?subset", Members(members))]),
            Self::Items(items) => serializer.collect_map([("?subset", items)]),
            Self::Unordered(items) => serializer.collect_map([("?unordered", items)]),
        }
    }
}

/// On one line.
impl fmt::Display for JsonPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}
