//! What JSON text would take in memory, before it is parsed: a value takes some hundred bytes there, however few in the text.

use serde_json::Value;

/// How many values the JSON text `raw` has, those inside of others included. Text that is no JSON is counted as far as it
/// goes.
pub fn count_values(raw: &[u8]) -> usize {
    let (mut values, mut in_string, mut escaped) = (1, false, false);
    for byte in raw {
        match (in_string, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (_, b'"') => in_string = !in_string,
            (false, b',' | b':' | b'[' | b'{') => values += 1,
            _ => {}
        }
    }
    values
}

/// The value of `text`, if it is JSON; what it has is taken off `room`. Nothing where there is not so much room.
pub fn parse_within(room: &mut usize, text: &str) -> Option<Value> {
    *room = room.checked_sub(count_values(text.as_bytes()))?;
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_outside_of_texts() {
        let many = "[0,0,{\"a\":[]}]";
        assert!((5..=8).contains(&count_values(many.as_bytes())));
        assert_eq!(count_values(br#""[0,0,\"{:[,""#), 1);
    }

    #[test]
    fn what_is_parsed_takes_room() {
        let mut room = 10;
        assert!(parse_within(&mut room, "[1,2]").is_some());
        assert!(parse_within(&mut room, "warning: no JSON").is_none());
        assert!(parse_within(&mut room, "[1,2,3,4,5,6,7,8]").is_none(), "no room");
        assert!(parse_within(&mut room, "[1]").is_some(), "a small one has");
    }
}
