"""Files that are lists of digests, as recipes are. They may be longer than the memory."""

import re

from snaparchive.errors import Failure

LINE = 65
LINES = re.compile(rb"(?:[0-9a-f]{64}\n)+")


def read(store, name):
    """Return the digests in a file, one by one; Failure at once if it is missing or not well formed."""
    for _ in read_lines(store, name):
        pass
    return (digest for lines in read_lines(store, name) for digest in lines.decode("ascii").split())


def read_lines(store, name):
    """Yield the lines of a file, many at a time; there has to be one."""
    rest = b""
    is_empty = True
    for piece in store.read(name):
        data = rest + piece
        end = len(data) - len(data) % LINE
        lines, rest = data[:end], data[end:]
        if lines:
            if not LINES.fullmatch(lines):
                raise Failure("damaged", file=name)
            is_empty = False
            yield lines
    if rest or is_empty:
        raise Failure("damaged", file=name)
