"""Sedge: runs programs of a small language."""

import sys

from lang.command import main
from lang.stack import deeply

if __name__ == "__main__":
    sys.exit(deeply(main, sys.argv[1:]))
