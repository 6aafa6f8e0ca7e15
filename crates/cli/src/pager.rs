//! Text through a pager, as git shows it.

use std::{
    env,
    io::Write,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::{consts::SIGINT, flag};

/// Where `--no-pager` was given.
static OFF: AtomicBool = AtomicBool::new(false);

/// A shell ends with these where the pager cannot be started.
const NOT_STARTED: [i32; 2] = [126, 127];

/// Uses no pager from now on.
pub(crate) fn turn_off() {
    OFF.store(true, Ordering::Relaxed);
}

/// Shows the text in a pager, and returns once it is closed; `false` if there is none.
pub(crate) fn show(text: &str) -> bool {
    // An interrupt is for the pager, which would be left without its terminal if this process went first.
    let is_over = Arc::new(AtomicBool::new(false));
    let _ = flag::register_conditional_default(SIGINT, Arc::clone(&is_over));
    let was_shown = start().is_some_and(|pager| fill(pager, text));
    is_over.store(true, Ordering::Relaxed);
    was_shown
}

/// Writes the text into a pager, and waits for its end.
fn fill(mut pager: Child, text: &str) -> bool {
    if let Some(mut input) = pager.stdin.take() {
        // Whoever reads may have seen enough.
        let _ = input.write_all(text.as_bytes());
    }
    pager.wait().is_ok_and(|status| !status.code().is_some_and(|code| NOT_STARTED.contains(&code)))
}

fn start() -> Option<Child> {
    if OFF.load(Ordering::Relaxed) || env::var_os("TERM").is_none_or(|terminal| terminal == "dumb") {
        return None;
    }
    let chosen = ["SLOPBENCH_PAGER", "PAGER"].into_iter().find_map(|name| env::var(name).ok());
    let mut command = match chosen.as_deref().map(str::trim) {
        Some("" | "cat") => return None,
        // A pager may have options.
        Some(pager) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", pager]);
            shell
        }
        None => Command::new("less"),
    };
    // Ends where all fits, shows colours, and leaves on the screen what was seen.
    for (name, options) in [("LESS", "FRX"), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            command.env(name, options);
        }
    }
    command.stdin(Stdio::piped()).spawn().ok()
}
