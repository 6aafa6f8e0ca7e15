"""Tell what snapshots take."""

from snaparchive import pruning, store
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")


def run(options):
    archive = store.open_archive(options.archive)
    for line in pruning.usage(archive):
        emit(line)
