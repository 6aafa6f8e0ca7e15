"""Bringing volumes into an archive."""

import os

from snaparchive import forgetting, formats, snapshots, store
from snaparchive.collecting import VolumeStore
from snaparchive.entries import files
from snaparchive.errors import Failure
from snaparchive.streams import Stream
from snaparchive.vault import Vault


def open_target(root):
    """Return the archive to import into, or None if it is still to be made."""
    if not os.path.lexists(root) or os.path.isdir(root) and not os.listdir(root):
        return None
    return forgetting.open_archive(root)


def import_volumes(target, root, collection):
    """Add all snapshots in volumes to an archive, and return what is to be told about it."""
    lost = collection.lost()
    if lost:
        raise Failure("incomplete", volumes=lost)
    source = VolumeStore(collection)
    found = snapshots.load_all(source)
    if target is None:
        store.create(root, formats.to_bytes(source.block))
        target = store.open_archive(root)
    vault, new = Vault(target), 0
    with target.writing():
        for snapshot in found:
            store_contents(snapshot, vault)
            if not target.has(snapshot.name):
                target.write(snapshot.name, source.read(snapshot.name))
                new += 1
    return {
        "snapshots": len(found),
        "new_snapshots": new,
        "new_objects": vault.new_objects,
        "new_bytes": vault.new_bytes,
    }


def store_contents(snapshot, vault):
    """Store the contents of a snapshot that are not there yet."""
    from_vault = Vault(snapshot.store)
    for file in files(snapshot.entries()):
        if not vault.has(file):
            vault.add(Stream(from_vault.read(file)), file)
