//! Seeded draws whose bits are the same on every machine.

use slopbench_digest::Sha256;

/// Draws for one purpose.
pub(crate) struct Draw(fastrand::Rng);

impl Draw {
    /// Those of a seed and a name: no other name's draws change them.
    pub(crate) fn of(seed: u64, name: &str) -> Self {
        let digest = Sha256::of(format!("{seed} {name}").as_bytes()).to_string();
        let digits: String = digest.chars().skip("sha256:".len()).take(16).collect();
        Self(fastrand::Rng::with_seed(u64::from_str_radix(&digits, 16).unwrap_or(seed)))
    }

    /// From 0 to 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.u64(..) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Of the normal distribution with mean 0 and deviation 1 (G. Box and M. Muller, 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.unit(), self.unit());
        libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(2.0 * std::f64::consts::PI * angle)
    }

    /// With this median, times e^(deviation · normal).
    pub(crate) fn spread(&mut self, median: f64, deviation: f64) -> f64 {
        median * libm::exp(deviation * self.normal())
    }

    /// True with this probability.
    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }
}

/// From any number to a probability.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}
