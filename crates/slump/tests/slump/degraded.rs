//! A family of worse and worse copies of a task's reference: MCF by a judge who is right, and DIR, as they are computed by hand.
//!
//! The reference of `stream_segments` has N = 24 components, all faithful, and its modules offer 44 public symbols, all used. So
//!
//! - MCF = (4 · 24 − points that are lost) / 24 = (96 − lost) / 24: an equivalent component loses 1 point, a simplified one 2, a wrong
//!   one 3, an absent one 4;
//! - DIR = (44 − symbols that are gone − those of the others that nothing uses any more) / (44 − symbols that are gone + symbols that are
//!   new): what is new is used by nothing here.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::json;
use slopbench_judge::JudgedTree;
use slopbench_metrics::integration::Integration;
use slopbench_slump::{
    SlumpTask,
    judging::{JudgedComponent, judge_components},
    scores::{Faithfulness, if50},
};
use tempfile::TempDir;

use crate::judging::judge;

/// A passage that stands once in a file, and what takes its place.
type Edit = (&'static str, &'static str, &'static str);

/// A component, its score, and where that shows: a file and a passage.
type Scored = (&'static str, u8, Option<(&'static str, &'static str)>);

/// What was done to the reference.
#[derive(Clone, Copy)]
struct Degradation {
    about: &'static str,
    edits: &'static [Edit],
    /// Files that are removed.
    removed: &'static [&'static str],
    /// Components that are not faithful any more: what a judge who is right gives, and the line that shows it; none where it is absent.
    scores: &'static [Scored],
    /// Symbols that nothing uses any more, by file and name.
    unused: &'static [&'static str],
    /// By hand.
    mcf: f64,
    /// By hand: what is used, of what is offered.
    dir: (u64, u64),
}

const NOTHING: Degradation = Degradation {
    about: "nothing",
    edits: &[],
    removed: &[],
    scores: &[],
    unused: &[],
    mcf: 96.0 / 24.0,
    dir: (44, 44),
};

/// The interval is the whole window: MCF (96 − 4)/24 = 92/24, DIR 43/43.
const ABSENT: Degradation = Degradation {
    about: "a component absent",
    edits: &[
        (
            "engine.py",
            "import location_profile, shortest_interval, temperature",
            "import location_profile, temperature",
        ),
        ("engine.py", "first, last = shortest_interval(profile, s.interval_mass)", "first, last = 0, len(profile) - 1"),
        (
            "location.py",
            r#"def shortest_interval(profile, mass):
    """First and last place of the shortest run that holds the mass; of equals the heaviest, then the earliest."""
    cumulative = np.concatenate([[0.0], np.cumsum(profile)])
    places = len(profile)
    for length in range(1, places + 1):
        masses = cumulative[length:] - cumulative[: places - length + 1]
        best = int(np.argmax(masses))
        if masses[best] >= mass - 1e-12:
            return best, best + length - 1
    return 0, places - 1
"#,
            "",
        ),
    ],
    scores: &[("c17", 0, None)],
    mcf: 92.0 / 24.0,
    dir: (43, 43),
    ..NOTHING
};

/// The file is gone, its importers are not: MCF (96 − 4)/24 = 92/24, DIR 43/43, and the import leads nowhere.
const FILE_GONE: Degradation = Degradation {
    about: "a component absent, and its importer left as it was",
    removed: &["pruning.py"],
    scores: &[("c13", 0, None)],
    mcf: 92.0 / 24.0,
    dir: (43, 43),
    ..NOTHING
};

/// The stretch with the least excess: MCF (96 − 3)/24 = 93/24, DIR 44/44.
const WRONG: Degradation = Degradation {
    about: "a component wrong",
    edits: &[("gate.py", "return int(np.argmax(scaled))", "return int(np.argmin(scaled))")],
    scores: &[("c10", 1, Some(("gate.py", "np.argmin(scaled)")))],
    mcf: 93.0 / 24.0,
    ..NOTHING
};

/// Voices without persistence: MCF (96 − 2)/24 = 94/24, DIR 44/44.
const SIMPLIFIED: Degradation = Degradation {
    about: "a component simplified",
    edits: &[("voices.py", "return (1.0 - persistence) / (1.0 + persistence) / redundancy", "return 1.0 / redundancy")],
    scores: &[("c05", 2, Some(("voices.py", "return 1.0 / redundancy")))],
    mcf: 94.0 / 24.0,
    ..NOTHING
};

