"""Make an archive."""

from snaparchive import formats, store
from snaparchive.arguments import number_from


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--block", type=number_from(1, formats.LONGEST_BLOCK), default=formats.DEFAULT_BLOCK)


def run(options):
    store.create(options.archive, options.block)
