//! What waits in the sockets of a sandbox: memory of the kernel's, which it charges to no process.
//!
//! The kernel tells it of all sockets of a network, also of those in flight that no process has open, by `sock_diag(7)`.

use std::collections::BTreeSet;
use std::fs::File;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;

use nix::errno::Errno;
use nix::libc;
use nix::sys::socket::{AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto, socket};
use nix::unistd::Pid;

/// Fields of the attribute that says what memory a socket has: `SK_MEMINFO_*` of linux/sock_diag.h.
const RECEIVED: usize = 0;
const SENT: usize = 2;
const QUEUED: usize = 5;

/// A kind of socket, and how the kernel is asked for it.
struct SocketKind {
    family: i32,
    protocol: u8,
    /// Where in a question of which length is said, by which bits, that memory is to be told.
    asked: (usize, usize, u8),
    /// How long an answer is before its attributes.
    head: usize,
    /// The attribute of memory.
    memory: u16,
    /// What of it counts.
    fields: &'static [usize],
    /// How a line of [`COUNTS`] begins that says how many there are.
    count: Option<&'static str>,
}

const KINDS: [SocketKind; 6] = [
    // The peer's number, the length of the queue, memory.
    other(libc::AF_UNIX, 0, (12, 24, 0x34), 16, 5, &[SENT]),
    inet(libc::AF_INET, libc::IPPROTO_TCP, &[RECEIVED, QUEUED], "TCP: inuse "),
    inet(libc::AF_INET6, libc::IPPROTO_TCP, &[RECEIVED, QUEUED], "TCP6: inuse "),
    inet(libc::AF_INET, libc::IPPROTO_UDP, &[RECEIVED, SENT], "UDP: inuse "),
    inet(libc::AF_INET6, libc::IPPROTO_UDP, &[RECEIVED, SENT], "UDP6: inuse "),
    other(libc::AF_NETLINK, 255, (8, 20, 1), 28, 0, &[RECEIVED]),
];

const fn inet(family: i32, protocol: i32, fields: &'static [usize], count: &'static str) -> SocketKind {
    let (protocol, asked) = (protocol as u8, (2, 56, 1 << 6));
    SocketKind { family, protocol, asked, head: 72, memory: 7, fields, count: Some(count) }
}

const fn other(
    family: i32,
    protocol: u8,
    asked: (usize, usize, u8),
    head: usize,
    memory: u16,
    fields: &'static [usize],
) -> SocketKind {
    SocketKind { family, protocol, asked, head, memory, fields, count: None }
}

/// Files below `/proc/PID/net` that say how many sockets of a kind that network has. To tell of those with connections, the
/// kernel walks a table of all networks of the machine, of some MB where there is much memory: the question takes it half a
/// millisecond, these files some microseconds.
const COUNTS: [&str; 2] = ["sockstat", "sockstat6"];

/// The question, of linux/sock_diag.h.
const SOCK_DIAG_BY_FAMILY: u16 = 20;

/// Attributes of local sockets.
const PEER: u16 = 2;
const QUEUE: u16 = 4;

/// The most that one local socket may have sent, in bytes: twice `net.core.wmem_max`, as it is unless set.
const MOST_SENT: u64 = 2 * 212_992;

/// How many messages may wait in a local socket without a connection: `net.unix.max_dgram_qlen`, and one.
const MOST_WAITING: u64 = 11;

/// The sockets of this process's network.
#[derive(Debug, Default)]
pub(super) struct Sockets {
    diagnosis: Option<OwnedFd>,
    counts: Vec<File>,
}

/// What is told of a local socket.
struct Local {
    number: u32,
    is_stream: bool,
    peer: Option<u32>,
    waiting: bool,
}

impl Sockets {
    /// The same, told of faster: `member` is a process of this network that still lives, where this one's files cannot be seen.
    pub(super) fn counted(member: Pid) -> Self {
        let counts = COUNTS.iter().filter_map(|name| File::open(format!("/proc/{member}/net/{name}")).ok());
        Self { diagnosis: None, counts: counts.collect() }
    }

