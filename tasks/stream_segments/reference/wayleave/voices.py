"""Weights of the channels: redundant channels, and persistent ones, share a vote."""

import numpy as np


class Voices:
    """Follows how the channels' residuals go together, across channels and from one step to the next."""

    def __init__(self, residuals, settings):
        residuals = np.asarray(residuals, dtype=float)
        self._settings = settings
        self._moment = residuals.T @ residuals / len(residuals)
        self._lagged = np.mean(residuals[1:] * residuals[:-1], axis=0)
        self._last = residuals[-1].copy()
        self._weights = self._compute()

    def learn(self, residual):
        """One step's standardised residuals under the trunk."""
        rate = self._settings.voice_rate
        self._moment = (1.0 - rate) * self._moment + rate * np.outer(residual, residual)
        self._lagged = (1.0 - rate) * self._lagged + rate * residual * self._last
        self._last = residual.copy()
        self._weights = self._compute()

    def weights(self):
        return self._weights

    def copy(self):
        other = Voices.__new__(Voices)
        other._settings = self._settings
        other._moment = self._moment.copy()
        other._lagged = self._lagged.copy()
        other._last = self._last.copy()
        other._weights = self._weights.copy()
        return other

    def _compute(self):
        s = self._settings
        if not s.use_voices:
            return np.ones(len(self._moment))
        power = np.maximum(np.diag(self._moment), 1e-12)
        correlation = self._moment / np.sqrt(np.outer(power, power))
        shrunk = (1.0 - s.voice_shrinkage) * correlation + s.voice_shrinkage * np.eye(len(power))
        redundancy = np.sum(shrunk**2, axis=1)
        persistence = np.clip(self._lagged / power, 0.0, s.persistence_cap)
        return (1.0 - persistence) / (1.0 + persistence) / redundancy
