"""The index of a stream: what files of an archive follow it."""

import json
import re
from collections import namedtuple

from snaparchive import formats, jsontext
from snaparchive.entries import check_size

MEMBER = re.compile(r"(?:objects|recipes)/[0-9a-f]{2}/[0-9a-f]{62}|snapshots/[0-9a-f]{64}")


class Index(namedtuple("Index", ["block", "files"])):
    """The length of the archive's blocks, and the names of files with their sizes."""

    __slots__ = ()

    def to_bytes(self):
        files = [{"file": name, "size": size} for name, size in self.files]
        return jsontext.canonical({"block": self.block, "files": files})


def from_bytes(data, stream):
    """Return the index that is written as these bytes, of a stream of this length; ValueError if none is."""
    try:
        index = from_json(json.loads(data))
    except (TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError("something else is where an index should be") from error
    if index.to_bytes() != data:
        raise ValueError("an index is not written like this")
    if len(data) + sum(size for _, size in index.files) != stream:
        raise ValueError("the index is not of this stream")
    return index


def from_json(value):
    files = [(check_member(file["file"]), check_size(file["size"])) for file in value["files"]]
    names = [name for name, _ in files]
    if names != sorted(set(names)):
        raise ValueError("the files are not in order")
    block = value["block"]
    return Index(None if block is None else formats.check_block(block), files)


def check_member(name):
    if not MEMBER.fullmatch(name):
        raise ValueError(f"{name!r} is no member of an archive")
    return name
