//! Whether a text holds a phrase, however it is written.

/// The words of a text in lower case; whatever is neither letter nor digit parts two of them.
pub(crate) fn words(text: &str) -> Vec<String> {
    let parts = text.split(|sign: char| !sign.is_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(str::to_lowercase).collect()
}

/// Whether `text` holds the words of `phrase` one after the other, or several of them joined to one, as in `GatedStep`.
pub(crate) fn holds(text: &[String], phrase: &str) -> bool {
    let phrase = words(phrase);
    let joined = phrase.concat();
    let is_joined = |word: &String| phrase.len() > 1 && word.contains(&joined);
    !phrase.is_empty() && (text.windows(phrase.len()).any(|window| window == phrase) || text.iter().any(is_joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_however_it_is_written() {
        let rows = [
            ("Use a gated step here.", "Gated Step", true),
            ("Put it into gated_step.py", "gated step", true),
            ("class GatedStepper", "gated step", true),
            ("We investigated steps", "gated step", false),
            ("A gated, then a step", "gated step", false),
            ("investigate", "gate", false),
            ("GATE!", "gate", true),
            ("anything", "--", false),
        ];
        for (text, phrase, expected) in rows {
            assert_eq!(holds(&words(text), phrase), expected, "{phrase} in {text}");
        }
    }
}
