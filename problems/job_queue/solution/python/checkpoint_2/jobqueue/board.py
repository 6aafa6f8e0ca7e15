"""The jobs of all queues."""

from collections import Counter

from jobqueue.errors import Conflict, NotFound
from jobqueue.jobs import DONE, READY, RUNNING, SCHEDULED, Job


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

    def advance(self, advance):
        self.now += advance
        for job in self.jobs.values():
            job.tick(self.now)
        return self.now

    def submit(self, queue, payload, priority, delay, max_attempts):
        state = SCHEDULED if delay else READY
        job = Job(len(self.jobs) + 1, queue, payload, priority, max_attempts, self.now + delay, state)
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
        job.state = DONE
        job.result = result
        return job

    def release(self, id, attempt):
        job = self.running(id, attempt)
        job.give_up_attempt()
        return job

    def running(self, id, attempt=None):
        """Return the job, if it runs and this is its attempt."""
        job = self.find(id)
        if job.state != RUNNING or attempt not in (None, job.attempts):
            raise Conflict
        return job
