"""Saving a folder."""

import os

from snaparchive import changes, snapshots, tree
from snaparchive.arguments import DEFAULT_THRESHOLD
from snaparchive.errors import Failure
from snaparchive.sides import SavedSide
from snaparchive.snapshots import Snapshot
from snaparchive.store import snapshot_name
from snaparchive.vault import Vault


def save(store, folder, at, label):
    """Save a folder and return what is to be told about it."""
    root = open_source(store, folder)
    return keep(store, root, Snapshot(at, label, tree.scan(root, left_out=store.identity)))


def save_with_changes(store, folder, at, label):
    """Save a folder, and return what is to be told about it and about what is new in it."""
    root = open_source(store, folder)
    snapshot = Snapshot(at, label, tree.scan(root, left_out=store.identity))
    base = snapshots.base_of(snapshot, snapshots.load_all(store))
    told = keep(store, root, snapshot)
    before = SavedSide(store, base.entries if base else [])
    found = changes.find(before, SavedSide(store, snapshot.entries), DEFAULT_THRESHOLD)
    return [{**told, "base": base.id if base else None}, *(change.to_json() for change in found)]


def open_source(store, folder):
    root = tree.open_folder(folder)
    if tree.is_inside(root, store.identity):
        raise Failure("inside_archive")
    return root


def keep(store, root, snapshot):
    new_sizes = store_contents(Vault(store), root, snapshot.files)
    is_new = not store.has(snapshot_name(snapshot.id))
    if is_new:
        store.write(snapshot_name(snapshot.id), [snapshot.to_bytes()])
    return {**snapshot.summary(), "new": is_new, "new_objects": len(new_sizes), "new_bytes": sum(new_sizes)}


def store_contents(vault, root, files):
    """Store the contents that are not there yet, and return the sizes of the new objects."""
    new_sizes = []
    for file in files:
        if not vault.has(file):
            new_sizes += vault.add(os.path.join(root, file.path), file)
    return new_sizes
