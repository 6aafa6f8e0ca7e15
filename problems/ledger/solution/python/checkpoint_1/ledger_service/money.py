"""Amounts of money, as whole numbers of hundredths."""

import re

AMOUNT = re.compile(r"(0|[1-9][0-9]{0,14})(?:\.([0-9]{1,2}))?")


def parse_amount(text):
    """Return the amount that a text denotes; a ValueError says that it is none."""
    match = AMOUNT.fullmatch(text)
    if not match:
        raise ValueError("not written as an amount")
    whole, fraction = match.groups()
    return int(whole) * 100 + int((fraction or "").ljust(2, "0"))


def format_amount(units):
    whole, fraction = divmod(abs(units), 100)
    return f"{'-' if units < 0 else ''}{whole}.{fraction:02}"
