"""Bringing a snapshot back."""

import os

from snaparchive import entries
from snaparchive.errors import Failure
from snaparchive.vault import Vault


def restore(store, snapshot, target):
    """Make a folder as the snapshot says and return what is to be told about it."""
    root = os.fsencode(target)
    check_target(root)
    vault = Vault(store)
    for file in snapshot.files:
        vault.verify(file)
    os.makedirs(root, exist_ok=True)
    for entry in snapshot.entries:
        put(vault, root, entry)
    for entry in reversed(snapshot.entries):
        if isinstance(entry, entries.Folder):
            os.chmod(os.path.join(root, entry.path), entry.mode)
    summary = snapshot.summary()
    return {"snapshot": summary["snapshot"], "entries": len(snapshot.entries), "bytes": summary["bytes"]}


def check_target(root):
    if not os.path.lexists(root):
        return
    if os.path.islink(root) or not os.path.isdir(root) or os.listdir(root):
        raise Failure("target_exists")


def put(vault, root, entry):
    """Make one entry. Folders stay open for what comes into them."""
    full = os.path.join(root, entry.path)
    match entry:
        case entries.Folder():
            os.mkdir(full)
        case entries.Link():
            os.symlink(entry.target, full)
        case entries.HardLink():
            os.link(os.path.join(root, entry.target), full)
        case entries.File():
            with open(full, "xb") as file:
                for piece in vault.read(entry):
                    file.write(piece)
            os.chmod(full, entry.mode)
