//! Audits of small problems, each with one flaw: every check is seen to pass and to fail.
//!
//! Solutions run on the machine itself: they are a few lines of our own, and what a sandbox would hide is what is looked for.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod draft;

use std::{fs, process::Command};

use draft::Draft;
use regex::Regex;
use slopbench_audit::{
    add_checks,
    report::{
        AuditFormat, AuditReport, CheckEvidence, CheckReport, CheckState, GrownSolution, MutationScore, ProblemAudit,
    },
};
use slopbench_runner::Instrument;
use slopbench_slopcode::results::{ProblemId, ToolVersion};
use slopbench_test_support::{Need, need};
use slopbench_tests::problem::ProblemKind;

fn scores(report: &CheckReport) -> &[MutationScore] {
    match &report.evidence {
        CheckEvidence::Mutants(scores) => scores,
        other => panic!("{other:?}"),
    }
}

const ONE: &str = "solution/python/checkpoint_1/words.py";
const TWO: &str = "solution/python/checkpoint_2/words.py";

#[test]
fn new_problems_are_sound() {
    let reports = Draft::new(ProblemKind::Cli).audit(&[]).unwrap();
    let states: Vec<_> = reports.iter().map(|report| (report.check.as_str(), report.state)).collect();
    let sound = CheckState::Sound;
    let expected = [
        ("references", sound),
        ("stable", sound),
        ("distinct", sound),
        ("independent", sound),
        ("mutants", sound),
        ("second", CheckState::NotDone),
        ("sentences", sound),
        ("growth", sound),
    ];
    assert_eq!(states, expected, "{reports:?}");
    for report in Draft::new(ProblemKind::Http).audit(&["distinct", "sentences"]).unwrap() {
        assert_eq!(report.state, sound, "{report:?}");
    }
}

#[test]
fn a_solution_that_depends_on_the_machine_is_not_stable() {
    let draft = Draft::new(ProblemKind::Cli);
    draft.replace(ONE, "import sys", "import os\nimport sys");
    draft.replace(ONE, "len(sys.stdin.read().split())", "len(sys.stdin.read().split()) + (os.environ['TZ'] != 'UTC')");
    assert_eq!(draft.check("references").state, CheckState::Sound);
    let flaw = draft.flaw("stable");
    assert!(flaw.contains("of checkpoint 1, played TZ=Asia/Kathmandu, fails checkpoint_1/"), "{flaw}");
}

#[test]
fn references_have_to_pass() {
    let draft = Draft::new(ProblemKind::Cli);
    draft.replace(TWO, "import sys", "import sys; sys.exit(1)");
    let flaw = draft.flaw("references");
    assert!(flaw.contains("of checkpoint 2, played as graded, fails checkpoint_"), "{flaw}");
}

#[test]
fn references_have_to_pass_with_time_to_spare() {
    let draft = Draft::new(ProblemKind::Cli);
    draft.replace(TWO, "import sys", "import sys, time; time.sleep(1.8)");
    let example = draft.path("checkpoint_2/cases/example.toml");
    let case = fs::read_to_string(&example).unwrap();
    fs::write(&example, format!("{case}\n[limits]\nwall_ms = 3000\ncpu_ms = 1500\n")).unwrap();
    let flaw = draft.flaw("references");
    assert!(flaw.starts_with("the reference solution of checkpoint 2 takes "), "{flaw}");
    assert!(flaw.contains("% of the wall clock time that checkpoint_2/example has; expected at most 50%"), "{flaw}");
}

#[test]
fn a_checkpoint_that_asks_for_nothing_is_not_distinct() {
    let draft = Draft::new(ProblemKind::Cli);
    fs::copy(draft.path("checkpoint_1/cases/example.toml"), draft.path("checkpoint_2/cases/example.toml")).unwrap();
    let flaw = draft.flaw("distinct");
    assert_eq!(
        flaw,
        "the reference solution of checkpoint 1 passes every core case of checkpoint 2: it asks for nothing"
    );
}

/// The specification shows all that is asked for.
#[test]
fn examples_alone_must_not_do() {
    let draft = Draft::new(ProblemKind::Http);
    for case in ["bad_notes", "numbers_go_on"] {
        fs::remove_file(draft.path(&format!("checkpoint_1/cases/{case}.toml"))).unwrap();
    }
    let toml = fs::read_to_string(draft.path("problem.toml")).unwrap();
    let last = toml.rfind("[[checkpoints.supersedes]]").unwrap();
    fs::write(draft.path("problem.toml"), &toml[..last]).unwrap();
    let case = "format = \"slopbench.case/1\"\ntitle = \"A note\"\ncategory = \"core\"\n\n[[steps]]\n\
                request = \"POST /notes\"\njson = '{\"text\": \"tea\"}'\nexpect.status = 201\n";
    fs::write(draft.path("checkpoint_1/cases/example.toml"), case).unwrap();
    let flaw = draft.flaw("distinct");
    assert!(flaw.starts_with("a solution that knows the specification's examples passes every case of"), "{flaw}");
}

