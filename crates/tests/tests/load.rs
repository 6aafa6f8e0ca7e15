//! Loading a problem: what is derived, and what every flaw is answered with.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{CASE, PROBLEM, problem, write};
use slopbench_tests::Problem;

#[test]
fn a_suite_holds_earlier_cases_but_for_superseded_ones() {
    let dir = problem();
    let problem = Problem::load(dir.path()).unwrap();
    let ids = |number| problem.suite(number).iter().map(|case| case.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(1), ["checkpoint_1/no_numbers", "checkpoint_1/word"]);
    assert_eq!(ids(2), ["checkpoint_1/word", "checkpoint_2/number"]);
    assert_eq!(problem.command("/solution".as_ref()), ["python3", "/solution/echo.py"]);
}

#[test]
fn a_case_inherits_the_problems_limits_and_may_override_them() {
    let dir = problem();
    write(dir.path(), "checkpoint_2/cases/slow.toml", format!("{CASE}[limits]\nmemory_mb = 7\n"));
    let problem = Problem::load(dir.path()).unwrap();
    let limits = problem.checkpoint(2).unwrap().cases[1].limits;
    assert_eq!((limits.wall.as_millis(), limits.memory), (3000, 7 << 20));
    assert_eq!(limits.cpu.as_millis(), 1500, "half of the wall clock, which it inherits");
}

#[test]
fn limits_come_from_the_case_its_checkpoint_and_the_problem_in_this_order() {
    let dir = problem();
    let limits = "title = \"Numbers\"\nlimits = { wall_ms = 8000, memory_mb = 9 }";
    write(dir.path(), "problem.toml", PROBLEM.replace("title = \"Numbers\"", limits));
    write(dir.path(), "checkpoint_2/cases/slow.toml", format!("{CASE}[limits]\nmemory_mb = 7\n"));
    let problem = Problem::load(dir.path()).unwrap();
    let of = |number: u32, index: usize| {
        let limits = problem.checkpoint(number).unwrap().cases[index].limits;
        (limits.wall.as_millis(), limits.memory >> 20)
    };
    assert_eq!((of(1, 0), of(2, 0), of(2, 1)), ((3000, 512), (8000, 9), (8000, 7)));
}

#[test]
fn what_authors_note_for_each_other_changes_no_digest() {
    let dir = problem();
    let bare = Problem::load(dir.path()).unwrap();
    let (digest, files) = (bare.digest().unwrap(), bare.listing().unwrap());
    write(dir.path(), "notes.md", "Why.");
    write(dir.path(), "equivalents.toml", "format = \"slopbench.equivalents/1\"\n");
    let noted = Problem::load(dir.path()).unwrap();
    assert_eq!((noted.digest().unwrap(), noted.listing().unwrap()), (digest, files));
}

#[test]
fn a_hasty_solution_is_a_file_of_the_problem_and_changes_nothing_of_what_is_asked() {
    let dir = problem();
    let bare = Problem::load(dir.path()).unwrap();
    let (digest, files) = (bare.digest().unwrap(), bare.listing().unwrap());
    write(dir.path(), "hasty/checkpoint_1/echo.py", "print()\n");
    assert!(bare.hasty(1).join("echo.py").is_file());
    assert_eq!(bare.digest().unwrap(), digest);
    assert_eq!(bare.listing().unwrap().0.len(), files.0.len() + 1);
}

#[test]
fn assets_are_plain_files_that_every_copy_holds() {
    let dir = problem();
    write(dir.path(), "problem.toml", PROBLEM.replace("entry", "assets = 'given'\nentry"));
    write(dir.path(), "given/words/a.txt", "a");
    write(dir.path(), "checkpoint_2/cases/word.toml", CASE.replace("\"hello\"", "\"{assets}/words/a.txt\""));
    let before = Problem::load(dir.path()).unwrap();
    assert_eq!(before.assets.as_deref(), Some(dir.path().join("given").as_path()));
    let digest = before.digest().unwrap();
    write(dir.path(), "given/words/a.txt", "b");
    assert_ne!(before.digest().unwrap(), digest);
    write(dir.path(), "given/words/.cache/b", "b");
    let error = Problem::load(dir.path()).unwrap_err().to_string();
    assert!(error.contains("problem.toml:4: ") && error.contains("given/words/.cache is no asset"), "{error}");
    std::fs::remove_dir_all(dir.path().join("given/words/.cache")).unwrap();
    std::os::unix::fs::symlink("/etc", dir.path().join("given/etc")).unwrap();
    assert!(Problem::load(dir.path()).unwrap_err().to_string().contains("given/etc is no asset"));
}

