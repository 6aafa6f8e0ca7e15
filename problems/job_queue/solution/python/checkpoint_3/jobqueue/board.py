"""The jobs of all queues."""

from collections import Counter

from jobqueue.errors import Conflict, NotFound, UnknownJob
from jobqueue.jobs import BLOCKED, CANCELLED, DONE, LOST, OVER, READY, RUNNING, SCHEDULED, Job


class Board:
    """All jobs and the clock. A method that raises has changed nothing."""

    def __init__(self):
        self.now = 0
        self.jobs = {}

    def find(self, id):
        if id not in self.jobs:
            raise NotFound
        return self.jobs[id]

    def count(self, queue):
        return dict(Counter(job.state for job in self.jobs.values() if job.queue == queue))

    def require(self, ids):
        """Refuse ids that no job has."""
        if not all(id in self.jobs for id in ids):
            raise UnknownJob

    def advance(self, advance):
        self.now += advance
        for job in self.jobs.values():
            if job.state == SCHEDULED and self.now >= job.due:
                job.state = READY
            elif job.state == RUNNING and self.now >= job.deadline:
                self.end(job, job.state_after_attempt())
        return self.now

    def submit(self, queue, payload, priority, delay, max_attempts, after):
        self.require(after)
        dependencies = [self.jobs[id] for id in after]
        job = Job(len(self.jobs) + 1, queue, payload, priority, max_attempts, self.now + delay, dependencies)
        job.state = job.waiting_state(self.now)
        for other in dependencies:
            other.dependents.append(job)
        self.jobs[job.id] = job
        return job

    def claim(self, queue, lease):
        """Return the most urgent ready job, now running, or None."""
        ready = (job for job in self.jobs.values() if job.queue == queue and job.state == READY)
        job = min(ready, key=lambda job: (-job.priority, job.id), default=None)
        if job:
            job.start(self.now + lease)
        return job

    def renew(self, id, lease, attempt):
        job = self.running(id, attempt)
        job.deadline = self.now + lease
        return job

    def finish(self, id, result, attempt):
        job = self.running(id, attempt)
        job.result = result
        self.end(job, DONE)
        return job

    def release(self, id, attempt):
        job = self.running(id, attempt)
        self.end(job, job.state_after_attempt())
        return job

    def cancel(self, id):
        job = self.find(id)
        if job.state in OVER:
            raise Conflict
        self.end(job, CANCELLED)
        return job

    def end(self, job, state):
        """Take a job from whoever has it, and tell those that wait for it."""
        job.state = state
        if state == DONE:
            for other in job.dependents:
                if other.state == BLOCKED:
                    other.state = other.waiting_state(self.now)
        elif state in LOST:
            self.cancel_dependents(job)

    def cancel_dependents(self, job):
        """Cancel the blocked jobs that wait for this one, directly or not."""
        pending = [job]
        while pending:
            for other in pending.pop().dependents:
                if other.state == BLOCKED:
                    other.state = CANCELLED
                    pending.append(other)

    def running(self, id, attempt=None):
        """Return the job, if it runs and this is its attempt."""
        job = self.find(id)
        if job.state != RUNNING or attempt not in (None, job.attempts):
            raise Conflict
        return job
