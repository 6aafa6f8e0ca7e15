"""CSV as it is read and written, with the types of fields."""

import re

from logquery.errors import MalformedError
from logquery.jsontext import write_json
from logquery.numbers import NUMBER, OutOfBoundsError, parse_number
from logquery.times import Time, show_time
from logquery.values import MISSING

FIELD = re.compile(r'"([^"]*(?:""[^"]*)*)"|([^",\r\n]*)')
WORDS = {"": MISSING, "true": True, "false": False, "null": None}
NEEDS_QUOTES = re.compile(r'[",\r\n]')


def split_record(text):
    """The fields of a record as texts, and whether they stood in quotes."""
    if '"' not in text:
        if "\r" in text:
            raise MalformedError
        return [(field, False) for field in text.split(",")]
    fields = []
    position = 0
    while True:
        match = FIELD.match(text, position)
        quoted = match.group(1) is not None
        fields.append((match.group(1).replace('""', '"') if quoted else match.group(2), quoted))
        position = match.end()
        if position == len(text):
            return fields
        if text[position] != ",":
            raise MalformedError
        position += 1


def typed(text, quoted):
    """The value of a field."""
    if quoted:
        return text
    if text in WORDS:
        return WORDS[text]
    if text[0] in "-0123456789" and NUMBER.fullmatch(text):
        try:
            return parse_number(text)
        except OutOfBoundsError as error:
            raise MalformedError from error
    return text


def write_string(text):
    if text in WORDS or NUMBER.fullmatch(text) or NEEDS_QUOTES.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text


def write_field(value):
    if value is MISSING:
        return ""
    if isinstance(value, str):
        return write_string(value)
    if isinstance(value, Time):
        return show_time(value)
    if isinstance(value, (list, dict)):
        return '"' + write_json(value).replace('"', '""') + '"'
    return write_json(value)


def write_name(name):
    """A column's name in the header."""
    return '"' + name.replace('"', '""') + '"' if NEEDS_QUOTES.search(name) else name
