"""Saving a folder."""

import os

from snaparchive import changes, entries, snapshots, snapshottext, tree
from snaparchive.arguments import DEFAULT_THRESHOLD
from snaparchive.errors import Failure
from snaparchive.sides import EmptySide, SavedSide
from snaparchive.snapshots import Snapshot, Totals
from snaparchive.store import NewFile, snapshot_name
from snaparchive.vault import Vault


def save(store, folder, at, label, pauses):
    """Save a folder and yield what is to be told about it."""
    root = open_source(store, folder)
    with store.writing():
        _, told = keep(store, root, at, label, pauses)
        yield told


def save_with_changes(store, folder, at, label, pauses):
    """Save a folder, and yield what is to be told about it and about what is new in it."""
    root = open_source(store, folder)
    base = snapshots.base_of(at, label, snapshots.load_all(store))
    with store.writing():
        snapshot, told = keep(store, root, at, label, pauses)
        yield {**told, "base": base.id if base else None}
        for change in changes_from(base, snapshot):
            yield change.to_json()


def changes_from(base, snapshot):
    # From nothing, nothing was renamed.
    before, threshold = (SavedSide(base), DEFAULT_THRESHOLD) if base else (EmptySide(), None)
    return changes.find(before, SavedSide(snapshot), threshold)


def open_source(store, folder):
    root = tree.open_folder(folder)
    if tree.is_inside(root, store.identity):
        raise Failure("inside_archive")
    return root


def keep(store, root, at, label, pauses):
    """Store a folder's contents, then the snapshot, which is returned with what is to be told about it."""
    vault, totals = Vault(store), Totals()
    new = NewFile(store, "snapshot")
    found = store_contents(vault, root, tree.scan(root, left_out=store.identity))
    for chunk in snapshottext.write(at, label, totals.of(found)):
        new.write(chunk)
    pauses.at("stored")
    snapshot = Snapshot(store, new.name, new.close(), at, label, totals)
    is_new = not store.has(snapshot_name(snapshot.id))
    if is_new:
        new.move_to(snapshot_name(snapshot.id))
        snapshot = snapshot._replace(name=snapshot_name(snapshot.id))
    told = {**snapshot.summary(), "new": is_new, "new_objects": vault.new_objects, "new_bytes": vault.new_bytes}
    return snapshot, told


def store_contents(vault, root, found):
    """Yield entries, when their contents are stored that are not there yet."""
    for entry in found:
        if isinstance(entry, entries.File) and not vault.has(entry):
            with open(os.path.join(root, entry.path), "rb") as source:
                vault.add(source, entry)
        yield entry
