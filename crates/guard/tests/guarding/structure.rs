//! The structural state, from git and from a folder.

use std::collections::{BTreeMap, BTreeSet};

use slopbench_guard::SourceTree;
use slopbench_guard::structural::StructuralState;
use slopbench_metrics::{RuleSet, measure};

use crate::support::Project;

/// Numbers that are the same in every run.
pub(crate) struct Dice(pub(crate) fastrand::Rng);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    fn one_of<'a>(&mut self, all: &'a [String]) -> &'a str {
        &all[self.below(all.len())]
    }

    /// A module of Python that imports some of `others`.
    fn python(&mut self, others: &[String]) -> String {
        let mut text = format!("\"\"\"Module {}.\"\"\"\n", self.below(1000));
        for _ in 0..self.below(3) {
            let module = self.one_of(others).replace('/', ".");
            text += &format!("from {} import f{}\n", module.trim_end_matches(".py"), self.below(5));
        }
        for number in 0..self.below(4) {
            text += &format!("def f{number}(a{}, *, b: int = {}):\n    return a\n", self.below(3), self.below(9));
        }
        if self.below(2) == 0 {
            text += &format!("class C{}(object):\n    size: int = 1\n    def m(self, x): return x\n", self.below(3));
        }
        // Now and then a turn leaves what is no program.
        text + if self.below(12) == 0 { "def broken(:\n" } else { "" }
    }

    pub(crate) fn text(&mut self, path: &str, others: &[String]) -> String {
        match path.rsplit('.').next().unwrap() {
            "py" => self.python(others),
            "rs" => format!("pub fn f{}(a: u32) -> u32 {{ a }}\n", self.below(9)),
            "js" => format!("export const g = (a) => {{ return a + {}; }};\n", self.below(9)),
            _ => format!("{}\n", self.below(9)),
        }
    }

    fn new_path(&mut self, turn: usize) -> String {
        let folder = ["", "pkg/", "pkg/sub/", "src/lib/"][self.below(4)];
        let ending = ["py", "py", "py", "rs", "js", "md"][self.below(6)];
        format!("{folder}m{turn}_{}.{ending}", self.below(100))
    }
}

/// Adds, edits, renames and deletes some files.
pub(crate) fn change(project: &Project, dice: &mut Dice, paths: &mut Vec<String>, turn: usize) {
    for _ in 0..=dice.below(4) {
        let place = dice.below(paths.len());
        match dice.below(5) {
            0 | 1 => {
                let path = dice.new_path(turn);
                project.write(&path, &dice.text(&path, paths));
                paths.push(path);
            }
            2 => {
                let path = paths[place].clone();
                project.write(&path, &dice.text(&path, paths));
            }
            3 => {
                // Under another name, be it that of another language or of no source at all.
                let to = dice.new_path(turn);
                let text = std::fs::read_to_string(project.code().join(&paths[place])).unwrap();
                std::fs::remove_file(project.code().join(&paths[place])).unwrap();
                project.write(&to, &text);
                paths[place] = to;
            }
            _ if paths.len() > 5 => std::fs::remove_file(project.code().join(paths.swap_remove(place))).unwrap(),
            _ => {}
        }
        paths.sort();
        paths.dedup();
    }
}

