"""Choosing a part of a tree by patterns of paths."""

import re
from dataclasses import dataclass

from snaparchive import entries, names

TOKEN = re.compile(r"\*\*|\*|\?|[^*?]+")
MEANING = {"**": ".*", "*": "[^/]*", "?": "[^/]"}


def parse_pattern(text):
    """Return the regular expression of a pattern, for paths as text in which odd bytes are surrogates."""
    if not text:
        raise ValueError("a pattern is not empty")
    plain = names.from_text(text).decode("utf-8", "surrogateescape")
    parts = (MEANING.get(token) or re.escape(token) for token in TOKEN.findall(plain))
    return re.compile("".join(parts), re.DOTALL)


@dataclass(frozen=True)
class Selection:
    """Patterns of what is wanted (everything if there are none), and of what is not."""

    only: list
    left_out: list

    @property
    def is_everything(self):
        return not self.only and not self.left_out

    def covers(self, path):
        """Whether a path is selected."""
        around = [part.decode("utf-8", "surrogateescape") for part in (path, *folders_of(path))]
        wanted = not self.only or matches(self.only, around)
        return wanted and not matches(self.left_out, around)

    def apply(self, found):
        """Return the entries selected and the folders around them; names of a file stay together."""
        chosen = [entry for entry in found if self.covers(entry.path)]
        needed = {entry.path for entry in chosen}
        for path in list(needed):
            needed.update(folders_of(path))
        return rejoin([entry for entry in found if entry.path in needed], entries.files(found))


def matches(patterns, texts):
    return any(pattern.fullmatch(text) for pattern in patterns for text in texts)


def folders_of(path):
    """Return the paths of the folders around a path."""
    parts = path.split(b"/")
    return [b"/".join(parts[:length]) for length in range(1, len(parts))]


def rejoin(chosen, all_files):
    """Make the first name of each file that is chosen its file, and the others names of that."""
    files = {file.path: file for file in all_files}
    first_names = {}
    return [rename_first(entry, files, first_names) for entry in chosen]


def rename_first(entry, files, first_names):
    if not isinstance(entry, (entries.File, entries.HardLink)):
        return entry
    file = files[entry.target] if isinstance(entry, entries.HardLink) else entry
    first = first_names.setdefault(file.path, entry.path)
    if first != entry.path:
        return entries.HardLink(entry.path, first)
    return entries.File(entry.path, file.mode, file.size, file.sha256)