#[test]
fn what_a_case_leaves_behind_is_noticed() {
    let draft = Draft::new(ProblemKind::Cli);
    let left = draft.dir.path().join("left").display().to_string();
    let leave = format!("    with open('{left}' + '-'.join(arguments), 'x'):\n        pass\n    if len(arguments)");
    draft.replace(TWO, "    if len(arguments)", &leave);
    let report = draft.check("independent");
    assert_eq!(report.state, CheckState::Flawed);
    assert!(
        report.flaws.iter().any(|flaw| flaw.contains("played shuffled, each twice in a row")),
        "{:?}",
        report.flaws
    );
}

#[test]
fn a_thin_suite_lets_mutants_live_until_they_are_argued() {
    let draft = Draft::new(ProblemKind::Cli);
    let whole = draft.check("mutants");
    fs::remove_file(draft.path("checkpoint_1/cases/no_command.toml")).unwrap();
    fs::remove_file(draft.path("checkpoint_1/cases/white_space.toml")).unwrap();
    let thin = draft.check("mutants");
    let [before, after] = [&whole, &thin].map(|report| scores(report)[0].clone());
    assert!(after.survivors.len() + after.unexecuted > before.survivors.len() + before.unexecuted, "{after:?}");
    assert_eq!(after.unexecuted_lines, ["words.py:9"], "the refusal is never executed");

    let one = before.survivors.iter().find(|survivor| survivor.mutation == "return 0 -> return None").unwrap();
    assert_eq!((one.path.as_str(), one.line, one.text.as_str()), ("words.py", 11, "return 0"));
    let argued = "format = \"slopbench.equivalents/1\"\n\n[[equivalents]]\npath = \"words.py\"\nline = \"return 0\"\n\
                  mutation = \"return 0 -> return None\"\nreason = \"sys.exit ends with 0 for None, too\"\n";
    fs::write(draft.path("equivalents.toml"), argued).unwrap();
    let report = draft.check("mutants");
    assert_eq!((scores(&report)[0].argued, scores(&report)[0].mutants), (1, after.mutants));

    fs::write(draft.path("equivalents.toml"), argued.replace("return 0\"", "return 7\"")).unwrap();
    let error = draft.audit(&["mutants"]).unwrap_err().to_string();
    assert!(error.contains("equivalents.toml:3: no reference solution has the mutant"), "{error}");
}

#[test]
fn a_copy_that_fails_when_it_says_what_it_executes_ends_the_audit() {
    let draft = Draft::new(ProblemKind::Cli);
    let fail = "    if '_hit' '__' in open(__file__).read():\n        return 9\n    if len(arguments)";
    draft.replace(TWO, "    if len(arguments)", fail);
    let error = draft.audit(&["mutants"]).unwrap_err().to_string();
    assert!(error.contains("checkpoint_2: with a call in front of each statement"), "{error}");
    assert!(error.contains("it fails checkpoint_"), "{error}");
}

#[test]
fn a_suite_that_looks_at_nothing_is_flawed() {
    let draft = Draft::new(ProblemKind::Cli);
    for (checkpoint, case) in [(1, "example"), (1, "white_space")] {
        let text = fs::read_to_string(draft.path(&format!("checkpoint_{checkpoint}/cases/{case}.toml"))).unwrap();
        let blind: String =
            text.lines().filter(|line| !line.starts_with("stdout")).map(|line| format!("{line}\n")).collect();
        fs::write(draft.path(&format!("checkpoint_{checkpoint}/cases/{case}.toml")), blind).unwrap();
    }
    let flaw = draft.flaw("mutants");
    assert!(flaw.starts_with("the suite of checkpoint 1 kills ") && flaw.ends_with("; expected 85%"), "{flaw}");
}

