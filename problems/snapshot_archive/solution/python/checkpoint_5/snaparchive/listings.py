"""Listings: what is to be built, one JSON object a line."""

import base64
from collections import namedtuple

from snaparchive import entries, jsontext, names
from snaparchive.contents import PIECE
from snaparchive.errors import Failure

CONTENT_KEYS = ({"text"}, {"base64"}, {"repeat", "size"})


class Content(namedtuple("Content", ["unit", "size"])):
    """A text of bytes, again and again up to a size."""

    __slots__ = ()

    def pieces(self):
        if not self.size:
            return
        block = self.unit * max(1, PIECE // len(self.unit))
        whole, rest = divmod(self.size, len(block))
        for _ in range(whole):
            yield block
        yield block[:rest]


class Item(namedtuple("Item", ["path", "type", "mode", "content", "target"], defaults=[None, None, None])):
    """One line of a listing. Mode, content and target are None where it says nothing of them."""

    __slots__ = ()


def read(path):
    """Return the items of a listing file, all of which are well formed."""
    try:
        with open(path, "rb") as file:
            lines = file.read().split(b"\n")
    except OSError:
        raise Failure("no_listing") from None
    if lines[-1] == b"":
        lines.pop()
    return [read_line(line, number) for number, line in enumerate(lines, 1)]


def read_line(line, number):
    try:
        return item_from_json(jsontext.strict(line.decode("utf-8")))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise Failure("bad_listing", line=number) from None


def item_from_json(value):
    rest = dict(value)
    path = names.path_from_text(rest.pop("path"))
    kind = rest.pop("type")
    if kind == "dir":
        item = Item(path, kind, mode=take_mode(rest))
    elif kind == "file":
        item = Item(path, kind, mode=take_mode(rest), content=take_content(rest))
    elif kind == "link":
        item = Item(path, kind, target=names.target_from_text(rest.pop("target")))
    elif kind == "hard":
        item = Item(path, kind, target=names.path_from_text(rest.pop("target")))
    elif kind == "gone":
        item = Item(path, kind)
    else:
        raise ValueError(f"{kind!r} is no type")
    if rest:
        raise ValueError(f"nothing is known of {sorted(rest)}")
    return item


def take_mode(rest):
    if "mode" not in rest:
        return None
    return entries.mode_from_text(rest.pop("mode"))


def take_content(rest):
    keys = rest.keys() & set().union(*CONTENT_KEYS)
    if keys not in CONTENT_KEYS:
        raise ValueError("a file has one content")
    given = {key: rest.pop(key) for key in keys}
    if "text" in given:
        data = given["text"].encode("utf-8")
    elif "base64" in given:
        data = base64.b64decode(given["base64"].encode("ascii"), validate=True)
    else:
        return repeated(given["repeat"].encode("utf-8"), given["size"])
    return Content(data, len(data))


def repeated(unit, size):
    if not unit:
        raise ValueError("what is repeated is not empty")
    return Content(unit, entries.check_size(size))
