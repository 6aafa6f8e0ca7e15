"""Bring back a snapshot."""

from snaparchive import forgetting, restore, selectors
from snaparchive.arguments import add_pause
from snaparchive.interrupts import Pauses
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)
    parser.add_argument("target")
    add_pause(parser, "half")


def run(options):
    archive = forgetting.open_archive(options.archive)
    snapshot = options.snapshot(archive)
    emit(restore.restore(archive, snapshot, options.target, Pauses(options.pause)))
