"""Opening what the command line names as an archive to be read: a folder, or volumes."""

from snaparchive import collecting, forgetting


def open_readable(text):
    if text.startswith(collecting.PREFIX):
        return collecting.open_volumes(text)
    return forgetting.open_archive(text)
