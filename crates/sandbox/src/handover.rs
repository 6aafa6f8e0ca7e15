//! A descriptor that goes from one process to another through a Unix socket (`SCM_RIGHTS`, unix(7)).

use std::io::{IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

/// Sends a descriptor, with one byte, as something must carry it.
pub(crate) fn send(socket: impl AsFd, descriptor: BorrowedFd<'_>) -> nix::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor];
    if !control.push(SendAncillaryMessage::ScmRights(&descriptors)) {
        return Err(Errno::ENOBUFS);
    }
    let mut send = || sendmsg(&socket, &[IoSlice::new(&[0])], &mut control, SendFlags::empty()).map(drop);
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
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    recvmsg(socket, &mut [IoSliceMut::new(&mut byte)], &mut control, RecvFlags::CMSG_CLOEXEC).map_err(errno)?;
    let received = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    received.ok_or(Errno::EBADMSG)
}

fn errno(error: rustix::io::Errno) -> Errno {
    Errno::from_raw(error.raw_os_error())
}
