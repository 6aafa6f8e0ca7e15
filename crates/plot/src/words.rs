//! How wide text is, and where its lines break.
//!
//! Widths are Helvetica's, from its published metrics, and a little more: a page's own sans-serif may be wider, and what is laid out
//! by one font must have room in another.

use unicode_width::UnicodeWidthChar;

/// Widths of the characters from space to `~`, in thousandths of the size.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// What DejaVu Sans, the widest of the usual ones, needs of Helvetica's widths.
const ROOM: f64 = 1.18;

/// How wide a line of text is at this size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let thousandths: u32 = text.chars().map(thousandths).sum();
    f64::from(thousandths) / 1000.0 * size * ROOM
}

fn thousandths(character: char) -> u32 {
    let place = (character as usize).wrapping_sub(' ' as usize);
    match WIDTHS.get(place) {
        Some(width) => u32::from(*width),
        // A cell of a terminal is about half as wide as high.
        None => 600 * character.width().unwrap_or(1) as u32,
    }
}

/// The text, cut where it is wider.
pub(crate) fn shortened(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for character in text.chars() {
        if width(&kept, size) + width(&format!("{character}…"), size) > room {
            break;
        }
        kept.push(character);
    }
    kept.trim_end().to_owned() + "…"
}

/// The text in lines of at most this width; a word that is wider is cut.
pub(crate) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shortened(word, size, room);
        match lines.last_mut().filter(|line| width(&format!("{line} {word}"), size) <= room) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_cut_words_fit() {
        let text = "Checkpoints with a workspace; brackets are 95% intervals, problems drawn whole";
        let lines = wrapped(text, 12.0, 150.0);
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line, 12.0) <= 150.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        let cut = shortened(&"wide".repeat(50), 12.0, 100.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 100.0, "{cut}");
        assert_eq!(shortened("short", 12.0, 100.0), "short");
        assert_eq!(wrapped("  ", 12.0, 10.0), [""; 0]);
    }

    #[test]
    fn wide_characters_are_wide() {
        assert!(width("コード", 10.0) > width("abc", 10.0) && width("é", 10.0) > 0.0);
    }
}
