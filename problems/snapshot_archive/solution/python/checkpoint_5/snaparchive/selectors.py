"""How the command line names a snapshot."""

import re

from snaparchive import instants, snapshots
from snaparchive.errors import Failure, WrongUsage

PREFIX = re.compile(r"[0-9a-f]{4,64}")


def parse_selector(text):
    """Return a function that finds the snapshot meant by the text in a store."""
    if text == "latest":
        return lambda store: last_of(snapshots.load_all(store), text)
    if text.startswith("@"):
        try:
            limit = instants.parse(text[1:])
        except ValueError:
            raise WrongUsage from None
        return lambda store: last_of([s for s in snapshots.load_all(store) if s.at <= limit], text)
    if PREFIX.fullmatch(text):
        return lambda store: find_by_prefix(store, text)
    raise WrongUsage


def last_of(found, text):
    if not found:
        raise Failure("no_snapshot", snapshot=text)
    return found[-1]


def find_by_prefix(store, prefix):
    found = [snapshot_id for snapshot_id in store.snapshot_ids() if snapshot_id.startswith(prefix)]
    if not found:
        raise Failure("no_snapshot", snapshot=prefix)
    if len(found) > 1:
        raise Failure("ambiguous", snapshot=prefix, count=len(found))
    return snapshots.load(store, found[0])
