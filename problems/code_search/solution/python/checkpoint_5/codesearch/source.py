"""Source files: finding, decoding, and positions in them."""

import bisect
import codecs
import functools
import os

from codesearch.languages import language_of
from codesearch.syntax import Code
from codesearch.tokens import lexer_for

BYTE_ORDER_MARK = "\ufeff"
MARKED_ENCODINGS = (
    ("utf-8-sig", b"", "utf-8"),
    ("utf-16", codecs.BOM_UTF16_LE, "utf-16-le"),
    ("utf-16", codecs.BOM_UTF16_BE, "utf-16-be"),
    ("utf-16", b"", "utf-16-le"),
    ("utf-32", codecs.BOM_UTF32_LE, "utf-32-le"),
    ("utf-32", codecs.BOM_UTF32_BE, "utf-32-be"),
    ("utf-32", b"", "utf-32-le"),
)


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


def exact_encoding(content, encoding):
    """Return the encoding by which a file's mark is decoded like any character."""
    name = codecs.lookup(encoding).name
    for family, mark, exact in MARKED_ENCODINGS:
        if name == family and content.startswith(mark):
            return exact
    return encoding


def read_source(root, file, language, encoding):
    """Return the decoded file, or None when that is not possible."""
    try:
        content = (root / file).read_bytes()
        encoding = exact_encoding(content, encoding)
        text = content.decode(encoding)
    except (OSError, UnicodeError):
        return None
    return Source(root, file, language, text, encoding)


class Source:
    def __init__(self, root, file, language, text, encoding="utf-8"):
        self.path = root / file
        self.file = file
        self.language = language
        self.mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        self.text = text[len(self.mark) :]
        self.encoding = encoding
        self._line_starts = [0]
        self._line_starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")

    def replace(self, text, dry_run):
        """Write a new text to the file; return whether that is possible."""
        try:
            content = (self.mark + text).encode(self.encoding)
            if not dry_run:
                self.path.write_bytes(content)
        except (OSError, UnicodeError):
            return False
        return True

    @functools.cached_property
    def code(self):
        tokens, comments = lexer_for(self.language).tokenize(self.text)
        return Code(self.text, tokens, self.language, comments)

    def position(self, offset):
        """Return the position of an offset in the text, as JSON."""
        line = bisect.bisect_right(self._line_starts, offset)
        return {"line": line, "col": offset - self._line_starts[line - 1] + 1}
