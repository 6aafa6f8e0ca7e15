"""Compare two trees."""

from snaparchive import changes, sides, store
from snaparchive.arguments import add_threshold, threshold
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("old", type=sides.parse)
    parser.add_argument("new", type=sides.parse)
    renaming = parser.add_mutually_exclusive_group()
    add_threshold(renaming)
    renaming.add_argument("--no-renames", action="store_true")


def run(options):
    archive = store.open_archive(options.archive)
    old, new = options.old(archive), options.new(archive)
    for change in changes.find(old, new, None if options.no_renames else threshold(options)):
        emit(change.to_json())
