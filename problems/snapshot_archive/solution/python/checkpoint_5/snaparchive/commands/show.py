"""Print the entries of a snapshot."""

from snaparchive import opening, selectors
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)


def run(options):
    archive = opening.open_readable(options.archive)
    for entry in options.snapshot(archive).entries():
        emit(entry.to_json())
