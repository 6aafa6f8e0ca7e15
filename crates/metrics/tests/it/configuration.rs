//! `slopbench.toml`: where it is looked for, what it does, and what its errors say.

use std::path::{Path, PathBuf};

use slopbench_metrics::measurement::RefusalReason;
use slopbench_metrics::{Configuration, Error, Measurement, Roots, RuleSet, RulesError, SuppressedBy, measure_roots};

use crate::support::{folder, rules};

const PRINT: &str = "id: no-print\nlanguage: Python\nrule: {pattern: print($$$)}\n";
const EVAL: &str = "id: no-eval\nlanguage: Python\nrule: {pattern: eval($A)}\n";

fn one(path: &Path) -> Roots {
    Roots::one(path).expect("a path that is there")
}

/// What `root` is like, as the configuration found from it wants it.
fn measured(roots: &Roots) -> Measurement {
    let configuration = Configuration::find(roots.base()).expect("a valid configuration");
    measure_roots(roots, &rules(PRINT), Some(&configuration)).expect("roots that are there")
}

fn paths(measurement: &Measurement) -> Vec<&str> {
    measurement.files.iter().map(|file| &*file.path).collect()
}

fn excluded(measurement: &Measurement) -> Vec<&str> {
    let excluded = measurement.skipped.iter().filter(|skipped| skipped.reason == RefusalReason::Excluded);
    excluded.map(|skipped| &*skipped.path).collect()
}

