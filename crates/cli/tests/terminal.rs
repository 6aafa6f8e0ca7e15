//! What is shown on a terminal: colours, the window's width, the pager; and nothing that a terminal would obey.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{
    fs::{self, File},
    io::Read,
    os::fd::OwnedFd,
    path::Path,
    process::{Command, Stdio},
    thread,
};

use nix::pty::{Winsize, openpty};
use slopbench_synthetic::SyntheticStudy;
use tempfile::TempDir;

/// The name of a folder, of which something is left out.
const FOLDER: &str = "\u{1b}[31mfolder";

/// A file whose name and content are of someone who writes for terminals, beside one of a long name.
fn project() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let hostile = "x = 1\nif x:\n    print('\u{1b}[2J\u{202e}')\ndef \u{e9}(y):\n    return y\n";
    fs::write(dir.path().join("\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J.py"), hostile).unwrap();
    fs::write(dir.path().join("\u{1b}[1mbad.py"), "def\n").unwrap();
    fs::create_dir_all(dir.path().join(FOLDER).join("venv")).unwrap();
    fs::write(dir.path().join(FOLDER).join("a.py"), "x = 1\n").unwrap();
    let branches = "    if x == True:\n        x = 1\n".repeat(12);
    let name = "a_module_with_a_name_that_is_longer_than_most_windows_are_wide_and_that_ends_here.py";
    fs::write(dir.path().join(name), format!("def complex(x):\n{branches}    return x\n")).unwrap();
    dir
}

fn command(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slopbench"));
    command.args(args).current_dir(dir).env("TERM", "xterm-256color");
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PAGER", "SLOPBENCH_PAGER", "LESS", "CI"] {
        command.env_remove(name);
    }
    command.envs(env.iter().copied());
    command
}

/// What a terminal of this size is sent.
fn on_terminal(dir: &Path, (columns, rows): (u16, u16), args: &[&str], env: &[(&str, &str)]) -> String {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(&size, None).unwrap();
    let copy = || Stdio::from(OwnedFd::try_clone(&terminal.slave).unwrap());
    let mut child = command(dir, args, env).stdin(Stdio::null()).stdout(copy()).stderr(copy()).spawn().unwrap();
    drop(terminal.slave);
    let reader = thread::spawn(move || {
        let mut shown = Vec::new();
        // Ends with an error once the last program has closed the terminal.
        let _ = File::from(terminal.master).read_to_end(&mut shown);
        String::from_utf8(shown).unwrap().replace("\r\n", "\n")
    });
    let status = child.wait().unwrap();
    assert!(status.code().is_some(), "{args:?}: {status}");
    reader.join().unwrap()
}

/// What goes to a pipe.
fn piped(dir: &Path, args: &[&str], env: &[(&str, &str)]) -> String {
    String::from_utf8(command(dir, args, env).output().unwrap().stdout).unwrap()
}

const WIDE: (u16, u16) = (300, 500);

/// A terminal's text without bars of progress that were wiped: on a slow machine, they are drawn.
fn without_progress(text: &str) -> String {
    let mut pieces: Vec<_> = text.split("\r\u{1b}[2K").collect();
    let last = pieces.pop().unwrap_or_default();
    let kept = pieces.into_iter().map(|piece| piece.rfind('\n').map_or("", |end| &piece[..=end]));
    kept.chain([last]).collect()
}

