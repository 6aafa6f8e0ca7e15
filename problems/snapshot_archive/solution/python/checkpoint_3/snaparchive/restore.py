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
    for file in entries.files(snapshot.entries()):
        vault.verify(file)
    os.makedirs(root, exist_ok=True)
    for entry in snapshot.entries():
        put(vault, root, entry)
    set_modes(root, snapshot.entries())
    return {"snapshot": snapshot.id, "entries": snapshot.totals.entries, "bytes": snapshot.totals.size}


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


def set_modes(root, found):
    """Give all folders their modes, those inside of others first: these may then be closed to us."""
    around = []
    for entry in found:
        if isinstance(entry, entries.Folder):
            while around and not entry.path.startswith(around[-1].path):
                set_mode(root, around.pop())
            around.append(entry)
    for folder in reversed(around):
        set_mode(root, folder)


def set_mode(root, folder):
    os.chmod(os.path.join(root, folder.path), folder.mode)
