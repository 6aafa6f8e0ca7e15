"""Removing snapshots, all of them or none: they are recorded first, and the record is carried out whatever happens."""

import re

from snaparchive import parity
from snaparchive.errors import Failure
from snaparchive.interrupts import Interrupted, Pauses
from snaparchive.store import snapshot_name
from snaparchive.store import open_archive as open_store

RECORD = "forgetting"
IDS = re.compile(rb"(?:[0-9a-f]{64}\n)+")


def open_archive(root):
    """Open an archive, and finish what was being forgotten."""
    store = open_store(root)
    if store.has(RECORD):
        carry_out(store, Pauses())
    return store


def forget(store, snapshot_ids, pauses):
    if not snapshot_ids:
        return
    store.write(RECORD, ["".join(f"{snapshot_id}\n" for snapshot_id in snapshot_ids).encode("ascii")])
    try:
        pauses.at("recorded")
        carry_out(store, pauses)
    except Interrupted:
        carry_out(store, Pauses())
        raise


def carry_out(store, pauses):
    parity.remove_all(store)
    for snapshot_id in read_record(store):
        if store.has(snapshot_name(snapshot_id)):
            store.remove(snapshot_name(snapshot_id))
            pauses.at("removed")
    store.remove(RECORD)


def read_record(store):
    data = b"".join(store.read(RECORD))
    if not IDS.fullmatch(data):
        raise Failure("damaged", file=RECORD)
    return data.decode("ascii").split()
