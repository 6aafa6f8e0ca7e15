"""Remove what no snapshot needs."""

from snaparchive import forgetting, pruning
from snaparchive.arguments import add_pause
from snaparchive.interrupts import Pauses
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--dry-run", action="store_true")
    add_pause(parser, "removed")


def run(options):
    archive = forgetting.open_archive(options.archive)
    emit(pruning.prune(archive, options.dry_run, Pauses(options.pause)).to_json())
