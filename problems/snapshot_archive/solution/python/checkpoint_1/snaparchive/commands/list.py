"""Print what snapshots there are."""

from snaparchive import snapshots, store
from snaparchive.labels import check_label
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--label", type=check_label)


def run(options):
    archive = store.open_archive(options.archive)
    for snapshot in snapshots.load_all(archive):
        if options.label in (None, snapshot.label):
            emit(snapshot.summary())
