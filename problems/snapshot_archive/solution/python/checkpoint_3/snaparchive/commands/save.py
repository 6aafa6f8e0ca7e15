"""Save a folder."""

from snaparchive import instants, save, store
from snaparchive.labels import check_label
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--at", required=True, type=instants.parse)
    parser.add_argument("--label", type=check_label)
    parser.add_argument("--changes", action="store_true")


def run(options):
    archive = store.open_archive(options.archive)
    saving = save.save_with_changes if options.changes else save.save
    for value in saving(archive, options.folder, options.at, options.label):
        emit(value)
