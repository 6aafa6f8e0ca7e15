//! The text of a configuration, read and checked: whatever is wrong with it has a line.

use std::fmt::Display;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, de::IgnoredAny};
use slopbench_text::line_of;
use toml::Spanned;

use super::path_pattern::PathPattern;
use crate::threshold::Threshold;

/// What a configuration says.
#[derive(Debug, Default)]
pub(super) struct Settings {
    pub(super) exclude: Vec<PathPattern>,
    pub(super) fail_on: Vec<Threshold>,
    /// Relative to the configuration's folder.
    pub(super) rules: Option<PathBuf>,
    /// Ids of rules, with their lines.
    pub(super) disable: Vec<(String, u32)>,
    pub(super) suppress: Vec<Suppress>,
}

/// Matches of one rule that are accepted in some files.
#[derive(Debug)]
pub(super) struct Suppress {
    pub(super) line: u32,
    pub(super) rule: String,
    pub(super) paths: Vec<PathPattern>,
    pub(super) reason: String,
}

/// What is wrong, and in which line, where known.
pub(super) type SettingsProblem = (Option<u32>, String);

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Written {
    exclude: Vec<Spanned<String>>,
    fail_on: Vec<Spanned<String>>,
    rules: WrittenRules,
    suppress: Vec<Spanned<WrittenSuppress>>,
    /// What runs can name: no matter of measuring, and read elsewhere.
    #[serde(rename = "catalogue")]
    _catalogue: IgnoredAny,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct WrittenRules {
    path: Option<PathBuf>,
    disable: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSuppress {
    rule: String,
    paths: Vec<Spanned<String>>,
    reason: String,
}

impl FromStr for Settings {
    type Err = SettingsProblem;

    fn from_str(text: &str) -> Result<Self, SettingsProblem> {
        let line = |span: Range<usize>| line_of(text.as_bytes(), span.start);
        let written: Written =
            toml::from_str(text).map_err(|error| (error.span().map(line), error.message().trim().to_owned()))?;
        let suppress = |written: Spanned<WrittenSuppress>| {
            let line = line(written.span());
            let WrittenSuppress { rule, paths, reason } = written.into_inner();
            if paths.is_empty() || reason.trim().is_empty() {
                let message = format!("`{rule}` is suppressed nowhere or for no reason; give `paths` and a `reason`");
                return Err((Some(line), message));
            }
            Ok(Suppress { line, rule, paths: each(text, paths)?, reason })
        };
        let disable = written.rules.disable.into_iter();
        Ok(Self {
            exclude: each(text, written.exclude)?,
            fail_on: each(text, written.fail_on)?,
            rules: written.rules.path,
            disable: disable.map(|id| (id.as_ref().clone(), line(id.span()))).collect(),
            suppress: written.suppress.into_iter().map(suppress).collect::<Result<_, _>>()?,
        })
    }
}

fn each<T: FromStr<Err: Display>>(text: &str, items: Vec<Spanned<String>>) -> Result<Vec<T>, SettingsProblem> {
    let parse = |item: Spanned<String>| {
        let line = line_of(text.as_bytes(), item.span().start);
        item.as_ref().parse().map_err(|error: T::Err| (Some(line), error.to_string()))
    };
    items.into_iter().map(parse).collect()
}
