"""Names of files, which are bytes, as text and back."""

import re

from snaparchive import jsontext

NEEDS_ESCAPE = re.compile(r"[%\x00-\x1f\x7f\udc80-\udcff]")
ESCAPE = re.compile(rb"%([0-9A-F]{2})")
# Most names: text, and JSON as well, is written as they are.
PLAIN = re.compile(rb"[ !#$&-[\]-~]*")
NO_NAMES = frozenset([b"", b".", b".."])


def to_text(name):
    """Write bytes as text in which all that is no plain UTF-8 is escaped."""
    if PLAIN.fullmatch(name):
        return name.decode("ascii")
    return NEEDS_ESCAPE.sub(escape, name.decode("utf-8", "surrogateescape"))


def escape(match):
    return f"%{match.group().encode('utf-8', 'surrogateescape')[0]:02X}"


def from_text(text):
    """Return the bytes that a text stands for; ValueError if to_text would not have written it."""
    name = ESCAPE.sub(lambda match: bytes([int(match.group(1), 16)]), text.encode("utf-8"))
    if to_text(name) != text:
        raise ValueError(f"{text!r} is not how a name is written")
    return name


def from_json(data):
    """Return the bytes that stand between quotes in canonical JSON as these."""
    return data if PLAIN.fullmatch(data) else from_text(jsontext.unquoted(data))


def path_from_text(text):
    """Return the bytes of a relative path of plain names."""
    return check_path(from_text(text))


def target_from_text(text):
    """Return the bytes of what a symbolic link leads to."""
    return check_target(from_text(text))


def check_path(path):
    if b"\0" in path or not NO_NAMES.isdisjoint(path.split(b"/")):
        raise ValueError(f"{path!r} is not a path of plain names")
    return path


def check_target(target):
    if not target or b"\0" in target:
        raise ValueError("a link leads to a name")
    return target