#[test]
fn a_second_solution_has_to_pass_to_the_end() {
    let node = Command::new("node").arg("--version").output();
    let Some(_) = need(Need::Toolchain, node) else { return };
    let draft = Draft::new(ProblemKind::Cli);
    let program = "const text = require('fs').readFileSync(0, 'utf8');\nif (process.argv[2] !== 'count') process.exit(2);\n\
                   console.log(JSON.stringify({words: text.split(/\\s+/).filter(Boolean).length}));\n";
    let folder = draft.path("solution/javascript/checkpoint_1");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("words.js"), program).unwrap();
    assert_eq!(draft.flaw("second"), "the second solution, in javascript, ends before checkpoint 2");
    fs::write(folder.join("words.js"), program.replace("'count'", "'number'")).unwrap();
    let flaw = draft.flaw("second");
    assert!(flaw.contains("in javascript, fails at checkpoint 1 checkpoint_1/example"), "{flaw}");
}

#[test]
fn a_sentence_that_no_case_covers_is_named_with_its_place() {
    let draft = Draft::new(ProblemKind::Cli);
    draft.replace("checkpoint_1/cases/no_command.toml", "covers = [\"other_commands\"]\n", "");
    let report = draft.check("sentences");
    assert_eq!(report.flaws, ["checkpoint_1/spec.md:9: no case covers @other_commands"]);
    let CheckEvidence::Sentences(rows) = &report.evidence else { panic!("{report:?}") };
    let counts: Vec<_> = rows.iter().map(|row| (row.checkpoint, row.tagged, row.covered)).collect();
    assert_eq!(counts, [(1, 3, 2), (2, 3, 3)]);

    let later = "covers = [\"arguments\", \"checkpoint_1/other_commands\"]";
    draft.replace("checkpoint_2/cases/one_argument_too_many.toml", "covers = [\"arguments\"]", later);
    let report = draft.check("sentences");
    assert_eq!(report.state, CheckState::Sound, "{report:?}");
    assert_eq!(report.notes, ["of checkpoint 1, cases of later ones alone cover other_commands"]);
}

#[test]
fn sentences_without_a_tag_are_not_called_covered() {
    let draft = Draft::new(ProblemKind::Cli);
    let tag = Regex::new("<!-- @[a-z_]+ -->|covers = .*\n").unwrap();
    let untag = |number: u32| {
        let checkpoint = draft.path(&format!("checkpoint_{number}"));
        let cases = fs::read_dir(checkpoint.join("cases")).unwrap().map(|case| case.unwrap().path());
        for path in cases.chain([checkpoint.join("spec.md")]) {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, tag.replace_all(&text, "").as_ref()).unwrap();
        }
    };
    for (number, note) in [(2, "no sentence is tagged at checkpoint 2"), (1, "no sentence is tagged")] {
        untag(number);
        let report = draft.check("sentences");
        assert_eq!((report.state, report.notes), (CheckState::NotDone, vec![note.to_owned()]));
    }
}

#[test]
fn code_that_nothing_changes_is_noted() {
    let draft = Draft::new(ProblemKind::Cli);
    let more = fs::read_to_string(draft.path(ONE)).unwrap() + "\nMORE = 1\n";
    fs::write(draft.path(TWO), more).unwrap();
    let notes = draft.check("growth").notes;
    assert_eq!(notes, ["checkpoint 2 rewrites 0.0% of the lines before it: early decisions hardly matter there"]);
}

#[test]
fn a_hasty_solution_is_measured_beside_the_reference_and_has_to_pass() {
    let draft = Draft::new(ProblemKind::Cli);
    for (checkpoint, reference) in [(1, ONE), (2, TWO)] {
        let folder = draft.path(&format!("hasty/checkpoint_{checkpoint}"));
        fs::create_dir_all(&folder).unwrap();
        fs::copy(draft.path(reference), folder.join("words.py")).unwrap();
    }
    let report = draft.check("growth");
    assert_eq!(report.state, CheckState::Sound, "{:?}", report.flaws);
    let CheckEvidence::Growth(rows) = &report.evidence else { panic!("{report:?}") };
    let [reference, hasty] = [GrownSolution::Reference, GrownSolution::Hasty].map(|solution| {
        let own = rows.iter().filter(|row| row.solution == solution);
        own.map(|row| (row.checkpoint, row.loc, row.added, row.erosion)).collect::<Vec<_>>()
    });
    assert_eq!(reference.len(), 2);
    assert_eq!(reference, hasty);

    draft.replace("hasty/checkpoint_2/words.py", "import sys", "import sys; sys.exit(1)");
    let flaw = draft.flaw("growth");
    assert!(flaw.starts_with("the hasty solution fails at checkpoint 2 checkpoint_"), "{flaw}");
    fs::remove_dir_all(draft.path("hasty/checkpoint_2")).unwrap();
    assert_eq!(draft.flaw("growth"), "the hasty solution has no checkpoint 2");
    // What is measured and drawn has been played, or is a flaw.
    fs::rename(draft.path("hasty/checkpoint_1"), draft.path("hasty/checkpoint_2")).unwrap();
    assert_eq!(draft.flaw("growth"), "the hasty solution has no checkpoint 1");
}