/// The same clipping in another form: MCF (96 − 1)/24 = 95/24, DIR 44/44.
const EQUIVALENT: Degradation = Degradation {
    about: "a component equivalent",
    edits: &[(
        "evidence.py",
        "return float(np.sum(weights * np.clip(for_scores - against_scores, -bound, bound)))",
        "return float(weights @ np.maximum(np.minimum(for_scores - against_scores, bound), -bound))",
    )],
    scores: &[("c06", 3, Some(("evidence.py", "np.minimum(for_scores")))],
    mcf: 95.0 / 24.0,
    ..NOTHING
};

/// The study reads places itself, without what was written for it: `membership` offers 2 symbols that only tests use. The readings are
/// simplified: MCF (96 − 2)/24 = 94/24, DIR (44 − 2)/44 = 42/44.
const BYPASSED: Degradation = Degradation {
    about: "a module bypassed",
    edits: &[
        ("study.py", "from wayleave.membership import boundary_series, soft_membership\n", ""),
        ("study.py", "_soft_accuracy(soft_membership(standing, steps)", "_soft_accuracy(_hard(found, steps)"),
        ("study.py", "series = boundary_series(standing, steps)", "series = np.bincount(found, minlength=steps)"),
        (
            "study.py",
            "def _means(figures):",
            "def _hard(found, steps):\n    return np.eye(len(found) + 1)[np.searchsorted(found, np.arange(steps), side=\"right\")]\n\n\n\
             def _means(figures):",
        ),
    ],
    scores: &[("c22", 2, Some(("study.py", "def _hard(")))],
    unused: &["membership.py boundary_series", "membership.py soft_membership"],
    mcf: 94.0 / 24.0,
    dir: (42, 44),
    ..NOTHING
};

/// The same choice written out a second time, where it is used: no component is worse, and DIR is 43/44.
const COPIED: Degradation = Degradation {
    about: "a module copied in place of being used",
    edits: &[
        ("engine.py", "from wayleave.takeover import choose_takeover\n", ""),
        ("engine.py", "leader = choose_takeover(self.forks", "leader = _choose(self.forks"),
        (
            "engine.py",
            "class Engine:",
            r#"def _choose(forks, threshold, settings):
    for fork in forks:
        fork.held = fork.held + 1 if fork.evidence() >= threshold else 0
    leader = max(forks, key=lambda fork: (fork.evidence(), fork.start), default=None)
    if leader is None or leader.held < settings.hold:
        return None
    rivals = [fork.evidence() for fork in forks if abs(fork.start - leader.start) > settings.gap]
    leads = all(leader.evidence() >= rival + settings.dominance for rival in rivals)
    return leader if leads or leader.evidence() >= settings.waiver * threshold else None


class Engine:"#,
        ),
    ],
    unused: &["takeover.py choose_takeover"],
    dir: (43, 44),
    ..NOTHING
};

/// A profile that is not tempered: MCF (96 − 2)/24 = 94/24, DIR (44 − 1)/44 = 43/44, though the import is still there in a test.
const UNUSED: Degradation = Degradation {
    about: "a symbol unused",
    edits: &[
        (
            "engine.py",
            "import location_profile, shortest_interval, temperature",
            "import location_profile, shortest_interval",
        ),
        (
            "engine.py",
            "            temperature(self._gate.correlation(), s.surprise_correlation_cap),\n",
            "            1.0,\n",
        ),
    ],
    scores: &[("c16", 2, Some(("engine.py", "            1.0,")))],
    unused: &["location.py temperature"],
    mcf: 94.0 / 24.0,
    dir: (43, 44),
    ..NOTHING
};

/// A helper that nobody calls: no component is worse, and DIR is 44/45.
const NEW_AND_UNUSED: Degradation = Degradation {
    about: "a symbol that is new and unused",
    edits: &[("scaling.py", "class WarmupScale:", "def rescale(table):\n    return table\n\n\nclass WarmupScale:")],
    unused: &["scaling.py rescale"],
    dir: (44, 45),
    ..NOTHING
};

const FAMILY: [Degradation; 10] =
    [NOTHING, ABSENT, FILE_GONE, WRONG, SIMPLIFIED, EQUIVALENT, BYPASSED, COPIED, UNUSED, NEW_AND_UNUSED];

