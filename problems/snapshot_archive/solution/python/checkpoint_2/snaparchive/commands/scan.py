"""Print the entries of a folder."""

from snaparchive import tree
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("folder")


def run(options):
    for entry in tree.scan(tree.open_folder(options.folder)):
        emit(entry.to_json())