#[test]
fn a_pattern_supersedes_all_that_match_and_still_hold() {
    let dir = problem();
    write(dir.path(), "problem.toml", format!("{}{THIRD}", PROBLEM.replace("/no_numbers", "/no_*")));
    write(dir.path(), "checkpoint_3/spec.md", "Echo nothing.");
    write(dir.path(), "checkpoint_3/cases/word.toml", CASE);
    let problem = Problem::load(dir.path()).unwrap();
    let ids = |number| problem.suite(number).iter().map(|case| case.id.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(2), ["checkpoint_1/word", "checkpoint_2/number"]);
    assert_eq!(ids(3), ["checkpoint_2/number", "checkpoint_3/word"]);
    let [gone] = problem.checkpoint(3).unwrap().supersedes.as_slice() else { panic!("more than one") };
    assert_eq!((gone.case.as_str(), gone.reason.as_str()), ("checkpoint_1/word", "all is new"));
}

const THIRD: &str = r#"
[[checkpoints]]
title = "Nothing"

[[checkpoints.supersedes]]
case = "checkpoint_1/*"
reason = "all is new"
"#;

const TWICE: &str = r#"
[[checkpoints.supersedes]]
case = "checkpoint_1/no_*"
reason = "again"
"#;

/// A file, what is written into it, and how the error must begin: after that file's name, or with another's.
#[test]
fn every_flaw_names_file_and_line() {
    let word = "checkpoint_1/cases/word.toml";
    let case = |from: &str, to: &str| CASE.replace(from, to);
    let head = CASE.split("args").next().unwrap();
    let steps = |text: &str| format!("{head}[[steps]]\n{text}\n");
    let signal = |text: &str| CASE.replace("\n[expect]", &format!("signal = {{ {text} }}\n[expect]"));
    let file = |text: &str| format!("{CASE}[expect.files.a]\n{text}\n");
    let covers = |names: &str| case("\nargs", &format!("\ncovers = {names}\nargs"));
    let expect = |stdout: &str| case("text = \"hello\\n\"", stdout);
    let flaws: &[(&str, String, &str)] = &[
        ("problem.toml", PROBLEM.replace("title = \"Echo\"", "titel = \"Echo\""), ":2: unknown field `titel`"),
        ("problem.toml", PROBLEM.replace("/2\"", "/9\""), ":1: this version reads format \"slopbench.problem/2\""),
        ("problem.toml", PROBLEM.replace("\"cli\"", "\"gui\""), ":3: unknown variant `gui`, expected `cli` or `http`"),
        (
            "problem.toml",
            PROBLEM.replace("\"echo\"", "\"echo.py\""),
            ":4: entry is `echo.py`: write `echo`, the ending",
        ),
        ("problem.toml", PROBLEM.replace("3000", "0"), ":7: invalid value: integer `0`, expected a nonzero u32"),
        (
            "problem.toml",
            PROBLEM.replace("wall_ms = 3000", "wall_ms = 3000\ncpu_ms = 1501"),
            ":8: cpu_ms is at most half of wall_ms, here 1500",
        ),
        (word, format!("{CASE}[limits]\ncpu_ms = 2000\n"), ":12: cpu_ms is at most half of wall_ms, here 1500"),
        ("problem.toml", PROBLEM.replace("/no_numbers", "/nothing"), ":16: no case of an earlier checkpoint"),
        ("problem.toml", PROBLEM.replace("numbers are allowed from checkpoint 2 on", " "), ":17: say why"),
        ("problem.toml", "title = [".to_owned(), ":1: "),
        ("checkpoint_3/spec.md", String::new(), "checkpoint_3: problem.toml lists 2 checkpoints"),
        ("checkpoint_1/cases/Word.toml", CASE.to_owned(), ": a case's file is named by lower-case words"),
        ("checkpoint_1/cases/notes.md", String::new(), ": a folder of cases holds .toml files only"),
        (
            word,
            case("\"core\"", "\"error\""),
            "checkpoint_1/cases: a checkpoint has at least one case of category core",
        ),
        (word, case("args", "argv"), ":4: unknown field `argv`"),
        (word, CASE.lines().take(5).map(|line| format!("{line}\n")).collect(), ":2: missing [expect]"),
        (word, CASE.split("exit_code").next().unwrap().to_owned(), ":6: the case expects nothing"),
        (word, case("One word comes back", ""), ":2: say in one sentence what is checked"),
        (word, expect("normalise = [\"trim\"]"), ":9: give exactly one way of comparing"),
        (word, expect("text = \"a\"\nempty = true"), ":9: give exactly one way of comparing"),
        (word, expect("json = '{'"), ":10: the expected value is not JSON"),
        (word, expect("json = '{}'\nunordered = true"), ":10: unordered with json needs an array"),
        (word, expect("json_lines = '''{}\n[\n'''"), ":10: the expected text is not JSON Lines: line 2"),
        (word, expect("pattern = '('"), ":10: regex parse error"),
        (word, expect("base64 = '*'"), ":10: not base64"),
        (word, expect("absent = true"), ":10: absent is for files"),
        (word, expect("text = ''\ntolerance = 0.1"), ":11: tolerance goes with json or json_lines"),
        (word, expect("csv = 'a'\nkey_order = true"), ":11: key_order goes with json or json_lines"),
        (word, expect("text = ''\nnormalise = [\"shout\"]"), ":11: unknown variant `shout`"),
        (
            word,
            expect("base64 = 'YQ=='\nnormalise = [\"trim\"]"),
            ":11: normalise goes with what is text, not with base64",
        ),
        (word, expect("json = '{}'\nnormalise = [\"sort_lines\"]"), ":11: sort_lines would sort JSON"),
        (word, expect(r#"json = '{"a": 1, "a": 1}'"#), r#":10: the expected value is ambiguous JSON: the key "a""#),
        (
            word,
            expect(r#"json_lines = '{"a": 1, "a": 1}'"#),
            ":10: the expected text is not JSON Lines: line 1: ambiguous JSON",
        ),
        (
            word,
            expect("json = '{\"A\": 1, \"a\": 1}'\nnormalise = [\"lowercase\"]"),
            ":10: the expected value is ambiguous JSON",
        ),
        (
            word,
            expect(&format!("csv = \"{}\"\nunordered = true", "a\\n".repeat(1001))),
            ":10: at most 1000 items are compared without regard to order, these are 1001",
        ),
        (
            word,
            format!("{CASE}[expect.files.a]\nabsent = true\nnormalise = []\n"),
            ":13: normalise goes with what is text, not with base64 or absent",
        ),
        (word, format!("{CASE}[files]\n\"../x\" = ''\n"), ":12: `../x` is not a relative path"),
        (word, format!("{CASE}[files]\n\"x\" = ''\n[symlinks]\nx = 'y'\n"), ":14: `x` is given twice"),
        (word, format!("{CASE}[files]\n\"x\" = ''\n\"x/y\" = ''\n"), ":13: `x/y` would lie in a file"),
        (word, format!("{CASE}[files]\n\"x/./y\" = ''\n"), ":12: `x/./y` is not a relative path"),
        (word, format!("{CASE}[symlinks]\nx = ''\n"), ":12: a link's target has 1 to 4000 bytes"),
        (word, format!("{CASE}[env]\n\"A=B\" = ''\n"), ":12: a variable's name"),
        (word, case("[\"hello\"]", "[\"a\\u0000b\"]"), ":4: no program can be given"),
        (word, case("exit_code = 0", "exit_code = 256"), ":7: invalid value: integer `256`"),
        (word, case("exit_code = 0", "exit_code = \"zero\""), ":7: invalid value: string \"zero\", expected 0 to 255"),
        (word, expect(r#"json = '{"?typ": 1}'"#), ":10: the expected value is no matcher: ?typ; known: ?type"),
        (word, expect("json_lines = '''1\n{\"?near\": 1}'''"), ":10: the expected text is not JSON Lines: line 2: no"),
        (word, expect("sqlite = []"), ":10: sqlite is for files"),
        (word, expect("archive = { kind = \"zip\", only = true }"), ":10: archive is for files"),
        (word, file("archive = { kind = \"zip\" }"), ":12: archive is for files, with `files`"),
        (word, file("archive = { kind = \"rar\", only = true }"), ":12: unknown variant `rar`, expected one of `tar`"),
        (word, file("archive = { kind = \"tar\", files = { \"../a\".text = '' } }"), ":12: `../a` is not a relative"),
        (word, file("archive = { kind = \"tar\", files = { a = {} } }"), ":12: give exactly one way of comparing"),
        (word, file("sqlite = []"), ":12: sqlite is for files, each with at least one query"),
        (word, file("[[expect.files.a.sqlite]]\nquery = 'SELEC'\nrows = '[]'"), ":13: no query: near \"SELEC\""),
        (word, file("[[expect.files.a.sqlite]]\nquery = 'SELECT 1'\nrows = '['"), ":14: the expected rows are not"),
        (
            word,
            file("normalise = [\"trim\"]\nsqlite = [{ query = 'SELECT 1', rows = '[]' }]"),
            ":12: normalise goes with what",
        ),
        (word, format!("{CASE}[[steps]]\nargs = []\n"), ":11: each of the [[steps]] has args"),
        (word, steps("args = []"), ":4: the case expects nothing: at least one step"),
        (word, steps("request = 'GET /'"), ":5: unknown field `request`, expected one of `args`"),
        (word, steps("args = []\n[steps.expect]"), ":6: the case expects nothing; give exit_code, signal"),
        (word, steps("args = ['a\\u0000']").replace('\'', "\""), ":5: no program can be given"),
        (word, steps("[steps.env]\n'A=B' = ''"), ":6: a variable's name"),
        (
            word,
            case("exit_code = 0", "exit_code = 0\nsignal = 'SIGTERM'"),
            ":8: a program ends with exit_code or by signal",
        ),
        (word, case("exit_code = 0", "signal = 'TERM'"), ":7: `TERM` is no signal's name: expected one as SIGTERM"),
        (word, signal("name = 'SIGTERM'"), ":5: say when to send the signal by one of after_ms"),
        (word, signal("name = 'SIGTERM', after_ms = 1, after_lines = 1"), ":5: say when to send the signal"),
        (word, signal("name = 'SIGTERM', after_ms = 3000"), ":5: after_ms is less than wall_ms, here 3000"),
        (word, signal("name = 'SIGTERM', after_file = '/x'"), ":5: `/x` is not a relative path"),
        (word, signal("name = 'SIGFOO', after_lines = 1"), ":5: `SIGFOO` is no signal's name"),
        (
            word,
            case("\"hello\"", "\"{assets}/x\""),
            ":2: {assets} stands for the problem's assets, and problem.toml names",
        ),
        ("problem.toml", PROBLEM.replace("entry", "assets = 'none'\nentry"), ":4: `none` is no folder of assets"),
        ("problem.toml", PROBLEM.replace("entry", "assets = '../x'\nentry"), ":4: `../x` is not a relative path"),
        (
            "problem.toml",
            PROBLEM.replace("entry", "assets = 'checkpoint_1'\nentry"),
            ":4: `checkpoint_1` is no folder of",
        ),
        ("problem.toml", PROBLEM.replace("case = ", "limits = {}\ncase = "), ":16: unknown field `limits`"),
        (
            "problem.toml",
            PROBLEM.replace("\"Words\"", "\"Words\"\nlimits = { wall_ms = 10, cpu_ms = 6 }"),
            ":11: cpu_ms is at most half of wall_ms, here 5",
        ),
        ("problem.toml", PROBLEM.replace("/no_numbers", "/no_[numbers"), ":16: error parsing glob"),
        ("problem.toml", PROBLEM.replace("checkpoint_1/no_numbers", "*"), ":16: no case of an earlier checkpoint"),
        ("problem.toml", format!("{PROBLEM}{TWICE}"), ":20: this case is superseded already"),
        (word, expect("json = '1'\ntolerance = -1.0"), ":11: a tolerance is a finite number"),
        ("problem.toml", PROBLEM.replace("\"echo\"", "\"../echo\""), ":4: `../echo` is not a relative path"),
        (word, "title = 'é\u{0}'".to_owned(), ":1: "),
        (SPEC, "Echo.\n\nWords.<!--@words-->".to_owned(), ":3: a tag is written `<!-- @name -->`"),
        (SPEC, "Words.<!-- @Words -->".to_owned(), ":1: a tag is written `<!-- @name -->`"),
        (SPEC, "Words.<!-- @words".to_owned(), ":1: a tag is written `<!-- @name -->`"),
        (SPEC, "Words. <!-- @words -->".to_owned(), ":1: the tag @words follows white space: put it right behind"),
        (SPEC, "A.<!-- @a -->\nB.<!-- @a -->".to_owned(), ":2: the tag @a stands in line 1 already"),
        (word, covers("[\n\"words\"]"), ":5: covers: no sentence has the tag `words`: write `name`"),
        (word, covers("[\"checkpoint_2/numbers\"]"), ":4: covers: no sentence has the tag `checkpoint_2/numbers`"),
        ("checkpoint_2/cases/number.toml", covers("[\"checkpoint_01/words\"]"), ":4: covers: no sentence has the tag"),
    ];
    for (path, content, expected) in flaws {
        let dir = problem();
        write(dir.path(), path, content);
        let error = Problem::load(dir.path()).expect_err(expected).to_string();
        let fault = if expected.starts_with(':') { format!("{path}{expected}") } else { (*expected).to_owned() };
        assert!(error.starts_with(&format!("{}/{fault}", dir.path().display())), "{path}: {error}");
    }
}

const SPEC: &str = "checkpoint_1/spec.md";

#[test]
fn cases_cover_tagged_sentences_of_their_checkpoint_and_earlier_ones_and_agents_see_no_tag() {
    let dir = problem();
    let bare = Problem::load(dir.path()).unwrap();
    let digest = bare.digest().unwrap();
    write(dir.path(), SPEC, "Echo words.<!-- @words -->");
    write(dir.path(), "checkpoint_2/spec.md", "Echo numbers<!-- @numbers --> too.<!-- @too -->");
    let number = CASE.replace("args", "covers = [\"too\", \"checkpoint_1/words\"]\nargs");
    write(dir.path(), "checkpoint_2/cases/number.toml", &number);
    let tagged = Problem::load(dir.path()).unwrap();
    for checkpoint in [1, 2] {
        assert_eq!(tagged.specification(checkpoint), bare.specification(checkpoint));
    }
    let ids = |number: u32| {
        let sentences = &tagged.checkpoint(number).unwrap().sentences;
        sentences.iter().map(|sentence| sentence.id.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (ids(1), ids(2)),
        (vec!["checkpoint_1/words".to_owned()], vec!["checkpoint_2/numbers".to_owned(), "checkpoint_2/too".to_owned()],)
    );
    let [case] = tagged.checkpoint(2).unwrap().cases.as_slice() else { panic!("more than one") };
    assert_eq!(case.covers.iter().collect::<Vec<_>>(), ["checkpoint_1/words", "checkpoint_2/too"]);
    assert_ne!(tagged.digest().unwrap(), digest, "the files are others");

    let twice = number.replace("\"too\"", "\"checkpoint_2/too\", \"too\"");
    write(dir.path(), "checkpoint_2/cases/number.toml", twice);
    let error = Problem::load(dir.path()).unwrap_err().to_string();
    assert!(error.ends_with("number.toml:4: covers: `too` is named twice"), "{error}");
}

#[test]
fn tags_are_taken_out_of_a_specification_and_nothing_else() {
    let dir = problem();
    let text = "One.<!-- @one -->  Two.<!-- @two --><!-- @also_2 -->\r\n<!-- a remark -->\n| cell<!-- @cell --> |<!--";
    write(dir.path(), SPEC, text);
    let problem = Problem::load(dir.path()).unwrap();
    let checkpoint = problem.checkpoint(1).unwrap();
    assert_eq!(checkpoint.spec, "One.  Two.\r\n<!-- a remark -->\n| cell |<!--");
    let found = checkpoint.sentences.iter().map(|sentence| (sentence.id.as_str(), sentence.line));
    let ids = ["one", "two", "also_2", "cell"].map(|name| format!("checkpoint_1/{name}"));
    assert!(found.eq(ids.iter().map(String::as_str).zip([1, 1, 1, 3])), "{:?}", checkpoint.sentences);
}

#[test]
fn a_file_that_is_not_utf8_is_named_with_its_line() {
    let dir = problem();
    write(dir.path(), "checkpoint_1/cases/word.toml", b"format = 'x'\ntitle = '\xff'");
    let error = Problem::load(dir.path()).unwrap_err().to_string();
    assert!(error.ends_with("word.toml:2: not valid UTF-8; save the file as UTF-8"), "{error}");
}

#[test]
fn a_missing_specification_or_folder_is_named() {
    let dir = problem();
    std::fs::remove_file(dir.path().join("checkpoint_2/spec.md")).unwrap();
    let error = Problem::load(dir.path()).unwrap_err().to_string();
    assert!(error.contains("checkpoint_2/spec.md: cannot be read: No such file"), "{error}");
    let error = Problem::load(&dir.path().join("nowhere")).unwrap_err().to_string();
    assert!(error.contains("nowhere/problem.toml: cannot be read: No such file"), "{error}");
}
