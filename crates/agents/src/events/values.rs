//! Values of what agents tell, within bounds: what is not there or not of its type is nothing.

use serde_json::Value;
use slopbench_gateway::{json::parse_within, turn::MOST_TOKENS};

/// The most that an agent may say it cost, in US dollars.
pub(super) const MOST_DOLLARS: f64 = 1e6;

/// The most values that are read of what an agent tells: some hundred megabytes as a report. Sessions of hours have a fifth.
pub(super) const MOST_VALUES: usize = 500_000;

/// The JSON values of `events`, one per line, as far as there is room; what is no JSON is a warning of the agent's, or cut off.
pub(super) fn lines(events: &str) -> impl Iterator<Item = Value> {
    let mut room = MOST_VALUES;
    events.lines().filter_map(move |line| parse_within(&mut room, line))
}

/// The text at `path` in `value`; empty where there is none.
pub(super) fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// The number at `path` in `value`, or the most that is counted; 0 where there is none.
pub(super) fn number(value: &Value, path: &str) -> u64 {
    value.pointer(path).and_then(Value::as_u64).unwrap_or_default().min(MOST_TOKENS)
}

/// The US dollars at `path` in `value`; nothing where they are none that a session may cost, which would spoil every sum.
pub(super) fn dollars(value: &Value, path: &str) -> Option<f64> {
    value.pointer(path).and_then(Value::as_f64).filter(|dollars| (0.0..=MOST_DOLLARS).contains(dollars))
}

/// The entries of the array at `path` in `value`; none where there is no array.
pub(super) fn entries<'a>(value: &'a Value, path: &str) -> impl Iterator<Item = &'a Value> {
    value.pointer(path).and_then(Value::as_array).into_iter().flatten()
}

/// Milliseconds since 1970 as ISO 8601; nothing for none.
pub(super) fn iso(milliseconds: u64) -> String {
    let milliseconds = i64::try_from(milliseconds).ok().filter(|milliseconds| *milliseconds > 0);
    let timestamp = milliseconds.and_then(|milliseconds| jiff::Timestamp::from_millisecond(milliseconds).ok());
    timestamp.map_or_else(String::new, |timestamp| timestamp.to_string())
}
