"""Votes of a step, and the tally of a hypothesis."""

import numpy as np


def bounded_vote(for_scores, against_scores, weights, bound):
    """The weighted sum of the channels' score differences, each clipped to [-bound, bound]."""
    return float(np.sum(weights * np.clip(for_scores - against_scores, -bound, bound)))


class Tally:
    """Sum of votes, and how many steps carry its favourable part."""

    def __init__(self, settings):
        self._settings = settings
        self.total = 0.0
        self._favour = 0.0
        self._favour_squared = 0.0

    def add(self, vote, weight):
        """Counts a vote: with weight 1 as it comes, with less for steps that were chosen after the fact."""
        vote = weight * vote
        self.total += vote
        favour = max(vote, 0.0)
        self._favour += favour
        self._favour_squared += favour**2

    def carriers(self):
        """Effective number of steps that carry the favourable votes."""
        if self._favour_squared == 0.0:
            return 0.0
        return self._favour**2 / self._favour_squared

    def evidence(self):
        """The total, discounted where few steps carry it; a debt is never discounted."""
        if self.total <= 0.0 or not self._settings.use_burst_discount:
            return self.total
        carriers = self.carriers()
        return self.total * carriers / (carriers + self._settings.burst_constant)
