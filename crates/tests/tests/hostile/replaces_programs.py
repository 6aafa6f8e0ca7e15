# Replaces, in one case, what the next ones are run by: the interpreter, its start-up files, the solution, the loader.
# echo: pass
# file: pass
# secret: fail stdout
import os
import site
import sys
import sysconfig

from honest import answer, cheat

if hasattr(site, "slopbench_was_here") or os.path.exists("/tmp/was_here"):
    cheat("what the last case left")
library = sysconfig.get_path("stdlib")
for path in (
    sys.executable,
    os.path.realpath(sys.executable),
    "/usr/bin/python3",
    "/bin/sh",
    f"{library}/sitecustomize.py",
    f"{library}/site.py",
    "/solution/echo.py",
    "/solution/honest.py",
    "/solution/__pycache__/honest.cpython-311.pyc",
    "/etc/ld.so.preload",
    "/etc/passwd",
    "/work/python3",
    "/work/sitecustomize.py",
    os.path.expanduser("~/.local/lib/python3/site-packages/usercustomize.py"),
    "/tmp/was_here",
):
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write("import site; site.slopbench_was_here = True\n")
        os.chmod(path, 0o755)
    except OSError:
        continue
    if not path.startswith(("/work", "/tmp", os.path.expanduser("~"))):
        cheat(path)
answer()
