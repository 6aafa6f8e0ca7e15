"""JSON as it is read and written."""

import json
import re
from decimal import Decimal
from json.encoder import encode_basestring

from logquery.errors import MalformedError
from logquery.numbers import OutOfBoundsError, parse_number, show_number
from logquery.times import Time, show_time

MAX_DEPTH = 100
BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
BRACKET_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}
WHITE_SPACE = " \t\r\n"


def _object(pairs):
    members = dict(pairs)
    if len(members) < len(pairs):
        raise MalformedError
    return members


def _refuse(text):
    raise MalformedError


DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=parse_number, parse_int=parse_number, parse_constant=_refuse
)


def nests_too_deep(text):
    """Whether more than the highest number of brackets are open at once; the decoder relies on that they are not."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for bracket in BRACKET.findall(text):
        depth += BRACKET_STEPS.get(bracket, 0)
        if depth > MAX_DEPTH:
            return True
    return False


def parse_json(text):
    """The value of a text without white space around it."""
    if nests_too_deep(text):
        raise MalformedError
    try:
        value, end = DECODER.scan_once(text, 0)
        if "\\u" in text:
            write_json(value).encode("utf-8")
    except (StopIteration, ValueError, OutOfBoundsError) as error:
        raise MalformedError from error
    if end < len(text):
        raise MalformedError
    return value


def _write_object(members):
    return "{" + ",".join([encode_basestring(name) + ":" + write_json(value) for name, value in members.items()]) + "}"


WRITERS = {
    type(None): lambda value: "null",
    bool: lambda value: "true" if value else "false",
    Decimal: show_number,
    Time: lambda time: f'"{show_time(time)}"',
    str: encode_basestring,
    list: lambda items: "[" + ",".join(map(write_json, items)) + "]",
    dict: _write_object,
}


def write_json(value):
    return WRITERS[type(value)](value)
