"""Builds a virtual environment from wheels, in a sandbox without a network, by the interpreter that solutions find there.

Arguments: the folder with uv and the wheels, the folder to build in. What is built is `environment` in there; it is to be
shown as `/environment`, and its scripts run wherever it lies. Nothing of a package runs: unpacking runs none of its code,
and bytecode is compiled by an interpreter that does not see it.

Exit codes: 3 the packages cannot be installed.
"""

import compileall
import os
import py_compile
import shutil
import subprocess
import sys

installation, workspace = sys.argv[1:]
environment = os.path.join(workspace, "environment")
cache = os.path.join(workspace, "cache")
base = ["--quiet", "--offline", "--no-config", "--no-python-downloads", "--cache-dir", cache]


def uv(*arguments):
    return subprocess.run([os.path.join(installation, "uv"), *base, *arguments]).returncode


if uv("venv", "--relocatable", "--no-project", "--python", sys.executable, environment) != 0:
    sys.exit(1)
wheels = os.path.join(installation, "wheels")
if os.path.getsize(os.path.join(installation, "lock.txt")) and uv(
    "pip", "install", "--python", os.path.join(environment, "bin", "python"), "--no-index", "--find-links", wheels,
    "--no-deps", "--require-hashes", "--only-binary=:all:", "--link-mode", "hardlink",
    "--requirement", os.path.join(installation, "lock.txt"),
) != 0:
    sys.exit(3)
shutil.rmtree(cache)
# Files for other shells and systems, and for tools that are to leave environments alone.
for name in "activate.bat", "activate.fish", "activate.nu", "activate.ps1", "activate.xsh", "deactivate.bat", "pydoc.bat":
    path = os.path.join(environment, "bin", name)
    if os.path.lexists(path):
        os.remove(path)
# Never compared with their sources: those are read-only, and their times differ from build to build. Files for other
# versions of the language do not compile, and are left without.
compileall.compile_dir(
    environment, quiet=2, workers=1, stripdir=environment, prependdir="/environment", maxlevels=100,
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
)
