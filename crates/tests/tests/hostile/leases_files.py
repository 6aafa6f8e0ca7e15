# Takes leases of the interpreter's files, and asks to be told what others open: who opens them waits.
# echo: pass
# file: pass
# secret: fail stdout
import ctypes
import fcntl
import os
import sys

from honest import answer, cheat, try_each

libc = ctypes.CDLL(None, use_errno=True)
for path in (os.path.realpath(sys.executable), os.__file__, "/usr/bin", "/usr/bin/env", __file__):
    file = os.open(path, os.O_RDONLY)
    try_each({
        f"{command} {argument} of {path}": lambda command=command, argument=argument: fcntl.fcntl(file, command, argument)
        for command, argument in (
            (fcntl.F_SETLEASE, fcntl.F_RDLCK),
            (fcntl.F_SETLEASE, fcntl.F_WRLCK),
            (1040, fcntl.F_RDLCK),
            (fcntl.F_NOTIFY, fcntl.DN_ACCESS | fcntl.DN_MULTISHOT),
        )
    })
for name, number, *arguments in (("inotify_init1", 294, 0), ("inotify_init", 253), ("fanotify_init", 300, 0, 0)):
    if libc.syscall(number, *arguments) >= 0:
        cheat(name)
answer()