/// A copy of the reference with these degradations.
fn degraded(task: &SlumpTask, degradations: &[&Degradation]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&task.dir.join("reference"), folder.path());
    let module = |file: &str| folder.path().join("wayleave").join(file);
    for degradation in degradations {
        for (file, old, new) in degradation.edits {
            let text = fs::read_to_string(module(file)).unwrap();
            assert_eq!(text.matches(old).count(), 1, "{}: {file}: {old:?}", degradation.about);
            fs::write(module(file), text.replace(old, new)).unwrap();
        }
        degradation.removed.iter().for_each(|file| fs::remove_file(module(file)).unwrap());
    }
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// What a judge who is right says of the repository: every other component is as the reference has it.
async fn judged(task: &SlumpTask, folder: &Path, degradations: &[&Degradation]) -> Vec<JudgedComponent> {
    let found = |(file, passage): (&str, &str)| {
        let text = fs::read_to_string(folder.join("wayleave").join(file)).unwrap();
        let line = (1..).zip(text.lines()).find(|(_, line)| line.contains(passage)).unwrap().0;
        format!("wayleave/{file}:{line}")
    };
    let scores: Vec<_> = degradations.iter().flat_map(|degradation| degradation.scores).collect();
    let answers = task.components.iter().map(|component| {
        let degraded = scores.iter().find(|(id, ..)| *id == component.id);
        let (_, score, place) = degraded.copied().unwrap_or(&("", 4, Some(("engine.py", "class Engine"))));
        let evidence = place.map_or_else(|| "not found".to_owned(), found);
        let deviation = if *score == 4 { "none" } else { "as was done to it" };
        let answer = json!({"score": score, "evidence": evidence, "deviation": deviation});
        (format!("COMPONENT: {}\n", component.name), answer.to_string())
    });
    let tree = JudgedTree::read(folder).unwrap();
    let judged = judge_components(&judge(answers), task, &tree).await.unwrap();
    judged.into_values().map(JudgedComponent::from).collect()
}

/// Has a degraded copy judged and analysed, and compares both with what was computed by hand.
async fn compare(task: &SlumpTask, degradations: &[&Degradation], mcf: f64, (used, total): (u64, u64)) {
    let about: Vec<_> = degradations.iter().map(|degradation| degradation.about).collect();
    let folder = degraded(task, degradations);
    let judged = judged(task, folder.path(), degradations).await;
    assert!(judged.iter().flat_map(|one| &one.evidence).all(|evidence| evidence.exists), "{about:?}: {judged:?}");
    let faithfulness = Faithfulness::of(judged.iter().map(|one| one.score));
    assert_eq!((faithfulness.mcf, faithfulness.not_judged), (Some(mcf), 0), "{about:?}");
    let found = Integration::of_folder(folder.path()).unwrap();
    assert_eq!((found.used, found.total), (used, total), "{about:?}: {:?}", found.unused);
    let dir = used as f64 / total as f64;
    assert_eq!(found.dir, dir, "{about:?}");
    let unused = found.unused.iter().map(|symbol| format!("{} {}", symbol.path, symbol.name));
    let expected = degradations.iter().flat_map(|degradation| degradation.unused);
    assert_eq!(
        unused.collect::<BTreeSet<_>>(),
        expected.map(|unused| format!("wayleave/{unused}")).collect(),
        "{about:?}"
    );
    // What is imported and is not there is named, and nothing else is.
    let removed: Vec<_> = degradations.iter().flat_map(|degradation| degradation.removed).collect();
    assert_eq!(found.unresolved.len(), removed.len(), "{about:?}: {:?}", found.unresolved);
    assert_eq!(if50(mcf, dir), mcf / 8.0 + dir / 2.0, "{about:?}");
}

#[tokio::test]
async fn each_degradation_moves_the_scores_as_computed_by_hand() {
    let task = SlumpTask::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/stream_segments")).unwrap();
    assert_eq!(task.components.len(), 24);
    for degradation in FAMILY {
        compare(&task, &[&degradation], degradation.mcf, degradation.dir).await;
    }
}

/// Points add up: 4 + 3 + 2 + 1 + 2 of 96 are lost, so MCF = 84/24 = 3.5. Of 44 symbols 1 is gone and 1 is new, 2 + 1 old ones and the
/// new one are unused: DIR = (44 − 1 − 3)/(44 − 1 + 1) = 40/44. IF50 = 3.5/8 + 40/88 = 0.892.
#[tokio::test]
async fn degradations_at_once_move_the_scores_by_their_sum() {
    let task = SlumpTask::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks/stream_segments")).unwrap();
    let all = [&ABSENT, &WRONG, &SIMPLIFIED, &EQUIVALENT, &BYPASSED, &COPIED, &NEW_AND_UNUSED];
    compare(&task, &all, 3.5, (40, 44)).await;
}
