"""Remove what no snapshot needs."""

from snaparchive import pruning, store
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("--dry-run", action="store_true")


def run(options):
    archive = store.open_archive(options.archive)
    emit(pruning.prune(archive, options.dry_run).to_json())
