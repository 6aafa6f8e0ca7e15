"""What a job is made of, alone or in a batch."""

from jobqueue.errors import BadRequest
from jobqueue.fields import (
    REQUIRED,
    anything,
    boolean,
    list_of,
    one_of,
    optional,
    pick_all,
    queue_name,
    whole_number,
)
from jobqueue.states import CONDITIONS

ID = whole_number(1, 10**18 - 1)
MOST_ENTRIES = 1000
MOST_JOBS = 20000
CONDITION = (one_of(CONDITIONS), "done")
BY_ID = {"id": (ID, REQUIRED), "on": CONDITION}
BY_INDEX = {"index": (whole_number(0, MOST_ENTRIES - 1), REQUIRED), "on": CONDITION}


def dependency(value):
    """Accept the id of a job, with a condition or without one."""
    return pick_all(value if isinstance(value, dict) else {"id": value}, BY_ID)


def dependency_in_batch(value):
    """Accept the index of an entry of the same batch as well."""
    if isinstance(value, dict) and "index" in value:
        return pick_all(value, BY_INDEX)
    return dependency(value)


def dependencies(check):
    def check_all(value):
        items = list_of(check, 0, 100)(value)
        if len({(item.get("id"), item.get("index")) for item in items}) < len(items):
            raise BadRequest
        return items

    return check_all


def submission(check_dependency):
    return {
        "queue": (queue_name, REQUIRED),
        "payload": (anything, REQUIRED),
        "priority": (whole_number(-100, 100), 0),
        "delay": (whole_number(0, 10**9), 0),
        "max_attempts": (whole_number(1, 100), None),
        "backoff": (whole_number(0, 86400), 0),
        "expires": (whole_number(1, 10**9), None),
        "after": (dependencies(check_dependency), []),
    }


SUBMISSION = submission(dependency)
ENTRY = {
    **submission(dependency_in_batch),
    "count": (whole_number(1, MOST_JOBS), 1),
    "serial": (boolean, False),
}
EDITABLE = {
    "queue": SUBMISSION["queue"][0],
    "priority": SUBMISSION["priority"][0],
    "max_attempts": optional(SUBMISSION["max_attempts"][0]),
    "after": SUBMISSION["after"][0],
}


def entries(value):
    """Accept submissions that refer to earlier ones only."""
    jobs = list_of(lambda entry: pick_all(entry, ENTRY), 1, MOST_ENTRIES)(value)
    for index, job in enumerate(jobs):
        if any(item.get("index", -1) >= index for item in job["after"]):
            raise BadRequest
    if sum(job["count"] for job in jobs) > MOST_JOBS:
        raise BadRequest
    return jobs


BATCH = {"jobs": (entries, REQUIRED)}


def known_jobs(jobs):
    """Return the ids of jobs outside of the batch that it refers to."""
    return [item["id"] for job in jobs for item in job["after"] if "id" in item]


def copies(entry, last_ids, submit):
    """Submit an entry of a batch as often as it says, and return the ids; given the last ids of earlier entries."""
    job = {name: value for name, value in entry.items() if name not in ("count", "serial")}
    after = [resolve(item, last_ids) for item in job.pop("after")]
    ids = []
    for _ in range(entry["count"]):
        previous = [{"id": ids[-1], "on": "done"}] if entry["serial"] and ids else []
        ids.append(submit(**job, after=after + previous).id)
    return ids


def resolve(item, last_ids):
    """Return an item that says an id in place of an index."""
    return {"id": last_ids[item["index"]], "on": item["on"]} if "index" in item else item
