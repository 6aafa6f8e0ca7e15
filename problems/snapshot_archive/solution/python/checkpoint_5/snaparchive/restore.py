"""Bringing a snapshot back."""

import os
import stat

from snaparchive import entries
from snaparchive.errors import Failure
from snaparchive.interrupts import Interrupted
from snaparchive.removal import remove_tree
from snaparchive.vault import Vault

PARTIAL = b".partial"


def restore(store, snapshot, target, selection, pauses):
    """Make a folder as the snapshot says and return what is to be told about it."""
    check_target(target)
    root = os.fsencode(os.path.realpath(target))
    chosen = selection.apply(snapshot.entries)
    if not chosen and not selection.is_everything:
        raise Failure("nothing_selected")
    vault = Vault(store)
    for file in entries.files(chosen):
        vault.verify(file)
    partial = root + PARTIAL
    remove_tree(partial)
    os.makedirs(partial)
    try:
        fill(vault, partial, chosen, pauses)
    except Interrupted:
        remove_tree(partial)
        raise
    take_place(partial, root)
    size = sum(file.size for file in entries.files(chosen))
    return {"snapshot": snapshot.id, "entries": len(chosen), "bytes": size}


def check_target(target):
    path = target.rstrip("/")
    if not os.path.lexists(path):
        return
    if os.path.islink(path) or not os.path.isdir(path) or os.listdir(path):
        raise Failure("target_exists")


def take_place(partial, root):
    """Put a whole tree into its place. An empty folder that was there hands on its mode."""
    if os.path.isdir(root):
        os.chmod(partial, stat.S_IMODE(os.stat(root).st_mode))
    os.rename(partial, root)


def fill(vault, root, found, pauses):
    """Make all entries in a folder. Folders get their modes when nothing comes into them any more."""
    middle = len(found) // 2
    for entry in found[:middle]:
        put(vault, root, entry)
    pauses.at("half")
    for entry in found[middle:]:
        put(vault, root, entry)
    for entry in reversed(found):
        if isinstance(entry, entries.Folder):
            os.chmod(os.path.join(root, entry.path), entry.mode)


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
