"""Queries over JSON lines and CSV, read from standard input."""

import sys

from logquery.script import run

if __name__ == "__main__":
    run(sys.stdin.buffer, sys.stdout.buffer)
