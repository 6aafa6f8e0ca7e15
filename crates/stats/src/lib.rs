//! What numbers say: how alike two columns are ([`agreement`]), and where a series goes ([`trend`]).
//!
//! Everything here is a pure function of slices of finite `f64`. A statistic that the data do not define (too few values,
//! no variance) is `None`, never a guess.

pub mod agreement;
pub mod trend;
