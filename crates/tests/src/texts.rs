//! Texts that a program is given.

use toml::Spanned;

use crate::error::Flaw;

/// Whether a text is one or more lower-case words joined by `_`, as cases and sentences are named.
pub(crate) fn is_name(text: &str) -> bool {
    let word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.split('_').all(word)
}

/// An argument, or the value of a variable.
pub(crate) fn without_nul(text: Spanned<String>) -> Result<String, Flaw> {
    if text.as_ref().contains('\0') {
        return Err(Flaw::at(&text, "no program can be given a text with a null character"));
    }
    Ok(text.into_inner())
}

/// A variable of the environment.
pub(crate) fn variable((name, value): (Spanned<String>, Spanned<String>)) -> Result<(String, String), Flaw> {
    if name.as_ref().is_empty() || name.as_ref().contains(['=', '\0']) {
        return Err(Flaw::at(&name, "a variable's name is not empty and holds neither `=` nor a null character"));
    }
    Ok((name.into_inner(), without_nul(value)?))
}
