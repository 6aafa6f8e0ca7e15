"""Removing trees of any depth."""

import os


def is_folder(path):
    return os.path.isdir(path) and not os.path.islink(path)


def remove_tree(path):
    """Remove what is at a path, if anything, read-only folders among it; no link is followed."""
    if not is_folder(path):
        unlink(path)
        return
    folders = [path]
    for folder in folders:
        os.chmod(folder, 0o700)
        with os.scandir(folder) as items:
            for item in items:
                if item.is_dir(follow_symlinks=False):
                    folders.append(item.path)
                else:
                    os.unlink(item.path)
    for folder in reversed(folders):
        os.rmdir(folder)


def unlink(path):
    """Remove a file or link, if there is one; other names keep the file."""
    if os.path.lexists(path):
        os.unlink(path)
