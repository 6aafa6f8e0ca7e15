"""Amounts of money: whole numbers of atoms in requests, whole numbers of smallest units inside."""

import re

NUMBER = re.compile(r"(0|[1-9][0-9]{0,14})(?:\.([0-9]{1,12}))?")
DIGITS = 12
ATOMS = 10**DIGITS  # of which one is made, since no number has more digits after the point


def parse_number(text):
    """Return how many atoms a text denotes; a ValueError says that it denotes none."""
    match = NUMBER.fullmatch(text)
    if not match:
        raise ValueError("not written as a number")
    whole, fraction = match.groups("")
    return int(whole + fraction.ljust(DIGITS, "0"))


def format_units(units, digits):
    """Write so many units, of which 10 to the power of `digits` make a whole."""
    sign = "-" if units < 0 else ""
    text = str(abs(units)).rjust(digits + 1, "0")
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else sign + text


def format_number(atoms):
    """Write so many atoms, with no more digits after the point than they need."""
    return format_units(atoms, DIGITS).rstrip("0").rstrip(".")
