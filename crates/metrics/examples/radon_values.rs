//! Prints what the `radon` module says about every Python file below a folder: one JSON object a line, as
//! `tests/oracle/radon_values.py` does.

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::path::Path;

use serde_json::json;
use slopbench_metrics::radon;
use walkdir::WalkDir;

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args_os().nth(1).ok_or("usage: radon_values ROOT")?;
    for entry in WalkDir::new(&root).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() && entry.path().extension().is_some_and(|extension| extension == "py") {
            print_file(entry.path(), entry.path().strip_prefix(&root)?)?;
        }
    }
    Ok(())
}

fn print_file(file: &Path, name: &Path) -> Result<(), Box<dyn Error>> {
    let text = String::from_utf8(std::fs::read(file)?).map_err(|_| "not UTF-8".to_owned());
    match text.and_then(|text| radon::analyze(&text).map_err(|refusal| refusal.to_string())) {
        Ok(report) => println!("{}", json!({ "path": name, "report": report, "volume": report.halstead.volume() })),
        Err(refused) => println!("{}", json!({ "path": name, "refused": refused })),
    }
    Ok(())
}
