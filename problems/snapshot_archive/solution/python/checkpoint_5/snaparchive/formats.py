"""The formats of archives: what their file `format` says."""

import re

from snaparchive.errors import Failure

WHOLE = b"snapshot-archive 1\n"
IN_BLOCKS = re.compile(rb"snapshot-archive 2\nblock ([1-9][0-9]{0,9})\n")
LONGEST_BLOCK = 1 << 30
DEFAULT_BLOCK = 1 << 16
LONGEST_FILE = 64


def to_bytes(block):
    """Return what `format` says; without blocks, an archive has the former format."""
    if block is None:
        return WHOLE
    return f"snapshot-archive 2\nblock {block}\n".encode("ascii")


def check_block(value):
    if type(value) is not int or not 1 <= value <= LONGEST_BLOCK:
        raise ValueError(f"{value!r} is no length of blocks")
    return value


def read(path):
    """Return the length of an archive's blocks, or None if it keeps contents whole."""
    try:
        with open(path, "rb") as file:
            data = file.read(LONGEST_FILE)
    except OSError:
        raise Failure("no_archive") from None
    if data == WHOLE:
        return None
    match = IN_BLOCKS.fullmatch(data)
    if not match or int(match.group(1)) > LONGEST_BLOCK:
        raise Failure("no_archive")
    return int(match.group(1))
