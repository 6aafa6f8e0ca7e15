"""Bring back a snapshot."""

from snaparchive import restore, selectors, store
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)
    parser.add_argument("target")


def run(options):
    archive = store.open_archive(options.archive)
    snapshot = options.snapshot(archive)
    emit(restore.restore(archive, snapshot, options.target))
