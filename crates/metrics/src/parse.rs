//! A syntax tree within bounds, or a named skip.
//!
//! Parsing programs takes linear time. Text that is made to be guessed at does not: after each error the parser looks for
//! what may have been meant, and in the worst case that takes quadratic time and memory. Three bounds keep a file
//! from stopping everything else:
//!
//! - **Work** is counted: hundreds of parser steps, and reads of the text, which tell how often a lexer runs ahead and
//!   returns. The same text needs the same work on every machine.
//! - **Memory** is counted too; see [`crate::memory`].
//! - **Time** is the last resort, since the parser's last step, in which it chooses between all guesses, is neither
//!   counted nor can it be stopped. It is left behind on its thread, which ends when it is done or the process does. A
//!   skip by the clock is the machine's and may differ from one to the next; such a file is always named, never guessed.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_language::{LanguageExt, SupportLang};
use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::memory;
use crate::refusal::{Refusal, RefusalReason};

/// A file as the rule engine wants it; it keeps the text and the syntax tree.
pub(crate) type Document = AstGrep<StrDoc<SupportLang>>;

/// How much of the text the parser is given at once, in bytes.
const CHUNK: usize = 4 << 10;

/// What one file may cost.
#[derive(Clone, Copy)]
struct Bounds {
    /// Hundreds of parser steps, and reads.
    work: u64,
    /// Bytes that the parser may hold.
    memory: usize,
    time: Duration,
}

impl Bounds {
    /// Of 4,400 files of C, JavaScript, Python and Rust none needed more than 32 units of work per KiB for steps and 7 for
    /// reads. They took up to a second per megabyte.
    fn of_size(bytes: usize) -> Self {
        let kibibytes = bytes as u64 / 1024;
        Bounds {
            work: 10_000 + 400 * kibibytes,
            memory: (128 << 20) + 256 * bytes,
            time: Duration::from_secs(20) + Duration::from_millis(10 * kibibytes),
        }
    }
}

/// Parses a text, whatever it is.
pub(crate) fn parse(text: &str, grammar: SupportLang) -> Result<Document, Refusal> {
    parse_within(text, grammar, Bounds::of_size(text.len()))
}

fn parse_within(text: &str, grammar: SupportLang, bounds: Bounds) -> Result<Document, Refusal> {
    let (done, result) = mpsc::sync_channel(1);
    THREAD.with(|thread| {
        // Taken out, so that one that does not end in a tree is left behind.
        let parser = thread.take().map_or_else(ParserThread::start, Ok)?;
        let broke_down = |_| Refusal::new(RefusalReason::Unreadable, "the parser broke down");
        parser.jobs.send(Job { src: text.to_owned(), grammar, bounds, done }).map_err(broke_down)?;
        let document = result.recv_timeout(bounds.time).unwrap_or_else(|error| match error {
            RecvTimeoutError::Timeout => Err(too_slow(&format!("{} s", bounds.time.as_secs()))),
            RecvTimeoutError::Disconnected => Err(Refusal::new(RefusalReason::Unreadable, "the parser broke down")),
        })?;
        thread.set(Some(parser));
        Ok(document)
    })
}

thread_local! {
    /// Who parses for this thread. To start a thread for each file takes as long as to parse a small one.
    static THREAD: Cell<Option<ParserThread>> = const { Cell::new(None) };
}

/// A thread that parses one text after the other. It ends with this handle, once it is done.
struct ParserThread {
    jobs: mpsc::Sender<Job>,
}

struct Job {
    src: String,
    grammar: SupportLang,
    bounds: Bounds,
    done: mpsc::SyncSender<Result<Document, Refusal>>,
}

impl ParserThread {
    fn start() -> Result<Self, Refusal> {
        let (jobs, given) = mpsc::channel::<Job>();
        memory::install();
        let unstarted = |error| Refusal::new(RefusalReason::Unreadable, format!("no thread to parse on: {error}"));
        let work = move || {
            let mut parser = Parser::new();
            given.iter().for_each(|job| job.carry_out(&mut parser));
        };
        thread::Builder::new().name("parser".to_owned()).spawn(work).map_err(unstarted)?;
        Ok(Self { jobs })
    }
}

impl Job {
    fn carry_out(self, parser: &mut Parser) {
        let Self { src, grammar, bounds, done } = self;
        let is_heard = done.clone();
        let exceeded = move || {
            let _ = is_heard.send(Err(too_slow(&format!("{} MiB of memory", bounds.memory >> 20))));
        };
        let parsed = memory::within(bounds.memory, exceeded, || parse_counted(parser, &src, grammar, bounds));
        // Nobody listens any more where the time is up.
        let _ = done.send(parsed.map(|(tree, _)| Document::doc(StrDoc { src, lang: grammar, tree })));
    }
}

