"""The states of jobs."""

BLOCKED = "blocked"
SCHEDULED = "scheduled"
READY = "ready"
RUNNING = "running"
DONE = "done"
FAILED = "failed"
CANCELLED = "cancelled"

LOST = (FAILED, CANCELLED)
OVER = (DONE, *LOST)
WAITING = (BLOCKED, SCHEDULED, READY)
STATES = (*WAITING, RUNNING, *OVER)

# The states that end the waiting for a job, by the name of the condition.
CONDITIONS = {"done": frozenset([DONE]), "lost": frozenset(LOST), "over": frozenset(OVER)}
