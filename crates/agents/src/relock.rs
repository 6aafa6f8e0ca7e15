//! Lock files for a version that no one has locked yet, made by the package managers themselves.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{
    definition::{Agent, InstallSource},
    install::{InstallError, run, write},
};

/// Locks `version` of `agent` in the folder `user` of a user's own entries; gives the lock's folder. `secret` are variables
/// that packages are not to see.
///
/// # Errors
///
/// [`InstallError`] if the registry does not have the version, or the files cannot be written.
pub fn lock(agent: &Agent, version: &str, user: &Path, secret: &[String]) -> Result<PathBuf, InstallError> {
    let scratch = tempfile::tempdir();
    let scratch = scratch.map_err(|source| InstallError::Write { path: std::env::temp_dir(), source })?;
    // npm writes the folder's name into its file: the same version is the same bytes.
    let scratch = &scratch.path().join(format!("{}-{version}", agent.name));
    fs::create_dir_all(scratch).map_err(|source| InstallError::Write { path: scratch.clone(), source })?;
    let files = match &agent.install {
        InstallSource::Npm { npm, .. } => of_npm(npm, version, scratch, secret)?,
        InstallSource::Pypi { pypi, with, .. } => of_pypi(pypi, version, with, scratch, secret)?,
        InstallSource::Folder { .. } => return Err(InstallError::Folder(agent.name.clone())),
    };
    let place = user.join("locks").join(format!("{}@{version}", agent.name));
    files.iter().try_for_each(|(name, text)| write(&place.join(name), text.as_bytes()))?;
    Ok(place)
}

type Files = BTreeMap<&'static str, String>;

/// npm names a digest of every package.
fn of_npm(package: &str, version: &str, scratch: &Path, secret: &[String]) -> Result<Files, InstallError> {
    let manifest =
        serde_json::to_string_pretty(&json!({"dependencies": {package: version}})).unwrap_or_default() + "\n";
    write(&scratch.join("package.json"), manifest.as_bytes())?;
    // Without scripts: nothing is installed yet. Without addresses: another registry has the same packages.
    let arguments = [
        "install",
        "--package-lock-only",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--omit-lockfile-registry-resolved",
    ];
    run("npm", &arguments, scratch, secret)?;
    let locked = read(&scratch.join("package-lock.json"))?;
    Ok([("package.json", manifest), ("package-lock.json", locked)].into())
}

/// pip reports what it would install; its choice is for this machine's Python and platform.
fn of_pypi(
    package: &str,
    version: &str,
    with: &[String],
    scratch: &Path,
    secret: &[String],
) -> Result<Files, InstallError> {
    run("python3", &["-m", "venv", "."], scratch, secret)?;
    let wanted = format!("{package}=={version}");
    let mut arguments =
        vec!["install", "--quiet", "--dry-run", "--ignore-installed", "--report", "report.json", &wanted];
    arguments.extend(with.iter().map(String::as_str));
    run("bin/pip", &arguments, scratch, secret)?;
    let report = read(&scratch.join("report.json"))?;
    let requirements = requirements(&serde_json::from_str(&report).unwrap_or_default());
    let missing = || InstallError::Failed {
        command: "pip install --dry-run".to_owned(),
        message: "its report names a package without a digest".to_owned(),
    };
    Ok([("requirements.txt", requirements.ok_or_else(missing)?)].into())
}

/// pip's report as requirements with digests; nothing where one has none.
fn requirements(report: &Value) -> Option<String> {
    let packages = report.get("install")?.as_array().filter(|packages| !packages.is_empty())?;
    let line = |package: &Value| {
        let text = |place: &str| package.pointer(place).and_then(Value::as_str);
        let [name, version] = [text("/metadata/name")?, text("/metadata/version")?];
        Some((
            name.to_lowercase(),
            format!("{version} --hash=sha256:{}", text("/download_info/archive_info/hashes/sha256")?),
        ))
    };
    let lines = packages.iter().map(line).collect::<Option<BTreeMap<_, _>>>()?;
    let mut text = "# What pip chose for the Python and the platform of this machine.\n".to_owned();
    for (name, pinned) in lines {
        // Never fails: it is a text.
        let _ = writeln!(text, "{name}=={pinned}");
    }
    Some(text)
}

fn read(path: &Path) -> Result<String, InstallError> {
    fs::read_to_string(path).map_err(|source| InstallError::Write { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, hashes: &Value) -> Value {
        json!({"metadata": {"name": name, "version": "1.0"}, "download_info": {"archive_info": {"hashes": hashes}}})
    }

    #[test]
    fn a_report_becomes_requirements_that_are_sorted_and_pinned() {
        let report = json!({"install": [package("B", &json!({"sha256": "2"})), package("a", &json!({"sha256": "1"}))]});
        let text = requirements(&report).unwrap();
        assert!(text.ends_with("machine.\na==1.0 --hash=sha256:1\nb==1.0 --hash=sha256:2\n"), "{text}");
        assert_eq!(requirements(&json!({"install": [package("a", &json!({}))]})), None, "nothing is pinned by halves");
        assert_eq!(requirements(&json!({})), None);
    }
}
