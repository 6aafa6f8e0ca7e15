"""A spreadsheet that is driven by commands on standard input."""

import sys

from sheets.session import run

if __name__ == "__main__":
    run(sys.stdin.buffer, sys.stdout.buffer)
