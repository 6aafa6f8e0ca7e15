"""Reading the bodies, queries and headers of requests."""

import re
from urllib.parse import parse_qsl

from jobqueue import values
from jobqueue.errors import BadRequest

REQUIRED = object()
QUEUE = re.compile(r"[a-z0-9-]{1,32}")
NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
WHOLE = re.compile(r"-?[0-9]{1,18}")
KEY = re.compile(r"[!-~]{1,64}")


def parse_query(query, **fields):
    """Return the values of a query's parameters, as pick_all does for a body."""
    pairs = parse_qsl(query, keep_blank_values=True)
    value = dict(pairs)
    if len(value) < len(pairs):
        raise BadRequest
    return pick_all(value, fields)


def pick_all(value, fields):
    """Return the values of a JSON object's fields, each checked by its function; it has no others.

    A field is a pair of that function and the default, or REQUIRED.
    """
    if not isinstance(value, dict) or not value.keys() <= fields.keys():
        raise BadRequest
    return {name: pick(value, name, check, default) for name, (check, default) in fields.items()}


def pick(value, name, check, default):
    if name in value:
        return check(value[name])
    if default is REQUIRED:
        raise BadRequest
    return default


def pick_changes(value, checks):
    """Return those values of a JSON object that are there, at least one."""
    if not isinstance(value, dict) or not value or not value.keys() <= checks.keys():
        raise BadRequest
    return {name: checks[name](item) for name, item in value.items()}


def parse_json(body):
    try:
        return values.parse(body.decode("utf-8"))
    except ValueError:
        raise BadRequest from None


def anything(value):
    return values.Kept(values.write(value))


def whole_number(low, high):
    def check(value):
        if not isinstance(value, values.Number) or not WHOLE.fullmatch(value.text):
            raise BadRequest
        number = int(value.text)
        if not low <= number <= high:
            raise BadRequest
        return number

    return check


def text(value):
    if not isinstance(value, str):
        raise BadRequest
    return value


def boolean(value):
    if not isinstance(value, bool):
        raise BadRequest
    return value


def list_of(check, low, high):
    """Accept an array of so many items."""

    def check_all(value):
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise BadRequest
        return [check(item) for item in value]

    return check_all


def distinct(check):
    """Accept an array whose items differ."""

    def check_all(value):
        items = check(value)
        if len(set(items)) < len(items):
            raise BadRequest
        return items

    return check_all


def optional(check):
    return lambda value: None if value is None else check(value)


def one_of(choices):
    def check(value):
        if text(value) not in choices:
            raise BadRequest
        return value

    return check


def digits(check):
    """Accept a number as it stands in a query."""

    def check_text(value):
        if not NUMBER.fullmatch(value):
            raise BadRequest
        return check(values.Number(value))

    return check_text


def queue_name(value):
    if not QUEUE.fullmatch(text(value)):
        raise BadRequest
    return value


def idempotency_key(headers):
    """Return the header's value, or None where there is no such header."""
    key = headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise BadRequest
    return key
