"""One job."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

from jobqueue.states import BLOCKED, CANCELLED, FAILED, READY, RUNNING, SCHEDULED

LONGEST_WAIT = 10**9


@dataclass
class Dependency:
    """Another job, and the states of it that are waited for."""

    job: "Job"
    awaited: frozenset


@dataclass
class Job:
    id: int
    queue: str
    payload: Any
    priority: int
    max_attempts: Optional[int]
    backoff: int
    due: int
    expiry: Optional[int]
    after: List[Dependency] = field(default_factory=list)
    dependents: Dict[int, "Job"] = field(default_factory=dict)
    state: Optional[str] = None
    attempts: int = 0
    deadline: int = 0
    result: Any = None

    def to_json(self):
        return {"id": self.id, "queue": self.queue, "state": self.state, "payload": self.payload}

    def wait_for(self, after):
        """Wait for these dependencies, and for no others."""
        for dependency in self.after:
            del dependency.job.dependents[self.id]
        self.after = after
        for dependency in after:
            dependency.job.dependents[self.id] = self

    def is_expired(self, now):
        return self.expiry is not None and self.expiry <= now

    def backoff_wait(self):
        """Return how long the job waits after its latest attempt."""
        return min(self.backoff * 2 ** (self.attempts - 1), LONGEST_WAIT)

    def state_after_attempt(self, now):
        used_up = self.max_attempts is not None and self.attempts >= self.max_attempts
        if used_up or self.is_expired(now):
            return FAILED
        return SCHEDULED if self.backoff else READY

    def state_when_due(self, now):
        """Return the state that the clock brings about at this job's moment."""
        if self.state == RUNNING:
            return self.state_after_attempt(now)
        return CANCELLED if self.is_expired(now) else READY

    def moment(self):
        """Return when the clock changes this job next, or None if it never does."""
        if self.state == RUNNING:
            return self.deadline
        moments = []
        if self.state == SCHEDULED:
            moments.append(self.due)
        if self.state in (BLOCKED, SCHEDULED, READY) and self.expiry is not None:
            moments.append(self.expiry)
        return min(moments, default=None)
