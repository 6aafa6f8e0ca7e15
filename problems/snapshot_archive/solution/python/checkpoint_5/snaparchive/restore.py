"""Bringing a snapshot back."""

import os
import stat
from itertools import islice

from snaparchive import entries
from snaparchive.errors import Failure
from snaparchive.interrupts import Interrupted
from snaparchive.parts import Part
from snaparchive.removal import remove_tree
from snaparchive.vault import Vault

PARTIAL = b".partial"


def restore(store, snapshot, target, selection, pauses):
    """Make a folder as the snapshot says and return what is to be told about it."""
    check_target(target)
    root = os.fsencode(os.path.realpath(target))
    part = snapshot if selection.is_everything else Part(snapshot, selection)
    if not part.totals.entries and not selection.is_everything:
        raise Failure("nothing_selected")
    vault = Vault(store)
    for file in entries.files(part.entries()):
        vault.verify(file)
    partial = root + PARTIAL
    remove_tree(partial)
    os.makedirs(partial)
    try:
        fill(vault, partial, part, pauses)
    except Interrupted:
        remove_tree(partial)
        raise
    take_place(partial, root)
    return {"snapshot": snapshot.id, "entries": part.totals.entries, "bytes": part.totals.size}


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


def fill(vault, root, part, pauses):
    """Make all entries in a folder. Folders get their modes when nothing comes into them any more."""
    found = part.entries()
    for entry in islice(found, part.totals.entries // 2):
        put(vault, root, entry)
    pauses.at("half")
    for entry in found:
        put(vault, root, entry)
    set_modes(root, part.entries())


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