#[test]
fn after_sixty_turns_the_state_is_the_one_built_from_scratch_to_the_byte() {
    let project = Project::new();
    let mut dice = Dice(fastrand::Rng::with_seed(1));
    let mut paths: Vec<String> = (0..20).map(|number| format!("pkg/base{number}.py")).collect();
    for path in paths.clone().into_iter().chain(["pkg/__init__.py".to_owned()]) {
        project.write(&path, &dice.text(&path, &paths));
    }
    project.commit();
    let mut kept = StructuralState::default();
    kept.update(&project.head()).unwrap();
    let (mut changes, mut renames) = (0, 0);
    for turn in 0..60 {
        change(&project, &mut dice, &mut paths, turn);
        project.commit();
        let change = kept.update(&project.head()).unwrap();
        changes += change.paths().count();
        renames += change.renamed.len();
        // As a process does that begins with every turn.
        let content = kept.content().unwrap();
        kept = StructuralState::parse("structure.jsonl".as_ref(), &content).unwrap();
        let mut anew = StructuralState::default();
        anew.update(&project.head()).unwrap();
        assert_eq!(content, anew.content().unwrap(), "turn {turn}");
    }
    let mut of_folder = StructuralState::default();
    of_folder.update(&project.now()).unwrap();
    assert_eq!(kept.content().unwrap(), of_folder.content().unwrap(), "a checkout has the same");
    assert!(changes > 60 && renames > 5, "{changes} changes, {renames} renames");
    compare_with_measurement(&project, &kept);
}

/// The analyzer finds the same files, imports and callables on its own way.
fn compare_with_measurement(project: &Project, state: &StructuralState) {
    let measured = measure(&project.code(), &RuleSet::empty()).unwrap();
    let files: BTreeSet<&str> = measured.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, state.files.keys().map(String::as_str).collect());
    let edges = measured.dependencies.iter().flat_map(|language| &language.edges);
    let edges: BTreeSet<_> = edges.map(|edge| (edge.from.as_str(), edge.to.as_str())).collect();
    let kept = state.files.iter();
    let kept: BTreeSet<_> =
        kept.flat_map(|(from, file)| file.imports.iter().map(move |to| (from.as_str(), to.as_str()))).collect();
    assert_eq!(edges, kept);
    assert!(edges.len() > 3, "{edges:?}");
    let mut callables: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for callable in &measured.callables {
        callables.entry(&callable.path).or_default().insert(&callable.qualified_name);
    }
    for (path, file) in &state.files {
        let classes = |name: &str| name.starts_with('C') && (!name.contains('.') || name.ends_with(".size"));
        let names = file.outline.signatures.iter().map(|signature| signature.name.as_str());
        let names: BTreeSet<_> = names.filter(|name| !classes(name)).collect();
        assert_eq!(names, callables.remove(path.as_str()).unwrap_or_default(), "{path}");
    }
    let unread: BTreeSet<&str> = measured.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
    assert_eq!(unread, state.unread.iter().map(|skipped| skipped.path.as_str()).collect());
}

#[test]
fn a_turn_is_told_which_interfaces_changed_and_who_imports_them() {
    let project = Project::new();
    project.write("loss.py", "def loss(a, b):\n    return a\n\ndef _inner(): pass\n\nWEIGHT = 1\n");
    project.write("train.py", "from loss import loss\n");
    project.write("same.py", "A = 1\n");
    project.commit();
    let mut state = StructuralState::default();
    let first = state.update(&project.head()).unwrap();
    assert_eq!(first.added, ["loss.py", "same.py", "train.py"]);
    project.write("loss.py", "def loss(a, b, scale=1.0):\n    return a\n\ndef _inner(x): pass\n");
    project.git(&["mv", "same.py", "other.py"]);
    let change = state.update(&project.now()).unwrap();
    assert_eq!((change.modified.clone(), change.renamed.len(), change.added.len()), (vec!["loss.py".to_owned()], 1, 0));
    let of = |name: &str| change.signatures.iter().find(|changed| changed.name == name).unwrap();
    assert_eq!(change.signatures.len(), 2, "private ones are nobody else's: {change:?}");
    assert_eq!(of("loss").before, "def loss(a, b)");
    assert_eq!(of("loss").after.as_deref(), Some("def loss(a, b, scale=1.0)"));
    assert_eq!(of("loss").importers, ["train.py"]);
    assert_eq!(of("WEIGHT").after, None);
    assert!(state.update(&project.now()).unwrap().is_empty());
}

