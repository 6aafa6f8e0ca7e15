"""The command line."""

import gc
import os
import sys

from lang.builtins import builtins
from lang.compiler import Compiler
from lang.errors import StaticError
from lang.lexer import decode
from lang.machine import Fault, Machine
from lang.parser import parse

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
    try:
        with open(arguments[1], "rb") as file:
            data = file.read()
    except OSError:
        output.complain(["cannot read the file"])
        return MISUSED
    return run(data, os.path.basename(arguments[1]), output)


def run(data, name, output):
    code, errors = compiled(data, output)
    if errors:
        output.complain(f"{name}:{error.position}: {error.code}" for error in errors)
        return REFUSED
    try:
        Machine(code).run()
    except Fault as fault:
        output.complain(fault.report.lines(name))
        return FAILED
    return 0


def compiled(data, output):
    """The program's code, and its static errors in the order of their places."""
    try:
        program = parse(decode(data))
    except StaticError as error:
        return None, [error]
    compiler = Compiler(builtins(output.write))
    code = compiler.program(program)
    return code, sorted(compiler.errors, key=lambda error: error.position)
