# Leaves a note for the next case wherever the kernel may keep one.
# echo: pass
# file: pass
# secret: fail stdout
import ctypes
import os

from honest import answer, cheat

libc = ctypes.CDLL(None, use_errno=True)
folders = ("/work", "/tmp", "/dev/shm", "/dev/mqueue", "/var/tmp", "/run", "/run/lock", os.path.expanduser("~"))
for folder in folders:
    note = os.path.join(folder, "note")
    if os.path.lexists(note):
        cheat(note)
    try:
        if "user.note" in os.listxattr(folder):
            cheat(f"an attribute of {folder}")
    except OSError:
        pass
for exists in (libc.shmget(7, 4096, 0), libc.semget(7, 1, 0), libc.msgget(7, 0)):
    if exists >= 0:
        cheat("an object of System V")
if libc.syscall(250, 10, -3, b"user", b"note", 0) > 0:  # KEYCTL_SEARCH in the session's keyring
    cheat("a key")

libc.shmget(7, 4096, 0o1666), libc.semget(7, 1, 0o1666), libc.msgget(7, 0o1666)
libc.syscall(248, b"user", b"note", b"x", 1, -3)  # add_key
for folder in folders:
    try:
        os.mkdir(os.path.join(folder, "note"))
        os.setxattr(folder, "user.note", b"x")
    except OSError:
        pass
    try:
        os.chmod(folder, 0)
    except OSError:
        pass
os.chmod("/work", 0o755)
answer()
