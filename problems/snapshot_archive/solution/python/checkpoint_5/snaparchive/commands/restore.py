"""Bring back a snapshot."""

from snaparchive import opening, restore, selectors
from snaparchive.arguments import add_pause, add_selection, selected
from snaparchive.interrupts import Pauses
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)
    parser.add_argument("target")
    add_pause(parser, "half")
    add_selection(parser)


def run(options):
    archive = opening.open_readable(options.archive)
    snapshot = options.snapshot(archive)
    emit(restore.restore(archive, snapshot, options.target, selected(options), Pauses(options.pause)))
