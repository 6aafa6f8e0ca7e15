//! The text of a Python file as CPython 3.12 decodes it (PEP 263): UTF-8, or what a coding cookie names.

use std::borrow::Cow;

use crate::refusal::{Refusal, RefusalReason};
use crate::text::utf8;
use encoding_rs::Encoding;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// CPython's codecs that `encoding_rs` has too, by CPython's names and aliases (lower case, `-` for `_`), with its labels.
/// The two differ only in bytes that CPython refuses, or takes for control characters. Left out are codecs that change
/// ASCII characters, such as `utf-7` and `unicode_escape`: what they make of a file is not read here.
const CODECS: &[(&str, &str)] = &[
    ("big5", "big5"),
    ("cp1250", "windows-1250"),
    ("cp1251", "windows-1251"),
    ("cp1252", "windows-1252"),
    ("cp1253", "windows-1253"),
    ("cp1254", "windows-1254"),
    ("cp1255", "windows-1255"),
    ("cp1256", "windows-1256"),
    ("cp1257", "windows-1257"),
    ("cp1258", "windows-1258"),
    ("cp866", "ibm866"),
    ("cp874", "windows-874"),
    ("euc-jp", "euc-jp"),
    ("euc-kr", "euc-kr"),
    ("eucjp", "euc-jp"),
    ("euckr", "euc-kr"),
    ("gb18030", "gb18030"),
    ("gb2312", "gbk"),
    ("gbk", "gbk"),
    ("iso-8859-10", "iso-8859-10"),
    ("iso-8859-13", "iso-8859-13"),
    ("iso-8859-14", "iso-8859-14"),
    ("iso-8859-15", "iso-8859-15"),
    ("iso-8859-16", "iso-8859-16"),
    ("iso-8859-2", "iso-8859-2"),
    ("iso-8859-3", "iso-8859-3"),
    ("iso-8859-4", "iso-8859-4"),
    ("iso-8859-5", "iso-8859-5"),
    ("iso-8859-6", "iso-8859-6"),
    ("iso-8859-7", "iso-8859-7"),
    ("iso-8859-8", "iso-8859-8"),
    ("iso-8859-9", "windows-1254"),
    ("koi8-r", "koi8-r"),
    ("koi8-u", "koi8-u"),
    ("latin2", "iso-8859-2"),
    ("latin9", "iso-8859-15"),
    ("mac-roman", "macintosh"),
    ("windows-1250", "windows-1250"),
    ("windows-1251", "windows-1251"),
    ("windows-1252", "windows-1252"),
    ("windows-1254", "windows-1254"),
];

/// CPython's names for ASCII.
const ASCII: &[&str] = &["ascii", "us-ascii", "646"];

/// CPython's names for Latin-1, of which each character has the number of its byte.
const LATIN_1: &[&str] = &["latin-1", "latin1", "iso-8859-1", "iso-latin-1", "iso8859-1", "8859", "cp819", "l1"];

/// CPython's names for UTF-8.
const UTF_8: &[&str] = &["utf-8", "utf8", "utf-8-sig", "u8", "utf", "cp65001"];

/// The text, still with its own line ends.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, Refusal> {
    let marked = bytes.starts_with(BYTE_ORDER_MARK);
    let cookie = cookie(bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes));
    match cookie.as_deref() {
        None => utf8(bytes),
        // Beside the mark CPython takes no other of UTF-8's names.
        Some(name) if marked && name != UTF_8[0] => Err(Refusal::new(
            RefusalReason::Encoding,
            format!("its byte order mark says UTF-8, its coding cookie {name}"),
        )),
        Some(name) if UTF_8.contains(&name) => utf8(bytes),
        Some(name) if ASCII.contains(&name) => match bytes.iter().position(|byte| !byte.is_ascii()) {
            Some(at) => Err(undecodable(&bytes, at, name)),
            None => utf8(bytes),
        },
        Some(name) if LATIN_1.contains(&name) => Ok(bytes.into_iter().map(char::from).collect()),
        Some(name) => with_codec(&bytes, name),
    }
}

fn with_codec(bytes: &[u8], name: &str) -> Result<String, Refusal> {
    let label = CODECS.iter().find(|(known, _)| *known == name).map(|(_, label)| *label);
    let codec = label.and_then(|label| Encoding::for_label(label.as_bytes()));
    let unknown =
        || Refusal::new(RefusalReason::Encoding, format!("its coding cookie names {name}, which is not read here"));
    let decoded = codec.ok_or_else(unknown)?.decode_without_bom_handling_and_without_replacement(bytes);
    decoded.map(Cow::into_owned).ok_or_else(|| undecodable(bytes, 0, name))
}