/// The tree and the work it took.
fn parse_counted(
    parser: &mut Parser,
    text: &str,
    grammar: SupportLang,
    bounds: Bounds,
) -> Result<(Tree, u64), Refusal> {
    let no_tree = |problem: &str| Refusal::new(RefusalReason::Syntax, format!("no syntax tree: {problem}"));
    // A text before this one may have been given up on the way.
    parser.reset();
    parser.set_language(&grammar.get_ts_language()).map_err(|error| no_tree(&error.to_string()))?;
    let start = Instant::now();
    let work = Cell::new(0_u64);
    let spend = || {
        work.set(work.get() + 1);
        work.get() <= bounds.work
    };
    // Beyond the bound the text ends, so that a lexer ends too; what comes of it is not looked at.
    let mut read = |at: usize, _| match spend() {
        true => text.as_bytes().get(at..text.len().min(at + CHUNK)).unwrap_or_default(),
        false => &[],
    };
    let mut go_on = |_: &ParseState| match spend() && start.elapsed() < bounds.time {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let tree = parser.parse_with_options(&mut read, None, Some(ParseOptions::new().progress_callback(&mut go_on)));
    match tree {
        _ if work.get() > bounds.work => Err(too_slow(&format!("{} units of work", bounds.work))),
        Some(tree) => Ok((tree, work.get())),
        None => Err(too_slow(&format!("{} s", bounds.time.as_secs()))),
    }
}

fn too_slow(bound: &str) -> Refusal {
    let detail = format!("parsing takes more than {bound}, which no program needs; correct the file or leave it out");
    Refusal::new(RefusalReason::TooSlow, detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAMS: [(SupportLang, &str); 7] = [
        (SupportLang::JavaScript, include_str!("../tests/programs/inventory.js")),
        (SupportLang::Tsx, include_str!("../tests/programs/schedule.tsx")),
        (SupportLang::Rust, include_str!("../tests/programs/parser.rs")),
        (SupportLang::Go, include_str!("../tests/programs/queue.go")),
        (SupportLang::Java, include_str!("../tests/programs/Library.java")),
        (SupportLang::Cpp, include_str!("../tests/programs/matrix.hpp")),
        (SupportLang::C, include_str!("../tests/programs/ring.c")),
    ];

    fn work(text: &str, grammar: SupportLang) -> u64 {
        parse_counted(&mut Parser::new(), text, grammar, Bounds::of_size(text.len())).expect("a tree within bounds").1
    }

    #[test]
    fn twice_the_program_takes_twice_the_work() {
        let python = (SupportLang::Python, "def f(a):\n    if a and b:\n        return [x for x in a]\n");
        let types = "interface A<T> { a: T[] }\nexport const f = (a: A<number>): number => (<any>a).b ?? a.a.length;\n";
        for (grammar, text) in PROGRAMS.into_iter().chain([python, (SupportLang::TypeScript, types)]) {
            let repeats = 100_000 / text.len();
            let (once, twice) = (work(&text.repeat(repeats), grammar), work(&text.repeat(2 * repeats), grammar));
            assert!(10 * twice <= 22 * once, "{grammar:?}: {once}, then {twice}");
        }
    }

    #[test]
    fn programs_need_a_tenth_of_the_bound_at_most() {
        for (grammar, text) in PROGRAMS {
            let text = text.repeat(100_000 / text.len());
            let bound = Bounds::of_size(text.len()).work;
            assert!(10 * work(&text, grammar) <= bound, "{grammar:?}: {} of {bound}", work(&text, grammar));
        }
    }

    /// Each `r#"` is looked at to the end of the file for its `"#`.
    #[test]
    fn a_lexer_that_runs_ahead_again_and_again_is_stopped_by_what_it_reads() {
        let refusal = parse(&"r#\"".repeat(16_000), SupportLang::Rust).err().expect("too much work");
        assert_eq!(refusal.reason, RefusalReason::TooSlow);
        assert!(refusal.detail.contains("units of work"), "{refusal}");
    }

    /// All the time goes into the parser's last step, which nothing stops.
    #[test]
    fn guessing_without_end_is_left_behind() {
        let bounds = Bounds { time: Duration::ZERO, ..Bounds::of_size(12_000) };
        let refusal = parse_within(&"a=>".repeat(4_000), SupportLang::Java, bounds).err().expect("no time");
        assert_eq!(refusal.reason, RefusalReason::TooSlow);
    }

    /// The last step copies the parser's stack for each guess: some GiB for these 12 KiB, and a million for 300 KiB.
    #[test]
    fn guesses_that_take_up_memory_are_stopped() {
        for grammar in [SupportLang::C, SupportLang::Java] {
            let refusal = parse(&"a=>".repeat(4_000), grammar).err().expect("too much memory");
            assert_eq!(refusal.reason, RefusalReason::TooSlow);
            assert!(refusal.detail.contains("130 MiB of memory"), "{refusal}");
        }
    }

    #[test]
    fn programs_need_a_third_of_the_memory_at_most() {
        for (grammar, text) in PROGRAMS {
            let text = text.repeat(1_000_000 / text.len());
            let bounds = Bounds { memory: Bounds::of_size(text.len()).memory / 3, ..Bounds::of_size(text.len()) };
            parse_within(&text, grammar, bounds).unwrap_or_else(|refusal| panic!("{grammar:?}: {refusal}"));
        }
    }
}
