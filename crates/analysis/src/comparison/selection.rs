//! Which rows a side of a comparison is.

use crate::{
    Error, RunSet, TidyRow,
    configuration::{by_configuration, labels},
};

/// What is chosen of runs.
pub struct RowSelection<'a> {
    /// What it is called: the folder, as it was named.
    pub name: &'a str,
    /// The runs.
    pub set: &'a RunSet,
    /// Fields and the values that they must have.
    pub fields: Vec<(String, String)>,
}

impl<'a> RowSelection<'a> {
    /// The rows of the one configuration that is chosen; `option` is the side's letter on the command line.
    pub(super) fn rows(&self, option: char) -> Result<Vec<&'a TidyRow>, Error> {
        let mut rows: Vec<&TidyRow> = self.set.rows.iter().collect();
        for (field, value) in &self.fields {
            let of = field_of(field).ok_or_else(|| Error::Selection(field.clone()))?;
            rows.retain(|row| of(row) == value);
        }
        let side = self.name.to_owned();
        let names = |rows: &[&'a TidyRow]| -> Vec<String> {
            let labels = labels(rows.iter().map(|row| &row.configuration));
            labels.into_keys().map(|one| one.full_label()).collect()
        };
        match by_configuration(rows.iter().copied()).len() {
            0 => Err(Error::NoConfiguration { side, known: names(&self.set.rows.iter().collect::<Vec<_>>()) }),
            1 => Ok(rows),
            _ => Err(Error::SeveralConfigurations { side, option, found: names(&rows) }),
        }
    }
}

fn field_of(name: &str) -> Option<fn(&TidyRow) -> &str> {
    Some(match name {
        "agent" => |row| &row.configuration.agent,
        "version" => |row| &row.configuration.version,
        "model" => |row| row.configuration.model.as_deref().unwrap_or_default(),
        "prompt" => |row| &row.configuration.prompt,
        "track" => |row| row.configuration.track.definition().name,
        "run" => |row| &row.run,
        _ => return None,
    })
}