#[test]
fn who_still_imports_a_module_that_is_gone_or_elsewhere_is_named() {
    let project = Project::new();
    project.write("loss.py", "def loss(a, b):\n    return a\n");
    project.write("pkg/weights.py", "WEIGHT = 1\n");
    project.write("pkg/__init__.py", "");
    project.write("train.py", "from loss import loss\nfrom pkg.weights import WEIGHT\n");
    project.write("test.py", "from loss import loss\n");
    project.commit();
    let mut state = StructuralState::default();
    state.update(&project.head()).unwrap();
    project.git(&["rm", "--quiet", "loss.py"]);
    project.git(&["mv", "pkg/weights.py", "pkg/scales.py"]);
    project.write("test.py", "from pkg.scales import WEIGHT\n");
    let change = state.update(&project.now()).unwrap();
    assert_eq!((change.removed.len(), change.renamed.len()), (1, 1), "{change:?}");
    let found: Vec<_> = change.signatures.iter().map(|found| (found.name.as_str(), found.importers.clone())).collect();
    assert_eq!(found, [("loss", vec!["train.py".to_owned()]), ("WEIGHT", vec!["train.py".to_owned()])]);
    assert!(change.signatures.iter().all(|found| found.after.is_none()));
    // Once nobody imports it from there, a file that is only elsewhere is no more than that.
    project.git(&["mv", "pkg/scales.py", "pkg/sizes.py"]);
    project.write("test.py", "from pkg.sizes import WEIGHT\n");
    let change = state.update(&project.now()).unwrap();
    assert_eq!((change.renamed.len(), change.signatures.len()), (1, 0), "{change:?}");
}

#[test]
fn outlines_of_another_version_are_made_anew() {
    let project = Project::new();
    project.write("a.py", "def work(a): pass\n");
    let mut state = StructuralState::default();
    state.update(&project.now()).unwrap();
    let content = state.content().unwrap();
    let (label, lines) = content.split_once('\n').unwrap();
    let theirs = lines.replace("def work(a)", "work a");
    assert_ne!(theirs, lines);
    for (label, expected) in
        [(label, &theirs), (r#"{"format":"slopbench.guard-structure/1","version":"0.0.0"}"#, &lines.to_owned())]
    {
        let mut state = StructuralState::parse("structure.jsonl".as_ref(), &format!("{label}\n{theirs}")).unwrap();
        assert!(state.update(&project.now()).unwrap().is_empty(), "no file changed");
        assert_eq!(state.content().unwrap().split_once('\n').unwrap().1, expected, "{label}");
    }
}

#[test]
fn a_folder_of_a_repository_has_the_same_paths_at_a_revision_as_now() {
    let project = Project::new();
    project.write("sub/a.py", "A = 1\n");
    project.write("other.py", "B = 1\n");
    project.commit();
    let folder = project.code().join("sub");
    let mut state = StructuralState::default();
    assert_eq!(state.update(&SourceTree::Folder(folder.clone())).unwrap().added, ["a.py"]);
    let head = SourceTree::Revision { repository: folder, revision: "HEAD".to_owned() };
    assert!(state.update(&head).unwrap().is_empty());
    let named = SourceTree::Revision { repository: project.code(), revision: "HEAD:sub".to_owned() };
    assert!(state.update(&named).unwrap().is_empty());
}

#[test]
fn a_broken_line_of_the_structure_is_named() {
    let project = Project::new();
    project.write("a.py", "A = 1\n");
    project.guard(None).read_code(&project.now()).unwrap();
    let file = project.state().join("structure.jsonl");
    let content = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, content + "{\"path\": 1}\n").unwrap();
    let error = slopbench_guard::Guard::open(&project.state()).unwrap_err().to_string();
    assert!(error.contains("structure.jsonl:3: invalid type: integer `1`"), "{error}");
    assert!(error.ends_with("remove the file, and the next update makes it anew"), "{error}");
}
