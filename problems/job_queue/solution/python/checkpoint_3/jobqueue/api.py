"""What can be asked, and how it is answered."""

import re

from jobqueue.errors import Conflict, MethodNotAllowed, NotFound
from jobqueue.fields import REQUIRED, anything, idempotency_key, parse, queue_name, whole_number
from jobqueue.jobs import DONE
from jobqueue.retries import Retries
from jobqueue.submissions import BATCH, SUBMISSION, known_jobs, resolve

DAY = 86400
LEASE = whole_number(1, DAY)
ATTEMPT = whole_number(1, 10**9)
REPLAYED = {"Idempotent-Replay": "true"}


class Api:
    """Answers requests from a board, whose changes it writes to a journal."""

    def __init__(self, board, journal):
        self.board = board
        self.retries = Retries()
        self.journal = journal
        for operation, arguments in journal.replay():
            getattr(self, operation)(**arguments)

    def answer(self, method, path, headers, body):
        """Return a status, a JSON value (None stands for no body) and header fields."""
        matches = [(route, re.fullmatch(route[1], path)) for route in ROUTES]
        matches = [(route, match) for route, match in matches if match]
        if not matches:
            raise NotFound
        for (known, _, handler), match in matches:
            if known == method:
                status, value, *fields = handler(self, headers, body, *match.groups())
                return status, value, *(fields or [{}])
        raise MethodNotAllowed

    def change(self, operation, **arguments):
        result = getattr(self, operation)(**arguments)
        if result is not None:
            self.journal.append([operation, arguments])
        return result

    # Changes: what is written to the journal, and replayed from there.

    def submit(self, key, fields):
        answer = self.board.submit(**fields).to_json()
        self.retries.remember(key, fields, answer)
        return answer

    def submit_all(self, key, fields):
        ids = []
        for job in fields["jobs"]:
            ids.append(self.board.submit(**resolve(job, ids)).id)
        answer = {"ids": ids}
        self.retries.remember(key, fields, answer)
        return answer

    def cancel(self, **arguments):
        return self.board.cancel(**arguments)

    def advance(self, **arguments):
        return self.board.advance(**arguments)

    def claim(self, **arguments):
        return self.board.claim(**arguments)

    def renew(self, **arguments):
        return self.board.renew(**arguments)

    def finish(self, **arguments):
        return self.board.finish(**arguments)

    def release(self, **arguments):
        return self.board.release(**arguments)

    # Requests.

    def get_health(self, headers, body):
        return 200, {"status": "ok"}

    def get_clock(self, headers, body):
        return 200, {"now": self.board.now}

    def post_clock(self, headers, body):
        fields = parse(body, advance=(whole_number(1, 10**9), REQUIRED))
        return 200, {"now": self.change("advance", **fields)}

    def post_job(self, headers, body):
        key = idempotency_key(headers)
        fields = parse(body, **SUBMISSION)
        self.board.require(fields["after"])
        return self.once("submit", key, fields)

    def post_batch(self, headers, body):
        key = idempotency_key(headers)
        fields = parse(body, **BATCH)
        self.board.require(known_jobs(fields["jobs"]))
        return self.once("submit_all", key, fields)

    def once(self, operation, key, fields):
        """Make a change, unless a request with this key has made it before."""
        answer = self.retries.recall(key, fields)
        if answer:
            return 201, answer, REPLAYED
        return 201, self.change(operation, key=key, fields=fields)

    def get_job(self, headers, body, id):
        return 200, self.board.find(int(id)).to_json()

    def post_claim(self, headers, body):
        fields = parse(body, queue=(queue_name, REQUIRED), lease=(LEASE, 60))
        job = self.change("claim", **fields)
        if job is None:
            return 204, None
        return 200, {"id": job.id, "payload": job.payload, "attempt": job.attempts}

    def get_lease(self, headers, body, id):
        job = self.board.running(int(id))
        return 200, {"attempt": job.attempts, "deadline": job.deadline}

    def post_renewal(self, headers, body, id):
        fields = parse(body, lease=(LEASE, REQUIRED), attempt=(ATTEMPT, None))
        job = self.change("renew", id=int(id), **fields)
        return 200, {"attempt": job.attempts, "deadline": job.deadline}

    def post_done(self, headers, body, id):
        fields = parse(body, result=(anything, REQUIRED), attempt=(ATTEMPT, None))
        return state_of(self.change("finish", id=int(id), **fields))

    def post_release(self, headers, body, id):
        fields = parse(body, attempt=(ATTEMPT, None))
        return state_of(self.change("release", id=int(id), **fields))

    def post_cancel(self, headers, body, id):
        parse(body)
        return state_of(self.change("cancel", id=int(id)))

    def get_after(self, headers, body, id):
        return ids_of(self.board.find(int(id)).after)

    def get_dependents(self, headers, body, id):
        return ids_of(self.board.find(int(id)).dependents)

    def get_result(self, headers, body, id):
        job = self.board.find(int(id))
        if job.state != DONE:
            raise Conflict
        return 200, {"result": job.result}

    def get_queue(self, headers, body, queue):
        return 200, self.board.count(queue)


def state_of(job):
    return 200, {"id": job.id, "state": job.state}


def ids_of(jobs):
    return 200, {"ids": sorted(job.id for job in jobs)}


ID = "([1-9][0-9]{0,17})"

ROUTES = [
    ("GET", "/health", Api.get_health),
    ("GET", "/clock", Api.get_clock),
    ("POST", "/clock", Api.post_clock),
    ("POST", "/jobs", Api.post_job),
    ("GET", f"/jobs/{ID}", Api.get_job),
    ("GET", f"/jobs/{ID}/lease", Api.get_lease),
    ("POST", f"/jobs/{ID}/renew", Api.post_renewal),
    ("POST", f"/jobs/{ID}/done", Api.post_done),
    ("GET", f"/jobs/{ID}/result", Api.get_result),
    ("POST", f"/jobs/{ID}/release", Api.post_release),
    ("POST", f"/jobs/{ID}/cancel", Api.post_cancel),
    ("GET", f"/jobs/{ID}/after", Api.get_after),
    ("GET", f"/jobs/{ID}/dependents", Api.get_dependents),
    ("POST", "/batches", Api.post_batch),
    ("POST", "/claims", Api.post_claim),
    ("GET", "/queues/([a-z0-9-]{1,32})", Api.get_queue),
]
