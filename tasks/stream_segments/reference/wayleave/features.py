"""Features: level, roughness and turning of each dimension, coupling of each pair."""

import numpy as np


class TextureFeatures:
    """Turns scaled observations into feature vectors, one at a time, with constant memory."""

    def __init__(self, dimensions, settings):
        self._settings = settings
        self._base = None
        self._turning = np.full(dimensions, 0.5)
        self._last_difference = None
        self._last = None
        self._pairs = np.triu_indices(dimensions, k=1)

    def step(self, scaled):
        """The vector (levels, roughnesses, turnings, couplings) after this observation."""
        s = self._settings
        if self._last is None:
            self._base = scaled.copy()
            self._last = scaled.copy()
        difference = scaled - self._last
        if self._last_difference is not None:
            turned = (difference * self._last_difference < 0.0).astype(float)
            self._turning = self._turning + s.turn_rate * (turned - self._turning)
        around = scaled - self._base
        self._base = self._base + s.base_rate * around
        self._last = scaled.copy()
        self._last_difference = difference

        roughness = np.log(s.roughness_floor + 0.5 * difference**2)
        turning = np.arcsin(np.sqrt(np.clip(self._turning, 0.0, 1.0)))
        coupling = np.arcsinh(around[self._pairs[0]] * around[self._pairs[1]])
        return np.concatenate([scaled, roughness, turning, coupling])
