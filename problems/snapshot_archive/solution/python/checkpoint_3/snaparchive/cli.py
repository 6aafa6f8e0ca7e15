"""The command line. Only what the command needs is loaded."""

import argparse
import sys
from importlib import import_module

from snaparchive import jsontext
from snaparchive.errors import Failure, WrongUsage

COMMANDS = (
    "scan", "build", "init", "save", "list", "show", "cat", "restore", "diff", "history", "pin", "unpin",
    "forget", "prune", "usage",
)


class Parser(argparse.ArgumentParser):
    def __init__(self):
        super().__init__(allow_abbrev=False, add_help=False)

    def error(self, message):
        raise WrongUsage


def main(arguments):
    try:
        return run(arguments) or 0
    except Failure as failure:
        sys.stderr.buffer.write(jsontext.line(failure.to_json()).encode("utf-8") + b"\n")
        return failure.exit_code


def run(arguments):
    """Run a command, and return its exit code if that is not 0."""
    if not arguments or arguments[0] not in COMMANDS:
        raise WrongUsage
    name, *rest = arguments
    command = import_module(f"snaparchive.commands.{name}")
    parser = Parser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(rest))