    /// All that waits in them, in bytes. Of a kind that this kernel does not tell of, none.
    pub(super) fn memory(&mut self) -> u64 {
        let counts = self.counts.iter().map(text).collect::<String>();
        let kinds = KINDS.iter().filter(|kind| !kind.count.is_some_and(|count| are_none(&counts, count)));
        kinds.map(|kind| self.of(kind).unwrap_or(0)).sum()
    }

    fn of(&mut self, kind: &SocketKind) -> nix::Result<u64> {
        let open = || {
            let protocol = SockProtocol::NetlinkSockDiag;
            socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, protocol)
        };
        let diagnosis = match self.diagnosis.take() {
            Some(diagnosis) => diagnosis,
            None => open()?,
        };
        let told = ask(&diagnosis, kind)?;
        // Kept only while question and answer are in step.
        self.diagnosis = Some(diagnosis);
        let mut locals = Vec::new();
        let mut sum = 0;
        for socket in &told {
            let Some((head, attributes)) = socket.split_at_checked(kind.head) else { continue };
            let attributes: Vec<(u16, &[u8])> = chunks(attributes, 4, |head| (number16(head, 2), number16(head, 0)));
            let value = |wanted| attributes.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
            let memory = value(kind.memory).unwrap_or_default();
            sum += kind.fields.iter().map(|field| u64::from(number32(memory, field * 4))).sum::<u64>();
            locals.extend((kind.family == libc::AF_UNIX).then(|| Local {
                number: number32(head, 4),
                is_stream: head.get(1) == Some(&(libc::SOCK_STREAM as u8)),
                peer: value(PEER).map(|peer| number32(peer, 0)),
                waiting: value(QUEUE).is_some_and(|queue| number32(queue, 0) > 0),
            }));
        }
        Ok(sum + of_the_closed(&locals))
    }
}

/// All of such a file as it is now; nothing if it cannot be read.
fn text(file: &File) -> String {
    let mut text = vec![0; 4096];
    let length = file.read_at(&mut text, 0).unwrap_or(0);
    String::from_utf8_lossy(text.get(..length).unwrap_or_default()).into_owned()
}

/// Whether there are certainly no sockets of the kind whose line begins so.
fn are_none(counts: &str, line: &str) -> bool {
    let number = counts.lines().find_map(|other| other.strip_prefix(line)?.split(' ').next());
    number == Some("0")
}

/// What waits in local sockets by senders that are closed: no one is told of those any more, so it is the most that
/// there may be.
fn of_the_closed(sockets: &[Local]) -> u64 {
    let open: BTreeSet<u32> = sockets.iter().map(|socket| socket.number).collect();
    let is_orphan = |socket: &&Local| socket.waiting && !socket.peer.is_some_and(|peer| open.contains(&peer));
    let most = |socket: &Local| if socket.is_stream { MOST_SENT } else { MOST_WAITING * MOST_SENT };
    sockets.iter().filter(is_orphan).map(most).sum()
}

/// Asks for all sockets of a kind: each answer without its head.
fn ask(diagnosis: &OwnedFd, kind: &SocketKind) -> nix::Result<Vec<Vec<u8>>> {
    let (at, length, bits) = kind.asked;
    let mut question = vec![0; length];
    // TCP has a bit for each state at 4, local sockets too; netlink has a number there, of which 0 is any.
    let states = if kind.family == libc::AF_NETLINK { 0 } else { 0xff };
    for (index, value) in [(0, kind.family as u8), (1, kind.protocol), (4, states), (5, states), (at, bits)] {
        if let Some(byte) = question.get_mut(index) {
            *byte |= value;
        }
    }
    let flags = (libc::NLM_F_REQUEST | libc::NLM_F_DUMP) as u16;
    let mut message = ((16 + length) as u32).to_ne_bytes().to_vec();
    message.extend(SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    message.extend(flags.to_ne_bytes());
    message.extend([0; 8]);
    message.extend(question);
    sendto(diagnosis.as_raw_fd(), &message, &NetlinkAddr::new(0, 0), MsgFlags::empty())?;
    let mut told = Vec::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let count = recv(diagnosis.as_raw_fd(), &mut buffer, MsgFlags::empty())?;
        let answers =
            chunks(buffer.get(..count).unwrap_or_default(), 16, |head| (number16(head, 4), number32(head, 0)));
        for (name, answer) in answers {
            match i32::from(name) {
                libc::NLMSG_DONE => return Ok(told),
                libc::NLMSG_ERROR => return Err(Errno::EOPNOTSUPP),
                _ => told.push(answer.to_vec()),
            }
        }
    }
}

