"""When the clock has something to do."""

import heapq


class Schedule:
    """The moments of jobs. What a job was entered for before is forgotten once its moment is another."""

    def __init__(self, jobs):
        self.jobs = jobs
        self.entries = []

    def enter(self, job):
        moment = job.moment()
        if moment is not None:
            heapq.heappush(self.entries, (moment, job.id))

    def due(self, until):
        """Yield jobs by their moments up to this time, and by their ids, while they change."""
        while self.entries and self.entries[0][0] <= until:
            moment, id = heapq.heappop(self.entries)
            job = self.jobs.get(id)
            if job is not None and job.moment() == moment:
                yield moment, job
