//! Texts that are too long.

/// A text of at most `most` bytes and a mark: what is longer loses its middle.
pub(crate) fn both_ends(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let beginning = &text[..text.floor_char_boundary(most / 2)];
    let end = &text[text.ceil_char_boundary(text.len() - most / 2)..];
    format!("{beginning}\n[…]\n{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_kept() {
        assert_eq!(both_ends("Done.", 5), "Done.");
        let kept = both_ends(&format!("First.{}Last.", "é".repeat(1_000)), 99);
        assert!(kept.starts_with("First.é") && kept.contains("é\n[…]\né") && kept.ends_with("éLast."), "{kept}");
        assert!(kept.len() <= 99 + "\n[…]\n".len());
    }
}
