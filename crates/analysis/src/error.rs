use std::path::PathBuf;

/// Why runs give no rows, or two of them no comparison.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A run cannot be read.
    #[error(transparent)]
    Run(#[from] slopbench_slopcode::Error),
    /// One run was named twice: its observations would count double.
    #[error("{} and {} hold the same run; name it once", first.display(), second.display())]
    Twice {
        /// The one folder.
        first: PathBuf,
        /// The other.
        second: PathBuf,
    },
    /// What a judge or a linter finds belongs to no run, or to several.
    #[error(
        "{found} of these runs have the plan {plan}, as the run of the file that --{option} names; name its run once, or leave that \
         file out"
    )]
    OtherRun {
        /// The option that names the file.
        option: &'static str,
        /// The plan's digest.
        plan: String,
        /// How many.
        found: usize,
    },
    /// Two linters count differently.
    #[error(
        "these runs are linted by {one} and by {other}, whose counts are not the same thing; lint both with `slopbench lint` of one version"
    )]
    OtherLinter {
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// A side of a comparison is not one configuration.
    #[error(
        "{side} holds {} configurations ({}); choose one with --select-{option} FIELD=VALUE, such as model=NAME", .found.len(),
        .found.join("; ")
    )]
    SeveralConfigurations {
        /// Which side, as it was named.
        side: String,
        /// `a` or `b`.
        option: char,
        /// What they are called.
        found: Vec<String>,
    },
    /// A side of a comparison has no row.
    #[error("{side} holds no checkpoint that is meant; it has {}", if .known.is_empty() { "none".to_owned() } else { .known.join("; ") })]
    NoConfiguration {
        /// Which side, as it was named.
        side: String,
        /// What the side has.
        known: Vec<String>,
    },
    /// A field to choose by that no row has.
    #[error("`{0}` is no field to choose by; expected agent, version, model, prompt or run, as in model=NAME")]
    Selection(String),
    /// The two sides share no checkpoint of a problem.
    #[error("the two have no graded checkpoint of a problem in common, so that nothing can be paired")]
    NothingInCommon,
    /// A built-in list is wrong: a bug.
    #[error("{file}: {message}")]
    Data {
        /// Which.
        file: &'static str,
        /// What is wrong.
        message: String,
    },
}
