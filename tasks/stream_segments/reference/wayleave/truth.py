"""A stream whose boundaries are known."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Stream:
    """Observations, first steps of the segments after the first, and the planted transients as (start, length)."""

    observations: np.ndarray
    boundaries: list
    transients: list
