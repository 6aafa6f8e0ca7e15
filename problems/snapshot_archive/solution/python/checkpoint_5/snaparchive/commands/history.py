"""Tell what became of a path."""

from snaparchive import history, names, opening, selectors
from snaparchive.arguments import add_threshold, threshold
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)
    parser.add_argument("path", type=names.path_from_text)
    add_threshold(parser)


def run(options):
    archive = opening.open_readable(options.archive)
    for change in history.history(archive, options.snapshot(archive), options.path, threshold(options)):
        emit(change)
