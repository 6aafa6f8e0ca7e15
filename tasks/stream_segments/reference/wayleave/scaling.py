"""Scaling of the raw observations, fixed after the warm-up."""

import numpy as np

_MAD_TO_SIGMA = 1.4826


class WarmupScale:
    """Centre and spread of every dimension, taken once from the warm-up and never moved.

    A scale that follows the stream drags a shifted level back and shows the features a slope that is not there.
    """

    def __init__(self, warmup, spread_floor):
        warmup = np.asarray(warmup, dtype=float)
        if warmup.ndim != 2 or len(warmup) < 2:
            raise ValueError("the warm-up must be a table of at least two observations")
        self.centre = np.median(warmup, axis=0)
        deviation = np.median(np.abs(warmup - self.centre), axis=0)
        self.spread = np.maximum(_MAD_TO_SIGMA * deviation, spread_floor)

    def apply(self, observation):
        return (np.asarray(observation, dtype=float) - self.centre) / self.spread
