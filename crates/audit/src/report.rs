//! What an audit says: the format `slopbench.audit/1`.

use serde::{Deserialize, Serialize};
use slopbench_digest::Sha256;
use slopbench_runner::Instrument;
use slopbench_sandbox::Limit;
use slopbench_slopcode::results::{ProblemId, ToolVersion};

/// The name and version of the format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuditFormat {
    /// The only version so far.
    #[default]
    #[serde(rename = "slopbench.audit/1")]
    V1,
}

/// What was found of some problems.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditReport {
    /// Which format this is.
    pub format: AuditFormat,
    /// What wrote it.
    pub tool: ToolVersion,
    /// What solutions were played with.
    pub instrument: Instrument,
    /// In the order in which they were named.
    pub problems: Vec<ProblemAudit>,
}

/// What was found of one problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemAudit {
    /// Which, by its digest.
    pub problem: ProblemId,
    /// In the order of the table of checks.
    pub checks: Vec<CheckReport>,
}

impl ProblemAudit {
    /// Whether no check found a flaw.
    pub fn is_sound(&self) -> bool {
        self.checks.iter().all(|check| check.state != CheckState::Flawed)
    }
}

/// What one check found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckReport {
    /// Its name.
    pub check: String,
    /// What it shows of a problem without flaws.
    pub proves: String,
    /// The digest of the problem's files that it depends on, reference solutions among them.
    pub files: Sha256,
    /// What came out.
    pub state: CheckState,
    /// What is wrong, a sentence each; empty unless it is flawed.
    pub flaws: Vec<String>,
    /// What else its author should know: above all, what was not done, and why.
    pub notes: Vec<String>,
    /// What was seen.
    pub evidence: CheckEvidence,
}

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    /// It shows what it is there to show.
    Sound,
    /// It found something wrong.
    Flawed,
    /// It could not be made; its notes say why.
    NotDone,
}

/// What a check saw.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckEvidence {
    /// Solutions that were played.
    Plays(Vec<PlayEvidence>),
    /// Mutants that were played.
    Mutants(Vec<MutationScore>),
    /// Which tagged sentences cases cover.
    Sentences(Vec<SentenceCoverage>),
    /// What reference solutions are like, and then the hasty ones, where a problem has them.
    Growth(Vec<GrowthFigures>),
}

/// A solution that was played at a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayEvidence {
    /// At which, from 1.
    pub checkpoint: u32,
    /// What was played, and how.
    pub what: String,
    /// How many cases there were to be played, all runs together.
    pub cases: usize,
    /// How many of them passed; absent where the first failure was enough to know.
    pub passed: Option<usize>,
    /// The first that did not pass, with what differed.
    pub failure: Option<String>,
    /// The one that came closest to a limit of time; absent where that was not looked at.
    pub closest: Option<ClosestCase>,
}

/// A case that passed, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosestCase {
    /// Which.
    pub case: String,
    /// The limit that it came closest to: processor time or wall clock.
    pub limit: Limit,
    /// The share of that limit that it took, from 0 to 1, in whole hundredths.
    pub share: f64,
}

/// How many mutants of a checkpoint's reference solution its suite kills.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutationScore {
    /// From 1.
    pub checkpoint: u32,
    /// Lines that the reference solution before it does not have.
    pub new_lines: usize,
    /// Mutants of these lines.
    pub mutants: usize,
    /// Of these, those that are argued to be equivalent.
    pub argued: usize,
    /// Of the others, those in statements that no case executes. They are not played.
    pub unexecuted: usize,
    /// Of the rest, how many were drawn and played.
    pub sampled: usize,
    /// Of these, how many failed a case.
    pub killed: usize,
    /// Of the killed, those that ran into a limit.
    pub by_limit: usize,
    /// Killed of sampled; absent where nothing was.
    pub score: Option<f64>,
    /// Wilson's 95% interval of the score, as if the sample were drawn from endlessly many.
    pub interval: Option<[f64; 2]>,
    /// Those that passed every case that executes them.
    pub survivors: Vec<Survivor>,
    /// Statements of new lines that no case executes, as `path:line`.
    pub unexecuted_lines: Vec<String>,
}

/// A mutant that no case tells from the reference solution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Survivor {
    /// The file, below the solution's folder.
    pub path: String,
    /// From 1.
    pub line: u32,
    /// What sort of change it is.
    pub operator: String,
    /// The line, without the white space around it.
    pub text: String,
    /// The change, as `old -> new`.
    pub mutation: String,
}

/// Which tagged sentences of a checkpoint's specification cases cover.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentenceCoverage {
    /// From 1.
    pub checkpoint: u32,
    /// How many sentences have a tag.
    pub tagged: usize,
    /// Of these, how many a case says it covers.
    pub covered: usize,
    /// The names of the covered that cases of later checkpoints alone cover.
    pub later: Vec<String>,
    /// Those that no case covers.
    pub uncovered: Vec<UncoveredSentence>,
}

/// A tagged sentence that no case covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UncoveredSentence {
    /// Its tag's name.
    pub name: String,
    /// The specification, below the problem's folder.
    pub path: String,
    /// The line of its tag, from 1.
    pub line: u32,
}

/// Whose growth figures are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GrownSolution {
    /// The reference solution.
    #[default]
    Reference,
    /// One that was written in haste, and passes every case all the same.
    Hasty,
}

/// What a checkpoint had to change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowthFigures {
    /// Of which solution; earlier reports know of no other than the reference.
    #[serde(default)]
    pub solution: GrownSolution,
    /// From 1.
    pub checkpoint: u32,
    /// Lines of code of the solution.
    pub loc: u64,
    /// Lines that the one before it does not have.
    pub added: u64,
    /// Lines that only the one before it has.
    pub removed: u64,
    /// Of the added, those that stood elsewhere before, in the same words.
    pub moved: u64,
    /// Removed lines over all lines of the one before it; absent at the first checkpoint.
    pub rewritten: Option<f64>,
    /// Structural erosion (paper, equation 3).
    pub erosion: f64,
    /// Verbosity (paper, equation 4).
    pub verbosity: f64,
}
