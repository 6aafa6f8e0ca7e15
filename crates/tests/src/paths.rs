//! Paths as problems and cases name them.

use toml::Spanned;

use crate::error::Flaw;

/// The longest name and path that Linux takes (NAME_MAX and PATH_MAX, the folder's own part left aside), in bytes.
const NAME_BYTES: usize = 255;
pub(crate) const PATH_BYTES: usize = 4000;

/// A path inside the working folder: relative, of plain names.
pub(crate) fn check_path(path: &Spanned<String>) -> Result<(), Flaw> {
    let text = path.as_ref();
    let plain = |name: &str| !["", ".", ".."].contains(&name) && name.len() <= NAME_BYTES && !name.contains('\0');
    if text.len() > PATH_BYTES || !text.split('/').all(plain) {
        return Err(Flaw::at(path, format!("`{text}` is not a relative path of plain names")));
    }
    Ok(())
}

/// The name of a checkpoint's folder.
pub(crate) fn folder(number: u32) -> String {
    format!("checkpoint_{number}")
}
