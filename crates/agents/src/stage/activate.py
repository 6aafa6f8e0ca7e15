"""Makes a virtual environment in the home: it has what a read-only one has, and takes more.

The argument is that read-only one. Nothing of its packages runs. Prints the room's PATH. pip comes from the interpreter's
own `ensurepip`; where that is not installed, there is none.
"""

import os
import shutil
import subprocess
import sys
import venv

LONGEST_SCRIPT = 1 << 20

environment = sys.argv[1]
here = os.path.join(os.environ["HOME"], ".venv")
options = {"clear": True, "symlinks": True}
try:
    venv.EnvBuilder(with_pip=True, **options).create(here)
except subprocess.CalledProcessError:
    venv.EnvBuilder(**options).create(here)
packages = "lib/python{}.{}/site-packages".format(*sys.version_info)
with open(os.path.join(here, packages, "environment.pth"), "w") as file:
    file.write(f"import site; site.addsitedir({os.path.join(environment, packages)!r})\n")
# Scripts start the interpreter that lies beside them: copies see what is installed here as well.
for entry in os.scandir(os.path.join(environment, "bin")):
    place = os.path.join(here, "bin", entry.name)
    if entry.name.startswith(("python", "activate")) or os.path.lexists(place) or not entry.is_file():
        continue
    with open(entry.path, "rb") as file:
        is_script = file.read(2) == b"#!" and entry.stat().st_size < LONGEST_SCRIPT
    shutil.copy(entry.path, place) if is_script else os.symlink(entry.path, place)
# A login shell makes a PATH of its own.
with open(os.path.join(os.environ["HOME"], ".profile"), "w") as file:
    file.write('. "$HOME/.venv/bin/activate"\n')
print(os.environ["PATH"])
