"""Write snapshots into volumes."""

from snaparchive import exporting, forgetting, selectors, snapshots, volumes
from snaparchive.arguments import number_from
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--snapshot", dest="snapshots", action="append", default=[], type=selectors.parse_selector)
    parser.add_argument("--size", required=True, type=number_from(volumes.OVERHEAD + 1, volumes.LARGEST))
    parser.add_argument("--spares", type=number_from(0, volumes.MOST_SPARES), default=0)


def run(options):
    archive = forgetting.open_archive(options.archive)
    chosen = [find(archive) for find in options.snapshots] or snapshots.load_all(archive)
    emit(exporting.export(archive, chosen, options.folder, options.size, options.spares))
