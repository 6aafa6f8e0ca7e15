"""JSON as it is printed and as it is stored."""

import json
import re

ESCAPED = re.compile(rb'\\(["\\])')


def line(value):
    """Return one line of output."""
    return json.dumps(value, ensure_ascii=False)


def canonical(value):
    """Return the only bytes that a stored value can have."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def unquoted(data):
    """Return the text that stands between quotes in canonical JSON as these bytes."""
    return ESCAPED.sub(rb"\1", data).decode("utf-8")


def strict(text):
    """Read JSON, in which no key comes twice and all numbers are finite."""
    return json.loads(text, object_pairs_hook=unique, parse_constant=refuse)


def unique(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key comes twice")
    return value


def refuse(name):
    raise ValueError(f"{name} is not JSON")
