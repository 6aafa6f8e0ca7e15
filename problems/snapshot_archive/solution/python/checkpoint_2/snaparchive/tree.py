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
    """Return the entries below a folder in order, without the folder with the identity `left_out`."""
    found = sorted(walk(root, left_out), key=lambda pair: pair[0])
    first_names = {}
    return [describe(os.path.join(root, path), path, status, first_names) for path, status in found]


def walk(root, left_out):
    """Yield all paths below a folder, with their status."""
    prefixes = [b""]
    while prefixes:
        prefix = prefixes.pop()
        with os.scandir(os.path.join(root, prefix)) as items:
            for item in items:
                path = prefix + item.name
                status = item.stat(follow_symlinks=False)
                if identity(status) == left_out:
                    continue
                yield path, status
                if stat.S_ISDIR(status.st_mode):
                    prefixes.append(path + b"/")


def describe(full, path, status, first_names):
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISDIR(status.st_mode):
        return entries.Folder(path, mode)
    if stat.S_ISLNK(status.st_mode):
        return entries.Link(path, os.readlink(full))
    first = first_names.setdefault(identity(status), path)
    if first != path:
        return entries.HardLink(path, first)
    return entries.File(path, mode, status.st_size, digest(full))
