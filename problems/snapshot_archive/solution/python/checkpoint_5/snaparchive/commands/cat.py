"""Print the content of a file."""

import sys

from snaparchive import names, opening, selectors
from snaparchive.entries import File
from snaparchive.errors import Failure
from snaparchive.vault import Vault


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)
    parser.add_argument("path", type=names.path_from_text)


def run(options):
    archive = opening.open_readable(options.archive)
    file = options.snapshot(archive).find(options.path)
    if not isinstance(file, File):
        raise Failure("not_a_file")
    vault = Vault(archive)
    vault.verify(file)
    for piece in vault.read(file):
        sys.stdout.buffer.write(piece)
