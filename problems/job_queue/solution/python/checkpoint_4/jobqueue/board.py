"""The jobs of all queues, and what happened to them."""

from collections import Counter

from jobqueue.errors import Conflict, NotFound, UnknownJob
from jobqueue.jobs import BLOCKED, CANCELLED, DONE, LOST, OVER, READY, RUNNING, SCHEDULED, Job


class Board:
    """All jobs, their history and the clock. A method that raises has changed nothing."""

    def __init__(self):
        self.now = 0
        self.jobs = {}
        self.events = []
        self.limits = {}

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
        due = [(job.moment(), job.id) for job in self.jobs.values() if job.state in (SCHEDULED, RUNNING)]
        for moment, id in sorted(due):
            if moment > until:
                break
            self.now = moment
            job = self.jobs[id]
            self.move(job, READY if job.state == SCHEDULED else job.state_after_attempt())
        self.now = until
        return until

    def submit(self, queue, payload, priority, delay, max_attempts, after):
        self.require(after)
        dependencies = [self.jobs[id] for id in after]
        job = Job(len(self.jobs) + 1, queue, payload, priority, max_attempts, self.now + delay, dependencies)
        for other in dependencies:
            other.dependents.append(job)
        self.jobs[job.id] = job
        self.move(job, job.waiting_state(self.now))
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
        return job

    def finish(self, id, result, attempt):
        job = self.running(id, attempt)
        job.result = result
        self.move(job, DONE)
        return job

    def release(self, id, attempt):
        job = self.running(id, attempt)
        self.move(job, job.state_after_attempt())
        return job

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
        self.record(job, state)
        if state == DONE:
            for other in waiting(job.dependents):
                after = other.waiting_state(self.now)
                if after != BLOCKED:
                    self.record(other, after)
        elif state in LOST:
            for other in all_waiting_for(job):
                self.record(other, CANCELLED)

    def record(self, job, state):
        event = {"seq": len(self.events) + 1, "at": self.now, "job": job.id, "from": job.state, "to": state}
        self.events.append(event)
        job.state = state


def waiting(jobs):
    return sorted((job for job in jobs if job.state == BLOCKED), key=lambda job: job.id)


def all_waiting_for(job):
    """Return the blocked jobs that wait for this one, directly or not, by id."""
    found = {}
    pending = [job]
    while pending:
        for other in waiting(pending.pop().dependents):
            if other.id not in found:
                found[other.id] = other
                pending.append(other)
    return waiting(found.values())