/// The text without the few sequences that are ours.
fn without_colours(text: &str) -> String {
    let ours = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m", "\u{1b}[36m"];
    ours.iter().fold(text.to_owned(), |text, sequence| text.replace(sequence, ""))
}

#[test]
fn colours_are_for_terminals_and_for_whoever_asks() {
    let dir = project();
    let plain = piped(dir.path(), &["measure", "."], &[]);
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let coloured = on_terminal(dir.path(), WIDE, &["measure", "."], &[]);
    assert!(coloured.contains("\u{1b}[33m13\u{1b}[0m"), "{coloured:?}");
    assert_eq!(without_colours(&coloured), plain);
    let is_coloured = |args: &[&str], env: &[(&str, &str)], terminal: bool| {
        let args = [&["measure", "."], args].concat();
        let text = if terminal { on_terminal(dir.path(), WIDE, &args, env) } else { piped(dir.path(), &args, env) };
        text.contains("\u{1b}[")
    };
    assert!(!is_coloured(&[], &[("NO_COLOR", "1")], true));
    assert!(!is_coloured(&[], &[("TERM", "dumb")], true));
    assert!(!is_coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")], true));
    assert!(is_coloured(&["--color=always"], &[("NO_COLOR", "1")], false));
    assert!(is_coloured(&[], &[("CLICOLOR_FORCE", "1")], false));
    assert!(!is_coloured(&["--json"], &[], true));
}

#[test]
fn foreign_text_is_not_obeyed_in_colour_either() {
    let dir = project();
    let solution = dir.path().join("solution");
    fs::create_dir(&solution).unwrap();
    fs::write(solution.join("echo.py"), "print('\\x1b[31mred\\x1b]0;title\\x07\\u202e')\n").unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repository");
    let test = ["--root", repository.to_str().unwrap(), "test", "echo", "--solution", "solution", "--sandbox", "none"];
    for args in [
        &["measure", "."][..],
        &["measure", ".", "--json"],
        &["measure", "\u{1b}[31m"],
        &["compare", FOLDER, FOLDER],
        &test,
    ] {
        for colour in ["always", "never"] {
            let args = [args, &["--color", colour]].concat();
            let shown = without_progress(&on_terminal(dir.path(), WIDE, &args, &[]));
            let foreign = without_colours(&shown);
            let obeyed = |character: char| character.is_control() && character != '\n' || character == '\u{202e}';
            assert!(!foreign.contains(obeyed), "{args:?}: {foreign:?}");
            assert!(shown.contains("\\u{1b}[") || shown.contains("\\u001b["), "{args:?}: {shown:?}");
            // In the colour of an error or of its column, and not in the name's own.
            let own = ["\u{1b}[31mred", "\u{1b}[31mfolder", "\u{1b}[1mbad"];
            assert!(!own.iter().any(|own| shown.contains(own)), "{args:?}: {shown:?}");
        }
    }
}

#[test]
fn tables_are_fitted_to_the_window_and_to_nothing_else() {
    let dir = project();
    let name = "a_module_with_a_name_that_is_longer_than_most_windows_are_wide_and_that_ends_here.py:1";
    assert!(piped(dir.path(), &["measure", "."], &[]).contains(name));
    let narrow = on_terminal(dir.path(), (80, 500), &["measure", ".", "--color", "never"], &[]);
    let place = narrow.lines().find(|line| line.contains(" complex ")).unwrap();
    assert!(place.chars().count() <= 80 && place.contains('…') && place.ends_with("here.py:1"), "{narrow}");
}

#[test]
fn what_is_longer_than_the_window_goes_through_the_pager() {
    let dir = project();
    // One whose output tells that it was there.
    let pager = [("SLOPBENCH_PAGER", "sed 's/^/paged: /'"), ("PAGER", "false")];
    let rules = ["rules", "list"];
    let text = piped(dir.path(), &rules, &pager);
    assert!(!text.contains("paged: "), "a pipe has no pager");
    let paged = on_terminal(dir.path(), (300, 20), &rules, &pager);
    assert!(paged.lines().count() > 100 && paged.lines().all(|line| line.starts_with("paged: ")), "{paged}");
    // Colours are the terminal's behind the pager.
    assert!(paged.starts_with("paged: \u{1b}[1mrule"), "{paged:?}");
    for (args, env) in [
        (&["rules", "list", "--no-pager"][..], &pager[..]),
        (&rules, &[("PAGER", "")]),
        (&rules, &[("PAGER", "cat")]),
        (&rules, &[("PAGER", "no-such-pager 2>&-")]),
        (&rules, &[("PAGER", "sed 's/^/paged: /'"), ("TERM", "dumb")]),
    ] {
        let shown = on_terminal(dir.path(), (300, 20), args, env);
        assert_eq!(without_colours(&shown), text, "{args:?} {env:?}");
    }
    // An interrupt is the pager's business; whoever waits for it is not killed.
    let interrupted =
        on_terminal(dir.path(), (300, 20), &rules, &[("PAGER", "kill -INT $PPID; sleep 0.1; sed 's/^/paged: /'")]);
    assert_eq!(without_colours(&interrupted.replace("paged: ", "")), text);
    // What a command did is on the screen, whoever is there to see it.
    let did = on_terminal(dir.path(), (80, 1), &["rules", "test"], &pager);
    assert!(did.contains("behave") && !did.contains("paged: "), "{did}");
    let short = on_terminal(dir.path(), (300, 500), &rules, &pager);
    assert_eq!(without_colours(&short), text, "what fits needs no pager");
}

#[test]
fn figures_over_progress_are_drawn_on_terminals_alone() {
    let dir = tempfile::tempdir().unwrap();
    let runs = SyntheticStudy::small(1).write(&dir.path().join("runs")).unwrap();
    let run = runs[1].to_str().unwrap();
    let is_drawn = |text: &str| text.contains(['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']);
    for (args, drawn) in [
        (&["status", run][..], "synthetic_04--synthetic-0--model-1--prompt-1--1"),
        (&["report", run, "--table", "figure-3"], "synthetic-b, just-solve"),
    ] {
        let plain = piped(dir.path(), args, &[]);
        assert!(!plain.is_empty() && !is_drawn(&plain), "{plain}");
        let on_dumb = on_terminal(dir.path(), WIDE, args, &[("TERM", "dumb")]);
        assert_eq!(on_dumb, plain, "{args:?}");
        // They have no colours, so that NO_COLOR is not about them.
        for env in [&[][..], &[("NO_COLOR", "1")]] {
            let shown = on_terminal(dir.path(), WIDE, args, env);
            let line = shown.lines().find(|line| line.starts_with(drawn) && is_drawn(line));
            assert!(line.is_some(), "{args:?}: {shown}");
            let others: String =
                plain.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
            let missing = others.lines().find(|line| !without_colours(&shown).contains(line));
            assert_eq!(missing, None, "the rest is the same");
        }
    }
    // Two of its checkpoints are done, the third is to be done again, and the others wait.
    let status = on_terminal(dir.path(), WIDE, &["status", run], &[]);
    let row = status
        .lines()
        .find(|line| line.starts_with("synthetic_04--synthetic-0--model-1--prompt-1--1") && is_drawn(line));
    assert!(row.unwrap().ends_with("·····"), "{row:?}");
}

#[test]
fn a_narrow_window_has_figures_and_says_what_it_leaves_out() {
    let dir = tempfile::tempdir().unwrap();
    let runs = SyntheticStudy::small(1).write(&dir.path().join("runs")).unwrap();
    let shown = |columns| {
        on_terminal(dir.path(), (columns, 500), &["report", runs[0].to_str().unwrap(), "--table", "figure-3"], &[])
    };
    let row = |text: &str| text.lines().find(|line| line.contains("Final")).unwrap().to_owned();
    let (wide, narrow) = (shown(200), shown(110));
    assert!(row(&wide).contains('[') && !wide.contains("left out"), "{wide}");
    assert!(!row(&narrow).contains('[') && row(&narrow).chars().count() <= 110, "{narrow}");
    assert!(narrow.contains("Spreads and intervals are left out for want of room"), "{narrow}");
}

#[test]
fn whoever_has_seen_enough_is_not_bothered() {
    let dir = project();
    // The pager reads nothing, and is no failure.
    let shown = on_terminal(dir.path(), (300, 20), &["rules", "list"], &[("PAGER", "true")]);
    assert_eq!(shown, "");
    for args in ["rules list", "rules list --json", "--help"] {
        let head = format!("{} {args} | head -n 1", env!("CARGO_BIN_EXE_slopbench"));
        let output = Command::new("bash").args(["-c", &format!("set -o pipefail; {head}")]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{args}: {output:?}");
    }
}
