"""Streams without boundaries, and the tail of the evidence that arises in them."""

import math

import numpy as np

from wayleave.confidence import NullTail


def null_stream(observations, settings, random):
    """Observations of the warm-up, drawn in circular blocks."""
    rows = len(observations)
    length = settings.settling + settings.infancy + settings.null_length
    blocks = -(-length // settings.null_block)
    starts = random.integers(0, rows, size=blocks)
    index = (starts[:, None] + np.arange(settings.null_block)[None, :]).ravel() % rows
    return observations[index[:length]]


def fit_tail(peaks, steps, settings):
    """Tail above the median peak."""
    peaks = np.asarray([peak for peak in peaks if math.isfinite(peak)])
    if len(peaks) == 0:
        return NullTail(0.0, settings.tail_floor, 0.0)
    level = float(np.median(peaks))
    above = peaks[peaks > level]
    scale = float(np.mean(above - level)) if len(above) else settings.tail_floor
    return NullTail(level, max(scale, settings.tail_floor), len(above) / steps)
