"""Requests that may be sent again."""

from ledger_service.errors import KeyReused


class Retries:
    """What was answered to requests with a key."""

    def __init__(self):
        self.answers = {}

    def recall(self, key, request):
        """Return the answer to this request's earlier self, or None."""
        if key not in self.answers:
            return None
        known, answer = self.answers[key]
        if known != request:
            raise KeyReused
        return answer

    def remember(self, key, request, answer):
        if key is not None:
            self.answers[key] = (request, answer)
