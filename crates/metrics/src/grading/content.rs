//! What a file is, whatever its name: read as far as it takes to tell, and no further.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::budget::{FILE_BYTES, MeasuringBudget};
use crate::language::Language;
use crate::program_signs::ProgramSigns;
use crate::refusal::{Refusal, RefusalReason};
use crate::source;

/// As many bytes without a line end count as a line; about what a line of Python has.
const LINE_BYTES: u64 = 40;

/// A zip archive is known by its end: this, and at most a comment of 64 KiB behind it.
const ZIP_END: (&[u8], u64) = (b"PK\x05\x06", (64 << 10) + 22);

/// How machine code and compressed data begin.
const BEGINNINGS: &[(&[u8], RefusalReason, &str)] = &[
    (b"\x7fELF", RefusalReason::NativeCode, "machine code"),
    (b"!<arch>\n", RefusalReason::NativeCode, "a library of machine code"),
    (b"\0asm", RefusalReason::NativeCode, "WebAssembly"),
    (b"\xca\xfe\xba\xbe", RefusalReason::Bytecode, "bytecode of Java"),
    (b"\x1f\x8b", RefusalReason::Archive, "compressed data (gzip)"),
    (b"BZh", RefusalReason::Archive, "compressed data (bzip2)"),
    (b"\xfd7zXZ\0", RefusalReason::Archive, "compressed data (xz)"),
    (b"\x28\xb5\x2f\xfd", RefusalReason::Archive, "compressed data (zstd)"),
    (b"7z\xbc\xaf\x27\x1c", RefusalReason::Archive, "an archive (7z)"),
];

/// Where a tar archive says so.
const TAR: (usize, &[u8]) = (257, b"ustar");

/// The first two bytes of CPython 3's bytecode, as a number; `\r\n` follows.
const BYTECODE: std::ops::Range<u16> = 3000..4000;

/// The parts of a file that tell what it is.
pub(super) struct FileContent {
    /// In bytes.
    pub(super) size: u64,
    /// At most [`FILE_BYTES`].
    head: Vec<u8>,
    /// Where an archive's end is; empty where the head holds all.
    tail: Vec<u8>,
}

impl FileContent {
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        file.by_ref().take(FILE_BYTES).read_to_end(&mut head)?;
        if size > FILE_BYTES {
            file.seek(SeekFrom::Start(size.saturating_sub(ZIP_END.1).max(FILE_BYTES)))?;
            file.take(ZIP_END.1).read_to_end(&mut tail)?;
        }
        Ok(Self { size, head, tail })
    }

    /// All of it, unless it is too large.
    pub(super) fn whole(self) -> Result<Vec<u8>, Refusal> {
        let too_large = || Refusal::new(RefusalReason::TooLarge, format!("larger than {} MiB", FILE_BYTES >> 20));
        if self.size > FILE_BYTES { Err(too_large()) } else { Ok(self.head) }
    }

    /// Physical lines, at least one for each [`LINE_BYTES`].
    pub(super) fn lines(&self) -> u64 {
        slopbench_text::count_lines(&self.head).max(self.size.div_ceil(LINE_BYTES))
    }

    /// What to say of a file that runs, or is imported from, in spite of its name.
    pub(super) fn runs_by_itself(&self) -> Option<Refusal> {
        let is_bytecode = matches!(self.head[..], [low, high, b'\r', b'\n', _, ..]
            if BYTECODE.contains(&u16::from_le_bytes([low, high])));
        if is_bytecode {
            return Some(Refusal::new(RefusalReason::Bytecode, "bytecode of Python"));
        }
        let is_tar = self.head.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1));
        if is_tar || self.is_zip() {
            let name = if is_tar { "tar" } else { "zip" };
            return Some(Refusal::new(RefusalReason::Archive, format!("an archive ({name})")));
        }
        let found = BEGINNINGS.iter().find(|(beginning, _, _)| self.head.starts_with(beginning));
        found.map(|&(_, reason, what)| Refusal::new(reason, what))
    }

    fn is_zip(&self) -> bool {
        let head = self.head.len().saturating_sub(ZIP_END.1 as usize);
        let ends = [self.head.get(head..).unwrap_or_default(), &self.tail];
        ends.concat().windows(ZIP_END.0.len()).any(|bytes| bytes == ZIP_END.0)
    }

    /// What to say of source of this language; `None` if it is something else, or the language says of no text for
    /// certain that it is a program.
    pub(super) fn is_source(&self, path: &str, language: &Language, budget: &mut MeasuringBudget) -> Option<Refusal> {
        let ProgramSigns { is_program, statement, definition, .. } = language.program?;
        let name = language.name;
        let has =
            |pattern: &LazyLock<Option<Regex>>| pattern.as_ref().is_some_and(|pattern| pattern.is_match(&self.head));
        if self.size > FILE_BYTES {
            let detail = format!("too large to tell, but with definitions as in {name}");
            return has(definition).then(|| Refusal::new(RefusalReason::OtherName, detail));
        }
        let text = match source::decode(self.head.clone(), language) {
            Ok(text) => text,
            // It says of itself that it is text, and not how to read it.
            Err(refusal) => return (refusal.reason == RefusalReason::Encoding).then_some(refusal),
        };
        if !has(statement) {
            return None;
        }
        match budget.take(path, &text) {
            Err(refusal) => has(definition).then_some(refusal),
            Ok(()) => {
                is_program(&text).then(|| Refusal::new(RefusalReason::OtherName, format!("{name}, by another name")))
            }
        }
    }

    /// What to say of a script for another interpreter.
    pub(super) fn is_script(&self) -> Option<Refusal> {
        self.head.starts_with(b"#!").then(|| Refusal::new(RefusalReason::Script, "a script for another interpreter"))
    }
}
