//! Descriptors that go from one process to another through a Unix socket (`SCM_RIGHTS`, unix(7)).

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

/// The most descriptors that go at once: standard input, output and error.
const MOST: usize = 3;

/// Sends a descriptor, with one byte, as something must carry it.
pub(crate) fn send(socket: impl AsFd, descriptor: BorrowedFd<'_>) -> nix::Result<()> {
    send_with(socket, &[0], &[descriptor]).map(drop)
}

/// Sends descriptors with the first of these bytes, of which there must be one. Returns how many bytes went.
pub(crate) fn send_with(socket: impl AsFd, bytes: &[u8], descriptors: &[BorrowedFd<'_>]) -> nix::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !control.push(SendAncillaryMessage::ScmRights(descriptors)) {
        return Err(Errno::ENOBUFS);
    }
    let mut send = || sendmsg(&socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL);
    match send() {
        // The user's programs, sandboxes of the same user among them, have more in flight than we may have open.
        Err(rustix::io::Errno::TOOMANYREFS) => {
            let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
            setrlimit(Resource::RLIMIT_NOFILE, hard, hard)?;
            send().map_err(errno)
        }
        sent => sent.map_err(errno),
    }
}

/// Receives what [`send`] sent, waiting for it.
pub(crate) fn receive(socket: impl AsFd) -> nix::Result<OwnedFd> {
    let (_, descriptors) = receive_with(socket, &mut [0])?;
    descriptors.into_iter().next().ok_or(Errno::EBADMSG)
}

/// Receives bytes, how many is returned, and the descriptors that came with them.
pub(crate) fn receive_with(socket: impl AsFd, buffer: &mut [u8]) -> nix::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut control, RecvFlags::CMSG_CLOEXEC);
    let count = received.map_err(errno)?.bytes;
    let descriptors = control.drain().flat_map(|message| match message {
        RecvAncillaryMessage::ScmRights(descriptors) => descriptors.collect(),
        _ => Vec::new(),
    });
    Ok((count, descriptors.collect()))
}

/// The same file by a number that is no standard stream's: those are still to come, where a process has closed its own.
pub(crate) fn out_of_the_way(descriptor: impl AsFd) -> nix::Result<OwnedFd> {
    rustix::io::fcntl_dupfd_cloexec(descriptor, 3).map_err(errno)
}

fn errno(error: rustix::io::Errno) -> Errno {
    Errno::from_raw(error.raw_os_error())
}
