"""Make an archive."""

from snaparchive import store


def add_arguments(parser):
    parser.add_argument("archive")


def run(options):
    store.create(options.archive)
