"""What can be asked, and how it is answered."""

import re

from jobqueue.errors import Conflict, MethodNotAllowed, NotFound
from jobqueue.board import DONE
from jobqueue.fields import REQUIRED, anything, parse, queue_name


class Api:
    """Answers requests from a board, whose changes it writes to a journal."""

    def __init__(self, board, journal):
        self.board = board
        self.journal = journal
        for change in journal.replay():
            self.apply(change)

    def answer(self, method, path, body):
        """Return a status and a JSON value; None stands for no body."""
        matches = [(route, re.fullmatch(route[1], path)) for route in ROUTES]
        matches = [(route, match) for route, match in matches if match]
        if not matches:
            raise NotFound
        for (known, _, handler), match in matches:
            if known == method:
                return handler(self, body, *match.groups())
        raise MethodNotAllowed

    def change(self, operation, **arguments):
        change = [operation, arguments]
        result = self.apply(change)
        if result is not None:
            self.journal.append(change)
        return result

    def apply(self, change):
        operation, arguments = change
        return getattr(self.board, operation)(**arguments)

    def health(self, body):
        return 200, {"status": "ok"}

    def submit(self, body):
        fields = parse(body, queue=(queue_name, REQUIRED), payload=(anything, REQUIRED))
        return 201, self.change("submit", **fields).to_json()

    def show(self, body, id):
        return 200, self.board.find(int(id)).to_json()

    def claim(self, body):
        fields = parse(body, queue=(queue_name, REQUIRED))
        job = self.change("claim", **fields)
        if job is None:
            return 204, None
        return 200, {"id": job.id, "payload": job.payload, "attempt": job.attempts}

    def finish(self, body, id):
        fields = parse(body, result=(anything, REQUIRED))
        return state_of(self.change("finish", id=int(id), **fields))

    def release(self, body, id):
        parse(body)
        return state_of(self.change("release", id=int(id)))

    def show_result(self, body, id):
        job = self.board.find(int(id))
        if job.state != DONE:
            raise Conflict
        return 200, {"result": job.result}

    def count(self, body, queue):
        return 200, self.board.count(queue)


def state_of(job):
    return 200, {"id": job.id, "state": job.state}


ID = "([1-9][0-9]{0,17})"

ROUTES = [
    ("GET", "/health", Api.health),
    ("POST", "/jobs", Api.submit),
    ("GET", f"/jobs/{ID}", Api.show),
    ("POST", f"/jobs/{ID}/done", Api.finish),
    ("GET", f"/jobs/{ID}/result", Api.show_result),
    ("POST", f"/jobs/{ID}/release", Api.release),
    ("POST", "/claims", Api.claim),
    ("GET", "/queues/([a-z0-9-]{1,32})", Api.count),
]
