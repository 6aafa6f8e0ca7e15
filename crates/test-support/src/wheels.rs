//! Python packages made by a test, wheels and sources, which a folder offers in place of a package index: `PIP_NO_INDEX=1` and
//! `PIP_FIND_LINKS` have pip ask it alone.

use std::{path::Path, process::Command};

const SCRIPT: &str = "
import sys, zipfile
for wheel in sys.argv[1:]:
    name, version, tag, *requires = wheel.split('|')
    info = f'{name}-{version}.dist-info'
    metadata = [f'Metadata-Version: 2.1', f'Name: {name}', f'Version: {version}'] + ['Requires-Dist: ' + one for one in requires]
    files = {
        f'{name}.py': f'def main():\\n    print(\"{name} {version}\")\\n',
        f'{info}/METADATA': '\\n'.join(metadata) + '\\n',
        f'{info}/WHEEL': f'Wheel-Version: 1.0\\nGenerator: a test\\nRoot-Is-Purelib: true\\nTag: {tag}\\n',
        f'{info}/entry_points.txt': f'[console_scripts]\\n{name} = {name}:main\\n',
        f'{info}/RECORD': '',
    }
    if name.startswith('spoils'):
        files[f'{name}.pth'] = 'import os; os._exit(9)\\n'
    with zipfile.ZipFile(f'{name}-{version}-{tag}.whl', 'w') as archive:
        for path, text in files.items():
            archive.writestr(path, text)
";

/// Writes wheels into a folder. Each is a name, a version, a tag and the packages that it requires, between `|`, as in
/// `greet|1.0|py3-none-any|other>=2`; it has one module by its name, and a program that prints both. One whose name
/// begins with `spoils` ends every interpreter that sees it, with exit code 9.
///
/// # Panics
///
/// If there is no `python3`.
pub fn write_wheels(folder: &Path, wheels: &[&str]) {
    let written = Command::new("python3").args(["-c", SCRIPT]).args(wheels).current_dir(folder).status();
    assert!(written.as_ref().is_ok_and(|status| status.success()), "{written:?}");
}

/// A source distribution made by a test: its build makes a wheel with one module by its name, as those of [`write_wheels`].
#[derive(Clone, Copy, Debug)]
pub struct TestSource<'a> {
    /// The package's name, without a hyphen.
    pub name: &'a str,
    /// Its version.
    pub version: &'a str,
    /// What its build asks for, as requirements of packages.
    pub build_requires: &'a [&'a str],
    /// What it does before, in Python: one statement, or several lines without indentation.
    pub first: &'a str,
}

const SOURCE_SCRIPT: &str = r#"
import io, sys, tarfile
BACKEND = """
import os, zipfile

def build_wheel(folder, settings=None, metadata=None):
    exec({first!r}, {{"os": os}})
    info = "{name}-{version}.dist-info"
    files = {{
        "{name}.py": "def main():\\n    print('{name} {version}')\\n",
        info + "/METADATA": "Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n",
        info + "/WHEEL": "Wheel-Version: 1.0\\nGenerator: a test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        info + "/RECORD": "",
    }}
    with zipfile.ZipFile(os.path.join(folder, "{name}-{version}-py3-none-any.whl"), "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return "{name}-{version}-py3-none-any.whl"
"""
name, version, requires, first = sys.argv[1:]
files = {
    "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
    "pyproject.toml": f"[build-system]\nrequires = {requires}\nbuild-backend = 'backend'\nbackend-path = ['.']\n",
    "backend.py": BACKEND.format(name=name, version=version, first=first),
}
with tarfile.open(f"{name}-{version}.tar.gz", "w:gz") as archive:
    for path, text in files.items():
        member = tarfile.TarInfo(f"{name}-{version}/{path}")
        member.size = len(text)
        archive.addfile(member, io.BytesIO(text.encode()))
"#;

/// Writes a source distribution into a folder.
///
/// # Panics
///
/// If there is no `python3`.
pub fn write_source(folder: &Path, source: &TestSource<'_>) {
    let TestSource { name, version, build_requires, first } = source;
    let requires = format!("{build_requires:?}");
    let mut python = Command::new("python3");
    python.args(["-c", SOURCE_SCRIPT, name, version, &requires, first]).current_dir(folder);
    let written = python.status();
    assert!(written.as_ref().is_ok_and(|status| status.success()), "{written:?}");
}
