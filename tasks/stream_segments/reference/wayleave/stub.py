"""The displaced trunk: for some time it may come back."""

from wayleave.evidence import Tally, bounded_vote
from wayleave.predictive import log_scores


class Stub:
    """Keeps scoring after a takeover; its gain over the new trunk is tallied from the last time it was nothing."""

    def __init__(self, boundary, start, summary, prior, settings):
        self.boundary = boundary
        self.start = start
        self.summary = summary
        self.prior = prior
        self.age = 0
        self.balance = 0.0
        self.return_start = None
        self._gain = Tally(settings)
        self._settings = settings

    def step(self, now, vector, trunk_scores, weights):
        vote = bounded_vote(
            log_scores(self.summary, self.prior, vector), trunk_scores, weights, self._settings.vote_bound
        )
        self.age += 1
        self.balance -= vote
        if self._gain.total <= 0.0:
            self._gain = Tally(self._settings)
            self.return_start = now
        self._gain.add(vote, 1.0)

    def returns(self, threshold):
        return self._gain.evidence() >= threshold

    def expired(self):
        return self.age >= self._settings.grace
