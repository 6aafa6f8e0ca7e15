"""Tell what snapshots take."""

from snaparchive import forgetting, pruning
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")


def run(options):
    archive = forgetting.open_archive(options.archive)
    for line in pruning.usage(archive):
        emit(line)
