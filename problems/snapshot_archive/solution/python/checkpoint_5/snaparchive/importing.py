"""Bringing volumes into an archive."""

import os

from snaparchive import forgetting, formats, snapshots, store
from snaparchive.collecting import VolumeStore
from snaparchive.errors import Failure
from snaparchive.save import keep_new
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
    from_vault, to_vault = Vault(source), Vault(target)
    new, new_sizes = 0, []
    for snapshot in found:
        for file in snapshot.files:
            if not to_vault.has(file):
                new_sizes += to_vault.add(from_vault.read(file), file)
        new += keep_new(target, snapshot)
    return {
        "snapshots": len(found),
        "new_snapshots": new,
        "new_objects": len(new_sizes),
        "new_bytes": sum(new_sizes),
    }
