//! Prints what the modules `radon`, `cognitive` and `wrappers` say about every Python file below a folder: one JSON
//! object a line, for the scripts in `tests/oracle` to compare.

#![allow(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::path::Path;

use serde_json::{Value, json};
use slopbench_metrics::{Refusal, cognitive, radon, wrappers};
use walkdir::WalkDir;

fn main() -> Result<(), Box<dyn Error>> {
    let root = std::env::args_os().nth(1).ok_or("usage: values ROOT")?;
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
    match text.and_then(|text| values(&text).map_err(|refusal| refusal.to_string())) {
        Ok(values) => println!("{}", json!({ "path": name, "values": values })),
        Err(refused) => println!("{}", json!({ "path": name, "refused": refused })),
    }
    Ok(())
}

fn values(text: &str) -> Result<Value, Refusal> {
    let radon = radon::analyze(text)?;
    let (cognitive, wrappers) = (cognitive::analyze(text)?, wrappers::analyze(text)?);
    Ok(json!({ "radon": radon, "volume": radon.halstead.volume(), "cognitive": cognitive, "wrappers": wrappers }))
}
