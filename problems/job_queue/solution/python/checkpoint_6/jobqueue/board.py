"""The jobs of all queues, and what happened to them."""

from collections import Counter

from jobqueue.changes import Changes
from jobqueue.dependencies import replace_after, settle, waiting_state, would_wait_for_itself
from jobqueue.errors import Conflict, Cycle, NotFound, UnknownJob
from jobqueue.jobs import Dependency, Job
from jobqueue.queues import Queues
from jobqueue.schedule import Schedule
from jobqueue.states import BLOCKED, CANCELLED, CONDITIONS, DONE, OVER, RUNNING, SCHEDULED, WAITING


class Board:
    """All jobs, their history and the clock. A method that raises has changed nothing."""

    def __init__(self):
        self.changes = Changes()
        self.now = 0
        self.jobs = {}
        self.events = []
        self.queues = Queues(self.changes, self.jobs)
        self.schedule = Schedule(self.jobs)
        self.touched = set()

    # Transactions.

    def begin(self):
        self.touched.clear()
        self.changes.begin()

    def commit(self):
        self.changes.commit()

    def undo(self):
        self.changes.undo()
        for id in self.touched & self.jobs.keys():
            self.enter(self.jobs[id])

    # Questions.

    def find(self, id, seq=None):
        """Return the job of this id, if it was there after this event; None stands for now."""
        if id not in self.jobs or self.jobs[id].state_at(seq) is None:
            raise NotFound
        return self.jobs[id]

    def running(self, id, attempt=None):
        """Return the job, if it runs and this is its attempt."""
        job = self.find(id)
        if job.state != RUNNING or attempt not in (None, job.attempts):
            raise Conflict
        return job

    def count(self, queue, seq):
        states = (job.state_at(seq) for job in self.jobs.values() if job.queue == queue)
        return dict(Counter(state for state in states if state is not None))

    def list(self, queue, state, seq):
        """Return the jobs of this queue and state after this event, by id; None stands for any, and for now."""
        states = ((job, job.state_at(seq)) for job in self.jobs.values() if queue in (None, job.queue))
        return [job for job, then in states if then is not None and state in (None, then)]

    def require(self, ids):
        """Refuse ids that no job has."""
        if not all(id in self.jobs for id in ids):
            raise UnknownJob

    # Changes.

    def advance(self, advance):
        """Move the clock on from one moment at which something is due to the next."""
        until = self.now + advance
        for moment, job in self.schedule.due(until):
            self.changes.set(self, "now", moment)
            if job.state == RUNNING:
                self.end_attempt(job)
            else:
                self.move(job, job.state_when_due(moment))
        self.changes.set(self, "now", until)
        return until

    def submit(self, queue, payload, priority, delay, max_attempts, backoff, expires, after):
        due = self.now + delay
        expiry = None if expires is None else self.now + expires
        job = Job(len(self.jobs) + 1, queue, payload, priority, max_attempts, backoff, due, expiry)
        replace_after(job, self.dependencies(after), self.changes)
        self.changes.put(self.jobs, job.id, job)
        self.move(job, waiting_state(job, self.now))
        return job

    def dependencies(self, after):
        return [Dependency(self.jobs[item["id"]], CONDITIONS[item["on"]]) for item in after]

    def edit(self, id, after=None, **values):
        """Change what a job that no worker has was submitted with."""
        job = self.find(id)
        if job.state not in WAITING:
            raise Conflict
        if after is not None:
            self.require(item["id"] for item in after)
            dependencies = self.dependencies(after)
            if would_wait_for_itself(job, [item.job for item in dependencies]):
                raise Cycle
            replace_after(job, dependencies, self.changes)
        queue, before = job.queue, job.state
        for name, value in values.items():
            self.changes.set(job, name, value)
        self.changes.set(job, "state", waiting_state(job, self.now))
        if job.queue == queue:
            self.queues.shift(queue, before, job.state)
        else:
            self.queues.shift(queue, before, None)
            self.queues.shift(job.queue, None, job.state)
        self.enter(job)
        if job.state != before:
            self.follow(job, before)
        return job

    def limit(self, queue, running):
        """Let at most so many jobs run at the same time; None stands for any number."""
        return self.set_up(queue, "limit", running)

    def share(self, queue, weight):
        return self.set_up(queue, "weight", weight)

    def set_up(self, name, setting, value):
        queue = self.queues.find(name)
        self.changes.set(queue, setting, value)
        return queue

    def claim(self, queues, lease, count):
        """Return up to so many jobs, now running, from the queues whose turn it is."""
        claimed = []
        while len(claimed) < count:
            job = self.queues.next_job(queues)
            if job is None:
                break
            self.changes.set(job, "attempts", job.attempts + 1)
            self.changes.set(job, "deadline", self.now + lease)
            self.move(job, RUNNING)
            claimed.append(job)
        return claimed

    def renew(self, id, lease, attempt):
        job = self.running(id, attempt)
        self.changes.set(job, "deadline", self.now + lease)
        self.enter(job)
        return job

    def finish(self, id, result, attempt):
        job = self.running(id, attempt)
        self.changes.set(job, "result", result)
        self.move(job, DONE)
        return job

    def release(self, id, attempt):
        job = self.running(id, attempt)
        self.end_attempt(job)
        return job

    def end_attempt(self, job):
        """End a running attempt without success."""
        state = job.state_after_attempt(self.now)
        if state == SCHEDULED:
            self.changes.set(job, "due", self.now + job.backoff_wait())
        self.move(job, state)

    def cancel(self, id):
        job = self.find(id)
        if job.state in OVER:
            raise Conflict
        self.move(job, CANCELLED)
        return job

    def move(self, job, state):
        """Bring a job into a state, and those along that wait for it."""
        before = job.state
        self.changes.set(job, "state", state)
        self.queues.shift(job.queue, before, job.state)
        self.enter(job)
        self.follow(job, before)

    def follow(self, job, before):
        """Note that a job has left the state before, and do what follows from that."""
        self.record(job, before)
        if job.state in OVER:
            for other in settle(job, self.now, self.changes):
                self.queues.shift(other.queue, BLOCKED, other.state)
                self.enter(other)
                self.record(other, BLOCKED)

    def record(self, job, before):
        event = {"seq": len(self.events) + 1, "at": self.now, "job": job.id, "from": before, "to": job.state}
        self.changes.append(self.events, event)
        self.changes.append(job.events, event)

    def enter(self, job):
        """Let the clock and the claims know what a job is like now."""
        self.touched.add(job.id)
        self.schedule.enter(job)
        self.queues.enter(job)
