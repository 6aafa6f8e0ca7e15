//! Records and their relations as files that people read and edit.

use std::path::Path;

use proptest::prelude::*;
use serde_json::json;
use slopbench_guard::semantic::record::{ProjectRecord, RecordKind, RecordStatus};
use slopbench_guard::semantic::relations::RelationTable;
use slopbench_guard::{Guard, GuardSettings, SemanticOutcome};

use crate::support::{Project, extracted, merged};

const RECORD: &str =
    "---\ntitle: The loss is symmetric\nstatus: committed\nturns: 2, 5\n---\n\nBoth terms weigh 1/2.\n";

#[test]
fn a_record_is_what_stands_in_its_file() {
    let record = ProjectRecord::parse(RecordKind::Design, "loss", Path::new("loss.md"), RECORD).unwrap();
    let expected = ProjectRecord {
        id: "loss".to_owned(),
        kind: RecordKind::Design,
        title: "The loss is symmetric".to_owned(),
        status: RecordStatus::Committed,
        turns: vec![2, 5],
        pinned: false,
        text: "Both terms weigh 1/2.".to_owned(),
    };
    assert_eq!(record, expected);
    assert_eq!(record.content(), RECORD);
}

proptest! {
    #[test]
    fn any_record_survives_its_file(
        title in "[ -~äé—]{1,100}",
        turns in prop::collection::btree_set(0_u32..200, 0..5),
        pinned in any::<bool>(),
        retired in any::<bool>(),
        text in "(?s).{0,300}",
    ) {
        prop_assume!(!title.trim().is_empty());
        let status = if retired { RecordStatus::Retired } else { RecordStatus::Committed };
        let (title, text) = (title.trim().to_owned(), text.trim().to_owned());
        let turns = turns.into_iter().collect();
        let record = ProjectRecord { id: "any-1".into(), kind: RecordKind::Resource, title, status, turns, pinned, text };
        let content = record.content();
        let read = ProjectRecord::parse(RecordKind::Resource, "any-1", Path::new("any-1.md"), &content).unwrap();
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.content(), content);
    }
}

#[test]
fn a_flaw_in_a_record_is_named_with_its_file_and_line() {
    let flaws = [
        ("title: x\n", "loss.md:1: expected `---`, which front matter begins with"),
        ("---\ntitle: x\nstatus: committed\n", "loss.md:3: the front matter has no end: expected a line `---`"),
        (
            "---\ntitle: x\nstate: committed\n---\n",
            "loss.md:3: `state` is no key; the keys are title, status, turns and",
        ),
        ("---\ntitle: x\ntitle: y\n---\n", "loss.md:3: `title` is there twice"),
        ("---\ntitle: x\nstatus: decided\n---\n", "loss.md:3: `decided` is no status: expected committed or retired"),
        ("---\ntitle: x\nstatus: committed\nturns: 3, 2\n---\n", "loss.md:4: `3, 2` is no list of turns"),
        ("---\nstatus: committed\n---\n", "loss.md:3: the front matter lacks `title`"),
        ("---\ntitle:\nstatus: committed\n---\n", "loss.md:2: a title is one line of 1 to 120 characters"),
        ("---\ntitle\n---\n", "loss.md:2: expected `key: value`"),
        ("", "loss.md:1: expected `---`"),
    ];
    for (content, expected) in flaws {
        let project = Project::new();
        project.person_writes("design/loss.md", content);
        let error = Guard::open(&project.state()).unwrap_err().to_string();
        let expected = format!("{}/design/{expected}", project.state().display());
        assert!(error.starts_with(&expected), "{error}\n{expected}");
    }
}

