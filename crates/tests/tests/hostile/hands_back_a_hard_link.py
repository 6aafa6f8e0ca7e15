# Hands back a hard link: to another file's only if it is its own, which is a file as any other.
# echo: pass
# file: pass
# secret: fail stdout
import os
import sys

from honest import answer, try_each

paths = ("/solution/echo.py", "/etc/passwd", "/usr/bin/env", "/proc/self/environ", "/dev/null")
try_each({path: lambda path=path: os.link(path, "linked") for path in paths})
if len(sys.argv) > 2:
    open("own", "w").write(f"{sys.argv[1]}\n")
    os.link("own", sys.argv[2])
else:
    answer()
