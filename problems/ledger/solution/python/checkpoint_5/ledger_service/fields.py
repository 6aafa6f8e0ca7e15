"""Reading the bodies, queries and headers of requests."""

import json
import re
from urllib.parse import parse_qsl

from ledger_service.entries import Draft
from ledger_service.errors import BadActor, BadKey, BadRequest
from ledger_service.instants import parse_instant
from ledger_service.money import parse_number
from ledger_service.sides import SIDES

REQUIRED = object()
NAME = re.compile(r"[a-z0-9._-]{1,64}")
PREFIX = re.compile(r"[a-z0-9._-]{0,64}")
CODE = re.compile(r"[A-Z]{3}")
CURSOR = re.compile(r"[A-Za-z0-9._-]{1,500}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
KEY = re.compile(r"[!-~]{1,64}")
MOST_CHARACTERS = 200
ACTOR = re.compile(r"[a-z0-9-]{1,32}")
MOST_ENTRIES = 1000
MOST_ITEMS = 100


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
        return parse_number(string(value))
    except ValueError:
        raise BadRequest from None


def amount(value):
    number = amount_or_zero(value)
    if number == 0:
        raise BadRequest
    return number


def record_of(fields):
    """Accept an object of these fields."""
    return lambda value: pick_all(value, fields)


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


def matching(pattern):
    def check(value):
        if not pattern.fullmatch(string(value)):
            raise BadRequest
        return value

    return check


name = matching(NAME)
prefix = matching(PREFIX)
code = matching(CODE)
cursor = matching(CURSOR)


def whole_number(low, high):
    def check(value):
        # A bool is an int in Python, but not in JSON.
        if type(value) is not int or not low <= value <= high:
            raise BadRequest
        return value

    return check


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
    return Draft(fields["account"], side, fields[side])


def distinct(one, other):
    """Refuse fields of these two names that are equal."""

    def check(fields):
        if fields[one] == fields[other]:
            raise BadRequest

    return check


def default_to_at(name):
    """Put `at` where the field of this name was left out."""

    def complete(fields):
        if fields[name] is None:
            fields[name] = fields["at"]

    return complete


def complete_rate(fields):
    distinct("from", "to")(fields)
    default_to_at("since")(fields)


def require_span_or_cursor(parameters):
    """Refuse a span of time that is empty, or one beside a cursor."""
    start, end = parameters["from"], parameters["to"]
    if start is not None and end is not None and start >= end:
        raise BadRequest
    if parameters["cursor"] is not None and any(parameters[name] is not None for name in ("from", "to", "known")):
        raise BadRequest


def number(low, high):
    """Accept a whole number as it stands in a query."""

    def check(value):
        if not NUMBER.fullmatch(value) or not low <= int(value) <= high:
            raise BadRequest
        return int(value)

    return check


LIMIT = {"limit": (number(1, 1000), 100)}
PAGE = {"after": (number(0, 10**18 - 1), 0), **LIMIT}


def idempotency_key(headers):
    """Return the header's value, or None where there is no such header."""
    key = headers.get("idempotency-key")
    if key is not None and not KEY.fullmatch(key):
        raise BadKey
    return key


def actor(headers):
    """Return the header's value, or None where there is no such header."""
    name = headers.get("actor")
    if name is not None and not ACTOR.fullmatch(name):
        raise BadActor
    return name