#[test]
fn a_flaw_in_the_edge_table_is_named_with_its_line() {
    let flaws = [
        ("loss,refines,goal\n", "edges.csv:1: expected the header `from,relation,to`"),
        ("# nothing yet\n", "edges.csv:1: expected the header `from,relation,to`"),
        ("from,relation,to\nloss,improves,goal\n", "edges.csv:2: `improves` is no relation: expected refines,"),
        ("from,relation,to\n\nloss,refines\n", "edges.csv:3: expected `from,relation,to`, found 2 cells"),
        ("from,relation,to\nloss,motivates,goal\n", "edges.csv:2: `loss` motivates `goal`: no decision motivates a"),
        ("from,relation,to\nloss,refines,loss\n", "edges.csv:2: `loss` refines `loss`"),
    ];
    for (content, expected) in flaws {
        let project = Project::new();
        project.person_writes("decision/loss.md", RECORD);
        project.person_writes("design/goal.md", RECORD);
        project.person_writes("edges.csv", content);
        let error = Guard::open(&project.state()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n{expected}");
    }
}

#[test]
fn a_relation_of_a_record_that_a_person_removed_is_kept_named_and_does_not_count() {
    let project = Project::new();
    project.person_writes("decision/loss.md", RECORD);
    project.person_writes("design/goal.md", RECORD);
    let table = "from,relation,to\n# mine\nloss,refines,goal\n";
    project.person_writes("edges.csv", table);
    assert_eq!(project.guard(None).semantic().relations().iter().count(), 1);
    std::fs::remove_file(project.state().join("design/goal.md")).unwrap();
    let guard = project.guard(None);
    let expected = "edges.csv:3: there is no record `goal`, and the relation does not count";
    assert_eq!(
        (guard.semantic().dangling(), guard.semantic().relations().iter().count()),
        (&[expected.to_owned()][..], 0)
    );
    assert_eq!(guard.semantic().relations().content(), table, "it counts again where the record is back");
}

#[test]
fn names_that_are_no_ids_and_ids_of_two_records_are_refused_and_editors_files_are_none() {
    let project = Project::new();
    project.person_writes("design/loss.md", RECORD);
    for ignored in ["design/.loss.md", "design/loss.md~", "design/notes.txt"] {
        project.person_writes(ignored, "no record");
    }
    assert_eq!(project.guard(None).semantic().records().len(), 1);
    project.person_writes("resource/loss.md", RECORD);
    let error = Guard::open(&project.state()).unwrap_err().to_string();
    assert!(error.contains("there is a design `loss`, too; rename one of the two"), "{error}");
    std::fs::remove_file(project.state().join("resource/loss.md")).unwrap();
    project.person_writes("design/The loss.md", RECORD);
    let error = Guard::open(&project.state()).unwrap_err().to_string();
    assert!(error.contains("`The loss` is no id"), "{error}");
}

#[test]
fn remarks_and_quotes_in_the_edge_table_survive() {
    let text = "# how things hang together\nfrom,relation,to\n\n\"loss\", refines ,goal\n";
    let table = RelationTable::parse(Path::new("edges.csv"), text).unwrap();
    assert_eq!(table.content(), text);
    assert_eq!(table.iter().count(), 1);
}

#[test]
fn a_flaw_in_the_settings_is_named_with_its_line() {
    let project = Project::new();
    let settings = GuardSettings::default().content().unwrap();
    project.person_writes("guard.toml", &(settings + "speed = 1\n"));
    let error = Guard::open(&project.state()).unwrap_err().to_string();
    assert!(error.contains("guard.toml:") && error.contains("unknown field `speed`"), "{error}");
}

#[test]
fn what_people_write_survives_a_merge() {
    let project = Project::new();
    // With keys in another order, a remark of theirs, and white space that nobody of ours would write.
    let theirs = "---\nstatus: committed\ntitle:   Weights are shared\n---\nMine.   \n\n\n   * a list\n";
    let edited =
        "---\ntitle: The loss is symmetric\nstatus: committed\n---\n\nBoth terms weigh 1/2.\n\nI added this.\n";
    project.person_writes("design/weights.md", theirs);
    project.person_writes("decision/loss.md", edited);
    project.person_writes("edges.csv", "# mine\nfrom,relation,to\nloss,refines,weights\n");
    let operations = [
        json!({"operation": "edit", "commitment": 1, "record": "loss", "find": "weigh 1/2", "text": "weigh 1/3"}),
        json!({"operation": "relate", "record": "loss", "relation": "depends-on", "to": "weights"}),
    ];
    let request = "From now on both terms of the loss weigh 1/3.";
    let statement = ["Terms weigh 1/3", "Both terms weigh 1/3.", "both terms of the loss weigh 1/3"];
    let report = project.turn(
        request,
        &[("# Extractor, turn 1", extracted(&[statement], 1)), ("# Merger, turn 1", merged(&operations))],
    );
    assert!(matches!(report.records, SemanticOutcome::Merged { .. }), "{report:?}");
    let files = project.records();
    let content = |name: &str| files.iter().find(|(path, _)| path == name).unwrap().1.as_str();
    assert_eq!(content("design/weights.md"), theirs);
    let expected = "---\ntitle: The loss is symmetric\nstatus: committed\nturns: 1\n---\n\nBoth terms weigh 1/3.\n\nI added this.\n";
    assert_eq!(content("decision/loss.md"), expected);
    assert_eq!(content("/edges.csv"), "# mine\nfrom,relation,to\nloss,refines,weights\nloss,depends-on,weights\n");
}

/// Passages and lines of the front matter are put in the place of others in a file's own bytes.
#[test]
fn what_is_not_edited_of_a_record_stays_to_the_letter() {
    let edit = json!({"operation": "edit", "record": "loss", "find": "weigh 1/2.\nAlways", "text": "weigh 1/3.\nNow"});
    let retitle = json!({"operation": "retitle", "record": "loss", "title": "Terms weigh the same"});
    let theirs = "---\nstatus:  committed\npinned: no\ntitle: Both the same\n---\n\n\n    code of theirs\n\nBoth weigh 1/2.\nAlways.   \n\n\n";
    let expected = "---\nstatus:  committed\npinned: no\ntitle: Terms weigh the same\nturns: 1\n---\n\n\n    code of theirs\n\nBoth weigh 1/3.\nNow.   \n\n\n";
    let request = "From now on both terms of the loss weigh 1/3.";
    let commitment = ["Terms weigh 1/3", "Both terms weigh 1/3.", "both terms of the loss weigh 1/3"];
    for end in ["\n", "\r\n"] {
        let project = Project::new();
        project.person_writes("decision/loss.md", &theirs.replace('\n', end));
        project.person_writes("design/goal.md", &RECORD.replace('\n', end));
        project.person_writes("edges.csv", &"from,relation,to\n# mine\n".replace('\n', end));
        let relate = json!({"operation": "relate", "record": "loss", "relation": "refines", "to": "goal"});
        let operations = merged(&[edit.clone(), retitle.clone(), relate]);
        let report = project.turn(request, &[("# Extractor", extracted(&[commitment], 1)), ("# Merger", operations)]);
        assert!(matches!(report.records, SemanticOutcome::Merged { .. }), "{end:?}: {report:?}");
        let content = |name: &str| std::fs::read_to_string(project.state().join(name)).unwrap();
        assert_eq!(content("decision/loss.md"), expected.replace('\n', end));
        assert_eq!(content("design/goal.md"), RECORD.replace('\n', end));
        assert_eq!(content("edges.csv"), "from,relation,to\n# mine\nloss,refines,goal\n".replace('\n', end));
        assert_eq!(project.guard(None).semantic().get("loss").unwrap().title, "Terms weigh the same");
    }
}