#[test]
fn what_did_not_change_is_not_asked_again() {
    let draft = Draft::new(ProblemKind::Cli);
    let first = draft.check("distinct");
    let again = draft.check("distinct");
    assert_eq!(format!("{first:?}"), format!("{again:?}"));
    draft.replace("notes.md", "Notes", "More notes");
    draft.check("distinct");
    draft.replace(ONE, "Counts", "Numbers");
    draft.check("distinct");
    let told = draft.told.lock().unwrap();
    let kept: Vec<_> = told.iter().map(|line| line.ends_with("(as before)")).collect();
    assert_eq!(kept, [false, true, true, false], "{told:?}");
}

/// A stopped audit has no report of the check that it was making, and its last play had not ended.
#[test]
fn plays_of_a_stopped_audit_are_not_played_again() {
    let draft = Draft::new(ProblemKind::Cli);
    let first = draft.check("stable");
    fs::remove_file(draft.kept("stable-")).unwrap();
    let plays = draft.plays();
    fs::write(draft.kept("plays-"), plays[..plays.len() - 1].join("\n") + "\n").unwrap();
    let again = draft.check("stable");
    assert_eq!(format!("{first:?}"), format!("{again:?}"));
    let now = draft.plays();
    assert_eq!(now[..plays.len() - 1], plays[..plays.len() - 1], "the last one alone is played");
    assert_eq!(now.len(), plays.len());
}

/// Each checkpoint's reference plays the case of the first.
#[test]
fn a_changed_case_asks_for_its_own_plays_alone() {
    let draft = Draft::new(ProblemKind::Cli);
    let (first, before) = (draft.check("references"), draft.plays());
    let case = fs::read_dir(draft.path("checkpoint_1/cases")).unwrap().next().unwrap().unwrap().file_name();
    draft.replace(&format!("checkpoint_1/cases/{}", case.to_string_lossy()), "title = \"", "title = \"Also: ");
    let (again, after) = (draft.check("references"), draft.plays());
    assert_eq!((first.state, again.state), (CheckState::Sound, CheckState::Sound));
    assert_eq!(after[..before.len()], before);
    assert_eq!(after.len() - before.len(), 2, "{after:?}");
}

#[test]
fn what_cannot_be_audited_is_refused() {
    let draft = Draft::new(ProblemKind::Cli);
    let error = draft.audit(&["stabel"]).unwrap_err().to_string();
    assert!(
        error.starts_with("there is no check \"stabel\"; expected some of references, stable, distinct"),
        "{error}"
    );
    fs::remove_file(draft.path(TWO)).unwrap();
    let error = draft.audit(&["growth"]).unwrap_err().to_string();
    assert!(error.contains("checkpoint_2/words.py: the reference solution is not there"), "{error}");
}

#[test]
fn found_of_the_same_files_is_added_to_a_report() {
    let draft = Draft::new(ProblemKind::Cli);
    let report = |checks: Vec<CheckReport>| AuditReport {
        format: AuditFormat::V1,
        tool: ToolVersion::this(),
        instrument: Instrument::default(),
        problems: vec![ProblemAudit {
            problem: ProblemId { name: "words".to_owned(), digest: draft.problem().digest().unwrap() },
            checks,
        }],
    };
    let earlier = report(draft.audit(&["references", "distinct", "sentences"]).unwrap());
    let joined = |earlier: &AuditReport| -> Vec<String> {
        let mut new = report(draft.audit(&["sentences"]).unwrap());
        add_checks(&mut new, earlier.clone(), &[draft.problem()]).unwrap();
        new.problems[0].checks.iter().map(|found| found.check.clone()).collect()
    };
    assert_eq!(joined(&earlier), ["references", "distinct", "sentences"]);
    let other =
        AuditReport { tool: ToolVersion { name: "other".to_owned(), ..ToolVersion::this() }, ..earlier.clone() };
    assert_eq!(joined(&other), ["sentences"]);
    // What reads no text stays when texts change, and nothing does when a solution does.
    draft.replace("checkpoint_1/spec.md", "The exit code is 0.", "The exit code is 0, always.");
    assert_eq!(joined(&earlier), ["references", "sentences"]);
    draft.replace(ONE, "import sys", "import sys\nimport os");
    assert_eq!(joined(&earlier), ["sentences"]);
}
