"""Print the content of a file."""

import sys

from snaparchive import names, snapshots, store
from snaparchive.errors import Failure
from snaparchive.vault import Vault


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=snapshots.parse_selector)
    parser.add_argument("path", type=names.path_from_text)


def run(options):
    archive = store.open_archive(options.archive)
    file = options.snapshot(archive).resolve(options.path)
    if file is None:
        raise Failure("not_a_file")
    vault = Vault(archive)
    vault.verify(file)
    for piece in vault.read(file):
        sys.stdout.buffer.write(piece)
