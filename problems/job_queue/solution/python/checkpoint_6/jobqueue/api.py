"""What can be asked, and how it is answered."""

import re

from jobqueue.errors import Aborted, BadRequest, Conflict, MethodNotAllowed, NotFound, Refusal
from jobqueue.fields import (
    REQUIRED,
    anything,
    digits,
    distinct,
    idempotency_key,
    list_of,
    one_of,
    optional,
    parse_query,
    pick_all,
    pick_changes,
    queue_name,
    whole_number,
)
from jobqueue.requests import TRANSACTION, request_of
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
SEQ = {"seq": (digits(whole_number(0, 10**18 - 1)), None)}
LISTING = {**PAGE, **SEQ, "queue": (queue_name, None), "state": (one_of(STATES), None)}
CLOCK = {"advance": (whole_number(1, 10**9), REQUIRED)}
CLAIM = {
    "queue": (queue_name, None),
    "queues": (distinct(list_of(queue_name, 1, 100)), None),
    "lease": (LEASE, 60),
    "count": (whole_number(1, 1000), None),
}
RENEWAL = {"lease": (LEASE, REQUIRED), "attempt": (ATTEMPT, None)}
COMPLETION = {"result": (anything, REQUIRED), "attempt": (ATTEMPT, None)}
RELEASE = {"attempt": (ATTEMPT, None)}
LIMITS = {"running": (optional(whole_number(0, 10**6)), REQUIRED)}
SHARE = {"weight": (whole_number(1, 10**6), REQUIRED)}
REPLAYED = {"Idempotent-Replay": "true"}


class Api:
    """Answers requests from a board, whose changes it writes to a journal."""

    def __init__(self, board, journal):
        self.board = board
        self.retries = Retries(board.changes)
        self.journal = journal
        self.pending = None
        for changes in journal.replay():
            for operation, arguments in changes:
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
        if result:
            self.keep([operation, arguments])
        return result

    def keep(self, change):
        if self.pending is None:
            self.journal.append([change])
        else:
            self.pending.append(change)

    def answer_all(self, requests):
        """Answer requests one after the other, or make no change at all."""
        self.pending = []
        self.board.begin()
        answers = []
        try:
            for index, fields in enumerate(requests):
                answers.append(self.answer_part(index, request_of(fields, answers)))
            self.board.commit()
            self.journal.append(self.pending)
        except Aborted:
            self.board.undo()
            raise
        finally:
            self.pending = None
        return answers

    def answer_part(self, index, request):
        try:
            status, value, fields = self.answer(request)
        except Refusal as refusal:
            raise Aborted(index, refusal) from None
        replay = {"replay": True} if fields == REPLAYED else {}
        return {"status": status, "body": value, **replay}

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

    def share(self, **arguments):
        return self.board.share(**arguments)

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

    def post_transaction(self, request):
        if self.pending is not None:
            raise BadRequest
        return 200, {"answers": self.answer_all(pick_all(request.read(), TRANSACTION)["requests"])}

    def get_health(self, request):
        return 200, {"status": "ok"}

    def get_clock(self, request):
        return 200, {"now": self.board.now}

    def post_clock(self, request):
        fields = pick_all(request.read(), CLOCK)
        return 200, {"now": self.change("advance", **fields)}

    def post_job(self, request):
        key = idempotency_key(request.headers)
        fields = pick_all(request.read(), SUBMISSION)
        self.board.require(item["id"] for item in fields["after"])
        return self.once("submit", key, fields)

    def post_batch(self, request):
        key = idempotency_key(request.headers)
        fields = pick_all(request.read(), BATCH)
        self.board.require(known_jobs(fields["jobs"]))
        return self.once("submit_all", key, fields)

    def once(self, operation, key, fields):
        """Make a change, unless a request with this key has made it before."""
        answer = self.retries.recall(key, fields)
        if answer:
            return 201, answer, REPLAYED
        return 201, self.change(operation, key=key, fields=fields)

    def get_job(self, request, id):
        fields = parse_query(request.query, **SEQ)
        job = self.board.find(int(id), fields["seq"])
        return 200, {**job.to_json(), "state": job.state_at(fields["seq"])}

    def patch_job(self, request, id):
        changes = pick_changes(request.read(), EDITABLE)
        return 200, self.change("edit", id=int(id), changes=changes).to_json()

    def post_claim(self, request):
        fields = pick_all(request.read(), CLAIM)
        queue, queues, count = fields["queue"], fields["queues"], fields["count"]
        if (queue is None) == (queues is None):
            raise BadRequest
        jobs = self.change("claim", queues=queues or [queue], lease=fields["lease"], count=count or 1)
        if not jobs:
            return 204, None
        if count is not None:
            return 200, {"jobs": [claim_of(job) for job in jobs]}
        answer = claim_of(jobs[0])
        if queues is None:
            del answer["queue"]
        return 200, answer

    def get_lease(self, request, id):
        job = self.board.running(int(id))
        return 200, {"attempt": job.attempts, "deadline": job.deadline}

    def post_renewal(self, request, id):
        fields = pick_all(request.read(), RENEWAL)
        job = self.change("renew", id=int(id), **fields)
        return 200, {"attempt": job.attempts, "deadline": job.deadline}

    def post_done(self, request, id):
        fields = pick_all(request.read(), COMPLETION)
        return state_of(self.change("finish", id=int(id), **fields))

    def post_release(self, request, id):
        fields = pick_all(request.read(), RELEASE)
        return state_of(self.change("release", id=int(id), **fields))

    def post_cancel(self, request, id):
        pick_all(request.read(), {})
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
        return 200, self.board.count(queue, **parse_query(request.query, **SEQ))

    def get_limits(self, request, queue):
        return 200, {"running": self.board.queues.find(queue).limit}

    def put_limits(self, request, queue):
        fields = pick_all(request.read(), LIMITS)
        self.change("limit", queue=queue, **fields)
        return 200, fields

    def get_share(self, request, queue):
        return 200, self.board.queues.find(queue).to_json()

    def put_share(self, request, queue):
        fields = pick_all(request.read(), SHARE)
        return 200, self.change("share", queue=queue, **fields).to_json()

    def get_jobs(self, request):
        fields = parse_query(request.query, **LISTING)
        jobs = self.board.list(fields["queue"], fields["state"], fields["seq"])
        ids, more = page([job.id for job in jobs], fields, key=lambda id: id)
        return 200, {"ids": ids, "next": more}

    def get_events(self, request):
        return page_of_events(self.board.events, parse_query(request.query, **PAGE))

    def get_job_events(self, request, id):
        fields = parse_query(request.query, **PAGE)
        return page_of_events(self.board.find(int(id)).events, fields)


def claim_of(job):
    return {"id": job.id, "queue": job.queue, "payload": job.payload, "attempt": job.attempts}


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
    ("POST", "/transactions", Api.post_transaction),
    ("GET", f"/queues/{QUEUE}/share", Api.get_share),
    ("PUT", f"/queues/{QUEUE}/share", Api.put_share),
    ("GET", f"/queues/{QUEUE}/limits", Api.get_limits),
    ("PUT", f"/queues/{QUEUE}/limits", Api.put_limits),
]
