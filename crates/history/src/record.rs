//! What a history is: the one definition of the format `slopbench.history/2`.

use serde::{Deserialize, Serialize};
use slopbench_metrics::measurement::{Measures, RulesId, SkippedFile};

/// The name and version of this format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum HistoryFormat {
    /// The only version that is read.
    #[default]
    #[serde(rename = "slopbench.history/2")]
    V2,
}

/// The figures of a repository over its commits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// Which format this is.
    pub format: HistoryFormat,
    /// The rules that were matched.
    pub rules: RulesId,
    /// The revision whose history this is, as it was asked for.
    pub revision: String,
    /// The measured folder, relative to the root of the repository; `.` is the root.
    pub below: String,
    /// Whether the history is cut off because the clone is shallow. The first commit is then not where the code began.
    pub shallow: bool,
    /// Commits on the revision's first-parent line.
    pub commits: u64,
    /// Those of them whose source files are not those of the commit before.
    pub touching: u64,
    /// What was measured.
    pub versions: VersionCounts,
    /// The sampled commits, from the oldest.
    pub points: Vec<Point>,
    /// Where erosion and verbosity go over the points.
    pub trends: Trends,
}

/// How many files the points hold, and how few of them had to be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionCounts {
    /// Source files of all points, counted in each.
    pub files: u64,
    /// Versions of source files: contents that differ (in bytes, in language, or in path if a rule depends on it).
    pub distinct: u64,
    /// The bytes of these versions.
    pub bytes: u64,
}

/// One sampled commit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The commit's id in hexadecimal.
    pub commit: String,
    /// When it was committed (not when it was written), in ISO 8601 with the committer's time zone.
    pub time: String,
    /// The first line of its message.
    pub subject: String,
    /// Its place among the commits that change source files, from 1.
    pub place: u64,
    /// The figures of its source files together.
    pub total: Measures,
    /// Every file, link and submodule that was left out although it looks like source, by path.
    pub skipped: Vec<SkippedFile>,
}

/// The trends of the paper's two measures.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trends {
    /// Of [`Measures::erosion`].
    pub erosion: Trend,
    /// Of [`Measures::verbosity`].
    pub verbosity: Trend,
}

/// Where one measure goes over the points (SlopCodeBench, section 4.2 and figure 4).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trend {
    /// At the first point.
    pub first: f64,
    /// At the last point.
    pub last: f64,
    /// (last - first) / first, as a fraction; absent for one point, or if the first value is 0.
    pub growth: Option<f64>,
    /// The slope of the least-squares line over normalised progress, which is 0 at the first point and 1 at the last: by
    /// how much the measure changes over the whole history. Absent for one point.
    pub slope: Option<f64>,
    /// The share of steps from one point to the next that go up, as a fraction; absent for one point.
    pub rising: Option<f64>,
}
