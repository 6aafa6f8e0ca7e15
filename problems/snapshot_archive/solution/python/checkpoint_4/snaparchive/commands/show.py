"""Print the entries of a snapshot."""

from snaparchive import forgetting, selectors
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)


def run(options):
    archive = forgetting.open_archive(options.archive)
    for entry in options.snapshot(archive).entries():
        emit(entry.to_json())
