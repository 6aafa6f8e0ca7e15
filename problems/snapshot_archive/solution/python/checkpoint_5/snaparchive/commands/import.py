"""Bring volumes into an archive."""

from snaparchive import collecting, importing
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("folders", nargs="+")


def run(options):
    target = importing.open_target(options.archive)
    collection = collecting.collect(options.folders)
    emit(importing.import_volumes(target, options.archive, collection))
