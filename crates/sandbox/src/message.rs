//! An HTTP/1 answer: where it ends, and what it says.

use std::ops::Range;

/// The largest head (status line and header fields) that is read, in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// The most header fields that are read.
const FIELDS: usize = 128;

/// The longest line that tells a chunk's size, or of a trailer, in bytes.
const LINE_BYTES: usize = 4096;

/// An answer to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpMessage {
    /// The status code.
    pub status: u16,
    /// The header fields in their order; values are as sent, without white space around them.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body, put together if it came in chunks.
    pub body: Vec<u8>,
}

impl HttpMessage {
    /// Reads an answer that ended [`Whole`](crate::ResponseEnd::Whole); nothing if these bytes are none. `to_head` says that the
    /// request's method was HEAD, whose answers have no body.
    pub fn parse(bytes: &[u8], to_head: bool) -> Option<Self> {
        let mut framing = Framing::new(to_head);
        let whole = framing.look(bytes).ok()? || framing.may_close();
        let head = framing.head.filter(|_| whole)?;
        let body = match head.body {
            BodyLength::UntilClose => bytes.get(head.end..)?.to_vec(),
            _ => framing.parts.iter().filter_map(|part| bytes.get(part.clone())).flatten().copied().collect(),
        };
        Some(Self { status: head.status, headers: head.headers, body })
    }
}

/// Finds the end of an answer while it arrives (RFC 9112, section 6.3). What was read once is not read again.
#[derive(Debug)]
pub(crate) struct Framing {
    to_head: bool,
    head: Option<Head>,
    /// Where what was not looked at begins.
    at: usize,
    /// Where the body's bytes are.
    parts: Vec<Range<usize>>,
    /// In chunks: whether the last one, of no size, was seen.
    trailing: bool,
}

#[derive(Debug)]
struct Head {
    status: u16,
    headers: Vec<(String, Vec<u8>)>,
    end: usize,
    body: BodyLength,
}

#[derive(Clone, Copy, Debug)]
enum BodyLength {
    Length(usize),
    Chunks,
    UntilClose,
}

/// These bytes are no HTTP/1 message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MalformedMessage;

impl Framing {
    pub(crate) fn new(to_head: bool) -> Self {
        Self { to_head, head: None, at: 0, parts: Vec::new(), trailing: false }
    }

    /// Whether the message is whole, given all bytes so far.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> Result<bool, MalformedMessage> {
        while self.head.is_none() {
            let Some(head) = read_head(bytes.get(self.at..).unwrap_or_default(), self.at, self.to_head)? else {
                return Ok(false);
            };
            self.at = head.end;
            // An interim answer, after which the answer comes. Not 101: no one asked for another protocol.
            self.head = (!(100..200).contains(&head.status) || head.status == 101).then_some(head);
        }
        match self.head.as_ref().map(|head| head.body) {
            Some(BodyLength::Length(length)) => {
                let end = self.at.checked_add(length).ok_or(MalformedMessage)?;
                self.parts.clear();
                self.parts.push(self.at..end);
                Ok(bytes.len() >= end)
            }
            Some(BodyLength::Chunks) => self.look_at_chunks(bytes),
            Some(BodyLength::UntilClose) | None => Ok(false),
        }
    }

    /// Whether the end of the connection is the end of the message.
    pub(crate) fn may_close(&self) -> bool {
        self.head.as_ref().is_some_and(|head| matches!(head.body, BodyLength::UntilClose))
    }

    fn look_at_chunks(&mut self, bytes: &[u8]) -> Result<bool, MalformedMessage> {
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let Some(length) = rest.windows(2).take(LINE_BYTES).position(|pair| pair == b"\r\n") else {
                return if rest.len() > LINE_BYTES { Err(MalformedMessage) } else { Ok(false) };
            };
            let line = self.at + length + 2;
            if self.trailing {
                self.at = line;
                if length == 0 {
                    return Ok(true);
                }
                continue;
            }
            let Ok(httparse::Status::Complete((_, size))) = httparse::parse_chunk_size(rest) else {
                return Err(MalformedMessage);
            };
            let end = usize::try_from(size).ok().and_then(|size| line.checked_add(size)).ok_or(MalformedMessage)?;
            if size == 0 {
                (self.at, self.trailing) = (line, true);
                continue;
            }
            match bytes.get(end..).and_then(|rest| rest.first_chunk::<2>()) {
                None => return Ok(false),
                Some(b"\r\n") => {}
                Some(_) => return Err(MalformedMessage),
            }
            self.parts.push(line..end);
            self.at = end + 2;
        }
    }
}

