"""Print what snapshots there are."""

from snaparchive import opening, snapshots
from snaparchive.labels import check_label
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--label", type=check_label)


def run(options):
    archive = opening.open_readable(options.archive)
    for snapshot in snapshots.load_all(archive):
        if options.label in (None, snapshot.label):
            emit(snapshot.summary())
