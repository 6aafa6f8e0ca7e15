"""Requests, sent by themselves or in a transaction."""

import re

from jobqueue.errors import BadRequest
from jobqueue.fields import REQUIRED, list_of, one_of, pick_all, text

REFERENCE = re.compile(r"/jobs/@(0|[1-9][0-9]{0,2})(?=[/?]|$)")
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Request:
    """A request, with its path and query taken apart. Its body is read when it is asked for."""

    def __init__(self, method, target, headers, read):
        self.method = method
        self.path, _, self.query = target.partition("?")
        self.headers = headers
        self.read = read


def json_object(value):
    if not isinstance(value, dict):
        raise BadRequest
    return value


PART = {
    "method": (one_of(METHODS), REQUIRED),
    "path": (text, REQUIRED),
    "body": (json_object, None),
    "key": (text, None),
}


def part(value):
    """Accept a request of a transaction."""
    fields = pick_all(value, PART)
    if fields["method"] == "GET" and fields["body"] is not None:
        raise BadRequest
    return fields


TRANSACTION = {"requests": (list_of(part, 1, 1000), REQUIRED)}


def request_of(fields, answers):
    """Return a request of a transaction, given the answers to those before it."""

    def read():
        if fields["body"] is None:
            raise BadRequest
        return fields["body"]

    headers = {} if fields["key"] is None else {"Idempotency-Key": fields["key"]}
    return Request(fields["method"], resolve(fields["path"], answers), headers, read)


def resolve(path, answers):
    """Return the path with an id in place of a reference to an answer, if there is such an id."""
    reference = REFERENCE.match(path)
    if not reference or int(reference[1]) >= len(answers):
        return path
    body = answers[int(reference[1])]["body"]
    if not isinstance(body, dict) or "id" not in body:
        return path
    return f"/jobs/{body['id']}{path[reference.end():]}"
