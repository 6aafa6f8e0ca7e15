"""One job."""

from dataclasses import dataclass, field
from typing import Any, List, Optional

BLOCKED = "blocked"
SCHEDULED = "scheduled"
READY = "ready"
RUNNING = "running"
DONE = "done"
FAILED = "failed"
CANCELLED = "cancelled"

LOST = (FAILED, CANCELLED)
OVER = (DONE, *LOST)
STATES = (BLOCKED, SCHEDULED, READY, RUNNING, *OVER)


@dataclass
class Job:
    id: int
    queue: str
    payload: Any
    priority: int
    max_attempts: Optional[int]
    due: int
    after: List["Job"]
    dependents: List["Job"] = field(default_factory=list)
    state: Optional[str] = None
    attempts: int = 0
    deadline: int = 0
    result: Any = None

    def to_json(self):
        return {"id": self.id, "queue": self.queue, "state": self.state, "payload": self.payload}

    def waiting_state(self, now):
        """Return the state of a job that no worker has."""
        states = {job.state for job in self.after}
        if states.intersection(LOST):
            return CANCELLED
        if states - {DONE}:
            return BLOCKED
        return SCHEDULED if now < self.due else READY

    def state_after_attempt(self):
        return FAILED if self.attempts == self.max_attempts else READY

    def moment(self):
        """Return when the clock changes this job, which is scheduled or running."""
        return self.due if self.state == SCHEDULED else self.deadline
