"""Search a tree of source files with a list of rules."""

import sys

from codesearch.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
