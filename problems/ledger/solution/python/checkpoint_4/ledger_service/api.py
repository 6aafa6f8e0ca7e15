"""How requests are answered."""

import re
from dataclasses import dataclass
from typing import Mapping

from ledger_service.book import Book
from ledger_service.errors import MethodNotAllowed, NotFound
from ledger_service.fields import idempotency_key, parse, parse_query
from ledger_service.retries import Retries
from ledger_service.routes import ROUTES

REPLAYED = {"Idempotent-Replay": "true"}


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def path(self):
        return self.target.partition("?")[0]

    @property
    def query(self):
        return self.target.partition("?")[2]


class Api:
    """Answers requests from a book, and writes those that change it to a journal."""

    def __init__(self, journal):
        self.book = Book()
        self.retries = Retries()
        self.journal = journal
        for target, key, body in journal.replay():
            headers = {} if key is None else {"idempotency-key": key}
            request = Request("POST", target, headers, body.encode())
            self.change(request, *find_route(request))

    def answer(self, request):
        """Return a status, a JSON value and header fields."""
        route, arguments = find_route(request)
        if route.method == "GET":
            return 200, self.read(request, route, arguments), {}
        status, value, replayed = self.change(request, route, arguments)
        if replayed:
            return status, value, REPLAYED
        self.journal.append([request.target, request.headers.get("idempotency-key"), request.body.decode()])
        return status, value, {}

    def read(self, request, route, arguments):
        parameters = parse_query(request.query, route.parameters)
        if route.check:
            route.check(parameters)
        subject = [route.find(self.book, argument) for argument in arguments]
        return route.answer(self.book, *subject, **parameters)

    def change(self, request, route, arguments):
        """Return a status, a JSON value, and whether both are those of an earlier request."""
        key = idempotency_key(request.headers)
        parse_query(request.query, {})
        fields = parse(request.body, route.fields)
        if route.check:
            route.check(fields)
        meaning = (request.path, fields)
        answer = self.retries.recall(key, meaning)
        if answer:
            return *answer, True
        subject = [route.find(self.book, argument) for argument in arguments]
        self.book.require_order(fields["at"])
        value = route.apply(self.book, *subject, **fields)
        self.book.now = fields["at"]
        self.retries.remember(key, meaning, (route.status, value))
        return route.status, value, False


def find_route(request):
    """Return the route that the request takes, and what its path names."""
    matches = [(route, re.fullmatch(route.pattern, request.path)) for route in ROUTES]
    matches = [(route, match) for route, match in matches if match]
    if not matches:
        raise NotFound
    for route, match in matches:
        if route.method == request.method:
            return route, match.groups()
    raise MethodNotAllowed
