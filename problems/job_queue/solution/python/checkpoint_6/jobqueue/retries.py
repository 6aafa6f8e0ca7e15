"""Requests that may be sent again."""

from jobqueue.errors import KeyReused


class Retries:
    """What was answered to requests with a key."""

    def __init__(self, changes):
        self.changes = changes
        self.answers = {}

    def recall(self, key, request):
        """Return the answer to this request's earlier self, or None."""
        if key not in self.answers:
            return None
        known, answer = self.answers[key]
        if not same_json(known, request):
            raise KeyReused
        return answer

    def remember(self, key, request, answer):
        if key is not None:
            self.changes.put(self.answers, key, (request, answer))


def same_json(one, other):
    """Compare two JSON values, in which 1 equals 1.0 but not true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return one == other
