"""What a job is made of, alone or in a batch."""

from jobqueue.errors import BadRequest
from jobqueue.fields import REQUIRED, anything, distinct, list_of, pick_all, queue_name, whole_number

ID = whole_number(1, 10**18 - 1)
MOST_JOBS = 1000


def reference(value):
    """Accept the id of a job, or the index of an entry of the same batch."""
    if isinstance(value, dict):
        return pick_all(value, {"index": (whole_number(0, MOST_JOBS - 1), REQUIRED)})
    return ID(value)


def submission(check_dependency):
    return {
        "queue": (queue_name, REQUIRED),
        "payload": (anything, REQUIRED),
        "priority": (whole_number(-100, 100), 0),
        "delay": (whole_number(0, 10**9), 0),
        "max_attempts": (whole_number(1, 100), None),
        "after": (distinct(list_of(check_dependency, 0, 100)), []),
    }


def entries(value):
    """Accept submissions that refer to earlier ones only."""
    fields = submission(reference)
    jobs = list_of(lambda entry: pick_all(entry, fields), 1, MOST_JOBS)(value)
    for index, job in enumerate(jobs):
        if any(other["index"] >= index for other in job["after"] if isinstance(other, dict)):
            raise BadRequest
    return jobs


SUBMISSION = submission(ID)
BATCH = {"jobs": (entries, REQUIRED)}


def known_jobs(jobs):
    """Return the ids of jobs outside of the batch that it refers to."""
    return [other for job in jobs for other in job["after"] if not isinstance(other, dict)]


def resolve(job, ids):
    """Return a batch's entry with ids in place of indices."""
    after = [ids[other["index"]] if isinstance(other, dict) else other for other in job["after"]]
    return {**job, "after": after}
