//! Python packages made by a test, which a folder offers in place of a package index: `PIP_NO_INDEX=1` and
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
