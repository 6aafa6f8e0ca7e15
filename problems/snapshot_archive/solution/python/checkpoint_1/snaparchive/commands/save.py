"""Save a folder."""

from snaparchive import instants, save, store
from snaparchive.labels import check_label
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--at", required=True, type=instants.parse)
    parser.add_argument("--label", type=check_label)


def run(options):
    archive = store.open_archive(options.archive)
    emit(save.save(archive, options.folder, options.at, options.label))
