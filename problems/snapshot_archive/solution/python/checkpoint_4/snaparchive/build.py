"""Carrying out a listing in a folder."""

import os
import shutil
import stat

from snaparchive import names
from snaparchive.errors import Failure

FILE_MODE = 0o644
FOLDER_MODE = 0o755


def build(root, items):
    """Carry out the items in order; folders get their modes at the end."""
    root = os.fsencode(root)
    try:
        make_root(root)
    except OSError:
        raise Failure("not_a_folder") from None
    modes = {}
    for item in items:
        try:
            carry_out(root, item, modes)
        except OSError:
            raise Failure("cannot_build", path=names.to_text(item.path)) from None
    for path, mode in modes.items():
        if is_folder(path):
            os.chmod(path, mode)


def make_root(root):
    if not os.path.isdir(root):
        os.makedirs(root)


def carry_out(root, item, modes):
    full = os.path.join(root, item.path)
    if item.type == "gone":
        if has_plain_parents(root, item.path):
            remove(full)
        return
    make_parents(root, item.path)
    if item.type == "dir":
        make_folder(full, item.mode, modes)
        return
    if item.type == "hard":
        make_hard_link(root, item.target, full)
        return
    unlink(full)
    if item.type == "link":
        os.symlink(item.target, full)
    else:
        write_file(full, item)


def is_folder(full):
    return os.path.isdir(full) and not os.path.islink(full)


def parents(root, path):
    """Return the folders between a root and a path, from the top."""
    parts = path.split(b"/")[:-1]
    return [os.path.join(root, *parts[: depth + 1]) for depth in range(len(parts))]


def has_plain_parents(root, path):
    return all(map(is_folder, parents(root, path)))


def make_parents(root, path):
    for parent in parents(root, path):
        if not os.path.lexists(parent):
            os.mkdir(parent)
            os.chmod(parent, FOLDER_MODE)
        elif not is_folder(parent):
            raise NotADirectoryError(parent)


def make_folder(full, mode, modes):
    if not os.path.lexists(full):
        os.mkdir(full)
        modes[full] = FOLDER_MODE if mode is None else mode
    elif not is_folder(full):
        raise FileExistsError(full)
    elif mode is not None:
        modes[full] = mode


def make_hard_link(root, target, full):
    first = os.path.join(root, target)
    if not has_plain_parents(root, target) or not stat.S_ISREG(os.lstat(first).st_mode):
        raise FileNotFoundError(first)
    if os.path.lexists(full) and os.path.samefile(first, full) and not os.path.islink(full):
        return
    unlink(full)
    os.link(first, full)


def unlink(full):
    """Make place for a new file, so that other names keep the old one."""
    if os.path.lexists(full):
        os.unlink(full)


def write_file(full, item):
    with open(full, "xb") as file:
        for piece in item.content.pieces():
            file.write(piece)
    os.chmod(full, FILE_MODE if item.mode is None else item.mode)


def remove(full):
    if is_folder(full):
        shutil.rmtree(full)
    else:
        unlink(full)
