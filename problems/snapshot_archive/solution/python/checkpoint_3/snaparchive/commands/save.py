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
    arguments = (archive, options.folder, options.at, options.label)
    told = save.save_with_changes(*arguments) if options.changes else [save.save(*arguments)]
    for value in told:
        emit(value)
