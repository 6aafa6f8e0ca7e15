//! A parser for lines such as `name = value # comment`.

use std::collections::HashMap;
use std::fmt;

/* Block comments /* nest */ here. */

/// What is wrong with a line.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    Empty,
    NoValue { line: usize },
    BadNumber(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Empty => write!(f, "nothing"),
            Error::NoValue { line } => write!(f, "line {line}: no value"),
            Error::BadNumber(text) if text.is_empty() => write!(f, "no number"),
            Error::BadNumber(text) => write!(f, "{text} is no number"),
        }
    }
}

pub trait Source {
    fn next_line(&mut self) -> Option<String>;

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            if self.next_line().is_none() {
                break;
            }
        }
    }
}

pub struct Config<'a, T> {
    values: HashMap<&'a str, T>,
    strict: bool,
}

impl<'a, T: From<i64>> Config<'a, T> {
    pub const LIMIT: usize = 0x1_000;

    pub fn parse(text: &'a str, strict: bool) -> Result<Self, Error> {
        let mut values = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            let Some((name, value)) = split(line) else {
                if strict && !line.trim().is_empty() || number > Self::LIMIT {
                    return Err(Error::NoValue { line: number + 1 });
                }
                continue;
            };
            let value = value.parse::<i64>().map_err(|_| Error::BadNumber(value.to_owned()))?;
            values.insert(name, T::from(value));
        }
        if values.len() == 0 { Err(Error::Empty) } else { Ok(Config { values, strict }) }
    }

    pub fn is_strict(&self) -> bool {
        self.strict == true
    }
}

fn split(line: &str) -> Option<(&str, &str)> {
    let code = line.split('#').next()?;
    let (name, value) = code.split_once('=')?;
    let quoted = |text: &str| text.starts_with('"') && text.ends_with(r#"""#);
    if let Some(inner) = value.trim().strip_prefix('"')
        && quoted(value.trim())
    {
        return Some((name.trim(), inner.trim_end_matches('"')));
    }
    Some((name.trim(), value.trim()))
}

pub fn largest(values: &[f64]) -> f64 {
    let mut best = 0.0;
    for value in values {
        if *value > best {
            best = *value;
        }
    }
    best
}

mod retry {
    pub async fn until_done(mut attempts: u32) -> bool {
        loop {
            attempts -= 1;
            if attempts == 0 {
                return false;
            }
            while super::busy() {
                std::hint::spin_loop();
            }
        }
    }

    pub fn smallest(numbers: &[f64]) -> f64 {
        let mut least = 9.5;
        for number in numbers {
            if *number < least {
                least = *number;
            }
        }
        least
    }
}

fn busy() -> bool {
    unsafe { BUSY }
}

static mut BUSY: bool = false;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split() {
        let text = "a = 1
                    b = 2";
        assert_eq!(split(text), Some(("a", "1")));
    }
}
