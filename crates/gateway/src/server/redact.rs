//! A provider's keys in what the provider says: replaced, wherever they stand and however they are cut into pieces.

use std::{io, sync::Arc};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, future, stream};

use super::answer::Pieces;

/// What stands for the key.
const REPLACEMENT: &[u8] = b"{key}";

/// Replaces every key of a provider's.
#[derive(Clone, Debug)]
pub(super) struct Redactor(Vec<KeyRedactor>);

/// Replaces one key. An empty one is nowhere.
#[derive(Clone, Debug)]
struct KeyRedactor {
    key: Arc<[u8]>,
    /// The end of what came so far, where it may be the beginning of the key.
    held: Vec<u8>,
}

impl Redactor {
    /// Replaces each of these.
    pub(super) fn of<'a>(keys: impl IntoIterator<Item = &'a str>) -> Self {
        let one = |key: &str| KeyRedactor { key: key.as_bytes().into(), held: Vec::new() };
        Self(keys.into_iter().map(one).collect())
    }

    /// A text that is there as a whole.
    pub(super) fn text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, one| one.text(&text))
    }

    /// A body that comes in pieces.
    pub(super) fn pieces(self, pieces: Pieces) -> Pieces {
        self.0.into_iter().fold(pieces, |pieces, one| one.pieces(pieces))
    }
}

impl KeyRedactor {
    fn text(&self, text: &str) -> String {
        let mut fresh = Self { key: Arc::clone(&self.key), held: Vec::new() };
        let mut bytes = fresh.pass(text.as_bytes()).to_vec();
        bytes.extend_from_slice(&fresh.held);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn pieces(mut self, pieces: Pieces) -> Pieces {
        let end = stream::once(future::ready(Ok(None)));
        let passed = pieces.map_ok(Some).chain(end).map_ok(move |piece: Option<Bytes>| match piece {
            Some(bytes) => self.pass(&bytes),
            None => std::mem::take(&mut self.held).into(),
        });
        passed.try_filter(|bytes| future::ready(!bytes.is_empty())).map(|piece: io::Result<Bytes>| piece).boxed()
    }

    /// What can be passed on now that `bytes` are there.
    fn pass(&mut self, bytes: &[u8]) -> Bytes {
        if self.key.is_empty() {
            return Bytes::copy_from_slice(bytes);
        }
        let mut rest = std::mem::take(&mut self.held);
        rest.extend_from_slice(bytes);
        let mut passed = Vec::with_capacity(rest.len());
        let mut rest = rest.as_slice();
        while let Some(at) = rest.windows(self.key.len()).position(|window| window == &*self.key) {
            passed.extend_from_slice(&rest[..at]);
            passed.extend_from_slice(REPLACEMENT);
            rest = &rest[at + self.key.len()..];
        }
        let longest = rest.len().min(self.key.len() - 1);
        let held = (1..=longest).rev().find(|length| self.key.starts_with(&rest[rest.len() - length..])).unwrap_or(0);
        let (clear, held) = rest.split_at(rest.len() - held);
        passed.extend_from_slice(clear);
        self.held = held.to_vec();
        passed.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_key_is_replaced_wherever_it_is_cut() {
        let text = "a sk-key-sk- sk-key sk-ksk-key sk-";
        for size in 1..text.len() {
            let pieces: Vec<_> = text.as_bytes().chunks(size).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
            let passed = Redactor::of(["sk-key"]).pieces(stream::iter(pieces).boxed());
            let passed: Vec<Bytes> = passed.try_collect().await.unwrap();
            assert_eq!(passed.concat(), b"a {key}-sk- {key} sk-k{key} sk-", "in pieces of {size}");
        }
    }

    #[test]
    fn every_key_is_replaced() {
        assert_eq!(Redactor::of(["one", "two"]).text("one and two"), "{key} and {key}");
    }

    #[test]
    fn a_text_without_the_key_is_the_same() {
        assert_eq!(Redactor::of(["sk-key"]).text("ask sk-k"), "ask sk-k");
        assert_eq!(Redactor::of([""]).text("anything"), "anything");
    }
}
