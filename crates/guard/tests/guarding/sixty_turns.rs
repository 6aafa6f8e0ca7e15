//! A project over sixty turns, as an agent's: files come, change, move and go, and records with them.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use slopbench_guard::{FinishedTurn, Guard, GuardSettings, SemanticOutcome};

use crate::structure::{Dice, change};
use crate::support::{Project, extracted, merged, scripted};

/// What a turn does to the records, besides what its request says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Adds,
    Edits,
    Retires,
    /// The extractor answers nonsense, and the turn is read with the next one.
    Fails,
    /// Commits to nothing itself; the one before is read with it.
    Recovers,
}

const SORTS: [Sort; 6] = [Sort::Adds, Sort::Adds, Sort::Edits, Sort::Retires, Sort::Fails, Sort::Recovers];

/// What holds, by id: title and text, as counted here and not by a guard.
type Held = BTreeMap<String, (String, String)>;

fn id(turn: u32) -> String {
    format!("part-{turn}")
}

fn request(turn: u32) -> String {
    format!("Please see to it that the part number {turn} has the size {}.", 3 * turn)
}

fn commitment(turn: u32) -> Value {
    let quote = format!("the part number {turn} has the size {}", 3 * turn);
    extracted(&[[&format!("Size of part {turn}"), &format!("Its size is {}.", 3 * turn), &quote]], turn)
}

/// Adds the record of a turn.
fn add(turn: u32, held: &mut Held) -> Value {
    let (title, text) = (format!("Size of part {turn}"), format!("Its size is {}.", 3 * turn));
    held.insert(id(turn), (title.clone(), text.clone()));
    let kind = ["design", "decision", "resource"][turn as usize % 3];
    json!({"operation": "add", "record": id(turn), "kind": kind, "title": title, "text": text})
}

/// What the models answer after a turn, and what holds then.
fn answers(turn: u32, sort: Sort, held: &mut Held) -> [(&'static str, Value); 2] {
    let (of, operation) = match sort {
        Sort::Adds => (turn, add(turn, held)),
        // What was added one turn ago.
        Sort::Edits => {
            let (find, text) = (format!("size is {}", 3 * (turn - 1)), "size is 1000 in all".to_owned());
            let (_, held) = held.get_mut(&id(turn - 1)).unwrap();
            *held = held.replace(&find, &text);
            (turn, json!({"operation": "edit", "record": id(turn - 1), "find": find, "text": text}))
        }
        // What was added three turns ago.
        Sort::Retires => {
            held.remove(&id(turn - 3)).unwrap();
            (turn, json!({"operation": "retire", "record": id(turn - 3), "text": "It is another part now."}))
        }
        Sort::Fails => return [("# Extractor", json!("I would rather not.")), ("# Merger", json!("Never asked."))],
        Sort::Recovers => (turn - 1, add(turn - 1, held)),
    };
    [("# Extractor", commitment(of)), ("# Merger", merged(&[operation]))]
}

/// The structural state of the last commit in a guard that has seen nothing else.
fn built_from_scratch(project: &Project) -> String {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    Guard::create(&state, &GuardSettings::default()).unwrap().read_code(&project.head()).unwrap();
    fs::read_to_string(state.join("structure.jsonl")).unwrap()
}

/// A session that begins anew is told all that holds: by name, title and whole text, and nothing that does not hold.
fn compare_restart_brief(project: &Project, held: &Held, about: &str) -> String {
    let brief = project.guard(None).restart_brief().unwrap();
    for (id, (title, text)) in held {
        let told = format!("- **{id}** {title}\n  {text}\n");
        assert_eq!(brief.matches(&told).count(), 1, "{about}: {told}\n{brief}");
    }
    assert_eq!(brief.matches("\n- **").count(), held.len(), "{about}: {brief}");
    assert!(!brief.contains("(shortened)"), "{about}");
    brief
}

#[test]
fn after_sixty_turns_structure_and_records_are_those_that_were_left_and_agreed() {
    let project = Project::new();
    let mut dice = Dice(fastrand::Rng::with_seed(7));
    let mut paths: Vec<String> = (0..20).map(|number| format!("pkg/base{number}.py")).collect();
    for path in paths.clone() {
        project.write(&path, &dice.text(&path, &paths));
    }
    project.commit();
    project.guard(None).read_code(&project.head()).unwrap();
    let mut held = Held::new();
    let mut seen = [0; 4];
    for turn in 1..=60 {
        let sort = SORTS[(turn as usize - 1) % SORTS.len()];
        change(&project, &mut dice, &mut paths, turn as usize);
        project.commit();
        if turn == 30 {
            project.person_writes("design/mine.md", "---\ntitle: Mine\nstatus: committed\n---\n\nBy hand.\n");
            held.insert("mine".to_owned(), ("Mine".to_owned(), "By hand.".to_owned()));
        }
        let answers = answers(turn, sort, &mut held);
        // As a process does that begins with every turn.
        let mut guard = project.guard(Some(scripted(&answers)));
        let turn_ended = FinishedTurn { request: &request(turn), answer: "Done as asked." };
        let report = guard.after(&turn_ended, &project.head()).unwrap();
        let has_failed = matches!(report.records, SemanticOutcome::Failed { .. });
        assert_eq!(has_failed, sort == Sort::Fails, "turn {turn}: {:?}", report.records);
        let changes = [&report.structure.added, &report.structure.modified, &report.structure.removed];
        changes.into_iter().zip(&mut seen).for_each(|(paths, seen)| *seen += paths.len());
        seen[3] += report.structure.renamed.len();

        let kept = fs::read_to_string(project.state().join("structure.jsonl")).unwrap();
        assert_eq!(kept, built_from_scratch(&project), "turn {turn}");
        let brief = compare_restart_brief(&project, &held, &format!("turn {turn}"));
        // What no record has yet is told in the user's own words.
        assert_eq!(brief.contains(&request(turn)), sort == Sort::Fails, "turn {turn}: {brief}");
        for path in project.guard(None).structural().files.keys() {
            assert!(brief.contains(&format!("- {path}")), "turn {turn}: {path}");
        }
    }
    // Three are added and one is retired in six turns, and a person wrote one.
    assert_eq!(held.len(), 60 / 6 * (3 - 1) + 1);
    assert!(seen.iter().all(|count| *count >= 10), "added, modified, removed and renamed: {seen:?}");
    assert_eq!((project.guard(None).turns().len(), project.guard(None).unread_turns().len()), (60, 0));
}
