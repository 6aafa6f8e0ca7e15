"""Snapshots as they are written in files."""

import re

from snaparchive import instants, jsontext
from snaparchive.scanning import Scanner
from snaparchive.treetext import read_entries

BEGINNING = re.compile(rb'\{"at":"([0-9TZ:-]{20})","entries":\[')
END = re.compile(rb',"label":(?:null|"([a-z0-9-]{1,32})")\}\n')


def write(at, label, entries):
    """Yield the text of a snapshot in pieces."""
    yield b'{"at":%s,"entries":[' % jsontext.canonical(instants.to_text(at))
    separator = b""
    for entry in entries:
        yield separator + jsontext.canonical(entry.to_json())
        separator = b","
    yield b'],"label":%s}\n' % jsontext.canonical(label)


class Reader:
    """Reads a snapshot from pieces of text; ValueError where these are none. The label is known at the end."""

    def __init__(self, chunks):
        self.scanner = Scanner(chunks)
        self.at = instants.parse(self.scanner.take(BEGINNING)[1].decode("ascii"))
        self.label = None

    def entries(self):
        yield from read_entries(self.scanner)
        label = self.scanner.take(END)[1]
        self.label = label and label.decode("ascii")
        self.scanner.take_end()
