//! Seeded draws that are the same on every machine and in every language.

use chacha20::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};

use crate::error::{Error, within};

/// How often to draw, and from which seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// The number of resamples, at least 1. 10,000 settle a 95% interval's ends to a few percent of its width.
    pub resamples: usize,
    /// The same seed gives the same draws, and so the same result.
    pub seed: u64,
}

impl Resampling {
    pub(crate) fn generator(&self) -> Result<Generator, Error> {
        within("the number of resamples", self.resamples as f64, self.resamples > 0, "at least 1")?;
        Ok(Generator::new(self.seed))
    }
}

/// ChaCha20 (RFC 8439) whose key is the seed's eight bytes, least first, and zeros; nonce and first block are 0.
///
/// Each draw takes the next eight bytes of the keystream as a little-endian number u, and is ⌊u · bound / 2⁶⁴⌋.
pub(crate) struct Generator(ChaCha20Rng);

impl Generator {
    fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha20Rng::from_seed(key))
    }

    /// From 0 to `bound` - 1, each as likely as the others but for `bound` / 2⁶⁴.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A fair coin.
    pub(crate) fn coin(&mut self) -> bool {
        self.below(2) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8439's first test vector of appendix A.1: key, nonce and counter are zero.
    #[test]
    fn the_keystream_is_the_standards() {
        let mut generator = Generator::new(0);
        assert_eq!(generator.0.next_u64().to_le_bytes(), [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
    }

    #[test]
    fn draws_are_as_frequent_as_each_other() {
        let mut generator = Generator::new(7);
        let mut counts = [0_u32; 6];
        (0..60_000).for_each(|_| counts[generator.below(6)] += 1);
        // χ² with 5 degrees of freedom exceeds 20.5 once in a thousand seeds.
        let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - 1e4).powi(2) / 1e4).sum();
        assert!(chi_square < 20.5, "{counts:?}");
    }

    #[test]
    fn nothing_is_not_resampled() {
        assert!(matches!(Resampling { resamples: 0, seed: 1 }.generator(), Err(Error::OutOfRange { .. })));
    }
}
