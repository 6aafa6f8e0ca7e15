use std::{fmt, fs::File, io, path::Path, str::FromStr};

use serde::{Deserialize, Serialize, de};
use sha2::Digest as _;

use crate::ReadError;

/// A SHA-256 digest, written `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The digest of a file's content.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if the file cannot be read.
    pub fn of_file(path: &Path) -> Result<Self, ReadError> {
        File::open(path).and_then(Self::of_content).map_err(|source| ReadError::new(path, source))
    }

    /// The same piece by piece: foreign files may be of any size.
    pub(crate) fn of_content(mut content: File) -> io::Result<Self> {
        let mut hasher = Hasher::default();
        io::copy(&mut content, &mut hasher)?;
        Ok(Self(hasher.0.finalize().into()))
    }

    /// The first twelve hexadecimal digits: enough to tell a few apart.
    pub fn short(&self) -> String {
        self.0.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Digests what is written to it.
#[derive(Default)]
struct Hasher(sha2::Sha256);

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("sha256:")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Text that is not `sha256:` and 64 hexadecimal digits.
#[derive(Debug, thiserror::Error)]
#[error("expected `sha256:` and 64 hexadecimal digits, got `{0}`")]
pub struct ParseError(String);

impl FromStr for Sha256 {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let parse = || {
            let digits = text.strip_prefix("sha256:").filter(|digits| digits.len() == 64 && digits.is_ascii())?;
            let mut bytes = [0; 32];
            for (byte, pair) in bytes.iter_mut().zip(digits.as_bytes().chunks(2)) {
                *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
            }
            Some(Self(bytes))
        };
        parse().ok_or_else(|| ParseError(text.to_owned()))
    }
}

impl Serialize for Sha256 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_round_trips() {
        let digest = Sha256::of(b"");
        assert_eq!(digest.to_string(), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(digest.to_string().parse::<Sha256>().unwrap(), digest);
        assert_eq!(digest.short(), "e3b0c44298fc");
        assert!("sha256:é".parse::<Sha256>().is_err());
    }
}
