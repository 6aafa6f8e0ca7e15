//! Globs for paths in a configuration.

use std::str::FromStr;

use globset::{GlobBuilder, GlobMatcher};

/// A glob for files and folders, relative to the configuration's folder. `*` and `?` do not cross a `/`, `**` does.
#[derive(Debug)]
pub(super) struct PathPattern(GlobMatcher);

impl PathPattern {
    /// Whether the path, or a folder that it lies in, is meant.
    pub(super) fn covers(&self, path: &str) -> bool {
        let folders = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
        folders.chain([path]).any(|path| self.0.is_match(path))
    }
}

impl FromStr for PathPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.is_empty() || text.starts_with('/') || text.split('/').any(|part| part == "." || part == "..") {
            return Err(format!("`{text}` matches nothing; write a path relative to this file, without `.` and `..`"));
        }
        // A folder stands for everything in it, so that it can be left out without being read.
        let glob = text.trim_end_matches('/');
        let glob = glob.strip_suffix("/**").unwrap_or(glob);
        let glob = GlobBuilder::new(glob).literal_separator(true).build();
        glob.map(|glob| Self(glob.compile_matcher())).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(pattern: &str, path: &str) -> bool {
        pattern.parse::<PathPattern>().expect("a glob").covers(path)
    }

    #[test]
    fn a_folder_stands_for_everything_in_it() {
        for pattern in ["tests", "tests/", "tests/**", "te*", "**/unit"] {
            assert!(covers(pattern, "tests/unit/test_a.py"), "{pattern}");
        }
        assert!(covers("tests/**", "tests"));
        assert!(!covers("tests", "src/tests/a.py"));
        assert!(!covers("tests", "tests.py"));
    }

    #[test]
    fn a_star_stays_in_its_folder() {
        assert!(covers("src/*_pb2.py", "src/api_pb2.py"));
        assert!(!covers("src/*_pb2.py", "src/deep/api_pb2.py"));
        assert!(covers("**/*_pb2.py", "src/deep/api_pb2.py"));
        assert!(covers("**/*_pb2.py", "api_pb2.py"));
    }

    #[test]
    fn a_pattern_that_can_match_nothing_is_refused() {
        for pattern in ["", "/etc", "./src", "../other", "a[", "src/../a"] {
            assert!(pattern.parse::<PathPattern>().is_err(), "{pattern}");
        }
    }
}
