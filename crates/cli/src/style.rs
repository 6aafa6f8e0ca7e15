//! Which colours texts have, and whether they have any.

use anstream::{AutoStream, ColorChoice, stream::RawStream};
use anstyle::{AnsiColor, Style};
use slopbench_report::{Role, Span};

/// Decides for the whole process; with `auto`, a stream is coloured if it is a terminal, as far as `NO_COLOR`, `CLICOLOR`,
/// `CLICOLOR_FORCE` and `TERM` do not say otherwise.
pub(crate) fn choose(choice: clap::ColorChoice) {
    let choice = match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    };
    choice.write_global();
}

/// Whether what goes to the stream is coloured.
pub(crate) fn is_coloured(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != ColorChoice::Never
}

/// The lines as text.
pub(crate) fn painted(lines: &[Vec<Span>], coloured: bool) -> String {
    let line = |line: &Vec<Span>| {
        let spans = line.iter().map(|span| paint(span.role(), span.text(), coloured));
        spans.collect::<String>() + "\n"
    };
    lines.iter().map(line).collect()
}

/// The text in its role's colour.
pub(crate) fn paint(role: Role, text: &str, coloured: bool) -> String {
    let style = style(role);
    match coloured && !text.is_empty() && style != Style::new() {
        true => format!("{style}{text}{style:#}"),
        false => text.to_owned(),
    }
}

fn style(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Title => Style::new().bold(),
        Role::Good | Role::Added => AnsiColor::Green.on_default(),
        Role::Bad => AnsiColor::Red.on_default().bold(),
        Role::Removed => AnsiColor::Red.on_default(),
        Role::Caution => AnsiColor::Yellow.on_default(),
        Role::Hunk => AnsiColor::Cyan.on_default(),
    }
}
