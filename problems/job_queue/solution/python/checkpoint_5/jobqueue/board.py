"""The jobs of all queues, and what happened to them."""

from collections import Counter

from jobqueue.dependencies import settle, waiting_state, would_wait_for_itself
from jobqueue.errors import Conflict, Cycle, NotFound, UnknownJob
from jobqueue.jobs import Dependency, Job
from jobqueue.schedule import Schedule
from jobqueue.states import BLOCKED, CANCELLED, CONDITIONS, DONE, OVER, READY, RUNNING, SCHEDULED, WAITING


class Board:
    """All jobs, their history and the clock. A method that raises has changed nothing."""

    def __init__(self):
        self.now = 0
        self.jobs = {}
        self.events = []
        self.limits = {}
        self.schedule = Schedule()

    def find(self, id):
        if id not in self.jobs:
            raise NotFound
        return self.jobs[id]

    def count(self, queue):
        return dict(Counter(job.state for job in self.jobs.values() if job.queue == queue))

    def list(self, queue, state):
        """Return the jobs of this queue and state, by id; None stands for any."""
        return [
            job for job in self.jobs.values() if queue in (None, job.queue) and state in (None, job.state)
        ]

    def require(self, ids):
        """Refuse ids that no job has."""
        if not all(id in self.jobs for id in ids):
            raise UnknownJob

    def advance(self, advance):
        """Move the clock on from one moment at which something is due to the next."""
        until = self.now + advance
        for moment, job in self.schedule.due(until):
            self.now = moment
            if job.state == RUNNING:
                self.end_attempt(job)
            else:
                self.move(job, job.state_when_due(moment))
        self.now = until
        return until

    def submit(self, queue, payload, priority, delay, max_attempts, backoff, expires, after):
        due = self.now + delay
        expiry = None if expires is None else self.now + expires
        job = Job(len(self.jobs) + 1, queue, payload, priority, max_attempts, backoff, due, expiry)
        job.wait_for(self.dependencies(after))
        self.jobs[job.id] = job
        self.move(job, waiting_state(job, self.now))
        return job

    def dependencies(self, after):
        return [Dependency(self.jobs[item["id"]], CONDITIONS[item["on"]]) for item in after]

    def edit(self, id, after=None, **changes):
        """Change what a job that no worker has was submitted with."""
        job = self.find(id)
        if job.state not in WAITING:
            raise Conflict
        if after is not None:
            self.require(item["id"] for item in after)
            dependencies = self.dependencies(after)
            if would_wait_for_itself(job, [item.job for item in dependencies]):
                raise Cycle
            job.wait_for(dependencies)
        for name, value in changes.items():
            setattr(job, name, value)
        state = waiting_state(job, self.now)
        if state != job.state:
            self.move(job, state)
        return job

    def limit(self, queue, running):
        """Let at most so many jobs run at the same time; None stands for any number."""
        self.limits[queue] = running
        return self.limits

    def claim(self, queue, lease):
        """Return the most urgent ready job, now running, or None."""
        limit = self.limits.get(queue)
        if limit is not None and len(self.list(queue, RUNNING)) >= limit:
            return None
        job = min(self.list(queue, READY), key=lambda job: (-job.priority, job.id), default=None)
        if job:
            job.attempts += 1
            job.deadline = self.now + lease
            self.move(job, RUNNING)
        return job

    def renew(self, id, lease, attempt):
        job = self.running(id, attempt)
        job.deadline = self.now + lease
        self.schedule.enter(job)
        return job

    def finish(self, id, result, attempt):
        job = self.running(id, attempt)
        job.result = result
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
            job.due = self.now + job.backoff_wait()
        self.move(job, state)

    def cancel(self, id):
        job = self.find(id)
        if job.state in OVER:
            raise Conflict
        self.move(job, CANCELLED)
        return job

    def running(self, id, attempt=None):
        """Return the job, if it runs and this is its attempt."""
        job = self.find(id)
        if job.state != RUNNING or attempt not in (None, job.attempts):
            raise Conflict
        return job

    def move(self, job, state):
        """Bring a job into a state, and those along that wait for it."""
        before = job.state
        job.state = state
        self.record(job, before)
        if state in OVER:
            for other in settle(job, self.now):
                self.record(other, BLOCKED)

    def record(self, job, before):
        """Note that a job has left the state before."""
        event = {"seq": len(self.events) + 1, "at": self.now, "job": job.id, "from": before, "to": job.state}
        self.events.append(event)
        self.schedule.enter(job)
