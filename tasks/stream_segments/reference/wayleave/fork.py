"""A fork: the hypothesis that a new segment began at a certain step."""

from wayleave.evidence import Tally, bounded_vote
from wayleave.predictive import log_scores
from wayleave.summary import Summary


class Fork:
    """Own summary since its start, and the tally of its votes against the trunk."""

    def __init__(self, start, prior, settings):
        self.start = start
        self.prior = prior
        self.summary = Summary(len(prior.mean), settings.count_cap)
        self.age = 0
        self.held = 0
        self.peak = float("-inf")
        self._settings = settings
        self._tally = Tally(settings)

    def replay(self, vectors, trunk_scores, weights):
        """Steps that were seen before the fork was opened, the opening one included: they count less."""
        for vector, scores in zip(vectors, trunk_scores):
            self._count(vector, scores, weights, self._settings.replay_weight)

    def step(self, vector, trunk_scores, weights):
        """A step after the opening; scored before it is learnt."""
        self._count(vector, trunk_scores, weights, 1.0)
        self.age += 1
        self.peak = max(self.peak, self.evidence())

    def evidence(self):
        return self._tally.evidence()

    def _count(self, vector, trunk_scores, weights, weight):
        own = log_scores(self.summary, self.prior, vector)
        self._tally.add(bounded_vote(own, trunk_scores, weights, self._settings.vote_bound), weight)
        self.summary.add(vector)
