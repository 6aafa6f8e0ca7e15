//! Which exit codes a case expects.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, Unexpected, Visitor},
};

/// The exit codes that are as expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// This one.
    Is(u8),
    /// All but 0: the program failed, and the specification does not say with what.
    Nonzero,
}

impl ExitCode {
    /// Whether `code` is as expected.
    pub(crate) fn fits(self, code: i32) -> bool {
        match self {
            Self::Is(expected) => i32::from(expected) == code,
            Self::Nonzero => code != 0,
        }
    }
}

impl fmt::Display for ExitCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(code) => code.fmt(f),
            Self::Nonzero => f.write_str(NONZERO),
        }
    }
}

/// How [`ExitCode::Nonzero`] is written.
const NONZERO: &str = "nonzero";

impl<'de> Deserialize<'de> for ExitCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Code;
        impl Visitor<'_> for Code {
            type Value = ExitCode;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "0 to 255, or {NONZERO:?}")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<ExitCode, E> {
                let code = u8::try_from(value).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self));
                code.map(ExitCode::Is)
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<ExitCode, E> {
                let wrong = || E::invalid_value(Unexpected::Str(value), &self);
                (value == NONZERO).then_some(ExitCode::Nonzero).ok_or_else(wrong)
            }
        }
        deserializer.deserialize_any(Code)
    }
}
