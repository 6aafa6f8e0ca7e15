"""Save a folder."""

from snaparchive import forgetting, instants, save
from snaparchive.arguments import add_pause
from snaparchive.interrupts import Pauses
from snaparchive.labels import check_label
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("folder")
    parser.add_argument("--at", required=True, type=instants.parse)
    parser.add_argument("--label", type=check_label)
    parser.add_argument("--changes", action="store_true")
    add_pause(parser, "stored")


def run(options):
    archive = forgetting.open_archive(options.archive)
    saving = save.save_with_changes if options.changes else save.save
    for value in saving(archive, options.folder, options.at, options.label, Pauses(options.pause)):
        emit(value)
