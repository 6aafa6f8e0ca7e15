"""How sheets are named, in commands and in formulas."""

import re

from sheets.cells import parse_cell
from sheets.values import BOOLEANS

MAX_LENGTH = 31
BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
QUOTED = re.compile(r"'((?:[^']|'')*)'")
FORBIDDEN = set("!:[]*?/\\")


def is_word(text):
    """Whether a text can be told from cells and booleans."""
    return BARE.fullmatch(text) is not None and parse_cell(text) is None and text.upper() not in BOOLEANS


def is_allowed(name):
    return 1 <= len(name) <= MAX_LENGTH and name == name.strip(" ") and not FORBIDDEN & set(name)


def parse_sheet_name(text):
    """The name that a text writes, plainly or between quotes, or None."""
    quoted = QUOTED.fullmatch(text)
    if quoted is None and not is_word(text):
        return None
    name = quoted[1].replace("''", "'") if quoted else text
    return name if is_allowed(name) else None


def show_sheet_name(name):
    if is_word(name):
        return name
    return "'" + name.replace("'", "''") + "'"
