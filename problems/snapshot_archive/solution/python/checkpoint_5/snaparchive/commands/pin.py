"""Mark a snapshot that is never to be forgotten."""

from snaparchive import forgetting, pins, selectors
from snaparchive.output import emit


def add_arguments(parser):
    parser.add_argument("archive")
    parser.add_argument("snapshot", type=selectors.parse_selector)


def run(options):
    archive = forgetting.open_archive(options.archive)
    snapshot_id = options.snapshot(archive).id
    changed = pins.pin(archive, snapshot_id)
    emit({"snapshot": snapshot_id, "pinned": True, "changed": changed})
