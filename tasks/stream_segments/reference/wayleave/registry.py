"""Regimes that come back."""

import numpy as np

from wayleave.summary import divergence, pool


class RegimeRegistry:
    """Pooled summaries of the regimes seen so far."""

    def __init__(self, limit):
        self._limit = limit
        self._regimes = []

    def file(self, summary, weights):
        """The number of the regime that a closed segment belongs to: the nearest known one, or a new one."""
        distances = [divergence(summary, regime, weights) for regime in self._regimes]
        if distances and min(distances) < self._limit:
            nearest = int(np.argmin(distances))
            self._regimes[nearest] = pool(self._regimes[nearest], summary)
            return nearest
        self._regimes.append(summary.copy())
        return len(self._regimes) - 1
