"""Opening what the command line names as an archive to be read: a folder, or volumes."""

from snaparchive import forgetting

PREFIX = "volumes:"


def open_readable(text):
    return open_volumes(text) if is_volumes(text) else forgetting.open_archive(text)


def is_volumes(text):
    return text.startswith(PREFIX)


def open_volumes(text):
    # Most commands read no volumes, and do not load what that takes.
    from snaparchive.collecting import VolumeStore, collect

    return VolumeStore(collect(text.removeprefix(PREFIX).split(":")))
