"""One job."""

from dataclasses import dataclass
from typing import Any, Optional

SCHEDULED = "scheduled"
READY = "ready"
RUNNING = "running"
DONE = "done"
FAILED = "failed"


@dataclass
class Job:
    id: int
    queue: str
    payload: Any
    priority: int
    max_attempts: Optional[int]
    due: int
    state: str = READY
    attempts: int = 0
    deadline: int = 0
    result: Any = None

    def to_json(self):
        return {"id": self.id, "queue": self.queue, "state": self.state, "payload": self.payload}

    def tick(self, now):
        """Change what the clock alone changes."""
        if self.state == SCHEDULED and now >= self.due:
            self.state = READY
        elif self.state == RUNNING and now >= self.deadline:
            self.give_up_attempt()

    def start(self, deadline):
        self.state = RUNNING
        self.attempts += 1
        self.deadline = deadline

    def give_up_attempt(self):
        self.state = FAILED if self.attempts == self.max_attempts else READY