/// Pieces of a message, each with its name: every one begins with a head of this length, which has its name and how long
/// all of it is, and they begin at multiples of four.
fn chunks<N: TryInto<usize>>(mut rest: &[u8], head: usize, parse: impl Fn(&[u8]) -> (u16, N)) -> Vec<(u16, &[u8])> {
    let mut found = Vec::new();
    while rest.len() >= head {
        let (name, length) = parse(rest);
        let Ok(length) = length.try_into() else { break };
        let Some(body) = rest.get(head..length) else { break };
        found.push((name, body));
        rest = rest.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    found
}

fn number16(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u16::from_ne_bytes(*bytes))
}

fn number32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u32::from_ne_bytes(*bytes))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::Write as _;
    use std::os::unix::net::UnixStream;

    use super::*;

    /// Other processes' sockets of the machine's own network count, too.
    fn rises(sockets: &mut Sockets, by: u64, act: impl FnOnce() -> UnixStream) {
        let before = sockets.of(&KINDS[0]).unwrap();
        let _kept = act();
        let after = sockets.of(&KINDS[0]).unwrap();
        assert!(after >= before + by, "{before} then {after}");
    }

    #[test]
    fn what_waits_is_told_whether_its_sender_is_closed_or_not() {
        let mut sockets = Sockets::default();
        let (mut one, other) = UnixStream::pair().unwrap();
        rises(&mut sockets, 100_000, || {
            one.write_all(&[0; 100_000]).unwrap();
            one.try_clone().unwrap()
        });
        drop((one, other));
        let (mut one, other) = UnixStream::pair().unwrap();
        one.write_all(&[0; 10]).unwrap();
        rises(&mut sockets, MOST_SENT / 2, || {
            drop(one);
            other
        });
    }

    #[test]
    fn a_kind_is_passed_over_only_where_there_is_none_of_it() {
        let counts = "sockets: used 45\nTCP: inuse 0 orphan 0 tw 0 alloc 1 mem 0\nUDP: inuse 10 mem 2\nUDP6: inuse 0\n";
        let passed_over = |kind: &&SocketKind| kind.count.is_some_and(|count| are_none(counts, count));
        let families: Vec<_> = KINDS.iter().filter(passed_over).map(|kind| (kind.family, kind.protocol)).collect();
        // Of TCP over IPv6, nothing is said.
        assert_eq!(families, [(libc::AF_INET, libc::IPPROTO_TCP as u8), (libc::AF_INET6, libc::IPPROTO_UDP as u8)]);
        let _listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let here: String = Sockets::counted(Pid::this()).counts.iter().map(text).collect();
        assert!(here.contains("TCP: inuse "), "{here}");
        assert!(!are_none(&here, "TCP: inuse "), "{here}");
    }

    #[test]
    fn pieces_that_are_cut_are_none() {
        let parse = |head: &[u8]| (number16(head, 2), number16(head, 0));
        let whole = [6, 0, 1, 0, 9, 9, 0, 0, 4, 0, 2, 0];
        assert_eq!(chunks(&whole, 4, parse), [(1, &[9, 9][..]), (2, &[][..])]);
        for cut in [&[6, 0, 1, 0, 9][..], &[3, 0, 1, 0], &[6, 0]] {
            assert_eq!(chunks(cut, 4, parse), []);
        }
    }
}
