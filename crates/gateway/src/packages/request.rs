//! What an agent may ask of package indexes, by the path that it asks for.

use percent_encoding::percent_decode_str;

/// Where Python's packages are for an agent, below the gateway's address.
pub const PYTHON_PATH: &str = "/packages/python/simple/";

/// The same for npm's.
pub const NPM_PATH: &str = "/packages/npm/";

/// Where files of Python packages are.
pub(super) const PYTHON_FILES: &str = "/packages/python/files/";

/// The longest names that are asked for, in bytes: all that an index learns of a session.
const LONGEST_NAME: usize = 128;
const LONGEST_FILE: usize = 255;

/// Who has the packages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Ecosystem {
    Python,
    Npm,
}

/// A page or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PackageRequest {
    Page { ecosystem: Ecosystem, name: String },
    File { ecosystem: Ecosystem, name: String, file: String },
}

impl PackageRequest {
    /// Whether a path is meant for package indexes.
    pub(crate) fn is_meant(path: &str) -> bool {
        path.starts_with("/packages/")
    }

    /// What `path` asks for, if that is a page or a file.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        let request = match path.strip_prefix(NPM_PATH) {
            Some(rest) => of_npm(&decoded(rest)?)?,
            None => of_python(path)?,
        };
        let (Self::Page { name, .. } | Self::File { name, .. }) = &request;
        let file = match &request {
            Self::Page { .. } => "",
            Self::File { file, .. } => file,
        };
        (name.len() <= LONGEST_NAME && file.len() <= LONGEST_FILE).then_some(request)
    }
}

fn of_python(path: &str) -> Option<PackageRequest> {
    let ecosystem = Ecosystem::Python;
    if let Some(rest) = path.strip_prefix(PYTHON_PATH) {
        let name = decoded(rest.strip_suffix('/').unwrap_or(rest))?;
        return is_normalised(&name).then_some(PackageRequest::Page { ecosystem, name });
    }
    let rest = decoded(path.strip_prefix(PYTHON_FILES)?)?;
    let (name, file) = rest.split_once('/')?;
    let request = PackageRequest::File { ecosystem, name: name.to_owned(), file: file.to_owned() };
    (is_normalised(name) && is_file(file)).then_some(request)
}

fn of_npm(path: &str) -> Option<PackageRequest> {
    let ecosystem = Ecosystem::Npm;
    let (name, file) = path.split_once("/-/").map_or((path, None), |(name, file)| (name, Some(file)));
    if !is_npm_name(name) {
        return None;
    }
    let name = name.to_owned();
    match file {
        None => Some(PackageRequest::Page { ecosystem, name }),
        Some(file) => is_file(file).then(|| PackageRequest::File { ecosystem, name, file: file.to_owned() }),
    }
}

fn decoded(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

/// A name in the one way in which indexes of Python packages write it (PEP 503).
pub(super) fn is_normalised(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.bytes().all(is_plain)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.contains("--")
        && !name.is_empty()
}

/// `name`, or `@scope/name`.
fn is_npm_name(name: &str) -> bool {
    let is_part = |part: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        !part.is_empty() && !part.starts_with(['.', '_', '-']) && part.bytes().all(is_plain)
    };
    match name.strip_prefix('@') {
        Some(scoped) => scoped.split_once('/').is_some_and(|(scope, name)| is_part(scope) && is_part(name)),
        None => is_part(name),
    }
}

/// The name of a file, and nothing that leads elsewhere.
pub(super) fn is_file(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+!~@".contains(&byte);
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_files_are_told_apart() {
        let page = |ecosystem, name: &str| Some(PackageRequest::Page { ecosystem, name: name.to_owned() });
        let file = |ecosystem, name: &str, file: &str| {
            Some(PackageRequest::File { ecosystem, name: name.to_owned(), file: file.to_owned() })
        };
        let rows = [
            ("/packages/python/simple/zope-interface/", page(Ecosystem::Python, "zope-interface")),
            ("/packages/python/simple/numpy", page(Ecosystem::Python, "numpy")),
            (
                "/packages/python/files/x/x-1%2Bcpu-py3-none-any.whl.metadata",
                file(Ecosystem::Python, "x", "x-1+cpu-py3-none-any.whl.metadata"),
            ),
            ("/packages/npm/left-pad", page(Ecosystem::Npm, "left-pad")),
            ("/packages/npm/@types%2fnode", page(Ecosystem::Npm, "@types/node")),
            ("/packages/npm/@types/node/-/node-1.0.0.tgz", file(Ecosystem::Npm, "@types/node", "node-1.0.0.tgz")),
            ("/packages/npm/JSONStream/-/JSONStream-1.tgz", file(Ecosystem::Npm, "JSONStream", "JSONStream-1.tgz")),
        ];
        for (path, expected) in rows {
            assert_eq!(PackageRequest::of_path(path), expected, "{path}");
        }
    }

    #[test]
    fn nothing_else_is_a_request() {
        let long = "x".repeat(LONGEST_NAME + 1);
        let rows = [
            "/packages/python/simple/",
            "/packages/python/simple/Numpy/",
            "/packages/python/simple/../x/",
            "/packages/python/simple/a/b/",
            "/packages/python/simple/a%2fb/",
            "/packages/python/files/numpy/",
            "/packages/python/files/numpy/../x",
            "/packages/python/files/numpy/a/b",
            "/packages/python/files/numpy/.hidden",
            "/packages/python/pypi/numpy/json",
            "/packages/npm/",
            "/packages/npm/-/v1/search",
            "/packages/npm/-/whoami",
            "/packages/npm/left-pad/latest",
            "/packages/npm/left-pad/-/../x",
            "/packages/npm/left-pad/-/a/b",
            "/packages/npm/@scope",
            "/packages/npm/@/x",
            "/packages/npm/@scope/..",
            "/packages/npm/..%2f..%2fx",
            "/packages/npm/%ff",
            "/packages/other/x",
        ];
        for path in rows.into_iter().map(str::to_owned).chain([format!("/packages/npm/{long}")]) {
            assert!(PackageRequest::is_meant(&path), "{path}");
            assert_eq!(PackageRequest::of_path(&path), None, "{path}");
        }
    }
}
