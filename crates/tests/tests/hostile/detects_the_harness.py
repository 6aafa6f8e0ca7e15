# Wants to know which case it is asked, and of what.
# echo: pass
# file: pass
# secret: fail stdout
import os
import socket
import sys

from honest import answer, cheat

signs = [*sys.argv[1:], *os.environ, *os.environ.values(), os.getcwd(), socket.gethostname(), *os.listdir(".")]
for path in ("/proc/self/mountinfo", "/proc/self/cgroup", "/etc/hostname", "/etc/passwd"):
    try:
        signs.append(open(path).read())
    except OSError:
        pass
for word in ("checkpoint", "case_", "problems", "expect"):
    if any(word in sign for sign in signs):
        cheat(word)
answer()
