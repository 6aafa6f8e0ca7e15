//! What tables of SLUMP share: columns, and figures that may be missing.

use crate::{
    Cell,
    table::{ResultColumn, Unit},
};

/// Columns and rows.
pub(super) type Content = (Vec<ResultColumn>, Vec<Vec<Cell>>);

/// A column of words.
pub(super) fn words(key: &str) -> ResultColumn {
    ResultColumn::new(key, key, Unit::Text)
}

/// A column of figures.
pub(super) fn column(key: &str, title: &str, unit: Unit) -> ResultColumn {
    ResultColumn::new(key, title, unit)
}

/// A figure that is not there for this reason.
pub(super) fn figure(value: Option<f64>, reason: &str) -> Cell {
    Cell::number(value.ok_or(reason))
}

pub(super) const NOT_JUDGED: &str = "not judged";
