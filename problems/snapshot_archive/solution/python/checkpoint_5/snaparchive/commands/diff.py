"""Compare two trees."""

from snaparchive import changes, opening, sides
from snaparchive.arguments import add_selection, add_threshold, selected, threshold
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("old", type=sides.parse)
    parser.add_argument("new", type=sides.parse)
    renaming = parser.add_mutually_exclusive_group()
    add_threshold(renaming)
    renaming.add_argument("--no-renames", action="store_true")
    add_selection(parser)


def run(options):
    archive = opening.open_readable(options.archive)
    old, new = options.old(archive), options.new(archive)
    least = None if options.no_renames else threshold(options)
    selection = selected(options)
    if not selection.is_everything:
        old, new = sides.PartOfSide(old, selection), sides.PartOfSide(new, selection)
    for change in changes.find(old, new, least):
        emit(change.to_json())
