"""Where a boundary lies: a tempered profile, its mode and its shortest interval."""

import numpy as np


def temperature(correlation, cap):
    """How much the scores of successive steps repeat each other."""
    correlation = min(max(correlation, 0.0), cap)
    return (1.0 + correlation) / (1.0 - correlation)


def location_profile(old_scores, new_scores, heat):
    """Probability of each place of a window to be the first step of the new segment.

    `old_scores` and `new_scores` hold the voice-weighted scores of the window's steps under both sides.
    """
    before = np.concatenate([[0.0], np.cumsum(old_scores)[:-1]])
    after = np.cumsum(new_scores[::-1])[::-1]
    logits = (before + after) / heat
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def shortest_interval(profile, mass):
    """First and last place of the shortest run that holds the mass; of equals the heaviest, then the earliest."""
    cumulative = np.concatenate([[0.0], np.cumsum(profile)])
    places = len(profile)
    for length in range(1, places + 1):
        masses = cumulative[length:] - cumulative[: places - length + 1]
        best = int(np.argmax(masses))
        if masses[best] >= mass - 1e-12:
            return best, best + length - 1
    return 0, places - 1
