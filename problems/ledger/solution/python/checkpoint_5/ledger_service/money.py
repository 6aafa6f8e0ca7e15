"""Amounts of money: exact numbers in requests, whole numbers of smallest units inside."""

import re
from fractions import Fraction

NUMBER = re.compile(r"(0|[1-9][0-9]{0,14})(\.[0-9]{1,12})?")


def parse_number(text):
    """Return the exact number that a text denotes; a ValueError says that it is none."""
    if not NUMBER.fullmatch(text):
        raise ValueError("not written as a number")
    return Fraction(text)


def format_units(units, digits):
    """Write so many units, of which 10 to the power of `digits` make a whole."""
    sign = "-" if units < 0 else ""
    text = str(abs(units)).rjust(digits + 1, "0")
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else sign + text


def format_number(number):
    """Write a number of at most twelve digits after the point, and no more of them than it needs."""
    text = format_units(int(number * 10**12), 12)
    return text.rstrip("0").rstrip(".")
