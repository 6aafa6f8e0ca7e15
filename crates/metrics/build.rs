//! Prepares the built-in rules: JSON is read in a tenth of the time that their YAML takes, at each start of a program.
//!
//! The files themselves are embedded too, for their digest; cargo is told of both folders, since a file that is added or
//! removed changes no Rust source.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;

/// The folder below `rules` that holds no rules.
const FIXTURES: &str = "tests";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=rules");
    println!("cargo:rerun-if-changed=measures");
    let mut rules = Vec::new();
    for file in rule_files()? {
        let of_file = read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        rules.extend(of_file);
    }
    let prepared = Path::new(&env::var("OUT_DIR")?).join("rules.json");
    fs::write(prepared, Value::Array(rules).to_string())?;
    Ok(())
}

/// The rule files, by path.
fn rule_files() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folders = sorted(Path::new("rules"))?.into_iter();
    let mut files = Vec::new();
    for folder in folders.filter(|folder| folder.is_dir() && !folder.ends_with(FIXTURES)) {
        files.extend(sorted(&folder)?);
    }
    Ok(files)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

/// The rules in a file, read as the rule engine reads YAML; what it would not match in every file is refused.
fn read(file: &Path) -> Result<Vec<Value>, Box<dyn Error>> {
    let options = serde_saphyr::options! { strict_booleans: true, reject_unsupported_tags: true };
    let rules: Vec<Value> = serde_saphyr::from_multiple_with_options(&fs::read_to_string(file)?, options)?;
    for key in ["files", "ignores", "severity"] {
        let refused = |value: &Value| key != "severity" || value == "off";
        if rules.iter().filter_map(|rule| rule.get(key)).any(refused) {
            return Err(format!("a built-in rule is on, for all files of its language: remove `{key}`").into());
        }
    }
    Ok(rules)
}
