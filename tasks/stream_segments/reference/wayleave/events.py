"""What the segmenter reports."""

from dataclasses import dataclass

import numpy as np


@dataclass
class Boundary:
    """A boundary: the first step of the new segment, how sure its place is, how sure it is that there is one."""

    location: int
    emitted: int
    low: int
    high: int
    window_start: int
    profile: np.ndarray
    evidence: float
    confidence: float
    settled: bool = False
    withdrawn: bool = False


@dataclass
class Transient:
    """A stretch after which the regime before it came back: its first step, and the first step after it."""

    start: int
    end: int
    emitted: int


@dataclass
class Segment:
    """A closed segment [start, end) and the regime it belongs to."""

    start: int
    end: int
    regime: int
