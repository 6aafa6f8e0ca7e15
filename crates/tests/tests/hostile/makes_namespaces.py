# Makes a nested namespace, or a new root, to be somebody in.
# echo: pass
# file: pass
# secret: fail stdout
import ctypes

from honest import answer, cheat

libc = ctypes.CDLL(None, use_errno=True)
attempts = {f"unshare {flag:#x}": (libc.unshare, flag) for flag in (0x10000000, 0x20000, 0x20000000, 0x40000000)}
attempts |= {
    "clone": (libc.syscall, 56, 0x10000000 | 17, 0, 0, 0, 0),
    "mount": (libc.mount, b"tmpfs", b"/work", b"tmpfs", 0, None),
    "bind": (libc.mount, b"/", b"/work", None, 4096, None),
    "umount": (libc.umount2, b"/solution", 2),
    "chroot": (libc.chroot, b"/work"),
    "pivot_root": (libc.syscall, 155, b"/work", b"/work"),
    "setns": (libc.setns, 0, 0),
    "setuid": (libc.setuid, 0),
    "setgid": (libc.setgid, 0),
    "sethostname": (libc.sethostname, b"mine", 4),
    "open_tree": (libc.syscall, 428, -100, b"/", 1),
}
for name, (call, *arguments) in attempts.items():
    if call(*arguments) >= 0:
        cheat(name)
answer()
