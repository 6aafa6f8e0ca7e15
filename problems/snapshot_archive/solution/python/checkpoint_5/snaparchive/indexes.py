"""The index of a stream: what files of an archive follow it."""

import re

from snaparchive import formats, jsontext
from snaparchive.scanning import Scanner

BEGINNING = re.compile(rb'\{"block":(?:null|([1-9][0-9]*)),"files":\[')
NO_FILES = re.compile(rb"(\])|(?=\{)")
FILE = re.compile(
    rb'\{"file":"((?:objects|recipes)/[0-9a-f]{2}/[0-9a-f]{62}|snapshots/[0-9a-f]{64})"'
    rb',"size":(0|[1-9][0-9]*)\}([],])'
)
END = re.compile(rb"\}\n")


def write(block, files):
    """Yield the text of an index in pieces. Of files, names and sizes are given."""
    yield b'{"block":%s,"files":[' % jsontext.canonical(block)
    separator = b""
    for name, size in files:
        yield separator + jsontext.canonical({"file": name, "size": size})
        separator = b","
    yield b"]}\n"


class Reader:
    """Reads an index from pieces of text; ValueError where these are none."""

    def __init__(self, chunks):
        self.scanner = Scanner(chunks)
        block = self.scanner.take(BEGINNING)[1]
        self.block = block and formats.check_block(int(block))

    def files(self):
        """Yield the names of files in order, with their sizes."""
        last = ""
        is_last = bool(self.scanner.take(NO_FILES)[1])
        while not is_last:
            match = self.scanner.take(FILE)
            name = match[1].decode("ascii")
            if name <= last:
                raise ValueError("the files are not in order")
            yield name, int(match[2])
            last, is_last = name, match[3] == b"]"
        self.scanner.take(END)
        self.scanner.take_end()
