"""Source files: finding, decoding, and positions in them."""

import bisect
import os
from dataclasses import dataclass

from codesearch.languages import language_of

BYTE_ORDER_MARK = "\ufeff"


def find_sources(root):
    """Return (path relative to root, language) of each source file, in order."""
    found = []
    for directory, _, names in os.walk(root):
        for name in names:
            path = os.path.join(directory, name)
            language = language_of(name)
            if language and os.path.isfile(path) and not os.path.islink(path):
                relative = os.path.relpath(path, root).replace(os.sep, "/")
                found.append((relative, language))
    return sorted(found)


def read_text(path, encoding):
    """Return the decoded file, or None when that is not possible."""
    try:
        text = path.read_bytes().decode(encoding)
    except (OSError, UnicodeError):
        return None
    return text[1:] if text.startswith(BYTE_ORDER_MARK) else text


@dataclass(frozen=True, order=True)
class Position:
    line: int
    col: int

    def to_json(self):
        return {"line": self.line, "col": self.col}


class Lines:
    """Turns offsets in a text into positions."""

    def __init__(self, text):
        self.starts = [0]
        self.starts.extend(i + 1 for i, char in enumerate(text) if char == "\n")

    def position(self, offset):
        line = bisect.bisect_right(self.starts, offset)
        return Position(line, offset - self.starts[line - 1] + 1)
