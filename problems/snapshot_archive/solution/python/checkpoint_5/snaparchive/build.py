"""Carrying out a listing in a folder."""

import os
import re
import stat

from snaparchive import names
from snaparchive.errors import Failure
from snaparchive.removal import is_folder, remove_tree, unlink

FILE_MODE = 0o644
FOLDER_MODE = 0o755
SLASH = re.compile(rb"/")


def build(root, items):
    """Carry out the items in order; folders get their modes at the end."""
    root = os.fsencode(root)
    try:
        make_root(root)
    except OSError:
        raise Failure("not_a_folder") from None
    modes = {}
    try:
        for item in items:
            try_to_carry_out(root, item, modes)
    finally:
        set_modes(modes)


def make_root(root):
    if not os.path.isdir(root):
        os.makedirs(root)


def set_modes(modes):
    """Give the folders that are still there their modes, those inside of others first."""
    for path in sorted(modes, reverse=True):
        if is_folder(path):
            os.chmod(path, modes[path])


def try_to_carry_out(root, item, modes):
    try:
        carry_out(root, item, modes)
    except OSError:
        raise Failure("cannot_build", path=names.to_text(item.path)) from None


def carry_out(root, item, modes):
    full = os.path.join(root, item.path)
    if item.type == "gone":
        if has_plain_parents(root, item.path):
            remove_tree(full)
        return
    check_place(root, item)
    make_parents(root, item.path, modes)
    if item.type == "dir":
        make_folder(full, item.mode, modes)
        return
    if item.type == "hard":
        make_hard_link(os.path.join(root, item.target), full)
        return
    unlink(full)
    if item.type == "link":
        os.symlink(item.target, full)
    else:
        write_file(full, item)


def parents(root, path):
    """Return the folders between a root and a path, from the top."""
    return [os.path.join(root, path[: slash.start()]) for slash in SLASH.finditer(path)]


def has_plain_parents(root, path):
    return all(map(is_folder, parents(root, path)))


def check_place(root, item):
    """Raise OSError if an item cannot be made, before anything is changed for it."""
    for parent in parents(root, item.path):
        if os.path.lexists(parent) and not is_folder(parent):
            raise NotADirectoryError(parent)
    full = os.path.join(root, item.path)
    if item.type == "dir":
        if os.path.lexists(full) and not is_folder(full):
            raise FileExistsError(full)
    elif is_folder(full):
        raise IsADirectoryError(full)
    if item.type == "hard":
        first = os.path.join(root, item.target)
        if not has_plain_parents(root, item.target) or not stat.S_ISREG(os.lstat(first).st_mode):
            raise FileNotFoundError(first)


def make_parents(root, path, modes):
    for parent in parents(root, path):
        if not os.path.lexists(parent):
            os.mkdir(parent)
            modes[parent] = FOLDER_MODE


def make_folder(full, mode, modes):
    if not os.path.lexists(full):
        os.mkdir(full)
        modes[full] = FOLDER_MODE if mode is None else mode
    elif mode is not None:
        modes[full] = mode


def make_hard_link(first, full):
    if os.path.lexists(full) and os.path.samefile(first, full) and not os.path.islink(full):
        return
    unlink(full)
    os.link(first, full)


def write_file(full, item):
    with open(full, "xb") as file:
        for piece in item.content.pieces():
            file.write(piece)
    os.chmod(full, FILE_MODE if item.mode is None else item.mode)
