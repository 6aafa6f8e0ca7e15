//! Completions and manual pages are what shells and man understand.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    process::{Command, Output},
};

fn slopbench(args: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_slopbench")).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    output
}

/// What a program that may be missing says of a file; nothing where it is.
fn judged(program: &str, args: &[&str], file: &Path) -> Option<Output> {
    Command::new(program).args(args).arg(file).output().ok()
}

#[test]
fn shells_can_read_their_completions() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = dir.path().join(shell);
        fs::write(&script, slopbench(&["completions", shell]).stdout).unwrap();
        assert!(fs::read_to_string(&script).unwrap().contains("rubric-violations"), "{shell} knows no options");
        if ["bash", "fish", "zsh"].contains(&shell)
            && let Some(output) = judged(shell, &["-n"], &script)
        {
            assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
        }
    }
}

#[test]
fn bash_completes_commands_options_and_values() {
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("slopbench.bash");
    fs::write(&script, slopbench(&["completions", "bash"]).stdout).unwrap();
    for (words, expected) in [
        (&["mea"][..], "measure"),
        (&["measure", "--no-git"], "--no-gitignore"),
        (&["problems", "ch"], "check"),
        (&["--color", "al"], "always"),
    ] {
        let (last, all) = (words.last().unwrap(), words.join(" "));
        let line = format!(
            "source {}; COMP_WORDS=(slopbench {all}); COMP_CWORD={}; _slopbench slopbench {last} {}; echo \"${{COMPREPLY[@]}}\"",
            script.display(),
            words.len(),
            words.iter().rev().nth(1).unwrap_or(&"slopbench"),
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).output().unwrap();
        let offered = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(offered.split_whitespace().any(|word| word == expected), "{all}: {output:?}");
    }
}

/// The commands that help lists below these, with their parents' names.
fn commands(above: &[&str]) -> Vec<Vec<String>> {
    let help = slopbench(&[above, &["--help"]].concat()).stdout;
    let help = String::from_utf8(help).unwrap();
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description that is wrapped is indented further.
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(|name| above.iter().chain([&name]).map(|&word| word.to_owned()).collect()).collect()
}

#[test]
fn every_command_has_a_page_that_man_formats_without_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let pages = dir.path().join("new/man");
    slopbench(&["man", "--out", pages.to_str().unwrap()]);
    let written: BTreeSet<_> =
        fs::read_dir(&pages).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()).collect();
    let mut expected = BTreeSet::from(["slopbench.1".to_owned()]);
    for command in commands(&[]) {
        let below = commands(&[&command[0]]);
        expected.extend(below.iter().chain([&command]).map(|words| format!("slopbench-{}.1", words.join("-"))));
    }
    assert!(expected.len() > 20, "{expected:?}");
    let missing: Vec<_> = expected.difference(&written).collect();
    assert!(missing.is_empty(), "{missing:?} of {written:?}");
    for name in &written {
        let page = pages.join(name);
        let text = fs::read_to_string(&page).unwrap();
        let title = name.trim_end_matches(".1");
        assert!(text.contains(&format!("\n.TH {title} 1")) && text.contains("\n.SH NAME\n"), "{name}: {text}");
        if let Some(output) = judged("groff", &["-ww", "-man", "-Tutf8"], &page) {
            assert!(output.status.success() && output.stderr.is_empty(), "{name}: {output:?}");
        }
    }
    let printed = slopbench(&["man"]).stdout;
    assert!(printed == fs::read(pages.join("slopbench.1")).unwrap(), "what is printed is the first page");
}
