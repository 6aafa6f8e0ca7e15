"""Reading the bodies and headers of requests."""

import re

from jobqueue import values
from jobqueue.errors import BadRequest

REQUIRED = object()
QUEUE = re.compile(r"[a-z0-9-]{1,32}")
WHOLE = re.compile(r"-?[0-9]{1,18}")
KEY = re.compile(r"[!-~]{1,64}")


def parse(body, **fields):
    """Return the values of a JSON object's fields, each checked by its function.

    A field is a pair of that function and the default, or REQUIRED.
    """
    try:
        value = values.parse(body.decode("utf-8"))
    except ValueError:
        raise BadRequest from None
    if not isinstance(value, dict) or not value.keys() <= fields.keys():
        raise BadRequest
    return {name: pick(value, name, check, default) for name, (check, default) in fields.items()}


def pick(value, name, check, default):
    if name in value:
        return check(value[name])
    if default is REQUIRED:
        raise BadRequest
    return default


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


def queue_name(value):
    if not isinstance(value, str) or not QUEUE.fullmatch(value):
        raise BadRequest
    return value


def idempotency_key(headers):
    """Return the header's value, or None where there is no such header."""
    key = headers.get("Idempotency-Key")
    if key is not None and not KEY.fullmatch(key):
        raise BadRequest
    return key
