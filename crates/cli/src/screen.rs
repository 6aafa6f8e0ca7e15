//! The window that standard output is shown in.

use std::{
    env,
    io::{self, IsTerminal},
};

use slopbench_report::Span;
use terminal_size::{Height, Width, terminal_size_of};

/// A window of a terminal, in characters.
pub(crate) struct Screen {
    pub(crate) width: usize,
    height: usize,
}

impl Screen {
    /// The window of standard output, if it is a terminal that has one. What a terminal that calls itself dumb shows is nothing but text, and
    /// is written as into a pipe.
    pub(crate) fn of_output() -> Option<Self> {
        let out = io::stdout();
        if env::var_os("TERM").is_some_and(|terminal| terminal == "dumb") {
            return None;
        }
        let (Width(width), Height(height)) = out.is_terminal().then(|| terminal_size_of(&out))??;
        (width > 0 && height > 0).then(|| Self { width: width.into(), height: height.into() })
    }

    /// Whether all lines are seen at once, with a line left for the prompt. Long ones are wrapped.
    pub(crate) fn has_room_for(&self, lines: &[Vec<Span>]) -> bool {
        let rows = |line: &Vec<Span>| {
            let characters: usize = line.iter().map(|span| span.text().chars().count()).sum();
            characters.div_ceil(self.width).max(1)
        };
        lines.iter().map(rows).sum::<usize>() < self.height
    }
}
