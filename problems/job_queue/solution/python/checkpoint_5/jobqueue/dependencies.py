"""What jobs have to wait for, and what follows from their ends."""

from jobqueue.states import BLOCKED, CANCELLED, OVER, READY, SCHEDULED


def waiting_state(job, now):
    """Return the state of a job that no worker has."""
    open_items = [item for item in job.after if item.job.state not in item.awaited]
    if any(item.job.state in OVER for item in open_items):
        return CANCELLED
    if open_items:
        return BLOCKED
    return SCHEDULED if now < job.due else READY


def settle(job, now):
    """Bring the blocked jobs that wait for this one, directly or not, into their states, and return them by id."""
    changed = []
    pending = [job]
    while pending:
        for other in pending.pop().dependents.values():
            if other.state != BLOCKED:
                continue
            other.state = waiting_state(other, now)
            if other.state != BLOCKED:
                changed.append(other)
            if other.state in OVER:
                pending.append(other)
    return sorted(changed, key=lambda other: other.id)


def would_wait_for_itself(job, others):
    """Tell whether a job that waits for the others would wait for itself, whatever their states."""
    seen = set()
    pending = list(others)
    while pending:
        other = pending.pop()
        if other is job:
            return True
        if other.id not in seen:
            seen.add(other.id)
            pending.extend(item.job for item in other.after)
    return False
