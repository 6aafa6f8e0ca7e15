"""Removing trees of any depth and size."""

import os


def is_folder(path):
    return os.path.isdir(path) and not os.path.islink(path)


def remove_tree(path):
    """Remove what is at a path, if anything, read-only folders among it; no link is followed."""
    if not is_folder(path):
        unlink(path)
        return
    waiting = [clear(path)]
    while waiting:
        if waiting[-1]:
            path = os.path.join(path, waiting[-1].pop())
            waiting.append(clear(path))
        else:
            os.rmdir(path)
            path = os.path.dirname(path)
            waiting.pop()


def clear(folder):
    """Remove what is no folder from a folder, and return the names of the folders in it."""
    os.chmod(folder, 0o700)
    names = []
    with os.scandir(folder) as items:
        for item in items:
            if item.is_dir(follow_symlinks=False):
                names.append(item.name)
            else:
                os.unlink(item.path)
    return names


def unlink(path):
    """Remove a file or link, if there is one; other names keep the file."""
    if os.path.lexists(path):
        os.unlink(path)
