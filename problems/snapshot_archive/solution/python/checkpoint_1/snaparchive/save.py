"""Saving a folder."""

import os

from snaparchive import tree
from snaparchive.errors import Failure
from snaparchive.snapshots import Snapshot


def save(store, folder, at, label):
    """Save a folder and return what is to be told about it."""
    root = tree.open_folder(folder)
    own = tree.identity(os.stat(store.root))
    if is_inside(root, own):
        raise Failure("inside_archive")
    snapshot = Snapshot(at, label, tree.scan(root, left_out=own))
    new_files = store_contents(store, root, snapshot.files)
    is_new = not store.has_snapshot(snapshot.id)
    if is_new:
        store.write(store.snapshot_name(snapshot.id), [snapshot.to_bytes()])
    return {
        **snapshot.summary(),
        "new": is_new,
        "new_objects": len(new_files),
        "new_bytes": sum(file.size for file in new_files),
    }


def is_inside(folder, identity):
    """Whether a folder or one around it has this identity."""
    path = os.path.realpath(folder)
    while tree.identity(os.stat(path)) != identity:
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent
    return True


def store_contents(store, root, files):
    """Store the contents that are not there yet, and return the files that had them."""
    new = []
    for file in files:
        if not store.has_object(file.sha256):
            store.add_object(os.path.join(root, file.path), file.sha256)
            new.append(file)
    return new
