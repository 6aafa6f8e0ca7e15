//! What numbers say: columns in a few figures, tests of differences, intervals, effect sizes, trends.
//!
//! Everything here is a pure function of slices of finite `f64`. What the data do not define (too few values, no
//! variance, NaN) is an [`Error`], never a guess and never NaN. All tests and intervals are two-sided; fractions are
//! from 0 to 1, not percent. Functions whose formula is closed agree with SciPy and statsmodels to 1e-12; what is
//! random is drawn from a seed, and the same on every machine.
//!
//! | question | module |
//! | --- | --- |
//! | middle and spread of one column | [`describe`] |
//! | an interval of any statistic, clustered by problem where values share one | [`bootstrap`] |
//! | is a paired difference real | [`wilcoxon`], [`permutation`], [`sign`] |
//! | how large is it | [`effect`] |
//! | several tests at once | [`adjust`] |
//! | how many repeats would tell it | [`power`] |
//! | how sure is a share of successes | [`proportion`] |
//! | do two columns go together | [`correlation`], [`ranks`] |
//! | do two raters agree | [`kappa`] |
//! | where does a series go | [`line`](mod@line), [`trend`], [`phase`] |

pub mod adjust;
mod beta;
pub mod bootstrap;
pub mod correlation;
pub mod describe;
mod distribution;
pub mod effect;
mod error;
mod generator;
mod interval;
pub mod kappa;
pub mod line;
pub mod permutation;
pub mod phase;
pub mod power;
pub mod proportion;
pub mod ranks;
pub mod sign;
pub mod trend;
pub mod wilcoxon;

pub use error::Error;
pub use generator::Resampling;
pub use interval::Interval;