/// Reads a head that begins at `from` of the whole; nothing if it is not all there.
fn read_head(bytes: &[u8], from: usize, to_head: bool) -> Result<Option<Head>, MalformedMessage> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut response = httparse::Response::new(&mut fields);
    let end = match response.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => from + length,
        Ok(httparse::Status::Partial) if bytes.len() < HEAD_BYTES => return Ok(None),
        _ => return Err(MalformedMessage),
    };
    let status = response.code.ok_or(MalformedMessage)?;
    let headers: Vec<_> = response.headers.iter().map(|field| (field.name.to_owned(), field.value.to_vec())).collect();
    let body = if to_head || (100..200).contains(&status) || matches!(status, 204 | 304) {
        BodyLength::Length(0)
    } else {
        body_of(&headers)?
    };
    Ok(Some(Head { status, headers, end, body }))
}

fn body_of(headers: &[(String, Vec<u8>)]) -> Result<BodyLength, MalformedMessage> {
    let values = |name: &'static str| {
        headers.iter().filter(move |(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    };
    if let Some(last) = values("transfer-encoding").next_back() {
        let chunks = last.to_ascii_lowercase().trim_ascii_end().ends_with(b"chunked");
        return Ok(if chunks { BodyLength::Chunks } else { BodyLength::UntilClose });
    }
    let mut length = None;
    for value in values("content-length") {
        let digits = std::str::from_utf8(value).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let one = digits.and_then(|digits| digits.parse::<usize>().ok()).ok_or(MalformedMessage)?;
        if length.replace(one).is_some_and(|other| other != one) {
            return Err(MalformedMessage);
        }
    }
    Ok(length.map_or(BodyLength::UntilClose, BodyLength::Length))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The message's end as it is found when bytes come one by one.
    fn ends_at(bytes: &[u8], to_head: bool) -> Result<Option<usize>, MalformedMessage> {
        let mut framing = Framing::new(to_head);
        for end in 0..=bytes.len() {
            if framing.look(&bytes[..end])? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    #[test]
    fn the_end_is_where_the_head_says() {
        for (message, body) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nT: t\r\n\r\n",
                "hello",
            ),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "ok"),
            ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", ""),
        ] {
            assert_eq!(ends_at(format!("{message}more").as_bytes(), false), Ok(Some(message.len())), "{message}");
            assert_eq!(HttpMessage::parse(message.as_bytes(), false).unwrap().body, body.as_bytes(), "{message}");
        }
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
        assert_eq!(ends_at(answer, true), Ok(Some(answer.len())), "an answer to HEAD has no body");
        assert_eq!(HttpMessage::parse(answer, false), None, "it lacks its body");
    }

    #[test]
    fn without_a_length_the_connection_ends_it() {
        let answer = b"HTTP/1.0 200 OK\r\nServer: it\r\n\r\nhello";
        assert_eq!(ends_at(answer, false), Ok(None));
        let message = HttpMessage::parse(answer, false).unwrap();
        assert_eq!((message.status, message.body.as_slice()), (200, b"hello".as_slice()));
        assert_eq!(message.headers, [("Server".to_owned(), b"it".to_vec())]);
    }

    #[test]
    fn garbage_is_told_apart() {
        for garbage in [
            "hello\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nhello\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
        ] {
            assert_eq!(ends_at(garbage.as_bytes(), false), Err(MalformedMessage), "{garbage}");
        }
        assert_eq!(
            ends_at(&[b"HTTP/1.1 200 OK\r\nA: ", [b'x'; HEAD_BYTES].as_slice()].concat(), false),
            Err(MalformedMessage)
        );
    }
}
