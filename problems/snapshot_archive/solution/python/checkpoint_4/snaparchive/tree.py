"""Reading a folder of the file system."""

import os
import stat

from snaparchive import entries
from snaparchive.contents import digest
from snaparchive.errors import Failure


def identity(status):
    """What two names of one file have in common."""
    return status.st_dev, status.st_ino


def open_folder(path):
    """Return the bytes of a folder's path, which may be a link to a folder."""
    if not os.path.isdir(path):
        raise Failure("not_a_folder")
    return os.fsencode(path)


def is_inside(folder, wanted):
    """Whether a folder or one around it has this identity."""
    path = os.path.realpath(folder)
    while identity(os.stat(path)) != wanted:
        parent = os.path.dirname(path)
        if parent == path:
            return False
        path = parent
    return True


def scan(root, left_out=None):
    """Yield the entries below a folder in order, without the folder with the identity `left_out`."""
    first_names = {}
    for path, status in walk(root, left_out):
        yield describe(os.path.join(root, path), path, status, first_names)


def walk(root, left_out):
    """Yield all paths below a folder in order, with their status. Only names in the folders around a path are kept."""
    waiting = [(b"", keys_in(root, left_out))]
    while waiting:
        prefix, keys = waiting[-1]
        if not keys:
            waiting.pop()
            continue
        path = prefix + keys.pop()
        if path.endswith(b"/"):
            waiting.append((path, keys_in(os.path.join(root, path), left_out)))
        else:
            yield path, os.lstat(os.path.join(root, path))


def keys_in(folder, left_out):
    """Return the names in a folder, the last one first, those of folders once more with a slash.

    With the slash, a name stands for all that is in the folder: other names can come between the two.
    """
    keys = []
    with os.scandir(folder) as items:
        for item in items:
            if item.is_dir(follow_symlinks=False):
                if identity(item.stat(follow_symlinks=False)) == left_out:
                    continue
                keys.append(item.name + b"/")
            keys.append(item.name)
    return sorted(keys, reverse=True)


def describe(full, path, status, first_names):
    """Return the entry of a path. Files that have other names, wherever, are remembered."""
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISDIR(status.st_mode):
        return entries.Folder(path, mode)
    if stat.S_ISLNK(status.st_mode):
        return entries.Link(path, os.readlink(full))
    first = first_names.get(identity(status))
    if first:
        return entries.HardLink(path, first.path, first)
    file = entries.File(path, mode, status.st_size, digest(full))
    if status.st_nlink > 1:
        first_names[identity(status)] = file
    return file
