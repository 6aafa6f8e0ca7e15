"""Capped summaries of feature vectors, and the pooling and the divergence of two of them."""

import numpy as np

_VARIANCE_FLOOR = 1e-8


class Summary:
    """Count, mean and sum of squared deviations of each channel; the count is capped, so that old steps fade."""

    def __init__(self, channels, count_cap):
        self.count = 0.0
        self.mean = np.zeros(channels)
        self.squares = np.zeros(channels)
        self.count_cap = count_cap

    def add(self, vector):
        self.count += 1.0
        before = vector - self.mean
        self.mean = self.mean + before / self.count
        self.squares = self.squares + before * (vector - self.mean)
        self._cap()

    def add_all(self, vectors):
        for vector in vectors:
            self.add(vector)

    def variance(self):
        return self.squares / max(self.count, 1.0)

    def copy(self):
        other = Summary(len(self.mean), self.count_cap)
        other.count = self.count
        other.mean = self.mean.copy()
        other.squares = self.squares.copy()
        return other

    def _cap(self):
        if self.count > self.count_cap:
            self.squares = self.squares * (self.count_cap / self.count)
            self.count = self.count_cap


def pool(first, second):
    """The summary of both stretches together."""
    pooled = first.copy()
    total = first.count + second.count
    if total == 0.0:
        return pooled
    shift = second.mean - first.mean
    pooled.mean = first.mean + shift * (second.count / total)
    pooled.squares = first.squares + second.squares + shift**2 * (first.count * second.count / total)
    pooled.count = total
    pooled._cap()
    return pooled


def divergence(first, second, weights):
    """Symmetrised Gaussian divergence of two summaries, less what sampling alone gives, averaged over the voices."""
    first_variance = np.maximum(first.variance(), _VARIANCE_FLOOR)
    second_variance = np.maximum(second.variance(), _VARIANCE_FLOOR)
    shift = (first.mean - second.mean) ** 2
    each = 0.5 * ((first_variance + shift) / second_variance + (second_variance + shift) / first_variance) - 1.0
    sampling = 2.0 * (1.0 / max(first.count, 1.0) + 1.0 / max(second.count, 1.0))
    return float(np.sum(weights * np.maximum(each - sampling, 0.0)) / np.sum(weights))
