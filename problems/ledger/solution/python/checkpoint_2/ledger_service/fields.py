"""Reading the bodies, queries and headers of requests."""

import json
import re
from urllib.parse import parse_qsl

from ledger_service.entries import SIDES, Entry
from ledger_service.errors import BadKey, BadRequest
from ledger_service.instants import parse_instant
from ledger_service.money import parse_amount

REQUIRED = object()
NAME = re.compile(r"[a-z0-9._-]{1,64}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
KEY = re.compile(r"[!-~]{1,64}")
MOST_CHARACTERS = 200
MOST_ENTRIES = 1000


def parse(body, fields):
    """Return the values of a JSON object's fields, each checked by its function.

    A field is a pair of that function and the default, or REQUIRED.
    """
    try:
        value = json.loads(
            body.decode("utf-8"), parse_constant=refuse_constant, object_pairs_hook=object_of_pairs
        )
    except (ValueError, RecursionError):
        raise BadRequest from None
    return pick_all(value, fields)


def parse_query(query, fields):
    """Return the values of a query's parameters, as parse does for a body."""
    try:
        value = object_of_pairs(parse_qsl(query, keep_blank_values=True))
    except ValueError:
        raise BadRequest from None
    return pick_all(value, fields)


def object_of_pairs(pairs):
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key comes twice")
    return value


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def pick_all(value, fields):
    """Return the fields of a JSON object, which has no others."""
    if not isinstance(value, dict) or not value.keys() <= fields.keys():
        raise BadRequest
    return {name: pick(value, name, check, default) for name, (check, default) in fields.items()}


def pick(value, name, check, default):
    if name in value:
        return check(value[name])
    if default is REQUIRED:
        raise BadRequest
    return default


def string(value):
    if not isinstance(value, str):
        raise BadRequest
    return value


def instant(value):
    try:
        return parse_instant(string(value))
    except ValueError:
        raise BadRequest from None


def amount_or_zero(value):
    try:
        return parse_amount(string(value))
    except ValueError:
        raise BadRequest from None


def amount(value):
    units = amount_or_zero(value)
    if units == 0:
        raise BadRequest
    return units


def optional(check):
    return lambda value: None if value is None else check(value)


def one_of(values):
    def check(value):
        if string(value) not in values:
            raise BadRequest
        return value

    return check


def boolean(value):
    if not isinstance(value, bool):
        raise BadRequest
    return value


def name(value):
    if not NAME.fullmatch(string(value)):
        raise BadRequest
    return value


def text(value):
    if len(string(value)) > MOST_CHARACTERS or any("\ud800" <= character <= "\udfff" for character in value):
        raise BadRequest
    return value


def entries(value):
    if not isinstance(value, list) or not 2 <= len(value) <= MOST_ENTRIES:
        raise BadRequest
    return [entry(item) for item in value]


def entry(value):
    sides = [side for side in SIDES if isinstance(value, dict) and side in value]
    if len(sides) != 1:
        raise BadRequest
    side = sides[0]
    fields = pick_all(value, {"account": (name, REQUIRED), side: (amount, REQUIRED)})
    return Entry(fields["account"], side, fields[side])


def two_accounts(fields):
    if fields["debit"] == fields["credit"]:
        raise BadRequest


def number(low, high):
    """Accept a whole number as it stands in a query."""

    def check(value):
        if not NUMBER.fullmatch(value) or not low <= int(value) <= high:
            raise BadRequest
        return int(value)

    return check


PAGE = {"after": (number(0, 10**18 - 1), 0), "limit": (number(1, 1000), 100)}


def idempotency_key(headers):
    """Return the header's value, or None where there is no such header."""
    key = headers.get("idempotency-key")
    if key is not None and not KEY.fullmatch(key):
        raise BadKey
    return key
