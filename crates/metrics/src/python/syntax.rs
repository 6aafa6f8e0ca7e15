//! Whether text is a program for CPython 3.12, as its `ast.parse` decides.
//!
//! On CPython's own library and the 18,673 programs in the strings of its tests, valid and not, the two agree but for
//! two accidents of CPython 3.12 that we refuse: an f-string as a key in a mapping pattern (`case {f"": _}`), and a
//! line break in the format specification of a string in single quotes. We also refuse what nests in the tree though
//! CPython keeps it flat: a chain of more than 2993 `and`s and `or`s (see [`super::nesting`]).

use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{ModModule, PySourceType, PythonVersion};
use ruff_python_parser::{ParseOptions, Parsed, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};
use slopbench_text::line_of;

use super::{indentation, nesting};
use crate::refusal::{Refusal, RefusalReason};

/// CPython refuses longer decimal integers (`sys.int_info.default_max_str_digits`).
const MAX_INTEGER_DIGITS: usize = 4300;

/// Parses a module.
pub(super) fn parse(text: &str) -> Result<Parsed<ModModule>, Refusal> {
    if let Some(offset) = memchr::memchr(0, text.as_bytes()) {
        return Err(refusal(text, offset, "source code cannot contain null bytes"));
    }
    nesting::check(text)?;
    let options = ParseOptions::from(PySourceType::Python);
    let options = options.with_target_version(PythonVersion::PY312);
    let parsed = parse_unchecked(text, options).try_into_module();
    let parsed = parsed.ok_or_else(|| Refusal::new(RefusalReason::Syntax, "not a module"))?;
    first_error(text, &parsed).map_or(Ok(parsed), Err)
}

fn first_error(text: &str, parsed: &Parsed<ModModule>) -> Option<Refusal> {
    let errors = parsed.errors().iter().map(|error| (error.location, error.error.to_string()));
    let unsupported = parsed.unsupported_syntax_errors().iter().map(|error| (error.range, error.to_string()));
    let first = errors.chain(unsupported).min_by_key(|(range, _)| range.start());
    let first =
        first.or_else(|| long_integer(text, parsed)).or_else(|| indentation::first_error(text, parsed.tokens()))?;
    Some(refusal(text, first.0.start().to_usize(), &first.1))
}

fn long_integer(text: &str, parsed: &Parsed<ModModule>) -> Option<(TextRange, String)> {
    let is_long = |range: TextRange| {
        let digits = text.get(range.start().to_usize()..range.end().to_usize()).unwrap_or_default();
        // Underscores do not count, and hexadecimal, octal and binary ones are not limited.
        digits.len() > MAX_INTEGER_DIGITS
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
            && digits.bytes().filter(u8::is_ascii_digit).count() > MAX_INTEGER_DIGITS
    };
    let mut integers = parsed.tokens().iter().filter(|token| token.kind() == TokenKind::Int);
    let found = integers.find(|token| is_long(token.range()))?;
    Some((found.range(), format!("integer literal of more than {MAX_INTEGER_DIGITS} digits")))
}

fn refusal(text: &str, offset: usize, detail: &str) -> Refusal {
    Refusal::at(RefusalReason::Syntax, line_of(text.as_bytes(), offset), detail)
}
