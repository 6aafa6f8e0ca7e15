//! One figure of many callables in brief.

use crate::sum::ratio;
use serde::{Deserialize, Serialize};

/// Mean and maximum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The arithmetic mean.
    pub mean: f64,
    /// The largest value.
    pub max: u32,
}

impl Spread {
    /// Of these values; `None` where there are none.
    pub(crate) fn of(values: impl Iterator<Item = u32> + Clone) -> Option<Self> {
        let max = values.clone().max()?;
        let (sum, count) = values.fold((0_u64, 0_u64), |(sum, count), value| (sum + u64::from(value), count + 1));
        Some(Spread { mean: ratio(sum as f64, count as f64), max })
    }
}