/// What reading this configuration says, without the folder's name.
fn error(text: &str) -> String {
    let folder = folder(&[("slopbench.toml", text)]);
    let read = Configuration::load(&folder.path().join("slopbench.toml")).map_err(RulesError::from);
    let error = read.and_then(|configuration| configuration.rules(None).map(drop)).expect_err("an error").to_string();
    error.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn what_it_excludes_is_named_and_not_read() {
    let files =
        [("a.py", ""), ("docs/deep/b.py", ""), ("src/api_pb2.py", "\0"), ("src/c.py", ""), ("src/docs/d.py", "")];
    let root = folder(&files);
    std::fs::write(root.path().join("slopbench.toml"), "exclude = ['docs/**', '**/*_pb2.py']\n").expect("a file");
    let measurement = measured(&one(root.path()));
    assert_eq!(paths(&measurement), ["a.py", "src/c.py", "src/docs/d.py"]);
    assert_eq!(excluded(&measurement), ["docs", "src/api_pb2.py"]);
    assert!(
        measurement.overrides.and_then(|overrides| overrides.configuration).is_some_and(|it| it.starts_with("sha256:"))
    );
}

#[test]
fn it_is_found_up_to_the_root_of_the_repository() {
    let files = [("slopbench.toml", "exclude = ['src/x']"), ("src/x/a.py", ""), ("src/b.py", "")];
    let outer = folder(&files);
    let source = one(&outer.path().join("src"));
    assert_eq!(paths(&measured(&source)), ["b.py", "x/a.py"], "without a repository, only the root itself counts");
    std::fs::create_dir(outer.path().join(".git")).expect("a writable folder");
    assert_eq!(paths(&measured(&source)), ["b.py"]);
    assert_eq!(excluded(&measured(&source)), ["x"]);
    std::fs::write(outer.path().join("src/slopbench.toml"), "").expect("a writable folder");
    assert_eq!(paths(&measured(&source)), ["b.py", "x/a.py"], "the nearest counts, alone");
}

#[test]
fn several_roots_have_one_base() {
    let root =
        folder(&[("slopbench.toml", "exclude = ['tests']"), ("src/a.py", ""), ("src/b.py", ""), ("tests/c.py", "")]);
    let several = |paths: &[&str]| Roots::several(root.path(), &paths.iter().map(PathBuf::from).collect::<Vec<_>>());
    let roots = several(&["src/b.py", "./src", "tests/c.py"]).expect("paths in the folder");
    let measurement = measured(&roots);
    assert_eq!(paths(&measurement), ["src/a.py", "src/b.py"], "each file once");
    assert_eq!(excluded(&measurement), ["tests/c.py"]);
    for outside in ["../elsewhere", "/", "src/../.."] {
        assert!(matches!(several(&["src", outside]), Err(Error::Outside { .. })), "{outside}");
    }
}

#[test]
fn suppressed_matches_are_listed_with_their_reason_and_not_counted() {
    let toml = "[[suppress]]\nrule = 'no-print'\npaths = ['cli.py']\nreason = 'It talks.'\n";
    let root = folder(&[("slopbench.toml", toml), ("cli.py", "print(1)\n"), ("api.py", "print(2)\n")]);
    let measurement = measured(&one(root.path()));
    assert_eq!(measurement.matches.iter().map(|found| &*found.path).collect::<Vec<_>>(), ["api.py"]);
    assert_eq!(measurement.total.flagged_lines, 1);
    let overrides = measurement.overrides.expect("an owner's measurement has overrides");
    let [suppressed] = &overrides.suppressed[..] else { panic!("{overrides:?}") };
    assert_eq!(
        (&*suppressed.found.path, suppressed.by, &*suppressed.reason),
        ("cli.py", SuppressedBy::Configuration, "It talks.")
    );
    assert_eq!(overrides.misfits, []);
}

#[test]
fn a_suppression_that_suppresses_nothing_is_named_where_everything_was_measured() {
    let toml = "exclude = []\n\n[[suppress]]\nrule = 'no-print'\npaths = ['gone']\nreason = 'It talked.'\n";
    let root = folder(&[("slopbench.toml", toml), ("a.py", "")]);
    let misfits = |roots: &Roots| measured(roots).overrides.expect("an owner's measurement has overrides").misfits;
    let [misfit] = &misfits(&one(root.path()))[..] else { panic!("one misfit") };
    assert_eq!((&*misfit.path, misfit.line), ("slopbench.toml", 3));
    assert_eq!(misfits(&one(&root.path().join("a.py"))), [], "one file says nothing of the others");
}

#[test]
fn rules_are_chosen_and_switched_off() {
    let ids = |toml: &str| {
        let root = folder(&[("slopbench.toml", toml), ("mine/a.yml", PRINT), ("mine/b.yml", EVAL)]);
        let configuration = Configuration::load(&root.path().join("slopbench.toml")).expect("a configuration");
        configuration.rules(None).expect("valid rules").ids().to_vec()
    };
    assert_eq!(ids("[rules]\npath = 'mine'\n"), ["no-eval", "no-print"]);
    assert_eq!(ids("[rules]\npath = 'mine'\ndisable = ['no-eval']\n"), ["no-print"]);
    let builtin = RuleSet::builtin().expect("built-in rules").ids().len();
    assert_eq!(ids("[rules]\ndisable = ['chained-get']\n").len(), builtin - 1);
}

#[test]
fn its_thresholds_are_read() {
    let root = folder(&[("slopbench.toml", "fail-on = ['erosion > 0.5', 'loc>=1000']")]);
    let configuration = Configuration::find(root.path()).expect("a configuration");
    let thresholds: Vec<_> = configuration.fail_on().iter().map(ToString::to_string).collect();
    assert_eq!(thresholds, ["erosion>0.5", "loc>=1000"]);
}

#[test]
fn errors_name_the_file_the_line_and_what_to_do() {
    insta::with_settings!({snapshot_path => "../../../../golden/metrics", prepend_module_to_snapshot => false}, {
        let all = [
            "exclude = [\n",
            "\nexcludes = []\n",
            "[rules]\nfile = 'x'\n",
            "exclude = [\n  'a',\n  '/b',\n]\n",
            "exclude = ['a[']\n",
            "fail-on = [\n  'erosion>0.5',\n  'beauty>1',\n]\n",
            "fail-on = ['erosion']\n",
            "[rules]\ndisable = [\n  'chained-get',\n  'no-such-rule',\n]\n",
            "[[suppress]]\nrule = 'chained-get'\npaths = ['a']\n",
            "\n[[suppress]]\nrule = 'chained-get'\npaths = []\nreason = 'x'\n",
            "\n[[suppress]]\nrule = 'chained-get'\npaths = ['a']\nreason = ' '\n",
        ];
        insta::assert_snapshot!("configuration-errors", all.map(error).join("\n\n"));
    });
}

#[test]
fn a_configuration_that_is_named_must_be_there() {
    assert!(Configuration::load(Path::new("no/such/slopbench.toml")).is_err());
}
