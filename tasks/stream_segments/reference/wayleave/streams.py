"""Synthetic streams with known boundaries and transients."""

import numpy as np

from wayleave.truth import Stream

_FAMILIES = ("level", "spread", "texture", "coupling", "mixed")
_SHARED = 0.6
_MARGIN = 45


def family_names():
    return _FAMILIES


def make_stream(family, random, dimensions=2, segments=5, warmup=150):
    """A stream whose regimes differ as the family says; `mixed` draws a kind a boundary, and has bumps and spikes."""
    if family not in _FAMILIES:
        raise ValueError(f"no family of streams is called {family!r}; there are {', '.join(_FAMILIES)}")
    level = np.zeros(dimensions)
    spread = np.ones(dimensions)
    texture = np.full(dimensions, 0.2)
    signs = np.ones(dimensions)
    noise = np.zeros(dimensions)
    rows, boundaries, transients = [], [], []
    for number in range(segments):
        length = int(random.integers(100, 201)) + (warmup if number == 0 else 0)
        if number > 0:
            boundaries.append(len(rows))
            kind = str(random.choice(_FAMILIES[:-1])) if family == "mixed" else family
            if kind == "level":
                level = level + random.choice([-1.0, 1.0], dimensions) * random.uniform(1.5, 3.0, dimensions)
            elif kind == "spread":
                wide = spread.mean() > 1.5
                spread = np.full(dimensions, 1.0 if wide else random.uniform(2.2, 3.0))
            elif kind == "texture":
                texture = np.full(dimensions, -0.6 if texture[0] > 0 else 0.6)
            else:
                signs = np.where(np.arange(dimensions) % 2 == 1, -signs, signs)
        bump = None
        if family == "mixed" and random.random() < 0.5:
            bump = _place_bump(random, (warmup if number == 0 else 0) + _MARGIN, length - _MARGIN)
        if bump is not None:
            transients.append((len(rows) + bump[0], bump[1]))
        height = 3.0 * random.choice([-1.0, 1.0], dimensions)
        for step in range(length):
            fresh = np.sqrt(1.0 - _SHARED) * random.standard_normal(dimensions)
            fresh = fresh + np.sqrt(_SHARED) * signs * random.standard_normal()
            noise = texture * noise + np.sqrt(1.0 - texture**2) * fresh
            row = level + spread * noise
            if bump is not None and bump[0] <= step < bump[0] + bump[1]:
                row = row + height
            if family == "mixed" and len(rows) >= warmup and random.random() < 0.005:
                row = row + 6.0 * random.choice([-1.0, 1.0], dimensions)
            rows.append(row)
    return Stream(np.array(rows), boundaries, transients)


def _place_bump(random, first, end):
    """Start and length of a bump within [first, end), if there is room for it."""
    length = int(random.integers(10, 21))
    if end - length < first:
        return None
    return int(random.integers(first, end - length + 1)), length
