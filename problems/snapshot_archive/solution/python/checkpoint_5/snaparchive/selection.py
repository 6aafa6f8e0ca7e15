"""Choosing a part of a tree by patterns of paths."""

import re
from collections import defaultdict, namedtuple

from snaparchive import names
from snaparchive.entries import Folder
from snaparchive.openfolders import OpenFolders

TOKEN = re.compile(r"\*\*|.", re.DOTALL)
SLASH = "/"


class Pattern:
    """An automaton that reads paths as text in which odd bytes are surrogates.

    Its states are the bits of a number: bit n is set if the first n tokens match what has been read.
    """

    def __init__(self, tokens):
        self.places = defaultdict(int)
        for place, token in enumerate(tokens):
            self.places[token] |= 1 << place
        self.all_but_slash = self.places.pop("?", 0)
        self.rows = self.places.pop("*", 0)
        self.long_rows = self.places.pop("**", 0)
        self.end = 1 << len(tokens)
        self.start = self.skip_rows(1)

    def skip_rows(self, states):
        """Add the states after rows of stars that match nothing."""
        while (more := states | (states & (self.rows | self.long_rows)) << 1) != states:
            states = more
        return states

    def covers(self, states):
        """Whether the pattern matches the path after which these are the states, or a folder around it."""
        return bool(states & self.end)

    def read(self, states, text):
        """Return the states after more text. A folder that matches covers all in it."""
        if not self.covers(states):
            for character in text:
                states = self.step(states, character)
        return states

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

    def judge(self, entries):
        """Yield the entries of a tree, each with whether it is selected.

        What a folder's path leads to is read on from, and not found again for each path in it.
        """
        patterns = [*self.only, *self.left_out]
        folders = OpenFolders([pattern.start for pattern in patterns])
        for entry in entries:
            around = folders.around(entry.path)
            text = entry.path[max(entry.path.rfind(b"/"), 0) :].decode("utf-8", "surrogateescape")
            states = [pattern.read(before, text) for pattern, before in zip(patterns, around)]
            if isinstance(entry, Folder):
                folders.open(states)
            covered = [pattern.covers(after) for pattern, after in zip(patterns, states)]
            wanted, left_out = covered[: len(self.only)], covered[len(self.only) :]
            yield entry, (not wanted or any(wanted)) and not any(left_out)

    def of(self, entries):
        """Yield the entries of a tree that are selected."""
        return (entry for entry, is_selected in self.judge(entries) if is_selected)
