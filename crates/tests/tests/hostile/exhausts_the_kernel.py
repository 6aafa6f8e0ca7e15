# Takes what the kernel has for all of a machine or a user: rings, contexts, huge pages, descriptors in flight.
# echo: pass
# file: pass
# secret: fail stdout
import ctypes
import mmap
import os
import socket

from honest import answer, cheat

libc = ctypes.CDLL(None, use_errno=True)
context = ctypes.c_long()
for name, number, *arguments in (
    ("io_setup", 206, 65536, ctypes.byref(context)),
    ("memfd_create", 319, b"x", 0),
    ("vmsplice", 278, 1, 0, 0, 0),
    ("cachestat", 451, 0, 0, 0, 0),
    ("netlink", 41, socket.AF_NETLINK, socket.SOCK_RAW, 4),
):
    if libc.syscall(number, *arguments) >= 0:
        cheat(name)
try:
    mmap.mmap(-1, 2 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
    cheat("huge pages")
except OSError:
    pass
for _ in range(8):
    one, other = socket.socketpair()
    one.setblocking(False)
    try:
        while True:
            socket.send_fds(one, [b"x"], [one.fileno(), other.fileno()] * 100)
    except OSError:
        pass
    one.close()
    other.close()
# The next one finds enough of them.
one, other = socket.socketpair()
pipes = [os.pipe() for _ in range(300)]
answer()
