"""Sedge: runs programs of a small language."""

import sys

from lang.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
