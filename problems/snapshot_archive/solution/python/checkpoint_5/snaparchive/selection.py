"""Choosing a part of a tree by patterns of paths."""

import re
from collections import defaultdict, namedtuple

from snaparchive import entries, names

TOKEN = re.compile(r"\*\*|.", re.DOTALL)
SLASH = "/"


class Pattern:
    """An automaton that reads paths as text in which odd bytes are surrogates.

    Its states are the bits of a number: bit n is set if the first n tokens match what has been read. As a folder
    comes before what is in it, the states after a folder are read on from and not found again for each path.
    """

    def __init__(self, tokens):
        self.places = defaultdict(int)
        for place, token in enumerate(tokens):
            self.places[token] |= 1 << place
        self.all_but_slash = self.places.pop("?", 0)
        self.rows = self.places.pop("*", 0)
        self.long_rows = self.places.pop("**", 0)
        self.end = 1 << len(tokens)
        self.states = {"": self.skip_rows(1)}

    def skip_rows(self, states):
        """Add the states after rows of stars that match nothing."""
        while (more := states | (states & (self.rows | self.long_rows)) << 1) != states:
            states = more
        return states

    def covers(self, path):
        """Whether the pattern matches a path or a folder around it, which has been asked for before."""
        folder, slash, name = path.rpartition(SLASH)
        states = self.states[folder]
        if not states & self.end:
            for character in slash + name:
                states = self.step(states, character)
        self.states[path] = states
        return bool(states & self.end)

    def step(self, states, character):
        ahead, stay = self.places.get(character, 0), self.long_rows
        if character != SLASH:
            ahead, stay = ahead | self.all_but_slash, stay | self.rows
        return self.skip_rows((states & ahead) << 1 | states & stay)


def parse_pattern(text):
    return Pattern(TOKEN.findall(names.path_from_text(text).decode("utf-8", "surrogateescape")))


class Selection(namedtuple("Selection", ["only", "left_out"])):
    """Patterns of what is wanted (everything if there are none), and of what is not."""

    __slots__ = ()

    @property
    def is_everything(self):
        return not self.only and not self.left_out

    def covers(self, path):
        """Whether a path is selected."""
        text = path.decode("utf-8", "surrogateescape")
        wanted = [pattern.covers(text) for pattern in self.only]
        left_out = [pattern.covers(text) for pattern in self.left_out]
        return (not wanted or any(wanted)) and not any(left_out)

    def apply(self, found):
        """Return the entries selected and the folders around them; names of a file stay together."""
        chosen = [entry for entry in found if self.covers(entry.path)]
        needed = {entry.path for entry in chosen}
        for path in list(needed):
            needed.update(folders_of(path))
        return rejoin([entry for entry in found if entry.path in needed], entries.files(found))


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
