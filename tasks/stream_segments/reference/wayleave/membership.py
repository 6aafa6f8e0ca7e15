"""Soft readings of the boundaries for every step of a stream."""

import numpy as np


def boundary_series(boundaries, steps):
    """For every step the probability that a segment begins there: place times existence, summed over boundaries."""
    series = np.zeros(steps)
    for boundary in boundaries:
        window = slice(boundary.window_start, boundary.window_start + len(boundary.profile))
        series[window] += boundary.confidence * boundary.profile
    return np.minimum(series, 1.0)


def soft_membership(boundaries, steps):
    """For every step the probability of each segment, from the places of the boundaries on its two sides."""
    passed = [np.ones(steps)]
    for boundary in boundaries:
        cumulative = np.zeros(steps)
        end = boundary.window_start + len(boundary.profile)
        cumulative[boundary.window_start : end] = np.cumsum(boundary.profile)
        cumulative[end:] = 1.0
        passed.append(cumulative)
    passed.append(np.zeros(steps))
    membership = np.stack([passed[m] * (1.0 - passed[m + 1]) for m in range(len(passed) - 1)], axis=1)
    return membership / membership.sum(axis=1, keepdims=True)