fn undecodable(bytes: &[u8], at: usize, name: &str) -> Refusal {
    Refusal::at(
        RefusalReason::Encoding,
        slopbench_text::line_of(bytes, at),
        format!("not {name}, which its coding cookie names"),
    )
}

/// The name in the coding cookie, as CPython compares it: in a comment in one of the first two lines, with nothing but a
/// comment above it.
fn cookie(bytes: &[u8]) -> Option<String> {
    let mut rest = bytes;
    for _ in 0..2 {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        let content = line.trim_ascii_start();
        if let Some(name) = content.strip_prefix(b"#").and_then(named) {
            return Some(name);
        }
        if !content.is_empty() && !content.starts_with(b"#") {
            return None;
        }
    }
    None
}

/// What a comment names: `coding`, `:` or `=`, blanks and the name.
fn named(comment: &[u8]) -> Option<String> {
    const KEYWORD: &[u8] = b"coding";
    let ends = comment.windows(KEYWORD.len()).enumerate().filter(|(_, word)| *word == KEYWORD);
    let values = ends.filter_map(|(at, _)| match comment.get(at + KEYWORD.len()..)? {
        [b':' | b'=', value @ ..] => Some(value),
        _ => None,
    });
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let names = values.map(|value| {
        let value = value.iter().copied().skip_while(|byte| matches!(byte, b' ' | b'\t'));
        value.take_while(is_of_name).map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>()
    });
    let first = names.into_iter().find(|name| !name.is_empty())?;
    Some(normal(&String::from_utf8_lossy(&first).replace('_', "-")))
}

/// CPython takes what follows these names for a line end, as in `utf-8-unix`.
fn normal(name: &str) -> String {
    const FAMILIES: [&str; 4] = ["utf-8", "latin-1", "iso-8859-1", "iso-latin-1"];
    let family = FAMILIES.iter().find(|family| name.strip_prefix(**family).is_some_and(|rest| rest.starts_with('-')));
    family.map_or_else(|| name.to_owned(), |family| (*family).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Result<String, RefusalReason> {
        decode(bytes.to_vec()).map_err(|refusal| refusal.reason)
    }

    #[test]
    fn a_cookie_stands_in_a_comment_on_one_of_the_first_two_lines() {
        for text in
            ["# -*- coding: latin-1 -*-", "#!/bin/x\n# vim: set fileencoding=Latin_1 :", "\r\n# coding=iso-8859-1-unix"]
        {
            let bytes = [text.as_bytes(), b"\n'\xe9'\n"].concat();
            assert_eq!(decoded(&bytes), Ok(format!("{text}\n'é'\n")));
        }
        for text in ["x = 1\n# coding: latin-1", "\n\n# coding: latin-1", "'# coding: latin-1'", "# encoding latin-1"] {
            let bytes = [text.as_bytes(), b"\n'\xe9'\n"].concat();
            assert_eq!(decoded(&bytes), Err(RefusalReason::NotUtf8), "{text}");
        }
    }

    #[test]
    fn codecs_are_those_of_cpython() {
        assert_eq!(decoded(b"# coding: koi8-r\n'\xc1'").as_deref(), Ok("# coding: koi8-r\n'а'"));
        assert_eq!(decoded(b"# coding: euc_jp\n'\xa4\xa2'").as_deref(), Ok("# coding: euc_jp\n'あ'"));
        assert_eq!(decoded(b"# coding: ascii\n'\xc3\xa9'"), Err(RefusalReason::Encoding));
        assert_eq!(decoded(b"# coding: gbk\n'\xff'"), Err(RefusalReason::Encoding));
        assert_eq!(decoded(b"# coding: utf-7\nx = 1"), Err(RefusalReason::Encoding), "it may hold anything");
        assert_eq!(decoded(b"# coding: no-such-codec\n"), Err(RefusalReason::Encoding));
    }

    #[test]
    fn a_byte_order_mark_allows_utf8_alone() {
        let marked = |name: &str| decoded(format!("\u{feff}# coding: {name}\n").as_bytes()).is_ok();
        assert!(["utf-8", "UTF_8", "utf-8-unix", "utf-8-sig"].into_iter().all(marked));
        assert!(!["utf8", "u8", "utf", "cp65001", "latin-1-unix"].into_iter().any(marked));
        assert_eq!(decoded(b"\xef\xbb\xbf# coding: utf-8\n'\xc3\xa9'").as_deref(), Ok("\u{feff}# coding: utf-8\n'é'"));
        assert_eq!(decoded(b"\xef\xbb\xbf# coding: latin-1\n"), Err(RefusalReason::Encoding));
    }

    #[test]
    fn every_codec_of_the_table_is_known() {
        let unknown = CODECS.iter().filter(|(_, label)| Encoding::for_label(label.as_bytes()).is_none());
        assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
    }
}
