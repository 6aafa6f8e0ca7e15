"""Names of files, which are bytes, as text and back."""

import re

NEEDS_ESCAPE = re.compile(r"[%\x00-\x1f\x7f\udc80-\udcff]")
ESCAPE = re.compile(rb"%([0-9A-F]{2})")


def to_text(name):
    """Write bytes as text in which all that is no plain UTF-8 is escaped."""
    return NEEDS_ESCAPE.sub(escape, name.decode("utf-8", "surrogateescape"))


def escape(match):
    return f"%{match.group().encode('utf-8', 'surrogateescape')[0]:02X}"


def from_text(text):
    """Return the bytes that a text stands for; ValueError if to_text would not have written it."""
    name = ESCAPE.sub(lambda match: bytes([int(match.group(1), 16)]), text.encode("utf-8"))
    if to_text(name) != text:
        raise ValueError(f"{text!r} is not how a name is written")
    return name


def path_from_text(text):
    """Return the bytes of a relative path of plain names."""
    path = from_text(text)
    if b"\0" in path or any(part in (b"", b".", b"..") for part in path.split(b"/")):
        raise ValueError(f"{text!r} is not a path of plain names")
    return path


def target_from_text(text):
    """Return the bytes of what a symbolic link leads to."""
    target = from_text(text)
    if not target or b"\0" in target:
        raise ValueError("a link leads to a name")
    return target
