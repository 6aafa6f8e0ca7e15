"""Source files: finding, decoding, and positions in them."""

import bisect
import functools
import os

from codesearch.languages import language_of
from codesearch.syntax import Code
from codesearch.tokens import lexer_for

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
    return sorted(found, key=lambda entry: entry[0])


def read_source(root, file, language, encoding):
    """Return the decoded file, or None when that is not possible."""
    try:
        text = (root / file).read_bytes().decode(encoding)
    except (OSError, UnicodeError):
        return None
    return Source(file, language, text[1:] if text.startswith(BYTE_ORDER_MARK) else text)


class Source:
    def __init__(self, file, language, text):
        self.file = file
        self.language = language
        self.text = text
        self._line_starts = [0]
        self._line_starts.extend(i + 1 for i, char in enumerate(text) if char == "\n")

    @functools.cached_property
    def code(self):
        return Code(self.text, lexer_for(self.language).tokenize(self.text), self.language)

    def position(self, offset):
        """Return the position of an offset in the text, as JSON."""
        line = bisect.bisect_right(self._line_starts, offset)
        return {"line": line, "col": offset - self._line_starts[line - 1] + 1}
