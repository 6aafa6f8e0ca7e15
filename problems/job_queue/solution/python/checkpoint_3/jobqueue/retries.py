"""Requests that may be sent again."""

from jobqueue.errors import KeyReused
from jobqueue.values import Kept


class Retries:
    """What was answered to requests with a key."""

    def __init__(self):
        self.answers = {}

    def recall(self, key, request):
        """Return the answer to this request's earlier self, or None."""
        if key not in self.answers:
            return None
        known, answer = self.answers[key]
        if not same(known, request):
            raise KeyReused
        return answer

    def remember(self, key, request, answer):
        if key is not None:
            self.answers[key] = (request, answer)


def same(one, other):
    """Compare what two requests say, in which 1 equals 1.0 but not true."""
    if isinstance(one, Kept) and isinstance(other, Kept):
        return one.canonical() == other.canonical()
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
