//! The files that a sample becomes.

use std::path::{Path, PathBuf};

use super::{
    items::{CalibrationError, write, write_json},
    sample::CalibrationSample,
    sheet::csv_sheet,
    sheet_html::html_sheet,
};

impl CalibrationSample {
    /// Writes the key and the blind sheets into a folder, and gives their paths.
    ///
    /// # Errors
    ///
    /// [`CalibrationError::Write`] if that cannot be.
    pub fn write(&self, folder: &Path) -> Result<[PathBuf; 3], CalibrationError> {
        let paths = ["key.json", "sheet.html", "sheet.csv"].map(|name| folder.join(name));
        write_json(&paths[0], self)?;
        write(&paths[1], &html_sheet(self))?;
        write(&paths[2], &csv_sheet(self)?)?;
        Ok(paths)
    }
}
