//! Figures as files, the drawing or its data by the ending of the name, and as parts of a page.

use std::path::{Path, PathBuf};

use slopbench_digest::canonical;
use slopbench_page::PageFigure;
use slopbench_plot::Figure;

use crate::{Failure, files::put};

/// What of a figure is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FigureForm {
    /// The drawing.
    Svg,
    /// Its data, a row per point.
    Csv,
    /// Its data and how it is drawn.
    Json,
}

/// A file for a figure.
#[derive(Clone, Debug)]
pub(crate) struct FigureFile {
    path: PathBuf,
    form: FigureForm,
}

/// Forms by the ending of a file's name.
const ENDINGS: [(&str, FigureForm); 3] =
    [("svg", FigureForm::Svg), ("csv", FigureForm::Csv), ("json", FigureForm::Json)];

impl FigureFile {
    /// As named on a command line.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let path = PathBuf::from(text);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let form = ENDINGS.iter().find(|(known, _)| *known == ending).map(|(_, form)| *form);
        let form = form.ok_or("expected a name that ends in .svg, or in .csv or .json for the data")?;
        Ok(Self { path, form })
    }

    /// Writes the figure in this file's form.
    pub(crate) fn write(&self, figure: &Figure) -> Result<(), Failure> {
        put(&self.path, &formatted(figure, self.form)?)
    }
}

/// Writes a drawing into a folder, and its data beside it.
pub(crate) fn write_into(folder: &Path, figure: &Figure) -> Result<(), Failure> {
    for (ending, form) in ENDINGS {
        // A table of the same name may lie in the same folder.
        let data = if form == FigureForm::Svg { "" } else { ".data" };
        put(&folder.join(format!("{}{data}.{ending}", figure.name)), &formatted(figure, form)?)?;
    }
    Ok(())
}

/// A figure as pages have it.
pub(crate) fn of_page(figure: Figure) -> Result<PageFigure, Failure> {
    let csv = String::from_utf8_lossy(&figure.csv().map_err(Failure::infrastructure)?).into_owned();
    Ok(PageFigure { svg: figure.svg(), csv, name: figure.name, title: figure.title })
}

fn formatted(figure: &Figure, form: FigureForm) -> Result<Vec<u8>, Failure> {
    Ok(match form {
        FigureForm::Svg => figure.svg().into_bytes(),
        FigureForm::Csv => figure.csv().map_err(Failure::infrastructure)?,
        FigureForm::Json => canonical::to_vec(figure).map_err(Failure::infrastructure)?,
    })
}
