"""Snapshot archive: content-addressed backups of folders."""

import sys

from snaparchive.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
