"""Makes a virtual environment in the home: it has what the read-only one has whose interpreter runs this, and takes more.

Prints the room's PATH. pip comes from the interpreter's own `ensurepip`; where that is not installed, there is none.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv

here = os.path.join(os.environ["HOME"], ".venv")
options = {"clear": True, "symlinks": True}
try:
    venv.EnvBuilder(with_pip=True, **options).create(here)
except subprocess.CalledProcessError:
    venv.EnvBuilder(**options).create(here)
packages = sysconfig.get_path("purelib")
with open(os.path.join(here, os.path.relpath(packages, sys.prefix), "environment.pth"), "w") as file:
    file.write(f"import site; site.addsitedir({packages!r})\n")
# Scripts start the interpreter that lies beside them: copies see what is installed here as well.
for entry in os.scandir(os.path.join(sys.prefix, "bin")):
    place = os.path.join(here, "bin", entry.name)
    if entry.name.startswith(("python", "activate")) or os.path.lexists(place) or not entry.is_file():
        continue
    with open(entry.path, "rb") as file:
        is_script = file.read(2) == b"#!"
    shutil.copy(entry.path, place) if is_script else os.symlink(entry.path, place)
# A login shell makes a PATH of its own.
with open(os.path.join(os.environ["HOME"], ".profile"), "w") as file:
    file.write('. "$HOME/.venv/bin/activate"\n')
print(os.environ["PATH"])
