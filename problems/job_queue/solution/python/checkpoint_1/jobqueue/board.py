"""The jobs of all queues."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from jobqueue.errors import Conflict, NotFound

READY = "ready"
RUNNING = "running"
DONE = "done"


@dataclass
class Job:
    id: int
    queue: str
    payload: Any
    state: str = READY
    attempts: int = 0
    result: Any = field(default=None)

    def to_json(self):
        return {"id": self.id, "queue": self.queue, "state": self.state, "payload": self.payload}


class Board:
    """All jobs. A method that raises has changed nothing."""

    def __init__(self):
        self.jobs = {}

    def find(self, id):
        if id not in self.jobs:
            raise NotFound
        return self.jobs[id]

    def count(self, queue):
        return dict(Counter(job.state for job in self.jobs.values() if job.queue == queue))

    def submit(self, queue, payload):
        job = Job(len(self.jobs) + 1, queue, payload)
        self.jobs[job.id] = job
        return job

    def claim(self, queue):
        """Return the oldest ready job, now running, or None."""
        ready = (job for job in self.jobs.values() if job.queue == queue and job.state == READY)
        job = next(ready, None)
        if job:
            job.state = RUNNING
            job.attempts += 1
        return job

    def finish(self, id, result):
        job = self.running(id)
        job.state = DONE
        job.result = result
        return job

    def release(self, id):
        job = self.running(id)
        job.state = READY
        return job

    def running(self, id):
        job = self.find(id)
        if job.state != RUNNING:
            raise Conflict
        return job
