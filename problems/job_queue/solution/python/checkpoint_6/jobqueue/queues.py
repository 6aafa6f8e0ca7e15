"""Queues, and whose turn it is."""

import heapq
from fractions import Fraction

from jobqueue.states import READY, RUNNING


class Queue:
    def __init__(self, name):
        self.name = name
        self.weight = 1
        self.turn = Fraction(0)
        self.limit = None
        self.counts = {}
        self.entries = []

    def to_json(self):
        return {"weight": self.weight, "turn": f"{self.turn.numerator}/{self.turn.denominator}"}

    def has(self, state):
        return self.counts.get(state, 0)

    def is_busy(self):
        return self.has(READY) + self.has(RUNNING) > 0

    def can_give(self):
        """Tell whether there is a job that may run."""
        return self.has(READY) > 0 and (self.limit is None or self.has(RUNNING) < self.limit)


class Queues:
    """All queues that were ever named."""

    def __init__(self, changes, jobs):
        self.changes = changes
        self.jobs = jobs
        self.by_name = {}

    def find(self, name):
        """Return the queue of this name. One that was not there before is as good as one that was."""
        if name not in self.by_name:
            self.by_name[name] = Queue(name)
        return self.by_name[name]

    def shift(self, name, before, after):
        """Count a job of this queue in the one state no more, but in the other; None stands for no state."""
        queue = self.find(name)
        was_busy = queue.is_busy()
        if before is not None:
            self.changes.put(queue.counts, before, queue.has(before) - 1)
        if after is not None:
            self.changes.put(queue.counts, after, queue.has(after) + 1)
        if queue.is_busy() and not was_busy:
            self.catch_up(queue)

    def catch_up(self, queue):
        """Bring a queue that was idle up to the others."""
        others = (other.turn for other in self.by_name.values() if other is not queue and other.is_busy())
        self.changes.set(queue, "turn", max(queue.turn, min(others, default=queue.turn)))

    def enter(self, job):
        """Remember that a job may be claimed; what it was entered for before is forgotten once it is otherwise."""
        if job.state == READY:
            heapq.heappush(self.find(job.queue).entries, (-job.priority, job.id))

    def next_job(self, names):
        """Return the job that is claimed next from these queues, or None."""
        queues = [queue for queue in map(self.find, names) if queue.can_give()]
        if not queues:
            return None
        queue = min(queues, key=lambda queue: (queue.turn, queue.name))
        while not self.is_claimable(queue, *queue.entries[0]):
            heapq.heappop(queue.entries)
        self.changes.set(queue, "turn", queue.turn + Fraction(1, queue.weight))
        return self.jobs[heapq.heappop(queue.entries)[1]]

    def is_claimable(self, queue, rank, id):
        """Tell whether an entry still holds."""
        job = self.jobs.get(id)
        return job is not None and (job.state, job.queue, -job.priority) == (READY, queue.name, rank)
