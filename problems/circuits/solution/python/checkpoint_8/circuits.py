"""Checks and evaluates circuits that are written as netlists."""

import sys

from logic.commands import run

DEEPEST_DIAGRAM = 10000

if __name__ == "__main__":
    sys.setrecursionlimit(DEEPEST_DIAGRAM)
    sys.exit(run(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer))
