"""The command line."""

import gc
import os
import sys

from lang.builtins import builtins
from lang.compiler import Compiler
from lang.machine import Fault, Machine
from lang.sources import Sources

# Active calls are many objects, none of them garbage: the host need not look for it often.
OBJECTS_BETWEEN_COLLECTIONS = 200_000

FAILED = 1
REFUSED = 2
MISUSED = 3


class Output:
    """Standard output and standard error, in UTF-8 whatever the locale."""

    def __init__(self):
        self.stream = sys.stdout.buffer

    def write(self, text):
        self.stream.write(text.encode("utf-8"))

    def complain(self, lines):
        self.stream.flush()
        sys.stderr.buffer.write("".join(f"{line}\n" for line in lines).encode("utf-8"))


def main(arguments):
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    output = Output()
    if len(arguments) != 2 or arguments[0] != "run":
        output.complain(["usage: run FILE"])
        return MISUSED
    root, name = os.path.split(arguments[1])
    sources = Sources(root)
    try:
        data = sources.read(name)
    except OSError:
        output.complain(["cannot read the file"])
        return MISUSED
    return run(sources, sources.load(name, data), output)


def run(sources, main_module, output):
    lines = list(static_errors(sources, main_module, output))
    if lines:
        output.complain(lines)
        return REFUSED
    try:
        Machine(main_module).run()
    except Fault as fault:
        output.complain(fault.report.lines())
        return FAILED
    return 0


def static_errors(sources, main_module, output):
    """Compiles all modules and tells what is wrong, module by module in the order of places."""
    provided = builtins(output.write)
    for module in sources.modules.values():
        if module.program:
            Compiler(module, provided).source(module is main_module)
        for error in sorted(module.errors, key=lambda error: error.position):
            yield f"{module.name}:{error.position}: {error.code}"
