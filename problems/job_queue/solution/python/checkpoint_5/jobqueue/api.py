"""What can be asked, and how it is answered."""

import re

from jobqueue.errors import Conflict, MethodNotAllowed, NotFound
from jobqueue.fields import (
    REQUIRED,
    anything,
    digits,
    idempotency_key,
    one_of,
    optional,
    parse,
    parse_changes,
    parse_query,
    queue_name,
    whole_number,
)
from jobqueue.retries import Retries
from jobqueue.states import DONE, STATES
from jobqueue.submissions import BATCH, EDITABLE, SUBMISSION, copies, known_jobs

DAY = 86400
LEASE = whole_number(1, DAY)
ATTEMPT = whole_number(1, 10**9)
PAGE = {
    "after": (digits(whole_number(0, 10**18 - 1)), 0),
    "limit": (digits(whole_number(1, 1000)), 100),
}
REPLAYED = {"Idempotent-Replay": "true"}


class Request:
    """A request, with its path and query taken apart."""

    def __init__(self, method, target, headers, body):
        self.method = method
        self.path, _, self.query = target.partition("?")
        self.headers = headers
        self.body = body


class Api:
    """Answers requests from a board, whose changes it writes to a journal."""

    def __init__(self, board, journal):
        self.board = board
        self.retries = Retries()
        self.journal = journal
        for operation, arguments in journal.replay():
            getattr(self, operation)(**arguments)

    def answer(self, request):
        """Return a status, a JSON value (None stands for no body) and header fields."""
        matches = [(route, re.fullmatch(route[1], request.path)) for route in ROUTES]
        matches = [(route, match) for route, match in matches if match]
        if not matches:
            raise NotFound
        for (known, _, handler), match in matches:
            if known == request.method:
                status, value, *fields = handler(self, request, *match.groups())
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
        last_ids = []
        for entry in fields["jobs"]:
            ids += copies(entry, last_ids, self.board.submit)
            last_ids.append(ids[-1])
        answer = {"ids": ids}
        self.retries.remember(key, fields, answer)
        return answer

    def edit(self, id, changes):
        return self.board.edit(id, **changes)

    def limit(self, **arguments):
        return self.board.limit(**arguments)

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

    def get_health(self, request):
        return 200, {"status": "ok"}

    def get_clock(self, request):
        return 200, {"now": self.board.now}

    def post_clock(self, request):
        fields = parse(request.body, advance=(whole_number(1, 10**9), REQUIRED))
        return 200, {"now": self.change("advance", **fields)}

    def post_job(self, request):
        key = idempotency_key(request.headers)
        fields = parse(request.body, **SUBMISSION)
        self.board.require(item["id"] for item in fields["after"])
        return self.once("submit", key, fields)

    def post_batch(self, request):
        key = idempotency_key(request.headers)
        fields = parse(request.body, **BATCH)
        self.board.require(known_jobs(fields["jobs"]))
        return self.once("submit_all", key, fields)

    def once(self, operation, key, fields):
        """Make a change, unless a request with this key has made it before."""
        answer = self.retries.recall(key, fields)
        if answer:
            return 201, answer, REPLAYED
        return 201, self.change(operation, key=key, fields=fields)

    def get_job(self, request, id):
        return 200, self.board.find(int(id)).to_json()

    def patch_job(self, request, id):
        changes = parse_changes(request.body, **EDITABLE)
        return 200, self.change("edit", id=int(id), changes=changes).to_json()

    def post_claim(self, request):
        fields = parse(request.body, queue=(queue_name, REQUIRED), lease=(LEASE, 60))
        job = self.change("claim", **fields)
        if job is None:
            return 204, None
        return 200, {"id": job.id, "payload": job.payload, "attempt": job.attempts}

    def get_lease(self, request, id):
        job = self.board.running(int(id))
        return 200, {"attempt": job.attempts, "deadline": job.deadline}

    def post_renewal(self, request, id):
        fields = parse(request.body, lease=(LEASE, REQUIRED), attempt=(ATTEMPT, None))
        job = self.change("renew", id=int(id), **fields)
        return 200, {"attempt": job.attempts, "deadline": job.deadline}

    def post_done(self, request, id):
        fields = parse(request.body, result=(anything, REQUIRED), attempt=(ATTEMPT, None))
        return state_of(self.change("finish", id=int(id), **fields))

    def post_release(self, request, id):
        fields = parse(request.body, attempt=(ATTEMPT, None))
        return state_of(self.change("release", id=int(id), **fields))

    def post_cancel(self, request, id):
        parse(request.body)
        return state_of(self.change("cancel", id=int(id)))

    def get_after(self, request, id):
        return ids_of(item.job.id for item in self.board.find(int(id)).after)

    def get_dependents(self, request, id):
        return ids_of(self.board.find(int(id)).dependents)

    def get_result(self, request, id):
        job = self.board.find(int(id))
        if job.state != DONE:
            raise Conflict
        return 200, {"result": job.result}

    def get_queue(self, request, queue):
        return 200, self.board.count(queue)

    def get_limits(self, request, queue):
        return 200, {"running": self.board.limits.get(queue)}

    def put_limits(self, request, queue):
        fields = parse(request.body, running=(optional(whole_number(0, 10**6)), REQUIRED))
        self.change("limit", queue=queue, **fields)
        return 200, fields

    def get_jobs(self, request):
        fields = parse_query(request.query, **PAGE, queue=(queue_name, None), state=(one_of(STATES), None))
        jobs = self.board.list(fields["queue"], fields["state"])
        ids, more = page([job.id for job in jobs], fields, key=lambda id: id)
        return 200, {"ids": ids, "next": more}

    def get_events(self, request):
        return page_of_events(self.board.events, parse_query(request.query, **PAGE))

    def get_job_events(self, request, id):
        fields = parse_query(request.query, **PAGE)
        job = self.board.find(int(id))
        return page_of_events([event for event in self.board.events if event["job"] == job.id], fields)


def state_of(job):
    return 200, {"id": job.id, "state": job.state}


def page(items, fields, key):
    """Return the items of a page, and the key after which the next one begins, if there is one."""
    rest = [item for item in items if key(item) > fields["after"]]
    shown = rest[: fields["limit"]]
    return shown, key(shown[-1]) if len(shown) < len(rest) else None


def page_of_events(events, fields):
    shown, more = page(events, fields, key=lambda event: event["seq"])
    return 200, {"events": shown, "next": more}


def ids_of(ids):
    return 200, {"ids": sorted(ids)}


ID = "([1-9][0-9]{0,17})"
QUEUE = "([a-z0-9-]{1,32})"

ROUTES = [
    ("GET", "/health", Api.get_health),
    ("GET", "/clock", Api.get_clock),
    ("POST", "/clock", Api.post_clock),
    ("POST", "/jobs", Api.post_job),
    ("GET", f"/jobs/{ID}", Api.get_job),
    ("PATCH", f"/jobs/{ID}", Api.patch_job),
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
    ("GET", "/jobs", Api.get_jobs),
    ("GET", f"/jobs/{ID}/events", Api.get_job_events),
    ("GET", "/events", Api.get_events),
    ("GET", f"/queues/{QUEUE}", Api.get_queue),
    ("GET", f"/queues/{QUEUE}/limits", Api.get_limits),
    ("PUT", f"/queues/{QUEUE}/limits", Api.put_limits),
]
