"""Carry out a listing."""

from snaparchive import build, listings


def add_arguments(parser):
    parser.add_argument("folder")
    parser.add_argument("listing")


def run(options):
    build.build(options.folder, listings.read(options.listing))
