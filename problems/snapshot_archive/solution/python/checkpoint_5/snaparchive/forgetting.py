"""Removing snapshots, all of them or none: they are recorded first, and the record is carried out whatever happens."""

from snaparchive import digestlists, parity
from snaparchive.interrupts import Interrupted, Pauses
from snaparchive.store import snapshot_name
from snaparchive.store import open_archive as open_store

RECORD = "forgetting"


def open_archive(root):
    """Open an archive, and finish what was being forgotten."""
    store = open_store(root)
    if store.has(RECORD):
        carry_out(store, Pauses())
    return store


def forget(store, snapshot_ids, pauses):
    if not snapshot_ids:
        return
    with store.writing():
        store.write(RECORD, [f"{snapshot_id}\n".encode("ascii") for snapshot_id in snapshot_ids])
    try:
        pauses.at("recorded")
        carry_out(store, pauses)
    except Interrupted:
        carry_out(store, Pauses())
        raise


def carry_out(store, pauses):
    parity.remove_all(store)
    for snapshot_id in digestlists.read(store, RECORD):
        if store.has(snapshot_name(snapshot_id)):
            store.remove(snapshot_name(snapshot_id))
            pauses.at("removed")
    store.remove(RECORD)
