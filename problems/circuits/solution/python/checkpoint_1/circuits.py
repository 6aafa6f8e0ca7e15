"""Checks and evaluates circuits that are written as netlists."""

import sys

from logic.commands import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
